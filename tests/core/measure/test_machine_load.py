"""The load that other programs put on the processor."""

import subprocess
import sys

import pytest

from core.measure import machine_load
from core.measure.machine_load import MachineLoad


def work(code):
    return [sys.executable, "-c", code]


@pytest.fixture
def readings(monkeypatch):
    """Sets what the system says at the start and at the end."""

    def set_readings(*values):
        iterator = iter(values)
        last = [values[-1]]
        monkeypatch.setattr(MachineLoad, "_read", lambda self: next(iterator, last[0]))

    return set_readings


def test_other_programs_make_the_machine_busy(readings):
    readings((0.0, 5.0, 100.0), (10.0, 15.0, 125.0))
    load = MachineLoad()
    assert load.other_cores() == pytest.approx(1.5)
    assert load.warning().startswith("Other programs used 1.5 cores")


def test_own_processor_time_does_not_count_as_other_programs(readings):
    readings((0.0, 5.0, 100.0), (10.0, 15.0, 111.0))
    assert MachineLoad().warning() == ""


def test_a_short_measurement_is_not_judged(readings):
    readings((0.0, 5.0, 100.0), (0.5, 5.1, 101.0))
    assert MachineLoad().warning() == ""


def test_a_system_that_does_not_tell_gives_no_warning(tmp_path, monkeypatch):
    monkeypatch.setattr(machine_load, "_STAT", tmp_path / "missing")
    load = MachineLoad()
    assert load.other_cores() is None
    assert load.warning() == ""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells the load")
def test_child_processes_do_not_count_as_other_programs():
    load = MachineLoad()
    before = load._read()
    subprocess.run(work("sum(range(3_000_000))"), check=True)
    after = load._read()
    assert after[1] > before[1]
    assert after[2] > before[2]
