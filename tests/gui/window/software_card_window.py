"""The window with a graphics card: the card is chosen, trains, pauses, stops and goes on; race,
profile, Inside.

Run by tests/kernels/cuda/test_software_card.py in a process that finds the software card
(`tests/card`).
"""

import os
from contextlib import closing

import numpy as np

from core.data.sources import load_dataset
from core.inference.model_file import load_model
from core.runs.library import saved_runs
from core.training.records import Finished
from core.training.trainer import iter_training
from gui.window.main_window import MainWindow
from kernels.registry import open_device
from tests.gui.person import choose, ended, part, wait_for_ticks
from tests.limits import LONG


def choose_card(window, qtbot):
    """The device box offers the card when it has been found and tried."""
    box = part(window, "deviceBox")
    qtbot.waitUntil(lambda: box.findData("cuda") >= 0, timeout=LONG)
    choose(box, "cuda")
    part(window, "networkEdit").setText("784-12-10")
    part(window, "epochsBox").setValue(6)


def save_picture(window, name):
    if folder := os.environ.get("DIGITLAB_PICTURES"):
        window.grab().save(f"{folder}/{name}.png")


def test_a_run_on_the_card_pauses_stops_and_goes_on_to_the_bit(window, qtbot):
    choose_card(window, qtbot)
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: len(window.training.epochs.records) >= 1, timeout=LONG)
    part(window, "pauseButton").click()
    wait_for_ticks(window, qtbot, 3)
    assert part(window, "pauseButton").text() == "Resume"
    save_picture(window, "paused")
    part(window, "pauseButton").click()
    qtbot.waitUntil(lambda: len(window.training.epochs.records) >= 2, timeout=LONG)
    part(window, "pauseButton").click()
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    info = saved_runs()[0].read_info()
    assert info.state == "stopped"
    assert info.plan.device == "cuda"
    window.close()

    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: again.banner.action_button.isVisible(), timeout=LONG)
    again.banner.action_button.click()
    qtbot.waitUntil(lambda: again.session.active, timeout=LONG)
    qtbot.waitUntil(ended(again), timeout=LONG)
    save_picture(again, "trained")
    assert saved_runs()[0].read_info().state == "epochs"
    found = load_model(saved_runs()[0].model_path).parameters
    with closing(open_device("cuda")) as card:
        *_, last = iter_training(info.plan.settings, load_dataset("mnist"), card)
    assert isinstance(last, Finished)
    np.testing.assert_array_equal(found, last.checkpoint.parameters)


def measure(tab, page, qtbot):
    page.start_button.click()
    qtbot.waitUntil(lambda: not tab.busy, timeout=LONG)
    assert page.banner.property("tone") != "bad", page.banner.text.text()


def test_the_card_is_raced_and_profiled(window, tab, qtbot):
    choose_card(window, qtbot)
    part(window, "epochsBox").setValue(1)
    box = tab.race.contestants.boxes["cuda", 1]
    assert box.isEnabled(), box.toolTip()
    box.setChecked(True)
    measure(tab, tab.race, qtbot)
    assert [record.texts[1] for record in tab.race.lanes.record_model.records] == ["100 %"] * 3
    save_picture(window, "race")
    measure(tab, tab.profile, qtbot)
    assert tab.profile.table.record_model.records
    save_picture(window, "profile")


def test_a_unit_that_the_card_has_trained_is_asked(window, qtbot):
    choose_card(window, qtbot)
    part(window, "epochsBox").setValue(1)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert saved_runs()[0].read_info().plan.device == "cuda"
    stage = window.drawing.stage
    qtbot.waitUntil(lambda: stage.picture.content.network.text == "784-12-10", timeout=LONG)
    stage.ask(0)
    assert window.ask.isVisible()
    save_picture(window, "asked")
