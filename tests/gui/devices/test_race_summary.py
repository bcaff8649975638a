from core.measure.race import Contestant, RaceResult, rank
from core.runs.side_by_side import Outcome
from gui.devices.race_page import race_verdict

SEQUENTIAL, VECTORIZED, TWO_WORKERS = (
    Contestant("sequential"), Contestant("vectorized"), Contestant("vectorized", workers=2)
)  # fmt: skip


def test_the_speed_up_race_verdict():
    results = rank(
        [
            RaceResult(SEQUENTIAL, Outcome(images=1000, seconds=2.0)),
            RaceResult(VECTORIZED, Outcome(images=1000, seconds=0.1)),
            RaceResult(TWO_WORKERS, Outcome(images=510, seconds=1.0)),
        ]
    )
    assert race_verdict(results) == (
        "20 times as fast as plain loops: processor (10,000 against 500 images a second). "
        "As fast as plain loops: processor, 2 workers (510 against 500 images a second)."
    )


def test_repetitions_are_shown_with_their_spread():
    results = rank(
        [
            RaceResult(SEQUENTIAL, Outcome(images=1000, seconds=2.0), (490.0, 500.0, 510.0)),
            RaceResult(
                VECTORIZED, Outcome(images=1000, seconds=0.1), (9_000.0, 10_000.0, 10_500.0)
            ),
        ]
    )
    assert race_verdict(results) == (
        "20 times as fast as plain loops: processor "
        "(10,000 ± 7.5 % against 500 ± 2 % images a second)."
    )


def test_the_speed_of_a_regression_is_in_points():
    results = rank(
        [
            RaceResult(SEQUENTIAL, Outcome(images=1000, seconds=2.0)),
            RaceResult(VECTORIZED, Outcome(images=1000, seconds=0.1)),
        ]
    )
    assert race_verdict(results, "regression").endswith("(10,000 against 500 points a second).")
