"""The device box lists each card with its hardware; advice on what to install is given once."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from gui.settings import device_picker
from gui.settings.device_picker import DevicePicker
from kernels.registry import DeviceInfo

FIRST = DeviceInfo(
    "cuda",
    "RTX 4070",
    True,
    hardware="RTX 4070, 12.0 GB, compute capability 8.9, driver for CUDA 13.0",
)
SECOND = DeviceInfo(
    "cuda:1",
    "RTX 4090",
    True,
    hardware="RTX 4090, 24.0 GB, compute capability 8.9, driver for CUDA 13.0",
)
OLD = DeviceInfo("cuda", "GT 710", False, "cuda: GT 710 is too old.")


@pytest.fixture
def machine(monkeypatch):
    """The results of probing, which a test can change."""
    found = {
        name: DeviceInfo(name, title, True)
        for name, title in (("sequential", "loops"), ("vectorized", "BLAS"))
    }
    monkeypatch.setattr(device_picker, "all_device_names", lambda: list(found))
    monkeypatch.setattr(
        device_picker,
        "probe",
        lambda name: found.get(name) or DeviceInfo(name, name, False, f"{name}: no such card."),
    )
    return found


@pytest.fixture
def probed(qtbot, machine):
    """A function that makes a picker and probes the machine."""

    def probe(*cards, chosen=None):
        machine.update({card.name: card for card in cards})
        box = QComboBox()
        qtbot.addWidget(box)
        picker = DevicePicker(box, box)
        picker.shown, picker.advice = [], []
        picker.chosen.connect(lambda *texts: picker.shown.append(texts))
        picker.advised.connect(picker.advice.append)
        if chosen:
            box.addItem(chosen, chosen)
            box.setCurrentIndex(box.count() - 1)
        with qtbot.waitSignal(picker.probed):
            picker.probe()
        qtbot.waitUntil(lambda: not picker._runner.busy)
        return box, picker

    return probe


def enabled(box, name):
    return box.model().item(box.findData(name)).isEnabled()


def test_each_card_is_listed_with_memory_capability_and_driver(probed):
    box, _ = probed(FIRST, SECOND)
    texts = [box.itemText(index) for index in range(box.count())]
    assert texts[:3] == ["automatic", "plain loops", "processor"]
    assert (
        texts[3]
        == "NVIDIA graphics card: RTX 4070, 12.0 GB, compute capability 8.9, driver for CUDA 13.0"
    )
    assert (
        texts[4]
        == "NVIDIA graphics card 1: RTX 4090, 24.0 GB, compute capability 8.9, driver for CUDA 13.0"
    )
    assert box.itemData(4, Qt.ItemDataRole.ToolTipRole) == SECOND.hardware


def test_any_card_can_be_chosen(probed):
    box, picker = probed(FIRST, SECOND)
    assert picker.expected_device() == "cuda"
    box.setCurrentIndex(box.findData("cuda:1"))
    assert picker.choice() == picker.expected_device() == "cuda:1"
    assert picker.shown[-1] == ("RTX 4090", SECOND.hardware)


def test_auto_passes_over_a_card_that_cannot_be_used(probed):
    box, picker = probed(OLD, SECOND)
    assert not enabled(box, "cuda")
    assert picker.expected_device() == "cuda:1"
    assert picker.shown[-1] == ("RTX 4090", SECOND.hardware)


def test_a_removed_card_of_an_earlier_start_cannot_be_chosen(probed):
    box, picker = probed(FIRST, chosen="cuda:1")
    assert not enabled(box, "cuda:1")
    assert picker.shown[-1] == ("NVIDIA graphics card 1", "cuda:1: no such card.")


def test_a_run_on_the_cpu_although_there_is_a_card_says_why(probed, machine, qtbot):
    _, picker = probed(FIRST)
    assert picker.shown[-1][0] == "RTX 4070"
    machine["cuda"] = DeviceInfo(
        "cuda", "RTX 4070", False, "cuda: Restart the program to use the card again."
    )
    with qtbot.waitSignal(picker.probed):
        picker.show_running("vectorized")
    assert picker.shown[-1] == (
        "processor (no RTX 4070)",
        "cuda: Restart the program to use the card again.",
    )


def test_a_run_on_the_expected_device_names_it(probed):
    _, picker = probed(FIRST)
    picker.show_running("cuda")
    assert picker.shown[-1] == ("RTX 4070", FIRST.hardware)


def test_launch_by_launch_is_shown(probed):
    _, picker = probed(FIRST)
    picker.show_notice("The driver could not capture the step.")
    assert picker.shown[-1] == (
        "RTX 4070, slower than usual",
        "The driver could not capture the step.",
    )


def test_advice_comes_with_its_command(probed):
    missing = DeviceInfo("cuda", "card", False, "cuda: not installed", advice="Use `uv run`.")
    _, picker = probed(missing)
    assert picker.advice == ["Use `uv run`."]


def test_without_a_card_there_is_no_advice(probed):
    _, picker = probed(OLD)
    assert picker.advice == []
