import numpy as np

from gui.widgets.plots.run_lines import Curve


def test_a_curve_keeps_every_point_however_many():
    curve = Curve()
    for i in range(5000):
        curve.add_point(i / 1000, float(i))
    assert len(curve) == 5000
    assert np.array_equal(curve.y, np.arange(5000.0))
    assert np.allclose(curve.x, np.arange(5000) / 1000)


def test_smoothing_starts_at_the_first_value_and_takes_the_noise_away():
    random = np.random.default_rng(0)
    curve = Curve()
    for i in range(2000):
        curve.add_point((i + 1) / 500, 1 + random.normal(0, 0.3))
    assert curve.smooth[0] == curve.y[0]
    assert np.std(curve.smooth[500:]) < 0.3 * np.std(curve.y[500:])
    assert abs(curve.smooth[-1] - 1) < 0.2


def test_values_that_are_not_numbers_are_ignored():
    curve = Curve()
    for y in (1.0, float("nan"), float("inf"), 2.0):
        curve.add_point(len(curve) + 1, y)
    assert list(curve.y) == [1.0, 2.0]
