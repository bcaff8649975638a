"""A run's folder gives back what was put in, and a training goes on from it to the bit."""

import json
import os
from dataclasses import replace

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.files.lock import FileLock, is_locked
from core.inference.model_file import load_model
from core.network.notation import parse
from core.runs.folder import Label, RunFolder, RunInfo, write_label
from core.runs.plan import RunContext, RunPlan
from core.training.records import (
    EPOCH_COLUMNS,
    Epoch,
    EpochDone,
    Finished,
    KeptParameters,
    RateChange,
    StepsDone,
    TrainingControl,
)
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_device


@pytest.fixture(scope="module")
def dataset():
    random = np.random.default_rng(1)
    answers = (np.arange(230) % 4).astype(np.int32)
    inputs = (random.normal(size=(230, 6)) + np.eye(4, 6)[answers] * 2).astype(np.float32)
    whole = Split(inputs, answers)
    return Dataset("points", "Points", "classes", tuple("abcd"), whole.first(200), whole.after(200))


def add_epochs(folder, *records):
    folder.add_to_history([record.numbers for record in records])
    folder.write_checkpoint(records[-1].checkpoint)


def run_of(**settings):
    return RunSettings(network="6-9-4", batch_size=32, epochs=4, learning_rate=0.05, **settings)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"optimizer": "momentum", "nesterov": True},
        {"optimizer": "adam", "schedule": "cosine"},
        {"validation": 0.2, "patience": 3},
    ],
)
@pytest.mark.parametrize("stop_after", [3, 9])
def test_a_stopped_run_goes_on_to_the_bit(tmp_path, dataset, settings, stop_after):
    run, device = run_of(**settings), open_device("vectorized")
    network = parse(run.network, dataset.input_shape, dataset.outputs)
    whole = list(iter_training(run, dataset, device))[-1]

    folder = RunFolder(tmp_path / "run")
    card = RunInfo(RunPlan(run, "points", "vectorized"), network.text)
    folder.begin(card)
    records = iter_training(run, dataset, device, TrainingControl(chunk=1))
    steps = 0
    for record in records:
        if isinstance(record, EpochDone):
            add_epochs(folder, record)
        if isinstance(record, StepsDone) and (steps := steps + 1) == stop_after:
            folder.write_checkpoint(record.checkpoint)
            break
    records.close()

    later = RunFolder(tmp_path / "run")
    assert later.read_info() == card
    checkpoint = later.checkpoint.read(network, run)
    assert checkpoint.step == stop_after
    assert len(later.read_history(checkpoint.epoch)) == checkpoint.epoch
    for record in iter_training(later.read_info().plan.settings, dataset, device, None, checkpoint):
        if isinstance(record, EpochDone):
            add_epochs(later, record)
    assert isinstance(record, Finished)
    np.testing.assert_array_equal(record.checkpoint.parameters, whole.checkpoint.parameters)
    assert record.test_loss == whole.test_loss
    rows = later.read_history(99)
    assert [row.epoch for row in rows] == [1, 2, 3, 4]
    assert rows[-1].test_loss == whole.test_loss or settings.get("patience")


def test_rows_after_the_checkpoint_are_left_out(tmp_path, dataset):
    folder = RunFolder(tmp_path)
    epochs = [
        r
        for r in iter_training(run_of(), dataset, open_device("vectorized"))
        if isinstance(r, EpochDone)
    ]
    for record in epochs:
        add_epochs(folder, record)
    later = RunFolder(tmp_path)
    assert [row.epoch for row in later.read_history(2)] == [1, 2]
    add_epochs(later, epochs[2])
    lines = (tmp_path / "history.csv").read_text().splitlines()
    assert lines[0] == ",".join(EPOCH_COLUMNS)
    assert len(lines) == 4


def test_a_history_of_very_many_epochs_stays_readable(tmp_path, monkeypatch):
    """A table of four rows can be trained for a million epochs in a minute."""
    monkeypatch.setattr("core.runs.folder.MAX_ROWS", 1000)
    folder = RunFolder(tmp_path)
    scores = np.sin(np.arange(1, 5001) / 700)
    for start in range(0, 5000, 300):
        values = dict.fromkeys(EPOCH_COLUMNS, 0.5) | {"step": 1, "validation_loss": None}
        folder.add_to_history(
            [
                Epoch.from_dict(values | {"epoch": start + number, "test_score": score})
                for number, score in enumerate(scores[start : start + 300], 1)
            ]
        )
    rows = RunFolder(tmp_path).read_history(5000)
    epochs = [row.epoch for row in rows]
    assert 500 <= len(epochs) <= 1000
    assert epochs == sorted(set(epochs))
    assert {1, int(scores.argmax()) + 1, 5000} <= set(epochs)


