"""A device that is only a package in `kernels` appears in the window."""

import importlib
from dataclasses import replace

import pytest

from gui.devices.race_page import Contestants
from gui.text import device_title
from gui.widgets.plots.series import series_indices
from kernels import registry
from tests.gui.person import choose
from tests.limits import LONG


def test_a_new_device_can_be_chosen_for_a_race(toy_device, qtbot):
    contestants = Contestants()
    qtbot.addWidget(contestants)
    contestants.show_devices([registry.probe(toy_device)])
    box = contestants.boxes["toy", 1]
    assert box.isEnabled()
    assert box.toolTip() == "A device for tests."


def test_a_new_device_has_its_own_color(toy_device):
    assert series_indices([device_title("toy"), device_title("sequential")]) == [1, 0]


@pytest.fixture
def two_cards(toy_device, monkeypatch):
    """The device `toy`, of which this machine has two, each with memory of its own."""
    module = importlib.import_module("kernels.toy")

    def probe(index):
        name = f"toy:{index}" if index else "toy"
        return registry.DeviceInfo(name, "Toy", True, hardware=f"Toy card {index}, 8 GB")

    spec = module.DEVICE
    monkeypatch.setattr(
        module,
        "DEVICE",
        replace(spec, count=lambda: 2, open=lambda index: spec.open(), probe=probe, on_host=False),
    )
    registry.device_specs.cache_clear()


def test_the_second_card_can_be_raced_and_measured(two_cards, tab, qtbot):
    boxes = tab.race.contestants.boxes
    assert boxes["toy:1", 1].toolTip() == "Toy card 1, 8 GB"
    for (name, workers), box in boxes.items():
        box.setChecked(workers == 1 and name.startswith("toy"))
    tab.race.start_button.click()
    qtbot.waitUntil(lambda: not tab.busy, timeout=LONG)
    assert set(tab.race.progress) == {"Toy", "Toy 1"}
    assert all(tab.race.lanes.record_model.records[row].texts[1] == "100 %" for row in range(2))

    choose(tab.profile.box, "toy:1")
    tab.profile.start_button.click()
    qtbot.waitUntil(lambda: not tab.busy, timeout=LONG)
    assert "Toy 1" in tab.profile._subject
    assert tab.profile.table.model().rowCount() > 3
