"""The model that reads drawings after the start."""

import shutil

from core.inference.model_file import models_folder
from gui.window.main_window import MainWindow
from tests.limits import LONG


def test_a_model_that_is_opened_at_once_stays(qtbot, small_mnist, tmp_path):
    shutil.copy(models_folder() / "dense.safetensors", tmp_path / "opened.safetensors")
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    window.opening.open(tmp_path / "opened.safetensors")  # before the main loop has run
    with qtbot.waitSignal(window.drawing.ready, timeout=LONG):
        pass
    assert window.saving.path == tmp_path / "opened.safetensors"
    assert "opened.safetensors" in window.drawing.read_by.name
