"""The axes of a plot whose curves grow: which range they show, and how values are placed in it."""

from dataclasses import dataclass, field
from math import ceil

import numpy as np

from gui.text import number, percent
from gui.widgets.plots.axis import MOST, MOST_TIMES, epoch_step

# Space beyond the end of the curves, and the fraction of the range below which it shrinks.
_AHEAD = 1.25
_MIN_FILLED = 0.55
_MARGIN = 0.06
_CEILING_MARGIN = 0.05
# Fractions of the range that stay free at its end and at its top, so that no mark of a point is
# cut.
_FREE_X, _FREE_Y = 0.02, 0.04


@dataclass(frozen=True, slots=True)
class AxisRange:
    """x from 0 to `reach`, y from `low` to `high`.

    It changes in large steps: a change of the range redraws the axes, which takes several times as
    long as the curves.
    """

    reach: float
    low: float
    high: float

    def following(
        self, end: float, low: float, high: float, ceiling: float | None = None
    ) -> "AxisRange":
        """The range for curves that end at x = `end` and lie in [low, high]; this one as long as
        they fit.

        `ceiling`: the largest possible value; only the space of a mark is left above it.
        """
        fits = _MIN_FILLED * self.reach < end <= (1 - _FREE_X) * self.reach
        reach = self.reach if fits else _AHEAD * end
        height = self.high - self.low
        if (
            self.low <= low
            and high <= self.high - _FREE_Y * height
            and high - low >= _MIN_FILLED * height
        ):
            return AxisRange(reach, self.low, self.high)
        extent = (high - low) or abs(high) or 1.0
        margin = _MARGIN * extent
        top = high + margin
        if ceiling is not None:
            top = min(top, max(ceiling, high) + _CEILING_MARGIN * extent)
        return AxisRange(reach, low - margin, top)


PERCENT = AxisRange(1, -3, 104)  # with space for the marks at 0 and 100
LOW_PERCENT = 60  # the axis of accuracies is complete if there are any below this
SHOWN_LAST = 5  # epochs, where only the last ones are shown
# Share of the planned epochs from which on the axis has all of them; before, it follows the curves.
WHOLE = 0.1
ENDS = 1.01  # times the last epoch: its mark is not cut
# The loss axis reaches at least to this multiple of the loss of guessing.
GUESSES = 1.2
SETTLED = 2  # epochs, from which on the first one does not rule the axis of losses
SETTLED_TIMES = 1.15  # of the highest loss after the first epoch
_BELOW = -0.02  # where an axis from 0 begins, as a share of its end

Points = tuple[np.ndarray, np.ndarray]
"""The epochs and the values of a curve."""


@dataclass(slots=True)
class LiveAxes:
    """The axes of a plot of growing curves.

    `ceiling`: the best possible value; None for a loss. `planned`: epochs, 0: not known. `guess`:
    the loss of guessing, 0: not known. `highest`: where the axis of values ends, 0: where the
    curves end. `until`: the epoch at which a replay is; None: the whole run. `left`: the first
    epoch that is shown. `cut`: the highest loss if the axis ends below it.
    """

    percent: bool
    ceiling: float | None
    planned: float = 0.0
    guess: float = 0.0
    highest: float = 0.0
    until: float | None = None
    has_ended: bool = False
    last_only: bool = False
    left: float = 0.0
    cut: float | None = None
    range: AxisRange = field(init=False)

    def __post_init__(self) -> None:
        self.range = self.first_range()

    @property
    def most_drawn(self) -> float:
        """The highest value that a person may draw: the best possible score, or a loss above that
        of guessing.
        """
        return self.ceiling or 2.5

    def first_range(self) -> AxisRange:
        """The range of an empty plot."""
        reach = ENDS * self.planned if self.planned else 1.0
        if self.percent:
            return AxisRange(reach, PERCENT.low, PERCENT.high)
        if self.highest:
            return AxisRange(reach, _BELOW * self.highest, self.highest)
        return (
            AxisRange(reach, -0.05, 2.5) if self.ceiling is None else AxisRange(reach, -0.02, 1.02)
        )

    def show_again(self, before: "LiveAxes") -> None:
        """Show the run that was shown with `before`."""
        self.planned = before.planned
        self.guess = before.guess
        self.highest = before.highest
        self.until = before.until
        self.has_ended = before.has_ended

    def past(self, x: np.ndarray, y: np.ndarray) -> Points:
        """The points up to the epoch at which a replay is."""
        if self.until is None:
            return x, y
        count = int(np.searchsorted(x, self.until, "right"))
        return x[:count], y[:count]

    def value_text(self, value: float) -> str:
        """A value as the end of a curve says it."""
        return percent(value / 100) if self.percent else number(value, 3)

    def ticks(self, *, is_low: bool) -> tuple[int, int]:
        """Epochs and percent from tick to tick, 0: where pyqtgraph wants them. is_low: the plot has
        little height.
        """
        epochs = self.range.reach - self.left
        is_complete = self.percent and self.range.high - self.range.low > LOW_PERCENT
        step = epoch_step(epochs) if epochs > 1.5 else 0
        if not is_complete:
            return step, 0
        return step, 50 if is_low else 25

    def follow(self, until: float, longest: float, shown: list[Points]) -> AxisRange | None:
        """The range that contains all curves up to `until`; None where there is nothing to contain.

        `longest`: the last epoch of the curves of other runs. `shown`: the batches of the run,
        their mean, and the curves with a point for each epoch.
        """
        self.cut = None
        self.left = 0.0
        if self.last_only:
            shown_epochs = min(SHOWN_LAST, ceil(until) / 2)
            self.left = max(0.0, ceil(until) - shown_epochs)
        reach = self._reach(until, longest)
        parts = [y[(x >= self.left) & (x <= reach)] for x, y in shown]
        values = np.concatenate(parts)
        if not len(values):
            return None
        low = float(values.min())
        high = float(values.max())
        if self.ceiling is None and len(parts[0]):
            limit = max(
                MOST_TIMES * float(np.percentile(parts[0], MOST)), GUESSES * self.guess, low
            )
            if max(until, longest) >= SETTLED:
                limit = max(self._settled_limit(shown, reach), low)
            if high > limit:
                self.cut = high
                high = limit
        # Also of a run that is opened, which has no curve of its first batches.
        is_run = len(shown[1][0]) and not self.last_only
        if self.percent and (low < LOW_PERCENT or is_run):
            return AxisRange(reach, PERCENT.low, PERCENT.high)
        if self.highest:
            return AxisRange(reach, _BELOW * self.highest, self.highest)
        following = self.range.following(until, low, high, self.ceiling)
        return AxisRange(reach, following.low, following.high)

    def _reach(self, until: float, longest: float) -> float:
        """The end of the axis: the last epoch that is planned, as soon as the curves fill some of
        the axis.
        """
        if self.has_ended or not until:
            return ENDS * max(until, longest, 0.0 if until else self.planned)
        if WHOLE * self.planned <= until <= self.planned:
            return ENDS * max(self.planned, longest)
        return self.range.following(until, 0, 0).reach

    def _settled_limit(self, shown: list[Points], reach: float) -> float:
        """Where an axis of losses ends that the first epoch, in which they fall by most, does not
        rule.
        """
        (x, y), _, *evaluated = shown
        batches = y[(x > max(self.left, 1.0)) & (x <= reach)]
        later = [y[(x >= max(self.left, 1.0)) & (x <= reach)] for x, y in evaluated]
        ends = [float(values.max()) for values in later if len(values)]
        if len(batches):
            ends.append(float(np.percentile(batches, MOST)))
        return SETTLED_TIMES * max(ends, default=0.0)
