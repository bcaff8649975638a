"""Runs are continued to the bit, from the last or the best epoch, and branched with other
settings.
"""

import random

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.inference.model_file import load_model
from core.runs.folder import RunFolder, kept_of
from core.runs.library import RunLibrary, unfinished_run
from core.runs.recorder import RunRecorder, Start
from core.runs.training import continued
from core.training.records import EpochDone, Finished, RateChange, StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import Trainer
from kernels.errors import DeviceError
from tests.core.runs.conftest import RUN

KINDS = {
    "sgd": {},
    "momentum": {"optimizer": "momentum", "nesterov": True, "schedule": "cosine"},
    "adam": {"optimizer": "adam", "l2": 0.001},
    "dropout": {"network": "6-12-D50-4", "optimizer": "momentum"},
    "group": {"group": 3, "batch_size": 9},
    "validation": {"validation": 0.2, "patience": 5},
    "rates": {"rate_changes": "4:0.02, 13:schedule", "schedule": "exponential"},
}


def stop_at(step):
    return lambda record: isinstance(record, StepsDone) and record.step >= step


def assert_same(first, second):
    a, b = (records[-1] for records in (first, second))
    np.testing.assert_array_equal(a.checkpoint.parameters, b.checkpoint.parameters)
    np.testing.assert_array_equal(a.checkpoint.optimizer_state, b.checkpoint.optimizer_state)
    assert (a.test_loss, a.test_score, a.checkpoint.step) == (
        b.test_loss,
        b.test_score,
        b.checkpoint.step,
    )
    assert a.checkpoint.rate_changes == b.checkpoint.rate_changes


def rows_of(recorder):
    timed = ("seconds", "epoch_seconds", "images_per_second")
    return [
        {k: v for k, v in row.as_dict().items() if k not in timed}
        for row in recorder.folder.read_history(99)
    ]


def check(train, run, count):
    """Train `run` in one go, and with a stop at each of `count` random steps: both give the same to
    the bit.
    """
    whole, records = train(run)
    steps = range(1, records[-1].checkpoint.step)
    for step in random.Random(run.optimizer).sample(steps, min(count, len(steps))):
        recorder, part = train(run, until=stop_at(step), control=TrainingControl(chunk=1))
        assert part[-1].step == step
        later, rest = train(run, RunRecorder(start=Start(recorder.path)))
        assert_same(rest, records)
        assert rows_of(later) == rows_of(whole)


@pytest.mark.parametrize("kind", KINDS)
def test_a_continued_run_equals_the_uninterrupted_one(train, kind):
    check(train, RUN.change(**KINDS[kind]), 2)


def images():
    """40 random images of two classes, and 10 to test."""
    rng = np.random.default_rng(4)
    pixels = rng.integers(0, 256, (50, 28, 28, 1), dtype=np.uint8)
    whole = Split(pixels, (np.arange(50) % 2).astype(np.int32))
    return Dataset("images", "Images", "classes", ("a", "b"), whole.first(40), whole.after(40))


AUGMENTED = RunSettings(
    network="784-6-D30-2",
    batch_size=8,
    epochs=2,
    optimizer="adam",
    learning_rate=0.01,
    shift=2,
    rotation=10,
    elastic=1,
    group=2,
)


def test_a_continued_run_with_augmentation_and_dropout_equals_the_uninterrupted_one(train):
    def on_images(*arguments, **options):
        return train(*arguments, **options, dataset=images())

    check(on_images, AUGMENTED, 1)


