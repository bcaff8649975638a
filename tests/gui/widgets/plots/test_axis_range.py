from gui.widgets.plots.live_axes import AxisRange


def test_the_range_contains_all_points():
    axes = AxisRange(1, 0, 1)
    for step in range(1, 500):
        until, high = step / 50, 3 - step / 200
        axes = axes.following(until, 0.1, high)
        assert until <= axes.reach <= 2 * until
        assert axes.low < 0.1
        assert high <= axes.high


def test_the_range_changes_rarely():
    axes, moves = AxisRange(1, 0, 1), 0
    for step in range(1, 2000):
        before, axes = axes, axes.following(step / 100, 0.0, 1.0)
        moves += axes != before
    assert moves < 40


def test_the_range_has_space_for_a_mark_only_above_the_ceiling():
    assert 100 < AxisRange(1, 0, 100).following(2, 96.0, 99.8, ceiling=100).high < 100.3
    assert 100 < AxisRange(1, 0, 100).following(2, 0.0, 100.0, ceiling=100).high <= 105


def test_the_last_and_the_highest_mark_are_not_at_the_edge():
    axes = AxisRange(1, 0, 100)
    for epoch in range(1, 60):
        axes = axes.following(epoch, 10.0, 40 + epoch, ceiling=100)
        assert epoch <= 0.98 * axes.reach
        assert 40 + epoch <= axes.high - 0.04 * (axes.high - axes.low)


def test_a_flat_curve_has_a_margin():
    axes = AxisRange(1, 0, 1).following(1, 5.0, 5.0)
    assert axes.low < 5 < axes.high
