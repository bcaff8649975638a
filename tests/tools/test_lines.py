"""Composed lines of digits, from which the network that reads numbers learns."""

import numpy as np

from core.data import builtin
from core.drawing.line import ROWS
from tests.handwriting import STROKES
from tools.models.lines import MAX_SYMBOLS, OTHER, WIDTH, LineComposer, packed
from tools.models.pen_data import PenDigit


def composer(seed):
    pen = [
        PenDigit(int(digit), 1, tuple(np.array(stroke, float) for stroke in strokes))
        for digit, strokes in STROKES.items()
    ]
    images = builtin.draw(40, 1)[0]
    return LineComposer(pen, images, np.random.default_rng(seed))


def test_a_seed_gives_the_same_lines():
    one, other = (packed(composer(5).lines(40)) for _ in range(2))
    np.testing.assert_array_equal(one[0], other[0])
    np.testing.assert_array_equal(one[1], other[1])


def test_lines_are_packed_with_the_classes_of_their_symbols():
    lines = [line for line in composer(7).lines(60) if line[0].shape[1] <= WIDTH]
    images, targets = packed(iter(lines))
    assert images.shape[1:] == (ROWS, WIDTH, 1)
    assert targets.shape == (len(images), MAX_SYMBOLS)
    count = sum(len(labels) for _, labels in lines)
    assert (targets >= 0).sum() == count
    assert targets.max() <= OTHER
    # The image has the ink of its lines, and nothing else.
    assert images.sum(dtype=np.int64) == sum(pixels.sum(dtype=np.int64) for pixels, _ in lines)
