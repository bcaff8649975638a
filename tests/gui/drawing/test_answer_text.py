"""What is said about a drawing, from sure to no idea."""

import numpy as np
import pytest

from core.reading.pieces import Box
from core.reading.reader import Number, ReadDigit
from gui.widgets.answer_text import answer_text

DIGITS = tuple("0123456789")
NO_DIGIT = "no digit", "the most similar one is 4"
NO_IDEA = "no idea yet", "all answers are about equally likely"


def probabilities(best, share, second=0):
    """(10,) with `share` for the class `best`, and the rest for `second` and the others."""
    values = np.full(10, (1 - share) * 0.2 / 8, np.float32)
    values[second], values[best] = (1 - share) * 0.8, share
    return values


@pytest.mark.parametrize(
    ("shares", "rejected", "name", "words"),
    [
        (probabilities(3, 0.98, 8), False, "3", ("surely a 3", "98.0 %")),
        (probabilities(3, 1.0, 8), False, "3", ("surely a 3", "> 99.9 %")),
        (probabilities(8, 0.98, 3), False, "8", ("surely an 8", "98.0 %")),
        (probabilities(8, 0.838, 3), False, "8", ("probably an 8", "83.8 %")),
        (probabilities(3, 0.6, 8), False, "3", ("3, perhaps 8", "60.0 %")),
        (probabilities(4, 0.9), True, "", NO_DIGIT),
        (np.full(10, 0.1, np.float32), False, "", NO_IDEA),
        (np.array([0.3, 0.28, *[0.0525] * 8]), False, "", NO_IDEA),
    ],
)
def test_the_sentence_says_how_sure_the_answer_is(shares, rejected, name, words):
    answer = answer_text(shares, DIGITS, rejected=rejected)
    assert answer.name == name
    assert (answer.sentence, answer.details) == words


@pytest.mark.parametrize(
    ("share", "sentence", "details"),
    [
        (0.99, "surely 1  2", "98.0 % that all digits are right"),
        (0.9154, "probably 1  2", "83.8 % that all digits are right"),
        (0.8, "perhaps 1  2", "64.0 % that all digits are right"),
    ],
)
def test_the_sentence_says_how_sure_a_number_is(share, sentence, details):
    def digit(best):
        return ReadDigit(
            Box(0, 0, 1, 1), np.zeros((28, 28), np.uint8), probabilities(best, share, 9)
        )

    number = Number(((digit(1),), (digit(2),)))
    answer = answer_text(digit(1).probabilities, DIGITS, number=number)
    assert (answer.sentence, answer.details) == (sentence, details)
