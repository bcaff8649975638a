from core.measure.race import Contestant, RaceResult, rank
from gui.devices.race_summary import in_words

SEQUENTIAL, VECTORIZED, TWO_WORKERS = (
    Contestant("sequential"), Contestant("vectorized"), Contestant("vectorized", workers=2)
)  # fmt: skip


def test_the_speed_up_in_words():
    standings = rank([
        RaceResult(SEQUENTIAL, 1000, 2.0, 0.5, None), RaceResult(VECTORIZED, 1000, 0.1, 0.5, None),
        RaceResult(TWO_WORKERS, 510, 1.0, 0.4, None),
    ])  # fmt: skip
    assert in_words(standings) == (
        "vectorized learns 20 times as fast as sequential (10,000 against 500 a second). "
        "vectorized, 2 workers learns as fast as sequential (510 against 500 a second)."
    )
