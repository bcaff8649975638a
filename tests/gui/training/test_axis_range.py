from gui.training.axis_range import AxisRange


def test_all_that_is_drawn_stays_in_the_frame():
    frame = AxisRange(1, 0, 1)
    for step in range(1, 500):
        until, high = step / 50, 3 - step / 200
        frame = frame.following(until, 0.1, high)
        assert until <= frame.reach <= 2 * until
        assert frame.low < 0.1
        assert high <= frame.high


def test_the_axes_move_seldom():
    frame, moves = AxisRange(1, 0, 1), 0
    for step in range(1, 2000):
        before, frame = frame, frame.following(step / 100, 0.0, 1.0)
        moves += frame != before
    assert moves < 40


def test_a_share_is_never_shown_above_its_whole():
    assert AxisRange(1, 0, 100).following(2, 96.0, 99.8, ceiling=100).high == 100
    assert AxisRange(1, 0, 100).following(2, 100.0, 100.0, ceiling=100).high == 100


def test_a_flat_curve_has_room_around_it():
    frame = AxisRange(1, 0, 1).following(1, 5.0, 5.0)
    assert frame.low < 5 < frame.high
