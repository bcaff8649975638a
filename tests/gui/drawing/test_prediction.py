"""What is said about a drawing, from sure to no idea, and the bars beside it."""

import numpy as np
import pytest
from gui.drawing.prediction import PredictionLabel, ProbabilityBars
from PySide6.QtGui import QImage, QPalette

from core.reading.pieces import Box
from core.reading.reader import Number, ReadDigit, Reading


def test_a_full_bar_does_not_touch_its_number(qtbot):
    bars = ProbabilityBars()
    qtbot.addWidget(bars)
    bars.resize(300, bars.sizeHint().height())
    bars.show_probabilities(tuple("0123456789"), np.eye(10)[0])
    image = bars.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    row = image.height() // 10
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)[:row]
    accent = bars.palette().color(QPalette.ColorRole.Accent).rgb()
    end = np.flatnonzero((pixels == accent).any(axis=0)).max()
    ground = pixels[0, -1]
    # The round end of the bar is smoothed in one more column.
    number = np.flatnonzero((pixels[:, end + 2 :] != ground).any(axis=0))
    assert number.min() >= 5


DIGITS = tuple("0123456789")
NO_DIGIT = "no digit  the most similar one is 4"
NO_IDEA = "no idea yet  all answers are about equally likely"


def probabilities(best, share, second=0):
    """(10,) with `share` for the class `best`, and the rest for `second` and the others."""
    values = np.full(10, (1 - share) * 0.2 / 8, np.float32)
    values[second], values[best] = (1 - share) * 0.8, share
    return values


@pytest.fixture
def label(qtbot):
    label = PredictionLabel()
    qtbot.addWidget(label)
    return label


@pytest.mark.parametrize(
    ("reading", "name", "text"),
    [
        (Reading(None, probabilities(3, 0.98, 8), DIGITS), "3", "3  surely a 3  98.0 %"),
        (Reading(None, probabilities(3, 1.0, 8), DIGITS), "3", "3  surely a 3  > 99.9 %"),
        (Reading(None, probabilities(8, 0.98, 3), DIGITS), "8", "8  surely an 8  98.0 %"),
        (Reading(None, probabilities(8, 0.838, 3), DIGITS), "8", "8  probably an 8  83.8 %"),
        (Reading(None, probabilities(3, 0.838, 8), DIGITS), "3", "3  probably a 3  83.8 %"),
        (Reading(None, probabilities(3, 0.6, 8), DIGITS), "3", "3  3, perhaps 8  60.0 %"),
        (Reading(None, probabilities(4, 0.9), DIGITS, rejected=True), "", NO_DIGIT),
        (Reading(None, np.full(10, 0.1, np.float32), DIGITS), "", NO_IDEA),
        (Reading(None, np.array([0.3, 0.28, *[0.0525] * 8]), DIGITS), "", NO_IDEA),
    ],
)  # fmt: skip
def test_the_sentence_says_how_sure_the_answer_is(label, reading, name, text):
    label.show_recognition(reading)
    assert label.prediction == name
    assert label.text() == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.99, "1 2  surely 1 2  98.0 % that all digits are right"),
        (0.9154, "1 2  probably 1 2  83.8 % that all digits are right"),
        (0.8, "1 2  perhaps 1 2  64.0 % that all digits are right"),
    ],
)
def test_the_sentence_says_how_sure_a_number_is(label, share, text):
    def digit(best):
        return ReadDigit(Box(0, 0, 1, 1), np.zeros((28, 28), np.uint8), probabilities(best, share, 9))

    number = Number(((digit(1),), (digit(2),)))
    label.show_recognition(Reading(None, digit(1).probabilities, DIGITS, number=number))
    assert label.text() == text.replace("1 2", "1  2")


def test_bars_of_no_answer_are_all_gray(qtbot):
    def accented():
        image = bars.grab().toImage()
        accent = bars.palette().color(QPalette.ColorRole.Accent)
        places = ((x, y) for x in range(image.width()) for y in range(image.height()))
        return sum(image.pixelColor(*place) == accent for place in places)

    bars = ProbabilityBars()
    qtbot.addWidget(bars)
    bars.resize(300, bars.sizeHint().height())
    bars.show_probabilities(DIGITS, probabilities(3, 0.98))
    assert accented() > 100
    bars.show_probabilities(DIGITS, probabilities(3, 0.98), is_answer=False)
    assert accented() == 0


def test_a_screen_reader_hears_every_probability(qtbot):
    bars = ProbabilityBars()
    qtbot.addWidget(bars)
    bars.show_probabilities(("a", "b"), np.array([0.25, 0.75], np.float32))
    assert bars.accessibleDescription() == "a: 25.0 %, b: 75.0 %"


def test_of_many_classes_the_most_probable_ones_are_shown(qtbot):
    bars = ProbabilityBars()
    qtbot.addWidget(bars)
    values = np.linspace(0, 1, 26, dtype=np.float32)
    bars.show_probabilities(tuple("abcdefghijklmnopqrstuvwxyz"), values / values.sum())
    shown = [part.split(":")[0] for part in bars.accessibleDescription().split(", ")]
    assert shown == list("qrstuvwxyz")


def test_empty_bars_are_not_painted_again_for_each_network(qtbot, monkeypatch):
    bars, painted = ProbabilityBars(), []
    qtbot.addWidget(bars)
    monkeypatch.setattr(bars, "update", lambda: painted.append(1))
    bars.show_probabilities((), None)
    bars.show_probabilities(DIGITS, None)
    assert not painted
    bars.show_probabilities(DIGITS, np.full(10, 0.1, np.float32))
    bars.show_probabilities(DIGITS, None)
    assert len(painted) == 2
