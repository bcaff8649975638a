"""The settings and the layout at the next start of the program."""

import pytest

from core.training.presets import find_preset
from gui.window.main_window import MainWindow
from gui.window.training_page import View
from tests.gui.hand import draw
from tests.gui.person import choose, part
from tests.limits import LONG


def test_settings_come_back_at_the_next_start(window, qtbot):
    part(window, "batchSizeBox").setValue(64)
    choose(part(window, "activationBox"), "tanh")
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    assert part(again, "batchSizeBox").value() == 64
    assert part(again, "activationBox").currentData() == "tanh"
    assert part(again, "networkEdit").text() == "784-32-10"
    assert part(again, "datasetBox").currentData() == "mnist"


@pytest.mark.parametrize("data", ["rastrigin", "builtin"])
def test_a_preset_comes_back_at_the_next_start_with_its_data_only(window, qtbot, data):
    choose(part(window, "presetBox"), "coursework")
    choose(part(window, "datasetBox"), data)
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    assert part(again, "datasetBox").currentData() == data
    preset = "coursework" if data == "rastrigin" else "default"
    assert part(again, "presetBox").currentData() == preset
    assert part(again, "networkEdit").text() == find_preset(preset).settings.network


def test_the_drawing_is_read_at_the_next_start_also_while_the_canvas_is_folded_away(window, qtbot):
    draw(window.drawing.canvas, "7")
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.resize(640, 400)
    again.show()
    again.page.show_view(View.CURVE)
    assert not again.drawing.isVisible()
    again.page.show_view(View.NETWORK)
    assert again.drawing.isVisible()
    qtbot.waitUntil(lambda: bool(again.drawing.stage.answers.answer.name), timeout=LONG)
