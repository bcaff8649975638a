import numpy as np
import pytest

from core.data.drawing import normalise
from core.data.synthetic.curves import SAMPLES, all_curves
from core.data.synthetic.hands import HANDS
from core.data.synthetic.pen import BOX, CANVAS, write
from core.data.synthetic.render import draw, normalise_all


def lines(count=300, seed=0):
    return write(count, np.random.Generator(np.random.PCG64(seed)))


def test_every_digit_has_at_least_four_hands():
    counts = np.bincount([hand.digit for hand in HANDS], minlength=10)
    assert counts.min() >= 4


def test_a_curve_passes_through_its_points_and_its_weights_sum_to_one():
    curves = all_curves()
    np.testing.assert_allclose(curves.weights.sum(axis=2), 1)
    for hand in range(len(HANDS)):
        path = (curves.points[hand][curves.sources[hand]] * curves.weights[hand][..., None]).sum(axis=1)
        for point in curves.points[hand]:
            assert np.hypot(*(path - point).T).min() < 1e-9
        breaks = np.flatnonzero(~curves.joined[hand])
        assert len(breaks) == HANDS[hand].strokes.count("|") + 1
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


def test_no_two_digits_are_alike():
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
def test_many_at_once_are_normalised_like_each_alone(pictures):
    together = normalise_all(pictures)
    for picture, image in zip(pictures, together, strict=True):
        alone = normalise(picture)
        if alone is None:
            continue
        assert np.abs(alone.astype(int) - image).max() <= 1


def test_empty_pictures_stay_empty():
    assert not normalise_all(np.zeros((2, 30, 30), np.uint8)).any()
