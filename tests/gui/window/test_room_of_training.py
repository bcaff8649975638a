"""How the tab Training shares its room, by tables."""

import pytest

from gui.window.room import LEAST_PLOT, Room, View, share


def shared(width: int = 1280, height: int = 600, **changed: object) -> Room:
    given = {
        "scale": 1.0,
        "view": View.BOTH,
        "has_curve": True,
        "has_lab": False,
        "has_next_steps": True,
        "presenting": False,
    }
    return share(width, height, **{**given, **changed})


@pytest.mark.parametrize(
    ("width", "height", "view", "stage", "band"),
    [
        (1280, 600, View.BOTH, True, True),
        (1920, 900, View.BOTH, True, True),
        (1280, 600, View.NETWORK, True, False),
        (1280, 600, View.CURVE, False, True),
        (1280, 400, View.BOTH, True, False),  # no room for both: the network stays
    ],
)
def test_stage_and_band_are_shown_by_view_and_room(width, height, view, stage, band):
    room = shared(width, height, view=view)
    assert (room.stage > 0, room.band > 0) == (stage, band)


def test_stage_and_band_fill_the_height():
    room = shared(1280, 600)
    assert room.stage + room.gap + room.band == 600
    assert room.band >= 250, "the curve would be lower than 180 pixels"


@pytest.mark.parametrize("scale", [1.0, 1.4, 2.0])
def test_the_columns_beside_the_plot_fold_before_it_is_narrow(scale):
    for width in range(640, 2000, 40):
        room = shared(width, 900, scale=scale)
        plot = width - 2 * room.margin - room.result - room.next_steps
        assert plot >= LEAST_PLOT or not room.result


def test_what_next_folds_before_the_result():
    room = shared(800, 900)
    assert room.result
    assert not room.next_steps


def test_a_lab_leaves_the_curve_where_there_is_little_height():
    room = shared(1280, 400, has_lab=True)
    assert room.band > 0
    assert not room.stage


def test_presenter_mode_shows_the_plot_alone_in_the_band():
    room = shared(1920, 1000, presenting=True)
    assert not room.result
    assert not room.next_steps
