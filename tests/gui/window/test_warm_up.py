"""What is made ready while nobody waits, and when nothing is."""

import threading

import pytest

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from gui.window import startup
from kernels.registry import DeviceInfo
from tests.gui.person import ended, part
from tests.limits import LONG, SECONDS

CARD = DeviceInfo("cuda", "a card", True)
NO_CARD = DeviceInfo("cuda", "NVIDIA graphics card", False, "no driver")
CPU = DeviceInfo("vectorized", "CPU, BLAS", True)


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Nothing is compiled in another process; tests/doors does that. The list has the plans that
    would be.
    """
    plans = []
    monkeypatch.setattr(startup, "compile_elsewhere", lambda plan, check: plans.append(plan))
    return plans


def test_nothing_is_loaded_before_a_run_is_likely(window, qtbot, compiled):
    window.warm_up.begin()
    qtbot.waitUntil(lambda: not window.warm_up.busy, timeout=LONG)
    assert [plan.data for plan in compiled if plan] == ["mnist"]
    assert window.dataset_cache.get_if_loaded("mnist") is None


def test_what_was_loaded_is_not_loaded_again(window, qtbot):
    window.controls.approached.emit()
    qtbot.waitUntil(lambda: not window.warm_up.busy, timeout=LONG)
    window.controls.approached.emit()
    assert not window.warm_up.busy


def test_the_data_of_the_first_run_are_loaded_when_the_pointer_comes_near(window, qtbot):
    window.controls.approached.emit()
    qtbot.waitUntil(lambda: window.dataset_cache.get_if_loaded("mnist") is not None, timeout=LONG)
    qtbot.waitUntil(lambda: not window.warm_up.busy, timeout=LONG)
    assert not window.session.active
    assert len(window.training.epochs.records) == 0
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert len(window.training.epochs.records) == 2


def test_a_run_that_starts_before_the_warm_up_ends_is_trained(window, qtbot):
    window.warm_up.expect_run()
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert [epoch.epoch for epoch in window.training.epochs.records] == [1, 2]


def test_a_run_that_waits_for_the_process_that_compiles_is_stopped(window, qtbot, monkeypatch):
    waits = threading.Event()

    def compile_for_ever(plan, check):
        waits.set()
        while True:
            check()

    monkeypatch.setattr("gui.training.session.compile_elsewhere", compile_for_ever)
    part(window, "trainButton").click()
    qtbot.waitUntil(waits.is_set, timeout=LONG)
    part(window, "stopButton").click()
    qtbot.waitUntil(lambda: not window.session.active, timeout=LONG)


@pytest.mark.parametrize(("card", "expected"), [(CARD, "cuda"), (NO_CARD, "vectorized")])
def test_kernels_are_compiled_for_the_device_that_a_run_would_use(
    window, qtbot, monkeypatch, card, expected
):
    opened = []

    def open_device(name):
        opened.append(name)
        raise InputError("Not here.")

    monkeypatch.setattr("kernels.registry.open_device", open_device)
    part(window, "deviceBox").setCurrentIndex(part(window, "deviceBox").findData("auto"))
    window.devices._on_probed([[card, CPU]])
    window.warm_up.expect_run()
    qtbot.waitUntil(lambda: not window.warm_up.busy, timeout=LONG)
    # The stage opens the processor's device for itself.
    assert {*opened} - {"vectorized"} == {expected} - {"vectorized"}
    assert expected in opened


def test_no_warm_up_for_settings_or_data_that_cannot_be_trained(window):
    part(window, "networkEdit").setText("784-")
    window.warm_up.begin()
    assert not window.warm_up.busy
    part(window, "networkEdit").setText("784-16-10")
    part(window, "datasetBox").setCurrentIndex(part(window, "datasetBox").findData("fashion"))
    window.warm_up.begin()
    assert not window.warm_up.busy


def test_the_warm_up_ends_at_a_measurement_or_with_the_window(window, qtbot):
    window.warm_up.expect_run()
    window.measuring.busy_changed.emit(True)
    qtbot.waitUntil(lambda: not window.warm_up.busy, timeout=LONG)
    before = threading.active_count()
    window.warm_up.expect_run()
    window.close()
    assert not window.warm_up.busy
    assert threading.active_count() <= before


def test_loading_data_reports_progress(monkeypatch):
    half, go_on = threading.Event(), threading.Event()

    def load(name, progress):
        progress(30, 60)
        half.set()
        go_on.wait(SECONDS)
        raise InputError("No data.")

    monkeypatch.setattr("core.data.sources.load_dataset", load)
    dataset_cache, told = DatasetCache(), []

    def loads():
        with pytest.raises(InputError):
            dataset_cache.get("builtin")

    def hears(done, total):
        told.append((done, total))
        go_on.set()

    first = threading.Thread(target=loads)
    first.start()
    half.wait(SECONDS)
    with pytest.raises(InputError):
        dataset_cache.get("builtin", hears)
    first.join()
    assert told[0] == (30, 60)
