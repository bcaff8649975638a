"""Races: the same run on several contestants, side by side."""

import threading
from dataclasses import replace

import pytest

from core.errors import InputError
from core.measure import race
from core.measure.race import Contestant, RaceFinished, iter_race
from core.training.records import EpochDone, Finished, StepsDone
from core.training.run_settings import RunSettings
from kernels.registry import DeviceUnavailable, device_spec, open_device
from tests.limits import SECONDS

SEQUENTIAL, VECTORIZED = Contestant("sequential"), Contestant("vectorized")
TWO_WORKERS = Contestant("vectorized", workers=2)
RUN = RunSettings(
    network="2-16-1", activation="tanh", loss="squared-error", batch_size=20, epochs=3, group=2
)


def last_results(records):
    return {record.result.contestant: record.result for record in records}.values()


def test_every_contestant_trains_the_whole_run(product_data):
    *records, over = iter_race(RUN, product_data, (SEQUENTIAL, VECTORIZED, TWO_WORKERS))
    for contestant in (SEQUENTIAL, VECTORIZED, TWO_WORKERS):
        trained = [record.record for record in records if record.result.contestant == contestant]
        assert [record.epoch for record in trained if isinstance(record, EpochDone)] == [1, 2, 3]
        assert isinstance(trained[-1], Finished)
    assert isinstance(over, RaceFinished)
    results = last_results(records)
    assert {result.contestant for result in results} == {SEQUENTIAL, VECTORIZED, TWO_WORKERS}
    assert all(result.outcome.images == 900 and result.outcome.seconds > 0 for result in results)


def test_workers_train_the_same_parameters(product_data):
    records = list(iter_race(RUN, product_data, (VECTORIZED, TWO_WORKERS)))
    ends = [record.record for record in records[:-1] if isinstance(record.record, Finished)]
    assert ends[0].test_score == ends[1].test_score


def test_the_contestant_whose_clock_is_behind_goes_next(product_data):
    clocks = {SEQUENTIAL: 0.0, VECTORIZED: 0.0}
    running = set(clocks)
    for record in iter_race(RUN, product_data, (SEQUENTIAL, VECTORIZED)):
        if isinstance(record, RaceFinished):
            break
        assert clocks[record.result.contestant] == min(clocks[contestant] for contestant in running)
        clocks[record.result.contestant] = record.record.seconds
        if isinstance(record.record, Finished):
            running.discard(record.result.contestant)


def test_stopping_leaves_no_thread_behind(product_data):
    before = set(threading.enumerate())
    race = iter_race(RUN.change(epochs=1000), product_data, (VECTORIZED, TWO_WORKERS))
    while True:
        record = next(race)
        if record.result.contestant == TWO_WORKERS and isinstance(record.record, StepsDone):
            break
    assert set(threading.enumerate()) - before
    race.close()
    assert not set(threading.enumerate()) - before


@pytest.mark.parametrize("contestants", [(), (VECTORIZED,), (VECTORIZED, VECTORIZED)])
def test_fewer_than_two_contestants_are_refused(product_data, contestants):
    with pytest.raises(InputError, match="two different contestants"):
        next(iter_race(RUN, product_data, contestants))


def test_workers_without_a_group_are_refused(product_data):
    with pytest.raises(InputError, match="set group to 2"):
        next(iter_race(RUN.change(group=1), product_data, (VECTORIZED, TWO_WORKERS)))


def test_a_race_can_be_ended_while_a_slow_contestant_is_tested(product_data):
    class StopError(Exception):
        pass

    def stop():
        raise StopError

    before = set(threading.enumerate())
    with pytest.raises(StopError):
        list(iter_race(RUN, product_data, (SEQUENTIAL, TWO_WORKERS), stop))
    assert set(threading.enumerate()) == before


def test_repetitions_have_a_median_and_a_spread(product_data):
    *records, _ = iter_race(
        RUN.change(epochs=1), product_data, (SEQUENTIAL, VECTORIZED), repetitions=3
    )
    assert {record.repetition for record in records} == {1, 2, 3}
    for result in last_results(records):
        assert len(result.speeds) == 3
        assert result.images_per_second == sorted(result.speeds)[1]
        assert result.spread == (max(result.speeds) - min(result.speeds)) / result.images_per_second


@pytest.fixture
def card(toy_device, monkeypatch):
    """A device with memory of its own."""
    spec = replace(device_spec(toy_device), on_host=False)
    monkeypatch.setattr(
        race, "device_spec", lambda name: spec if name == toy_device else device_spec(name)
    )
    return Contestant(toy_device)


def test_a_card_races_at_the_same_time_as_the_processor(product_data, card, monkeypatch):
    """Each waits for the other's first record, so this would hang if they took turns in one
    thread.
    """
    both = threading.Barrier(2, timeout=SECONDS)
    iter_run = race.iter_run

    def iter_after_barrier(*arguments, **options):
        records = iter_run(*arguments, **options)
        yield next(records)
        both.wait()
        yield from records

    monkeypatch.setattr(race, "iter_run", iter_after_barrier)
    before = set(threading.enumerate())
    *records, _ = iter_race(RUN, product_data, (SEQUENTIAL, card))
    assert {result.contestant for result in last_results(records)} == {SEQUENTIAL, card}
    assert all(result.outcome.images == 900 for result in last_results(records))
    assert set(threading.enumerate()) == before


def test_a_race_with_a_card_can_be_stopped(product_data, card):
    before = set(threading.enumerate())
    records = iter_race(RUN.change(epochs=1000), product_data, (SEQUENTIAL, card))
    next(records)
    records.close()
    assert set(threading.enumerate()) == before


def test_an_error_of_the_card_ends_the_race(product_data, card, monkeypatch):
    def open_or_fail(name):
        if name == card.device:
            raise DeviceUnavailable("It is in use.")
        return open_device(name)

    monkeypatch.setattr("core.runs.training.open_device", open_or_fail)
    with pytest.raises(InputError, match="It is in use"):
        list(iter_race(RUN, product_data, (SEQUENTIAL, card)))
