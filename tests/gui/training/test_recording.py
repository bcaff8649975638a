import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.data.dataset_cache import DatasetCache
from core.inference.model_file import load_model
from core.runs import recorder as recorder_module
from core.runs.library import last_model, saved_runs, unfinished_run
from core.runs.plan import RunPlan
from core.runs.recorder import RunRecorder, Start
from core.training.records import EpochDone, Finished
from core.training.run_settings import RunSettings
from gui.background.task_runner import TaskControl
from gui.training.session import TrainingTask

ROOT = Path(__file__).resolve().parents[3]
RUN = RunSettings(network="2-4-1", loss="squared-error", epochs=3, batch_size=50, activation="tanh")
# Trains like the window, and is killed after two epochs.
KILLED = """
import os, sys
from tests.gui.training.test_recording import RUN, records
for record in records(RUN.change(epochs=1000)):
    if getattr(record, "epoch", 0) == 3:
        os._exit(9)
"""


@pytest.fixture(autouse=True)
def saves_each_epoch(home, monkeypatch):
    monkeypatch.setattr(recorder_module, "EPOCH_SECONDS", 0.0)
    monkeypatch.setattr(recorder_module, "MAX_SAVE_FRACTION", float("inf"))


def records(run, recorder=None):
    recorder_module.EPOCH_SECONDS = 0.0
    recorder_module.MAX_SAVE_FRACTION = float("inf")
    task = TrainingTask(
        RunPlan(run, "rastrigin:20", "sequential"), DatasetCache(), recorder or RunRecorder()
    )
    yield from task.iter_records(TaskControl())


def train(run, recorder=None):
    return [record for record in records(run, recorder) if isinstance(record, EpochDone | Finished)]


def killed_run():
    done = subprocess.run(
        [sys.executable, "-c", KILLED], cwd=ROOT, env=dict(os.environ), check=False
    )
    assert done.returncode == 9


def test_the_last_run_is_found_with_its_model():
    last = train(RUN)[-1]
    np.testing.assert_array_equal(last_model().parameters, last.checkpoint.parameters)
    assert unfinished_run() is None


def test_a_killed_run_leaves_its_model_and_the_run_before_and_can_be_continued():
    before = train(RUN)[-1]
    killed_run()
    assert len(saved_runs()) == 2
    folder, info = unfinished_run()
    assert info.state == "running"
    assert load_model(folder.model_path)
    np.testing.assert_array_equal(
        load_model(saved_runs()[1].model_path).parameters, before.checkpoint.parameters
    )
    ended = train(info.plan.settings.change(epochs=4), RunRecorder(start=Start(folder.path)))
    assert [record.epoch for record in ended[:-1]] == [3, 4]
    whole = train(info.plan.settings.change(epochs=4))
    np.testing.assert_array_equal(ended[-1].checkpoint.parameters, whole[-1].checkpoint.parameters)
    assert [row.epoch for row in folder.read_history(9)] == [1, 2, 3, 4]


def test_a_run_that_is_being_trained_is_not_offered():
    generator = records(RUN.change(epochs=1000))
    while not isinstance(next(generator), EpochDone):
        pass
    next(generator)
    assert saved_runs()
    assert unfinished_run() is None
    generator.close()
    assert unfinished_run()[1].state == "stopped"


def test_two_runs_at_once_have_separate_folders():
    both = [records(RUN), records(RUN.change(seed=1))]
    ends = {}
    for _ in range(1000):
        for number, generator in enumerate(both):
            record = next(generator, None)
            if isinstance(record, Finished):
                ends[number] = record.checkpoint.parameters
    models = [load_model(folder.model_path).parameters for folder in saved_runs()]
    assert len(models) == 2
    for parameters in ends.values():
        assert any(np.array_equal(parameters, model) for model in models)


def test_a_run_without_a_complete_epoch_does_not_replace_the_model_of_the_start():
    whole = train(RUN)[-1]
    task = TrainingTask(
        RunPlan(RUN, "rastrigin:20", "sequential"), DatasetCache(), RunRecorder(), paused=True
    )
    generator = task.iter_records(TaskControl())
    while getattr(next(generator), "step", 0) != 1:
        pass
    task.stop()
    list(generator)
    assert saved_runs()[0].read_info().state == "stopped"
    np.testing.assert_array_equal(last_model().parameters, whole.checkpoint.parameters)
