"""ONNX files give trained networks' digits on all test images of MNIST."""

from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from core.data.sources import load_dataset
from core.errors import InputError
from core.inference.model_file import bundled_model
from core.network.notation import parse
from core.runs.plan import RunContext, RunPlan
from core.training.presets import find_preset
from core.training.trainer import iter_training
from kernels.registry import open_device
from tests.core.export.cases import (
    answers,
    export_to,
    onnx_answers,
)

pytestmark = pytest.mark.slow
PRESETS = ("dense", "lenet5", "blog", "thesis")
CLOSE = 1e-4
TRAINED = 2000  # images


@pytest.fixture(scope="module")
def mnist():
    try:
        return load_dataset("mnist")
    except InputError:
        pytest.skip("MNIST is not here: main.py data fetch mnist")


def model_of(name, mnist):
    """The bundled model, or that of a preset after an epoch on part of the data."""
    if name == "bundled":
        return bundled_model()
    settings = find_preset(name).settings.change(epochs=1, learning_rate=0.002, optimizer="adam")
    few = replace(mnist, train=mnist.train.first(TRAINED), test=mnist.test.first(100))
    with closing(open_device("vectorized")) as device:
        *_, last = iter_training(settings, few, device)
    network = parse(settings.network, mnist.input_shape, mnist.outputs)
    return RunContext(RunPlan(settings, "mnist", "vectorized"), mnist, network).model(
        last.checkpoint
    )


@pytest.mark.parametrize("name", ["bundled", *PRESETS])
def test_every_image_gets_the_same_digit(tmp_path, mnist, name, capsys):
    model, images = model_of(name, mnist), mnist.test.inputs
    expected = answers(model, images)
    found = {}
    if find_spec("onnx") and find_spec("onnxruntime"):
        found["onnxruntime"] = onnx_answers(export_to(tmp_path, model, ".onnx"), images)
    with capsys.disabled():
        for program, outputs in found.items():
            different = int((outputs.argmax(axis=1) != expected.argmax(axis=1)).sum())
            largest = float(np.abs(outputs - expected).max())
            print(
                f"\n{name} {program}: {len(outputs)} images, {different} other digits, outputs "
                f"within {largest:.1e}"
            )
            assert different == 0
            assert largest < CLOSE
