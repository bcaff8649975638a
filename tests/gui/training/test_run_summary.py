"""The text about the end of a run."""

from core.training.records import Finished
from gui.training.run_summary import in_words

ADVICE = "The loss grew, and the network has learnt nothing: lower the learning rate."


def test_a_run_that_learnt_nothing_ends_with_advice_and_no_praise():
    end = Finished("epochs", ADVICE, 3e20, 0.1, 2.0, None, None)
    text, tone, _ = in_words(end, None, "classes")
    assert "10.00 %" in text
    assert text.endswith(ADVICE)
    assert tone == "info"
