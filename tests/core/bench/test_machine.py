"""The name of the processor in captions, as each system tells it."""

import subprocess
from types import SimpleNamespace

import pytest

from core.bench import machine


def test_macos_is_asked_for_the_name_of_the_processor(monkeypatch):
    monkeypatch.setattr(machine, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setattr(
        machine.subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, 0, "Apple M3\n", ""),
    )
    assert machine.machine_name().startswith("Apple M3, ")


def test_windows_is_asked_for_the_name_of_the_processor(monkeypatch):
    monkeypatch.setattr(machine, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(machine, "_windows_processor", lambda: "Intel Core i5-1240P ")
    assert machine.machine_name().startswith("Intel Core i5-1240P, ")


@pytest.mark.parametrize("error", [OSError(), subprocess.CalledProcessError(1, "sysctl")])
def test_without_an_answer_the_architecture_is_named(monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(machine, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setattr(machine.subprocess, "run", fail)
    assert len(machine.machine_name().partition(",")[0]) > 1
