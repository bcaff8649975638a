"""Races: the same run on several contestants, side by side."""

import threading

import pytest

from core.errors import InputError
from core.measure.race import Contestant, RaceFinished, iter_race
from core.training.records import EpochDone, Finished, StepsDone
from core.training.run import Run

SEQUENTIAL, VECTORIZED = Contestant("sequential"), Contestant("vectorized")
TWO_WORKERS = Contestant("vectorized", workers=2)
RUN = Run(network="2-16-1", activation="tanh", loss="squared-error", batch_size=20, epochs=3, group=2)


def test_everyone_runs_the_whole_race(product_data):
    *records, over = iter_race(RUN, product_data, (SEQUENTIAL, VECTORIZED, TWO_WORKERS))
    for contestant in (SEQUENTIAL, VECTORIZED, TWO_WORKERS):
        own = [record.event for record in records if record.contestant == contestant]
        assert [event.epoch for event in own if isinstance(event, EpochDone)] == [1, 2, 3]
        assert isinstance(own[-1], Finished)
    assert isinstance(over, RaceFinished)
    assert {standing.contestant for standing in over.standings} == {SEQUENTIAL, VECTORIZED, TWO_WORKERS}
    assert all(standing.images == 900 and standing.seconds > 0 for standing in over.standings)


def test_workers_learn_the_same_to_the_bit(product_data):
    records = list(iter_race(RUN, product_data, (VECTORIZED, TWO_WORKERS)))
    ends = [record.event for record in records[:-1] if isinstance(record.event, Finished)]
    assert ends[0].test_score == ends[1].test_score


def test_who_is_behind_goes_next(product_data):
    clocks = {SEQUENTIAL: 0.0, VECTORIZED: 0.0}
    running = set(clocks)
    for record in iter_race(RUN, product_data, (SEQUENTIAL, VECTORIZED)):
        if isinstance(record, RaceFinished):
            break
        assert clocks[record.contestant] == min(clocks[contestant] for contestant in running)
        clocks[record.contestant] = record.event.seconds
        if isinstance(record.event, Finished):
            running.discard(record.contestant)


def test_stopping_leaves_no_thread_behind(product_data):
    before = set(threading.enumerate())
    race = iter_race(RUN.change(epochs=1000), product_data, (VECTORIZED, TWO_WORKERS))
    while True:
        record = next(race)
        if record.contestant == TWO_WORKERS and isinstance(record.event, StepsDone):
            break
    assert set(threading.enumerate()) - before
    race.close()
    assert not set(threading.enumerate()) - before


@pytest.mark.parametrize("contestants", [(), (VECTORIZED,), (VECTORIZED, VECTORIZED)])
def test_one_alone_is_no_race(product_data, contestants):
    with pytest.raises(InputError, match="two different contestants"):
        next(iter_race(RUN, product_data, contestants))


def test_workers_without_a_group_are_refused(product_data):
    with pytest.raises(InputError, match="set group to 2"):
        next(iter_race(RUN.change(group=1), product_data, (VECTORIZED, TWO_WORKERS)))


def test_a_race_can_be_ended_while_a_slow_contestant_is_tested(product_data):
    class EnoughError(Exception):
        pass

    def enough():
        raise EnoughError

    before = set(threading.enumerate())
    with pytest.raises(EnoughError):
        list(iter_race(RUN, product_data, (SEQUENTIAL, TWO_WORKERS), enough))
    assert set(threading.enumerate()) == before
