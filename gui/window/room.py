"""How the tab Training shares its room: a pure function from the room to the sizes of its parts."""

from dataclasses import dataclass
from enum import Enum, auto

from gui.widgets.theme import LARGE_WIDTH


class View(Enum):
    """What the middle of the tab shows."""

    NETWORK = auto()
    CURVE = auto()
    BOTH = auto()


@dataclass(frozen=True, slots=True)
class Room:
    """Pixels. 0 for the height of the stage or the band, or for the width of a column, hides it."""

    margin: int  # at the sides of the page
    gap: int  # between two cards
    stage: int
    band: int
    result: int
    next_steps: int


LEAST_FOR_BOTH = 520  # the height of stage and band together, at a text size of 100 %
MOST_FOR_BOTH = 1.2  # the size of text up to which both are shown, as a multiple of the usual one
# The stage's share of the height of stage and band: with a curve, which is at least 180 pixels high, and before.
STAGE_SHARE, STAGE_SHARE_AT_FIRST = 0.56, 0.64
LEAST_PLOT = 300  # the width of the plot below which the result beside it is folded
LEAST_BESIDE_NEXT = 380  # the same for What next?
RESULT, NEXT_STEPS = 264, 312
# Of a large page: so that the plot is where the drawings have it.
LARGE_RESULT, LARGE_NEXT_STEPS = 472, 392
LARGE_BODY_SHARE = 13 / 15  # of the text of a small page to that of a large one
# The column of a lab: its share of the window at a desk and in presenter mode, and its least and its most pixels.
LAB_SHARE = 1 / 3
PRESENTED_LAB_SHARE = 0.4
LEAST_LAB = 260
MOST_LAB = 540


def lab_width(width: int, *, presenting: bool) -> int:
    """The width of the column of a lab in a window of this width: larger text takes nothing from the plot."""
    if presenting:
        return max(round(width * PRESENTED_LAB_SHARE), LEAST_LAB)
    return min(max(round(width * LAB_SHARE), LEAST_LAB), MOST_LAB)


def share(
    width: int,
    height: int,
    *,
    scale: float,
    view: View,
    has_curve: bool,
    has_lab: bool,
    has_next_steps: bool,
    presenting: bool,
) -> Room:
    """Share a page of this width, whose stage and band have this height together.

    scale: the size of the text as a multiple of the usual one. has_lab: a lab is open, whose curve stays. What folds
    first where there is little room: the columns beside the plot, then the band, or with a lab the stage.

    Folded elsewhere: percentages of the answers (gui/stage/layout.py), captions of layers
    (gui/stage/picture.py), rows of the settings line (`_fit_line` in gui/window/training_page.py).
    """
    is_large = width >= LARGE_WIDTH
    margin, gap = (24, 16) if is_large else (16, 12)
    inner = width - 2 * margin
    shown = view
    # Beside larger text there is room for one of both: neither the canvas nor the plot is made smaller by it.
    is_low = height < LEAST_FOR_BOTH * (1.0 if presenting else scale)
    if view is View.BOTH and (is_low or (scale > MOST_FOR_BOTH and not presenting)):
        shown = View.CURVE if has_lab else View.NETWORK
    stage, band = height, 0
    if shown is View.CURVE:
        stage, band = 0, height
    elif shown is View.BOTH:
        stage = round((height - gap) * (STAGE_SHARE if has_curve else STAGE_SHARE_AT_FIRST))
        band = height - gap - stage
    first_result, first_next = (LARGE_RESULT, LARGE_NEXT_STEPS) if is_large else (RESULT, NEXT_STEPS)
    if not has_next_steps or inner - first_result - first_next < LEAST_BESIDE_NEXT:
        first_next = 0
    larger = scale * LARGE_BODY_SHARE if is_large else scale  # than the usual text of this width
    result, next_steps = _columns(inner, first_result, first_next, LEAST_PLOT)
    if presenting:
        result = 0
        next_steps = 0
    elif larger > 1.001:
        plot = inner - result - next_steps  # which larger text does not make narrower
        result, next_steps = _columns(inner, round(first_result * larger), round(first_next * larger), plot)
    return Room(margin, gap, stage, band, result, next_steps)


def _columns(inner: int, result: int, next_steps: int, least: int) -> tuple[int, int]:
    """The widths of the columns beside the plot, 0 for one that is folded, so that it is `least` pixels wide."""
    if inner - result - next_steps < least:
        next_steps = 0
    if inner - result < least:
        return 0, 0
    return result, next_steps
