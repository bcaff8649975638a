"""The settings and the layout at the next start of the program."""

import shutil

import numpy as np
import pytest
from PIL import Image

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


@pytest.mark.parametrize("has_folder", [True, False])
def test_settings_for_a_folder_that_is_not_chosen_again_are_replaced(
    window, qtbot, tmp_path, has_folder
):
    folder = tmp_path / "pictures"
    for name in "abc":
        (folder / name).mkdir(parents=True)
        for number in range(12):
            picture = np.full((28, 28), 255, np.uint8)
            picture[5:23, 8 + number // 2 : 12 + number] = 0
            Image.fromarray(picture).save(folder / name / f"{number}.png")
    table = tmp_path / "table.csv"
    table.write_text("width,height,kind\n" + "1,2,a\n3,1,b\n4,4,a\n2,5,b\n" * 9)
    window.settings.data.choose(str(folder))
    qtbot.waitUntil(lambda: window.settings.data.source() == str(folder), timeout=LONG)
    part(window, "networkEdit").setText("30")
    saved = window.settings.plan.settings
    assert saved.network.endswith("-30-3")
    window.close()
    if not has_folder:
        shutil.rmtree(folder)
    again = MainWindow()
    qtbot.addWidget(again)
    if has_folder:  # the next start names a table on the command line
        again.opening.open(table)
        qtbot.waitUntil(lambda: again.settings.data.source() == str(table), timeout=LONG)
    qtbot.waitUntil(lambda: not again.settings.data.is_reading, timeout=LONG)
    plan = again.settings.plan
    assert (plan.parsed.input_shape, plan.parsed.outputs) == again.settings.data.shape()
    preset = "dense" if has_folder else "default"
    box = again.settings.preset_box
    assert (box.currentData() or box.base) == preset


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