def test_a_new_run_removes_what_an_earlier_one_left(tmp_path, dataset):
    run = run_of()
    network = parse(run.network, dataset.input_shape, dataset.outputs)
    folder = RunFolder(tmp_path)
    for record in iter_training(run, dataset, open_device("vectorized")):
        if isinstance(record, EpochDone):
            add_epochs(folder, record)
    folder.begin(RunInfo(RunPlan(run, "points", "vectorized"), network.text))
    assert folder.checkpoint.read(network, run) is None
    assert folder.read_history(99) == []


def test_a_folder_that_holds_no_run_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no run"):
        RunFolder(tmp_path).read_info()
    for text in (
        "",
        "[]",
        "{}",
        '{"format": "digitlab-run"}',
        '{"format": "digitlab-run", "run": 3}',
        "[" * 9999,
    ):
        (tmp_path / "run.json").write_text(text)
        with pytest.raises(InputError, match="cannot be read as a run"):
            RunFolder(tmp_path).read_info()


def test_a_checkpoint_of_another_network_or_optimizer_is_refused(tmp_path, dataset):
    run = run_of()
    folder = RunFolder(tmp_path)
    last = list(iter_training(run, dataset, open_device("vectorized")))[-1]
    folder.write_checkpoint(last.checkpoint)
    with pytest.raises(InputError, match="does not fit"):
        folder.checkpoint.read(parse("6-8-4", (6,), 4), run)
    with pytest.raises(InputError, match=r"optimizer\.1. should"):
        folder.checkpoint.read(parse("6-9-4", (6,), 4), run.change(optimizer="momentum"))


@pytest.mark.parametrize(
    "values",
    [
        {"epoch": -1}, {"position": -20}, {"step": 1 << 31}, {"seconds": float("nan")}, {"seconds": -3.0},
        {"best_loss": float("nan")}, {"epoch_metrics": (float("inf"), 0.0)},
    ],
)  # fmt: skip
def test_a_checkpoint_with_impossible_numbers_is_refused(tmp_path, dataset, values):
    run = run_of()
    folder = RunFolder(tmp_path)
    last = list(iter_training(run, dataset, open_device("vectorized")))[-1]
    folder.write_checkpoint(replace(last.checkpoint, **values))
    with pytest.raises(InputError, match="numbers cannot be read"):
        folder.checkpoint.read(parse(run.network, dataset.input_shape, dataset.outputs), run)


def test_a_checkpoint_with_nested_numbers_is_refused(tmp_path, dataset):
    run = run_of()
    last = list(iter_training(run, dataset, open_device("vectorized")))[-1]
    folder = RunFolder(tmp_path)
    folder.write_checkpoint(last.checkpoint)
    path = tmp_path / "checkpoint.safetensors"
    with safe_open(path, framework="numpy") as file:
        texts = file.metadata() | {"seconds": "[" * 9999}
    save_file(load_file(path), path, texts)
    with pytest.raises(InputError, match="numbers cannot be read"):
        folder.checkpoint.read(parse(run.network, dataset.input_shape, dataset.outputs), run)


def test_a_checkpoint_beyond_the_data_is_refused(dataset):
    run = run_of()
    last = list(iter_training(run, dataset, open_device("vectorized")))[-1]
    beyond = replace(last.checkpoint, position=10_000, epoch=0)
    with pytest.raises(InputError, match="choose the run's own data"):
        next(iter_training(run, dataset, open_device("vectorized"), checkpoint=beyond))