@pytest.mark.slow
def test_a_run_with_augmentation_continued_at_every_step_equals_the_uninterrupted_one(train):
    def on_images(*arguments, **options):
        return train(*arguments, **options, dataset=images())

    check(on_images, AUGMENTED.change(epochs=4), 10)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["sequential", "vectorized"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_continued_at_ten_random_steps_equals_the_uninterrupted_one(train, kind, device):
    def on_device(*arguments, **options):
        return train(*arguments, **options, device_name=device)

    check(on_device, RUN.change(**KINDS[kind]), 10)


def test_a_typed_rate_is_recorded_with_its_step_and_repeated_with_the_run(train):
    typed = {5: 0.02, 12: "schedule", 13: 0.3}
    control = TrainingControl(chunk=1)

    def type_rates(record):
        if isinstance(record, StepsDone):
            control.learning_rate = typed.get(record.step, control.learning_rate)
        return False

    first, records = train(RUN, control=control, until=type_rates)
    info = first.folder.read_info()
    changes = (RateChange(5, 0.02), RateChange(12, None), RateChange(13, 0.3))
    assert info.rate_changes == changes
    again, repeated = train(info.repeatable_plan().settings)
    assert_same(records, repeated)
    assert again.folder.read_info().rate_changes == changes


@pytest.mark.parametrize("step", [3, 8, 12])
def test_a_run_with_a_typed_rate_continues_to_the_bit(train, step):
    def typing():
        control = TrainingControl(chunk=1)

        def type_rate(record):
            if isinstance(record, StepsDone) and record.step == 5:
                control.learning_rate = 0.3
            return False

        return control, type_rate

    control, type_rate = typing()
    _, whole = train(RUN, control=control, until=type_rate)
    control, type_rate = typing()
    recorder, _ = train(RUN, control=control, until=lambda r: type_rate(r) or stop_at(step)(r))
    control, type_rate = typing()
    _, rest = train(RUN, RunRecorder(start=Start(recorder.path)), control=control, until=type_rate)
    assert_same(whole, rest)


def test_more_epochs_than_planned_equal_a_longer_run(train):
    recorder, _ = train()
    plan, start = continued(RunLibrary().find("last"), {"epochs": 5})
    assert not start.branch
    later, records = train(plan.settings, RunRecorder(start=start))
    assert_same(records, train(RUN.change(epochs=5))[1])
    info = later.folder.read_info()
    assert later.path == recorder.path
    assert [(c.setting, c.step, c.before, c.value) for c in info.changes] == [
        ("epochs", 21, "3", "5")
    ]
    assert info.state == "epochs"


SCHEDULES = {
    "cosine": {"schedule": "cosine"},
    "step": {"schedule": "step", "decay": 0.5, "decay_epochs": 2},
    "exponential": {"schedule": "exponential"},
}


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("step", [None, 14, 17])  # the end, the end of an epoch, and within one
@pytest.mark.parametrize("kind", SCHEDULES)
def test_more_epochs_finish_the_old_schedule_or_begin_a_new_one(train, kind, step, restart):
    run = RUN.change(optimizer="adam", learning_rate=0.01, **SCHEDULES[kind])
    train(run, until=step and stop_at(step), control=TrainingControl(chunk=1))
    plan, start = continued(RunLibrary().find("last"), {"epochs": 6}, restart=restart)
    begin = 2 if step == 14 else 3
    spans = f"0:3, {begin}:{6 - begin}" if restart else "" if kind == "step" else "0:3"
    assert (plan.settings.schedule_epochs, start.branch) == (spans, False)
    later, records = train(plan.settings, RunRecorder(start=start))
    assert_same(records, train(run.change(epochs=6, schedule_epochs=spans))[1])
    rates = [row["learning_rate"] for row in rows_of(later)]
    assert rates[:begin] == [run.rate_of(epoch) for epoch in range(begin)]
    first = run.rate_of(0) if restart else run.change(schedule_epochs="0:3").rate_of(begin)
    assert rates[begin] == pytest.approx(first)
    changes = {(change.setting, change.value) for change in later.folder.read_info().changes}
    assert changes == {("epochs", "6")} | ({("schedule_epochs", spans)} if spans else set())


def test_a_new_schedule_replaces_a_rate_that_was_typed(train):
    control, run = TrainingControl(chunk=1), RUN.change(schedule="cosine")

    def type_rate(record):
        control.learning_rate = 0.3
        return False

    train(run, control=control, until=type_rate)
    for restart, rate in ((False, 0.3), (True, run.learning_rate)):
        plan, start = continued(RunLibrary().find("last"), {"epochs": 4 + restart}, restart=restart)
        later, _ = train(plan.settings, RunRecorder(start=start))
        assert rows_of(later)[-1]["learning_rate"] == pytest.approx(rate)


@pytest.mark.parametrize("text", ["5", "1:0", "a:b", "1:2:3", "-1:4"])
def test_a_schedule_begins_after_a_number_of_epochs(text):
    with pytest.raises(InputError, match="how many epochs it takes"):
        RunSettings(network="6-4", schedule_epochs=text)


def test_a_branch_has_its_own_folder_and_names_its_parent(train):
    parent, records = train()
    before = rows_of(parent)
    plan, start = continued(
        RunLibrary().find("last"), {"epochs": 5, "optimizer": "adam", "learning_rate": 0.01}
    )
    assert start.branch
    branch, _ = train(plan.settings, RunRecorder(start=start))
    info = branch.folder.read_info()
    assert info.parent.run_id == parent.path.name
    assert (info.parent.epoch, info.parent.step) == (3, 21)
    assert (info.plan.settings.optimizer, info.plan.settings.learning_rate) == ("adam", 0.01)
    assert [row["epoch"] for row in rows_of(branch)] == [1, 2, 3, 4, 5]
    assert rows_of(branch)[:3] == before == rows_of(parent)
    assert branch.folder.best.exists
    np.testing.assert_array_equal(
        parent.folder.checkpoint.read(later_network(branch), RUN).parameters,
        records[-1].checkpoint.parameters,
    )


def later_network(recorder):
    from core.network.notation import parse

    return parse(recorder.folder.read_info().network, (6,), 4)


def test_the_best_epoch_is_kept_and_a_run_continues_from_it(train):
    recorder, records = train(RUN.change(epochs=8, learning_rate=1.5))
    epochs = [record for record in records if isinstance(record, EpochDone)]
    best = max(epochs, key=lambda record: record.test_score)
    entry = RunLibrary().find("last")
    assert entry.summary.best.epoch == best.epoch
    kept = recorder.folder.best.read(later_network(recorder), entry.info.plan.settings)
    np.testing.assert_array_equal(kept.parameters, best.checkpoint.parameters)
    plan, start = continued(entry, {"epochs": 9}, best=True)
    branch, later = train(plan.settings, RunRecorder(start=start))
    assert start.branch
    assert branch.folder.read_info().parent.epoch == best.epoch
    assert len(rows_of(branch)) == 9
    assert_same(later, train(RUN.change(epochs=9, learning_rate=1.5))[1])


def test_the_best_epoch_is_that_of_the_lowest_validation_loss(train):
    _, records = train(RUN.change(epochs=6, validation=0.2, learning_rate=0.8))
    epochs = [record for record in records if isinstance(record, EpochDone)]
    best = min(epochs, key=lambda record: record.validation_loss)
    assert RunLibrary().find("last").summary.best.epoch == best.epoch


def test_a_run_that_patience_ended_goes_on_from_its_last_epoch(train):
    run = RUN.change(epochs=60, learning_rate=2.5, validation=0.2, patience=2, seed=3)
    recorder, records = train(run)
    last = [record for record in records if isinstance(record, EpochDone)][-1]
    assert recorder.folder.read_info().state == "patience"
    checkpoint = recorder.folder.checkpoint.read(later_network(recorder), run)
    np.testing.assert_array_equal(checkpoint.parameters, last.checkpoint.parameters)
    later, _ = train(run, RunRecorder(start=continued(RunLibrary().find("last"), {})[1]))
    assert len(rows_of(later)) > last.epoch


@pytest.mark.parametrize(
    ("changes", "words"),
    [({}, "has ended"), ({"epochs": 3}, "nothing to continue"), ({"network": "6-4"}, "network cannot be changed"),
     ({"seed": 4, "epochs": 9}, "seed cannot")],
)  # fmt: skip
def test_a_run_that_cannot_be_continued_is_refused(train, changes, words):
    train()
    with pytest.raises(InputError, match=words):
        continued(RunLibrary().find("last"), changes)


def test_a_run_whose_checkpoint_was_removed_is_not_said_to_have_ended_before_it(train):
    recorder, _ = train()
    (recorder.path / "checkpoint.safetensors").unlink()
    with pytest.raises(InputError, match="has no checkpoint of its last epoch"):
        continued(RunLibrary().find("last"), {"epochs": 9})


def test_a_failed_device_leaves_a_run_that_is_offered(train, monkeypatch):
    begin_epoch = Trainer.begin_epoch

    def fail(self, control):
        if self.checkpoint().epoch == 2:
            raise DeviceError("lost", "the card is gone")
        begin_epoch(self, control)

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "begin_epoch", fail)
        with pytest.raises(DeviceError):
            train()
    folder, info = unfinished_run()
    assert info.state == "fault"
    assert (
        folder.checkpoint.read(later_network(RunRecorder(start=Start(folder.path))), RUN).epoch == 2
    )
    assert isinstance(train(RUN, RunRecorder(start=Start(folder.path)))[1][-1], Finished)


