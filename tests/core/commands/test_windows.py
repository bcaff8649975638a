"""Output and run folders as Windows treats them, injected on the system of the tests."""

import errno
import os
import sys

import pytest

from core.commands import console
from core.files import atomic
from core.inference.model_file import load_model
from core.runs.folder import RunFolder

QUICK = ("--network", "784-16-10", "--batch-size", 20, "--device", "vectorized")


class Windows:
    """The module `sys`, but for the platform."""

    platform = "win32"

    def __getattr__(self, name):
        return getattr(sys, name)


@pytest.fixture
def windows(monkeypatch):
    for module in (console, atomic):
        monkeypatch.setattr(module, "sys", Windows())


def test_a_history_that_a_spreadsheet_holds_open_does_not_end_training(
    program, digits, tmp_path, windows, monkeypatch
):
    folder, model, replace = tmp_path / "run", tmp_path / "model.safetensors", os.replace

    def refuse(source, target):
        if str(target).endswith("history.csv"):
            raise PermissionError(13, "The process cannot access the file")
        replace(source, target)

    monkeypatch.setattr("os.replace", refuse)
    monkeypatch.setattr(atomic, "_RETRY_SECONDS", 0)
    outcome = program(
        "train", "--data", digits, *QUICK, "--epochs", 3, "--run", folder, "--save", model
    )
    assert outcome.code == 1
    assert outcome.err.count("history.csv") == 1
    assert "close the program that has it open" in outcome.err
    assert "Epoch 3" in outcome.out
    assert load_model(model).test_score > 0.5
    assert RunFolder(folder).read_info().state == "epochs"


def test_a_closed_pipe_on_windows_keeps_the_model(program, digits, tmp_path, windows, monkeypatch):
    def write(self, *values):
        raise OSError(errno.EINVAL, "Invalid argument")

    model = tmp_path / "model.safetensors"
    monkeypatch.setattr("core.commands.train.TextReport.show", write)
    outcome = program("train", "--data", digits, *QUICK, "--epochs", 3, "--save", model)
    assert outcome.err == ""
    assert load_model(model).network.text == "784-16-10"
