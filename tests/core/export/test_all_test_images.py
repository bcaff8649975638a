"""ONNX, PyTorch and the script give the program's digit on all test images of MNIST, for trained networks."""

from importlib.util import find_spec

import numpy as np
import pytest

from core.data.sources import load_dataset
from core.errors import InputError
from core.inference.model_file import bundled_model, load_model
from main import main
from tests.core.export.cases import answers, export_to, onnx_answers, script_answers, torch_answers

pytestmark = pytest.mark.slow
PRESETS = ("dense", "lenet5", "blog", "thesis")
CLOSE = 1e-4


@pytest.fixture(scope="module")
def images():
    try:
        return load_dataset("mnist").test.inputs
    except InputError:
        pytest.skip("MNIST is not here: main.py data fetch mnist")


def model_of(name, folder):
    """The bundled model, or that of a preset after an epoch."""
    if name == "bundled":
        return bundled_model()
    options = ["--preset", name, "--data", "mnist", "--epochs", "1", "--run", folder / "run"]
    assert main(["train", *map(str, options), "--save", str(folder / "m.safetensors")]) == 0
    return load_model(folder / "m.safetensors")


@pytest.mark.parametrize("name", ["bundled", *PRESETS])
def test_every_image_gets_the_same_digit(tmp_path, images, name, capsys):
    model = model_of(name, tmp_path)
    expected = answers(model, images)
    found = {}
    if find_spec("onnx") and find_spec("onnxruntime"):
        found["onnxruntime"] = onnx_answers(export_to(tmp_path, model, ".onnx"), images)
    if find_spec("torch"):
        found["PyTorch"] = torch_answers(export_to(tmp_path, model, ".pt.py"), images)[0]
    few = images if name == "bundled" else images[:1000]
    found["script"] = script_answers(export_to(tmp_path, model, ".py"), few)
    with capsys.disabled():
        for program, outputs in found.items():
            reference = expected[: len(outputs)]
            different = int((outputs.argmax(axis=1) != reference.argmax(axis=1)).sum())
            largest = float(np.abs(outputs - reference).max())
            print(
                f"\n{name} {program}: {len(outputs)} images, {different} other digits, outputs within {largest:.1e}"
            )
            assert different == 0
            assert largest < CLOSE
