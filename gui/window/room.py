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
# The stage's share of the height of stage and band: with a curve, which is at least 180 pixels high, and before.
STAGE_SHARE, STAGE_SHARE_AT_FIRST = 0.56, 0.64
LEAST_PLOT = 300  # the width of the plot below which the columns beside it are folded
RESULT, NEXT_STEPS = 264, 280


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
    """
    is_large = width >= LARGE_WIDTH
    margin, gap = (24, 16) if is_large else (16, 12)
    inner = width - 2 * margin
    shown = view
    least_for_both = LEAST_FOR_BOTH if presenting else LEAST_FOR_BOTH * min(scale, 1.2)
    if view is View.BOTH and height < least_for_both:
        shown = View.CURVE if has_lab else View.NETWORK
    stage, band = height, 0
    if shown is View.CURVE:
        stage, band = 0, height
    elif shown is View.BOTH:
        stage = round((height - gap) * (STAGE_SHARE if has_curve else STAGE_SHARE_AT_FIRST))
        band = height - gap - stage
    result = round(RESULT * scale)
    next_steps = round(NEXT_STEPS * scale) if has_next_steps else 0
    if inner - result - next_steps < LEAST_PLOT:
        next_steps = 0
    if inner - result < LEAST_PLOT or presenting:
        result = 0
        next_steps = 0
    return Room(margin, gap, stage, band, result, next_steps)
