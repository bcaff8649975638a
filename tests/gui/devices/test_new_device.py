"""A device that is only a package in `kernels` appears in the window."""

from gui.devices.contestants import Contestants
from gui.widgets.plots.series_style import series_indices
from kernels import registry


def test_a_new_device_can_be_chosen_for_a_race(toy_device, qtbot):
    contestants = Contestants()
    qtbot.addWidget(contestants)
    contestants.show_devices([registry.probe(toy_device)])
    box = contestants.boxes["toy", 1]
    assert box.isEnabled()
    assert box.toolTip() == "A device for tests."


def test_a_new_device_has_a_colour_of_its_own(toy_device):
    assert series_indices(["toy", "sequential"]) == [1, 0]
