"""Reports of regression, and JSON without NaN."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.commands.console import print_json
from core.commands.train import JsonReport, TextReport
from core.data.dataset import Dataset, Split
from core.network.notation import parse
from core.runs.recorder import RunRecorder
from core.training.records import Checkpoint, EpochDone, Finished

STATE = Checkpoint(
    np.zeros(3, np.float32), np.empty((0, 3), np.float32), 9, 1, 0, 2.5, float("inf"), 0, None
)
EPOCH = EpochDone(
    epoch=2,
    step=9,
    seconds=2.5,
    epoch_seconds=1.0,
    train_loss=0.5,
    train_score=None,
    test_loss=0.25,
    test_score=0.75,
    validation_loss=None,
    images_per_second=1000.0,
    learning_rate=0.1,
    checkpoint=STATE,
)


@pytest.fixture
def waves():
    points = Split(np.zeros((8, 2), np.float32), np.zeros((8, 1), np.float32))
    return Dataset("waves", "Waves", "regression", (), points, points)


def test_regression_reports_r2(waves, capsys):
    report = JsonReport(waves, RunRecorder())
    report.start(parse("2-1", (2,), 1), "vectorized")
    report.show(EPOCH)
    report.show(Finished("epochs", "", 0.25, 0.75, 2.5, None, STATE))
    epoch, done = map(json.loads, capsys.readouterr().out.splitlines())
    assert (epoch["seconds"], done["seconds"]) == (1.0, 2.5)
    assert epoch["test_r2"] == done["test_r2"] == 0.75
    assert "test_accuracy" not in epoch | done
    assert done["run"] is None


def test_nan_becomes_null(waves, capsys):
    JsonReport(waves, RunRecorder()).show(
        Finished("diverged", "", float("nan"), float("-inf"), 2.5, None, STATE)
    )
    assert json.loads(capsys.readouterr().out)["test_r2"] is None


def test_nan_inside_lists_and_objects_becomes_null(capsys):
    print_json({"values": [1.5, float("nan"), {"deep": float("inf")}]})
    assert json.loads(capsys.readouterr().out) == {"values": [1.5, None, {"deep": None}]}


def test_text_has_r2_and_the_seconds_of_each_epoch(waves, capsys):
    report = TextReport(waves, RunRecorder())
    report.start(parse("2-1", (2,), 1), "vectorized")
    report.show(EPOCH)
    report.show(Finished("target-accuracy", "", 0.25, 0.75, 2.5, 2.25, STATE))
    network, first, epoch, last = capsys.readouterr().out.splitlines()
    assert first.endswith("from 2 columns: 8 lines to learn from, 8 to test")
    assert network == "2-1 (3 parameters); device vectorized"
    assert epoch.startswith("Epoch 2: R² 0.7500")
    assert " 1.00 s, 1,000 images/s" in epoch
    assert last.endswith("target after 2.25 s")


def test_text_has_the_validation_loss_that_patience_uses(waves, capsys):
    TextReport(waves, RunRecorder()).show(replace(EPOCH, validation_loss=0.125))
    assert "(test 0.25, validation 0.125)" in capsys.readouterr().out