def test_a_setting_of_a_run_can_be_any(train):
    recorder, _ = train(RunSettings(network="6-5-4", epochs=1, rate_changes="0:0.5"))
    assert recorder.folder.read_info().rate_changes == (RateChange(0, 0.5),)


def test_the_folder_keeps_the_parameters_of_the_epochs(train):
    whole, records = train()
    model = load_model(whole.folder.model_path)
    kept = kept_of(model)
    assert [epoch for epoch, _ in kept] == [1, 2, 3]
    ends = [record.checkpoint.parameters for record in records if isinstance(record, EpochDone)]
    for (_, parameters), wanted in zip(kept, ends, strict=True):
        np.testing.assert_array_equal(parameters, wanted)
    recorder, _ = train(until=stop_at(10))
    later, _ = train(RUN, RunRecorder(start=Start(recorder.path)))
    assert [epoch for epoch, _ in kept_of(load_model(later.folder.model_path))] == [1, 2, 3]


def test_parameters_that_are_too_large_for_the_folder_are_not_kept(train, monkeypatch):
    monkeypatch.setattr("core.runs.checkpoint_file.FILE_LIMIT_BYTES", 100)
    recorder, _ = train()
    assert kept_of(load_model(recorder.folder.model_path)) == ()


def test_a_run_is_saved_after_an_epoch_but_seldom_between_two(train, monkeypatch):
    monkeypatch.setattr("core.runs.recorder.EPOCH_SECONDS", 0.0)
    monkeypatch.setattr("core.runs.recorder.STEP_SECONDS", 1e9)
    monkeypatch.setattr("core.runs.recorder.MAX_SAVE_FRACTION", 1e9)  # however long saving takes
    recorder = RunRecorder()
    saved = []

    def look(record):
        if isinstance(record, EpochDone):
            saved.append(len(RunFolder(recorder.path).read_history()))
        return False

    train(recorder=recorder, until=look)
    assert saved == [1, 2, 3]
