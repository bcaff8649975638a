"""Several trainings: in order, by turns and at once, and what each of them has reached."""

from contextlib import closing

import pytest

from core.errors import InputError
from core.runs.plan import RunContext, RunPlan
from core.runs.side_by_side import SideBySide, by_seconds, iter_at_once, iter_turns, outcome_of
from core.runs.training import iter_run
from core.training.records import EpochDone, Finished
from core.training.run_settings import RunSettings

PLAN = RunPlan(RunSettings(network="6-9-4", epochs=2, batch_size=32), "points", "vectorized")


def test_an_outcome_has_all_that_a_training_reached(points):
    seen = []
    outcome = outcome_of(iter_run(PLAN, points), seen.append)
    assert isinstance(seen[0], RunContext)
    assert [epoch.epoch for epoch in outcome.epochs] == [1, 2]
    assert outcome.images == 2 * len(points.train)
    assert (outcome.state, outcome.has_ended) == ("epochs", True)
    assert outcome.score == outcome.epochs[-1].test_score
    assert outcome.end is seen[-1]
    assert outcome.seconds > 0


def test_trainings_by_turns_reach_what_each_reaches_alone(points):
    trainings = SideBySide()
    for rate in (0.01, 0.1):
        trainings.add(rate, iter_run(PLAN.change(learning_rate=rate), points))
    ended = [key for key, record in iter_turns(trainings) if isinstance(record, Finished)]
    assert sorted(ended) == [0.01, 0.1]
    for rate, outcome in trainings.outcomes.items():
        alone = outcome_of(iter_run(PLAN.change(learning_rate=rate), points))
        assert [epoch.test_loss for epoch in outcome.epochs] == [
            epoch.test_loss for epoch in alone.epochs
        ]


def test_by_turns_each_waits_for_all_others(points):
    trainings = SideBySide()
    for number in range(3):
        trainings.add(number, iter_run(PLAN, points))
    with closing(iter_turns(trainings)) as turns:
        assert [next(turns)[0] for _ in range(6)] == [0, 1, 2, 0, 1, 2]


def test_by_seconds_the_one_that_is_behind_goes_next(points):
    trainings = SideBySide(by_seconds)
    trainings.add("first", iter_run(PLAN, points))
    trainings.add("second", iter_run(PLAN, points))
    while trainings:
        key = trainings.next_key()
        running = [
            outcome.seconds for outcome in trainings.outcomes.values() if not outcome.has_ended
        ]
        assert trainings.outcomes[key].seconds == min(running)
        trainings.advance(key)


def test_a_training_that_fails_ends_alone(points):
    trainings = SideBySide()
    trainings.add("good", iter_run(PLAN, points))
    trainings.add("bad", iter_run(RunPlan(PLAN.settings, "points", "abacus"), points))
    trainings.advance("good")
    with pytest.raises(InputError):
        trainings.advance(trainings.next_key())
    assert trainings.next_key() == "good"
    assert (
        trainings.outcomes["bad"].failed(InputError("It is too large.")).message
        == "It is too large."
    )


def test_at_once_all_items_come_and_an_error_ends_all():
    def count(check):
        for number in range(3):
            check()
            yield number

    def fail(check):
        yield 7
        raise InputError("It failed.")

    def last(check):
        while True:
            check()
            yield 0

    assert sorted(iter_at_once([count, count], lambda: None)) == [0, 0, 1, 1, 2, 2]
    assert list(iter_at_once([count], lambda: None)) == [0, 1, 2]
    with pytest.raises(InputError, match="It failed"):
        list(iter_at_once([last, fail], lambda: None))


def test_a_run_that_goes_on_begins_with_the_epochs_before(points, tmp_path):
    from core.runs.recorder import RunRecorder, Start

    outcome_of(iter_run(PLAN.change(epochs=1), points, RunRecorder(tmp_path / "run")))
    recorder = RunRecorder(tmp_path / "run", start=Start(tmp_path / "run"))
    with closing(iter_run(PLAN, points, recorder)) as records:
        context = next(records)
        assert [epoch.epoch for epoch in context.history] == [1]
        trained = [record.epoch for record in records if isinstance(record, EpochDone)]
    assert trained == [2]
