import numpy as np

from gui.widgets.plots.live_axes import AxisRange, LiveAxes


def test_the_range_contains_all_points():
    axes = AxisRange(1, 0, 1)
    for step in range(1, 500):
        high = 3 - step / 200
        axes = axes.following(step / 50, 0.1, high)
        assert axes.low < 0.1
        assert high <= axes.high


def test_the_end_of_the_axis_is_a_part_of_an_epoch_or_some_epochs_and_then_the_planned_end():
    axes = LiveAxes(percent=False, ceiling=None, planned=30)
    ends = []
    for step in range(1, 3_000):
        until = step / 100
        axes.range = axes.follow(until, 0, [(np.array([until]), np.array([1.0]))] * 3)
        assert until <= axes.range.reach
        if axes.range.reach not in ends:
            ends.append(axes.range.reach)
    assert [round(end / 1.01, 3) for end in ends] == [0.1, 1, 2, 4, 30]
    axes.has_ended = True
    assert axes.follow(7.5, 0, [(np.array([7.5]), np.array([1.0]))] * 3).reach == 1.01 * 7.5


def test_the_range_has_space_for_a_mark_only_above_the_ceiling():
    assert 100 < AxisRange(1, 0, 100).following(2, 96.0, 99.8, ceiling=100).high < 100.3
    assert 100 < AxisRange(1, 0, 100).following(2, 0.0, 100.0, ceiling=100).high <= 105


def test_the_highest_mark_is_not_at_the_edge():
    axes = AxisRange(1, 0, 100)
    for epoch in range(1, 60):
        axes = axes.following(epoch, 10.0, 40 + epoch, ceiling=100)
        assert 40 + epoch <= axes.high - 0.04 * (axes.high - axes.low)


def test_a_flat_curve_has_a_margin():
    axes = AxisRange(1, 0, 1).following(1, 5.0, 5.0)
    assert axes.low < 5 < axes.high
