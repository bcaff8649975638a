"""Letters and other drawings are refused, digits are not."""

import numpy as np
import pytest

from core.data.synthetic import pen
from core.reading.reader import NonDigitDetector
from tools.models.non_digits import KINDS, LETTERS, MARKS, draw


@pytest.fixture(scope="module")
def detector():
    detector = NonDigitDetector()
    yield detector
    detector.close()


@pytest.mark.parametrize(("kind", "share"), [("letters", 0.9), ("scribbles", 0.7), ("marks", 0.9)])
def test_most_other_drawings_are_refused(detector, kind, share):
    assert detector.rejected(draw(kind, 100, np.random.default_rng(3))).mean() > share


def test_hardly_any_digit_is_refused(detector):
    digits = pen.write(200, np.random.default_rng(3)).images()
    assert detector.rejected(digits).mean() < 0.05


@pytest.mark.parametrize("name", [*KINDS, *LETTERS, *MARKS])
def test_every_kind_of_drawing_has_ink_and_is_repeatable(name):
    first, second = (draw(name, 3, np.random.default_rng(1)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert first.reshape(3, -1).max(axis=1).min() > 200