@pytest.mark.parametrize("row", ["1,many", "1e999,1", "1,"])
def test_a_history_that_is_not_a_table_is_refused(tmp_path, row):
    names = ",".join(EPOCH_COLUMNS)
    (tmp_path / "history.csv").write_text(f"{names}\n{row}{',0' * (len(EPOCH_COLUMNS) - 2)}\n")
    with pytest.raises(InputError, match="table of epochs"):
        RunFolder(tmp_path).read_history(1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("run.json", RunFolder.read_info),
        ("history.csv", lambda folder: folder.read_history(9)),
        (
            "checkpoint.safetensors",
            lambda folder: folder.checkpoint.read(parse("6-9-4", (6,), 4), run_of()),
        ),
    ],
)
def test_a_pipe_in_place_of_a_file_is_refused_at_once(tmp_path, name, read):
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match="pipe, socket or device"):
        read(RunFolder(tmp_path))


def test_changes_of_the_rate_are_kept_in_checkpoint_run_and_model(tmp_path, dataset):
    run, control = run_of(schedule="cosine"), TrainingControl(chunk=1)
    network = parse(run.network, dataset.input_shape, dataset.outputs)
    folder = RunFolder(tmp_path)
    folder.begin(RunInfo(RunPlan(run, "points", "vectorized"), network.text))
    for record in iter_training(run, dataset, open_device("vectorized"), control):
        if isinstance(record, StepsDone) and record.step == 3:
            control.learning_rate = 0.01
        if isinstance(record, EpochDone):
            add_epochs(folder, record)
    changes = (RateChange(3, 0.01),)
    assert folder.checkpoint.read(network, run).rate_changes == changes
    described = json.loads((tmp_path / "run.json").read_text())
    assert described["rate_changes"] == "3:0.01"
    context = RunContext(RunPlan(run, "points", "vectorized"), dataset, network)
    context.model(record.checkpoint).save(folder.model_path)
    assert load_model(folder.model_path).rate_changes == (RateChange(3, 0.01),)


def test_links_in_a_run_folder_are_replaced_and_not_followed(tmp_path, dataset):
    run = run_of()
    network = parse(run.network, dataset.input_shape, dataset.outputs)
    private = tmp_path / "thesis.txt"
    private.write_text("mine")
    folder = RunFolder(tmp_path / "run")
    folder.path.mkdir()
    for name in (
        "run.json",
        "history.csv",
        "checkpoint.safetensors",
        "best.safetensors",
        "model.safetensors",
        "epochs.safetensors",
        "batches.safetensors",
        "label.json",
    ):
        (folder.path / name).symlink_to(private)
    write_label(folder.path, Label("a name"))
    folder.lock_path.symlink_to(tmp_path / "missing")
    assert not is_locked(folder.lock_path)
    lock = FileLock(folder.lock_path)
    assert lock.acquire()
    assert is_locked(folder.lock_path)
    lock.release()
    assert not (tmp_path / "missing").exists()
    plan = RunPlan(run, "points", "vectorized")
    folder.write_info(RunInfo(plan, network.text))
    for record in iter_training(run, dataset, open_device("vectorized")):
        if isinstance(record, EpochDone):
            add_epochs(folder, record)
            folder.best.write(record.checkpoint)
    folder.write_model(RunContext(plan, dataset, network).model(record.checkpoint))
    folder.kept.write(KeptParameters())
    folder.batches.write([(0.5, 1.0, 0.9)])
    assert folder.batches.read() == [(0.5, 1.0, pytest.approx(0.9))]
    assert private.read_text() == "mine"
    assert not any(path.is_symlink() for path in folder.path.iterdir())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("created", "1e300"),
        ("created", "NaN"),
        ("created", "-1"),
        ("network", "null"),
        ("network", '"a\\u0000b"'),
    ],
)
def test_a_run_with_impossible_values_is_refused(tmp_path, dataset, name, value):
    folder = RunFolder(tmp_path)
    folder.begin(RunInfo(RunPlan(run_of(), "points", "vectorized"), "6-9-4"))
    values = json.loads((tmp_path / "run.json").read_text()) | {name: json.loads(value)}
    (tmp_path / "run.json").write_text(json.dumps(values))
    with pytest.raises(InputError, match="cannot be read as a run"):
        folder.read_info()


def test_a_history_with_an_infinite_loss_is_refused(tmp_path):
    (tmp_path / "history.csv").write_text(
        ",".join(EPOCH_COLUMNS) + "\n1,5" + ",1e999" * (len(EPOCH_COLUMNS) - 2) + "\n"
    )
    with pytest.raises(InputError, match="table of epochs"):
        RunFolder(tmp_path).read_history()
