import numpy as np

from core.data.synthetic.curves import SAMPLES, all_curves
from core.data.synthetic.pen import write
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


def test_no_two_digits_are_equal():
    images = lines().images()
    assert len({image.tobytes() for image in images}) == len(images)
