"""Models and data are opened from the menu, and dropped on the window."""

import pytest
from PySide6.QtWidgets import QFileDialog

from core.inference.model_file import load_model
from tests.gui.person import LONG, drop, ended


def test_a_model_is_saved_opened_and_remembered(window, qtbot, monkeypatch, tmp_path):
    window.trainButton.click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    path = tmp_path / "mine.safetensors"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(path), ""))
    window.files.save()
    assert load_model(path).data == "mnist"
    assert window.preferences.recent() == [path]
    window.files.open_path(path)
    assert "mine.safetensors" in window.banner.text.text()
    path.write_text("no model")
    window.files.open_path(path)
    assert window.banner.property("tone") == "bad"


def test_a_file_that_is_dropped_is_opened(window, qtbot, tmp_path):
    path = tmp_path / "three.safetensors"
    path.write_text("no model")
    drop(window, path)
    assert "three.safetensors" in window.banner.text.text()


@pytest.mark.parametrize("name", ["", "t10k-labels-idx1-ubyte"])
def test_a_folder_of_data_or_a_file_of_it_that_is_dropped_is_learnt_from(window, qtbot, small_mnist, name):
    drop(window, small_mnist / name)
    qtbot.waitUntil(lambda: window.settings.data.source() == str(small_mnist))
    assert window.trainButton.isEnabled()


def test_while_a_network_learns_no_other_is_opened(window, tmp_path):
    window.start(stepping=True)
    drop(window, tmp_path / "other.safetensors")
    assert not window.banner.isVisible()
    (tmp_path / "other.safetensors").write_text("")
    drop(window, tmp_path / "other.safetensors")
    assert "Stop the run first" in window.banner.text.text()
    window.session.close()
