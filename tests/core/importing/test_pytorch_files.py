"""Files that PyTorch, scikit-learn, skl2onnx, Keras and tf2onnx themselves have written become models
with the same answers.
"""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from core.data.sources import load_dataset
from core.errors import InputError
from core.importing import import_model
from tests.core.export.cases import TORCH_PYTHON, answers, some_images
from tests.core.export.test_exports import needs_torch
from tests.golden_home import GOLDEN

pytest.importorskip("onnx")

WRITTEN = GOLDEN / "pytorch"
OF_KERAS = GOLDEN / "keras"
SCRIPT = Path(__file__).parents[3] / "tools" / "pytorch_files.py"
CLOSE = 1e-6
# The layers of state dictionaries with convolutions, and the operators that are no layers of this
# program.
NOTATIONS = {
    "convolutions.safetensors": "3C5-MP2-4C5:valid-MP2-10N",
    "normalized.safetensors": "3C5-BN-MP2-4C5:valid-MP2-10N",
    "example.safetensors": "2C3:valid-2C3:valid-MP2-6N-10N",
}
REFUSED = {
    "gelu-default.onnx": r"\(Gelu\)",
    "strides-default.onnx": r"\(Conv with padding \(1, 1, 1, 1\)\)",
}
PICKLES = {"state.pth", "old-state.pth", "module.pth"}


def files(folder):
    return {path.name for path in folder.iterdir()} - {"answers.npz"}


def difference(folder, name):
    """The largest difference between the program's answers and those of the network that was
    saved.
    """
    known = np.load(folder / "answers.npz")
    model = import_model(folder / name, NOTATIONS.get(name, ""))
    return float(np.abs(answers(model, known["images"][..., None]) - known[name]).max())


def accepted(folder):
    return sorted(
        name for name in files(folder) - REFUSED.keys() - PICKLES if not name.endswith(".data")
    )


@pytest.mark.parametrize("name", accepted(WRITTEN))
def test_a_saved_network_gives_the_same_answers(name):
    assert difference(WRITTEN, name) < CLOSE


@pytest.mark.parametrize("name", sorted(files(OF_KERAS)))
def test_a_network_of_keras_gives_the_same_answers(name):
    assert difference(OF_KERAS, name) < CLOSE


@pytest.mark.parametrize("name", REFUSED)
def test_an_unknown_layer_is_named(name):
    with pytest.raises(InputError, match=REFUSED[name]):
        import_model(WRITTEN / name)


@pytest.mark.parametrize("name", sorted(PICKLES))
def test_what_torch_save_writes_is_not_opened(name):
    with pytest.raises(
        InputError, match=r"is a pickle of torch\.save.*save_file\(net\.state_dict\(\)"
    ):
        import_model(WRITTEN / name)


@needs_torch
@pytest.mark.slow
def test_files_of_the_installed_pytorch_give_the_same_answers(tmp_path):
    """As above, with files written now, on images of the test set."""
    try:
        images = load_dataset("mnist").test.inputs[:200]
    except InputError:
        images = some_images(200)
    np.save(tmp_path / "images.npy", images[..., 0])
    folder = tmp_path / "written"
    command = [TORCH_PYTHON, SCRIPT, folder, "--images", tmp_path / "images.npy"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    assert files(folder) >= files(WRITTEN)
    differences = {name: difference(folder, name) for name in accepted(folder)}
    assert len(differences) == len(accepted(WRITTEN))
    assert {name: d for name, d in differences.items() if not d < CLOSE} == {}
