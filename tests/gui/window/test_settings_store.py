"""The settings and the layout at the next start of the program."""

import pytest

from core.training.presets import find_preset
from gui.window.main_window import MainWindow
from tests.gui.person import choose


def test_settings_come_back_at_the_next_start(window, qtbot):
    window.batchSizeBox.setValue(64)
    choose(window.activationBox, "tanh")
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    assert again.batchSizeBox.value() == 64
    assert again.activationBox.currentData() == "tanh"
    assert again.networkEdit.text() == "784-32-10"
    assert again.datasetBox.currentData() == "mnist"


@pytest.mark.parametrize("data", ["rastrigin", "builtin"])
def test_a_preset_comes_back_at_the_next_start_with_its_data_only(window, qtbot, data):
    choose(window.presetBox, "coursework")
    choose(window.datasetBox, data)
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    assert again.datasetBox.currentData() == data
    preset = "coursework" if data == "rastrigin" else "default"
    assert again.presetBox.currentData() == preset
    assert again.networkEdit.text() == find_preset(preset).settings.network
