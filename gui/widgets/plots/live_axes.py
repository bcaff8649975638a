"""The axes of a plot whose curves grow: which range they show, and how values are placed in it."""

from dataclasses import dataclass, field
from math import ceil, log2

import numpy as np

from gui.text import number, percent
from gui.widgets.plots.axis import MOST, MOST_TIMES, epoch_step, percent_axis

_MIN_FILLED = 0.55  # the fraction of the range below which it shrinks
_MARGIN = 0.06
_CEILING_MARGIN = 0.05
_FREE_Y = 0.04  # the fraction of the range that stays free, so that no mark of a point is cut


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
        self, reach: float, low: float, high: float, ceiling: float | None = None
    ) -> "AxisRange":
        """The range to `reach` for curves that lie in [low, high]; with the values of this one as
        long as they fit.

        `ceiling`: the largest possible value; only the space of a mark is left above it.
        """
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
# Share of the planned epochs from which on the axis has all of them; before, it follows the curves.
WHOLE = 0.1
ENDS = 1.01  # times the last epoch: its mark is not cut
# The loss axis reaches at least to this multiple of the loss of guessing.
GUESSES = 1.2
SETTLED = 2  # epochs, from which on the first one does not rule the axis of losses
SETTLED_TIMES = 1.15  # of the highest loss after the first epoch
BEGINNING = 0.1  # epochs: where the axis ends at first
_BELOW = -0.02  # where an axis from 0 begins, as a share of its end

Points = tuple[np.ndarray, np.ndarray]
"""The epochs and the values of a curve."""


@dataclass(slots=True)
class LiveAxes:
    """The axes of a plot of growing curves.

    `ceiling`: the best possible value; None for a loss. `planned`: epochs, 0: not known. `guess`:
    the loss of guessing, 0: not known. `highest`: where the axis of values ends, 0: where the
    curves end. `until`: the epoch at which a replay is; None: the whole run. `from_zero`: an
    axis of percentages begins at 0 and not under the lowest value of the tests. `first`: where it
    can begin, `step`: the distance of its ticks then. `cut`: the highest loss if the axis ends
    below it.
    """

    percent: bool
    ceiling: float | None
    planned: float = 0.0
    guess: float = 0.0
    highest: float = 0.0
    until: float | None = None
    has_ended: bool = False
    from_zero: bool = False
    first: int = 0
    step: int = 25
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
        epochs = self.range.reach
        step = epoch_step(epochs) if epochs > 1.5 else 0
        if not self.percent:
            return step, 0
        if self.begin:
            return step, 100 - self.begin if is_low else self.step
        return step, 50 if is_low else 25

    @property
    def begin(self) -> int:
        """Where the axis of percentages begins."""
        return 0 if self.from_zero else self.first

    def follow(self, until: float, longest: float, shown: list[Points]) -> AxisRange | None:
        """The range that contains all curves up to `until`; None where there is nothing to contain.

        `longest`: the last epoch of the curves of other runs. `shown`: the batches of the run,
        their mean, and the curves with a point for each epoch.
        """
        self.cut = None
        reach = self._reach(until, longest)
        parts = [y[x <= reach] for x, y in shown]
        values = np.concatenate(parts)
        if not len(values):
            return None
        low = float(values.min())
        high = float(values.max())
        # The losses of single batches scatter: a few of them must not rule the axis.
        if self.ceiling is None and len(parts[0]):
            limit = max(
                MOST_TIMES * float(np.percentile(parts[0], MOST)), GUESSES * self.guess, low
            )
            if max(until, longest) >= SETTLED:
                limit = max(self._settled_limit(shown, reach), low)
            if high > limit:
                # The plot says how far the curves go above its end.
                self.cut = high
                high = limit
        if self.percent:
            return self._percent_range(reach, np.concatenate(parts[2:]))
        if self.highest:
            return AxisRange(reach, _BELOW * self.highest, self.highest)
        return self.range.following(reach, low, high, self.ceiling)

    def _percent_range(self, reach: float, tests: np.ndarray) -> AxisRange:
        """The range under the lowest value of the tests and of other curves; without any, from
        0.
        """
        self.first, self.step = percent_axis(float(tests.min())) if len(tests) else (0, 25)
        if not self.begin:
            return AxisRange(reach, PERCENT.low, PERCENT.high)
        return AxisRange(reach, self.begin, 100 + _FREE_Y * (100 - self.begin))

    def _reach(self, until: float, longest: float) -> float:
        """The end of the axis: a part of the first epoch, which is a tenth or the whole, or a few
        epochs; the last one that is planned, as soon as the curves fill some of the axis.
        """
        end = max(until, longest)
        if not until:
            end = max(longest, self.planned)
        elif not self.has_ended and WHOLE * self.planned <= until <= self.planned:
            end = max(self.planned, longest)
        elif end < BEGINNING:
            end = BEGINNING
        elif end < 1 or not self.has_ended:
            end = 2.0 ** max(ceil(log2(until)), 0)
        return ENDS * end

    def _settled_limit(self, shown: list[Points], reach: float) -> float:
        """Where an axis of losses ends that the first epoch, in which they fall by most, does not
        rule.
        """
        (x, y), _, *evaluated = shown
        batches = y[(x > 1.0) & (x <= reach)]
        later = [y[(x >= 1.0) & (x <= reach)] for x, y in evaluated]
        ends = [float(values.max()) for values in later if len(values)]
        if len(batches):
            ends.append(float(np.percentile(batches, MOST)))
        return SETTLED_TIMES * max(ends, default=0.0)
