"""Data-parallel training: the weight of each batch, workers, devices without workers."""

import threading

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.data.functions import load_function
from core.errors import InputError
from core.training.records import Finished, StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_device
from kernels.vectorized.device import Vectorized

RUN = RunSettings(
    network="2-9-1",
    activation="tanh",
    loss="squared-error",
    batch_size=20,
    group=4,
    epochs=2,
    learning_rate=0.01,
)


class OneOwner(Vectorized):
    """A device like a card: one owner, no workers."""

    name = "one owner"

    def worker(self):
        raise NotImplementedError


def train(run, device, side=15):
    *_, finished = iter_training(run, load_function(f"rastrigin:{side}"), device)
    assert isinstance(finished, Finished)
    return finished.checkpoint


def test_a_device_without_workers_computes_a_group_alone():
    alone, shared = train(RUN, OneOwner()), train(RUN.change(workers=2), Vectorized())
    np.testing.assert_allclose(alone.parameters, shared.parameters, rtol=1e-5, atol=1e-6)


def test_several_workers_are_refused_on_a_device_without_workers():
    with pytest.raises(InputError, match="one owner already computes a whole batch at once"):
        train(RUN.change(workers=2), OneOwner())


def test_a_group_with_fewer_batches_makes_a_shorter_step():
    # 9 points are one batch: of a group of 3 it counts a third.
    third = train(RUN.change(group=3, epochs=1), Vectorized(), side=3).parameters
    whole = train(
        RUN.change(group=1, epochs=1, learning_rate=0.01 / 3), Vectorized(), side=3
    ).parameters
    np.testing.assert_allclose(third, whole, atol=1e-7)


def test_a_smaller_last_group_learns_nothing_from_batches_of_the_group_before():
    """100 points are five batches: a group of four, and one batch that counts a quarter."""
    data = load_function("rastrigin:10")
    run = RUN.change(epochs=1)
    records = iter_training(run, data, open_device("vectorized"), TrainingControl(chunk=1))
    kept = next(record for record in records if isinstance(record, StepsDone)).checkpoint
    *_, finished = records
    alone = run.change(group=1, learning_rate=run.learning_rate / 4)
    *_, quarter = iter_training(alone, data, open_device("vectorized"), checkpoint=kept)
    np.testing.assert_allclose(
        finished.checkpoint.parameters, quarter.checkpoint.parameters, atol=1e-7
    )


def test_the_batches_of_a_group_drop_different_units():
    point = Split(np.ones((8, 2), np.float32), np.ones((8, 1), np.float32))
    data = Dataset("point", "the same point eight times", "regression", (), point, point)
    run = RUN.change(network="2-9-D50-1", batch_size=4, epochs=1)
    learned = []
    for group, rate in ((2, 0.01), (1, 0.01)):
        records = iter_training(
            run.change(group=group, learning_rate=rate),
            data,
            open_device("vectorized"),
            TrainingControl(chunk=1),
        )
        learned.append(next(r for r in records if isinstance(r, StepsDone)).checkpoint.parameters)
        records.close()
    # Were the same units dropped in both batches, their mean would be what one of them taught.
    assert np.abs(learned[0] - learned[1]).max() > 1e-5


def test_a_checkpoint_in_mid_epoch_continues_to_the_bit():
    data = load_function("rastrigin:15")
    whole = train(RUN, Vectorized())
    records = iter_training(RUN, data, open_device("vectorized"), TrainingControl(chunk=1))
    kept = next(
        record for record in records if isinstance(record, StepsDone) and record.step == 2
    ).checkpoint
    records.close()
    *_, finished = iter_training(
        RUN.change(workers=2), data, open_device("vectorized"), checkpoint=kept
    )
    np.testing.assert_array_equal(finished.checkpoint.parameters, whole.parameters)


def test_closing_stops_the_workers():
    before = set(threading.enumerate())
    records = iter_training(
        RUN.change(workers=3), load_function("rastrigin:15"), open_device("vectorized")
    )
    next(records)
    assert set(threading.enumerate()) - before
    records.close()
    assert not set(threading.enumerate()) - before


def test_a_thousand_workers_start_no_more_threads_than_the_processors_can_use(monkeypatch):
    monkeypatch.setattr("core.training.data_parallel.processor_count", lambda: 1)
    before = threading.active_count()
    run = RUN.change(workers=1000, group=1000, batch_size=1, epochs=1)
    records = iter_training(run, load_function("rastrigin:15"), open_device("vectorized"))
    next(records)
    assert threading.active_count() - before <= 4
    records.close()
