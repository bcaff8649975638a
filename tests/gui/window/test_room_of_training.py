"""How the tab Training shares its room, by tables."""

import pytest

from gui.window.training_page import LEAST_PLOT, Room, View, lab_width, share


def shared(width: int = 1280, height: int = 600, **changed: object) -> Room:
    given = {
        "scale": 1.0,
        "view": View.BOTH,
        "has_lab": False,
        "has_page": False,
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
    assert room.band >= 200, "the curve would be too low to be read"


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


@pytest.mark.parametrize(
    ("width", "height", "scale", "view"),
    [(1280, 600, 1.0, View.BOTH), (1280, 600, 1.0, View.NETWORK), (1280, 400, 2.0, View.BOTH)],
)
def test_a_page_that_was_asked_for_is_shown(width, height, scale, view):
    room = shared(width, height, scale=scale, view=view, has_page=True)
    assert room.band > 0
    assert (room.stage > 0) is (scale == 1)


def test_presenter_mode_shows_the_plot_alone_in_the_band():
    room = shared(1920, 1000, presenting=True)
    assert not room.result
    assert not room.next_steps


@pytest.mark.parametrize("width", [640, 800, 1280, 1600, 1920])
@pytest.mark.parametrize("scale", [1.2, 1.4, 1.6, 1.8, 2.0])
@pytest.mark.parametrize("has_next_steps", [False, True])
def test_larger_text_never_makes_the_plot_narrower(width, scale, has_next_steps):
    usual = shared(width, 900, has_next_steps=has_next_steps)
    larger = shared(width, 900, scale=scale, has_next_steps=has_next_steps)
    assert larger.result + larger.next_steps <= usual.result + usual.next_steps


@pytest.mark.parametrize(
    ("height", "scale", "both"),
    [(600, 1.0, True), (860, 1.2, True), (600, 1.2, False), (860, 1.4, False), (790, 2.0, False)],
)
def test_beside_larger_text_the_stage_has_the_room_of_the_band(height, scale, both):
    room = shared(1920, height, scale=scale)
    assert (room.band > 0) is both
    if not both:
        assert room.stage == height
    lab = shared(1920, height, scale=scale, has_lab=True)
    assert (lab.stage > 0) is both


def test_presenter_mode_shows_both_in_its_large_type():
    assert shared(1280, 630, scale=2.0, presenting=True).band > 0


@pytest.mark.parametrize(
    ("width", "at_a_desk", "presented"),
    [(640, 260, 260), (800, 267, 320), (1280, 427, 512), (1920, 540, 768)],
)
def test_the_column_of_a_lab_is_as_wide_as_the_window_allows_whatever_the_text(
    width, at_a_desk, presented
):
    assert lab_width(width, presenting=False) == at_a_desk
    assert lab_width(width, presenting=True) == presented
