"""Share writes what is chosen; Open lets a network of another program read drawings."""

import numpy as np
import pytest
from safetensors.numpy import save_file

from core.inference.model_file import MODEL_SUFFIX
from core.network.parameters import views
from core.runs.library import saved_runs
from gui.words import network_words
from tests.core.export.cases import make_model
from tests.core.importing.test_state_dict import state_dict
from tests.golden_home import GOLDEN
from tests.gui.person import (
    answer_next,
    choose,
    choose_files,
    choose_simple_run,
    drop,
    ended,
    part,
    saved,
    share,
    shared,
)
from tests.limits import LONG


def says(window, words):
    return lambda: words in window.banner.text.text()


@pytest.fixture
def opened(window, qtbot, tmp_path):
    """The window, with a model from a file."""
    path = tmp_path / "m.safetensors"
    make_model("dense").save(path)
    qtbot.waitUntil(
        lambda: window.saving.model is not None, timeout=LONG
    )  # the one that comes with the program
    window.files.open_path(path)
    return window


def test_a_page_is_shared(opened, qtbot, tmp_path):
    share(opened, "page", tmp_path / "r.html", "")
    qtbot.waitUntil(saved(opened), timeout=LONG)
    assert "784-20-10" in (tmp_path / "r.html").read_text()


def test_a_run_is_shared_as_a_notebook_and_a_network_without_one_is_refused(
    opened, qtbot, tmp_path
):
    dialog = share(opened, "network", tmp_path / "net.ipynb", ".ipynb")
    refused = "has no run in the library"
    qtbot.waitUntil(lambda: refused in dialog.message.text(), timeout=LONG)
    dialog.reject()
    choose_simple_run(opened)
    part(opened, "trainButton").click()
    qtbot.waitUntil(lambda: bool(saved_runs()), timeout=LONG)
    qtbot.waitUntil(ended(opened), timeout=LONG)
    share(opened, "network", tmp_path / "net.ipynb", ".ipynb")
    qtbot.waitUntil(saved(opened), timeout=LONG)
    assert "torch.optim" in (tmp_path / "net.ipynb").read_text()
    assert (tmp_path / "net-data.npz").exists()


@pytest.mark.parametrize("kind", [MODEL_SUFFIX, ".onnx"])
def test_a_network_is_said_to_open_again_only_where_it_does(opened, qtbot, tmp_path, kind):
    if kind == ".onnx":
        pytest.importorskip("onnx", reason="onnx is not installed: uv sync --extra onnx")
    path = tmp_path / f"net{kind}"
    share(opened, "network", path, kind)
    qtbot.waitUntil(saved(opened), timeout=LONG)
    said = part(opened, "savedSentence").text()
    opened.files.open_path(tmp_path / "m.safetensors")
    drop(opened, path)
    qtbot.waitUntil(lambda: not opened.files.tasks.busy, timeout=LONG)
    is_refused = "cannot be opened" in opened.banner.text.text()
    assert ("Open reads it again" in said) != is_refused
    assert ("Open does not read it" in said) == is_refused


def test_what_is_not_there_yet_cannot_be_shared_and_says_why(opened):
    dialog = shared(opened, "table")
    card = part(dialog, "share-table")
    assert not card.isEnabled()
    assert card.accessibleDescription() == "Train a network first."
    assert part(dialog, "share-page").isChecked()


def test_a_state_dictionary_is_imported(opened, qtbot, tmp_path):
    model = make_model("convolutions")
    path = tmp_path / "state.safetensors"
    save_file(state_dict(model, ["c1", "c2", "f1", "f2"]), path)
    choose_files(path)
    answer_next(opened, text=model.network.text)
    choose(part(opened, "activationBox"), "tanh")
    opened.opening.ask()
    qtbot.waitUntil(says(opened, "padding=2"), timeout=LONG)  # which the file cannot say
    before = opened.saving.model
    opened.banner.action_button.click()
    qtbot.waitUntil(says(opened, f"Imported: {network_words(model.network.text)}"), timeout=LONG)
    assert opened.saving.model is not before
    np.testing.assert_array_equal(opened.saving.model.parameters, model.parameters)
    assert opened.saving.model.activation == "tanh"
    assert opened.saving.path is None
    assert opened.drawing.read_by.name == "state.safetensors"


def test_a_file_that_is_refused_is_named(opened, qtbot, tmp_path):
    path = tmp_path / "state.safetensors"
    save_file({"lstm.weight_ih": np.ones((3, 3), np.float32)}, path)
    opened.files.import_model(path)
    qtbot.waitUntil(says(opened, "the layer “lstm”"), timeout=LONG)
    assert opened.banner.property("tone") == "bad"


def test_a_network_of_keras_is_imported_and_its_pixels_are_normalized(opened, qtbot, tmp_path):
    pytest.importorskip("onnx", reason="onnx is not installed: uv sync --extra onnx")
    drop(opened, GOLDEN / "keras" / "same-keras.onnx")
    qtbot.waitUntil(says(opened, "Imported: "), timeout=LONG)
    assert opened.saving.model.network.text == "3C5-AP2-2C3:relu:s2-10N"
    asked = answer_next(opened, text="0.1307, 0.3081")
    opened.banner.action_button.click()
    qtbot.waitUntil(lambda: opened.saving.model.network.text[:2] == "BN", timeout=LONG)
    assert "0.1307 and 0.3081" in asked[0]
    parameters = views(opened.saving.model.network, opened.saving.model.parameters)[0]
    assert parameters.means[0] == np.float32(0.1307)
    (tmp_path / "net.keras").write_bytes(b"PK\x03\x04" + bytes(100))
    drop(opened, tmp_path / "net.keras")
    qtbot.waitUntil(says(opened, "export"), timeout=LONG)
    assert "net.onnx" in opened.banner.text.text().replace("\u200b", "")


def test_a_pickle_that_is_dropped_says_how_to_save_it(opened, qtbot, tmp_path):
    path = tmp_path / "net.pth"
    path.write_bytes(b"PK\x03\x04" + bytes(100))
    opened.opening.open(path)
    assert "safetensors.torch.save_file" in opened.banner.text.text().replace("\u200b", "")


def test_an_onnx_file_that_is_dropped_or_opened_is_imported(opened, qtbot, tmp_path):
    pytest.importorskip("onnx", reason="onnx is not installed: uv sync --extra onnx")
    from core.export import ExportSource, find_exporter

    model, path = make_model("dense"), tmp_path / "net.onnx"
    path.write_bytes(find_exporter(path).content(ExportSource(model)))
    other = tmp_path / "other.safetensors"
    make_model("convolutions").save(other)
    choose_files(path)
    for open_ in (lambda: drop(opened, path), opened.opening.ask):
        opened.files.open_path(other)
        open_()
        qtbot.waitUntil(
            says(opened, f"Imported: {network_words(model.network.text)}"), timeout=LONG
        )
        assert opened.saving.model.network.text == model.network.text
        qtbot.waitUntil(lambda: not opened.files.tasks.busy, timeout=LONG)
    opened.run_actions.start(stepping=True)
    drop(opened, path)
    assert "Stop the run first" in opened.banner.text.text()
