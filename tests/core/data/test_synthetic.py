import numpy as np
import pytest

from core.data.drawing import normalise
from core.data.synthetic.curves import SAMPLES, all_curves
from core.data.synthetic.pen import BOX, CANVAS, write
from core.data.synthetic.render import _normalise, draw
from core.data.synthetic.styles import STYLES


def lines(count=300, seed=0):
    return write(count, np.random.Generator(np.random.PCG64(seed)))


def test_every_digit_has_at_least_four_styles():
    counts = np.bincount([style.digit for style in STYLES], minlength=10)
    assert counts.min() >= 4


def test_a_curve_passes_through_its_points_and_its_weights_sum_to_one():
    curves = all_curves()
    np.testing.assert_allclose(curves.weights.sum(axis=2), 1)
    for style in range(len(STYLES)):
        path = (curves.points[style][curves.sources[style]] * curves.weights[style][..., None]).sum(axis=1)
        for point in curves.points[style]:
            assert np.hypot(*(path - point).T).min() < 1e-9
        breaks = np.flatnonzero(~curves.joined[style])
        assert len(breaks) == STYLES[style].strokes.count("|") + 1
        assert breaks[-1] == SAMPLES - 1


def test_the_ink_fills_its_box():
    written = lines()
    low = np.minimum((written.x - written.radii).min(axis=1), (written.y - written.radii).min(axis=1))
    high = np.maximum((written.x + written.radii).max(axis=1), (written.y + written.radii).max(axis=1))
    assert low.min() > 0
    assert high.max() < CANVAS
    longest = (
        np.maximum(np.ptp(written.x, axis=1), np.ptp(written.y, axis=1)) + 2 * written.radii[:, SAMPLES // 2]
    )
    assert np.abs(longest - BOX).max() < 1


def test_no_two_digits_are_equal():
    images = draw(lines())
    assert len({image.tobytes() for image in images}) == len(images)


def inks() -> np.ndarray:
    rng = np.random.default_rng(1)
    pictures = np.zeros((200, 50, 70), np.uint8)
    for picture in pictures:
        top, left = rng.integers(0, 25), rng.integers(0, 45)
        height, width = rng.integers(8, 50 - top), rng.integers(4, 70 - left)
        picture[top : top + height, left : left + width] = rng.integers(0, 256, (height, width))
        picture[top, left : left + width] = 200
    return pictures


@pytest.mark.parametrize("pictures", [inks(), draw(lines())], ids=["noise", "digits"])
def test_the_compiled_normalisation_equals_that_of_drawings(pictures):
    for picture in pictures:
        expected = normalise(picture)
        if expected is not None:
            image = np.zeros((28, 28), np.uint8)
            _normalise(picture, image)
            assert np.abs(expected.astype(int) - image).max() <= 1


def test_an_empty_picture_stays_empty():
    image = np.zeros((28, 28), np.uint8)
    _normalise(np.zeros((30, 30), np.uint8), image)
    assert not image.any()
