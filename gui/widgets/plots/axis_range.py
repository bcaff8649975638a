"""The visible range of a plot that follows growing curves."""

from dataclasses import dataclass

# Space beyond the end of the curves, and the fraction of the range below which it shrinks.
_AHEAD = 1.25
_MIN_FILLED = 0.55
_MARGIN = 0.06
_CEILING_MARGIN = 0.05
# Fractions of the range that stay free at its end and at its top, so that no mark of a point is cut.
_FREE_X, _FREE_Y = 0.02, 0.04


@dataclass(frozen=True, slots=True)
class AxisRange:
    """x from 0 to `reach`, y from `low` to `high`.

    It changes in large steps: a change of the range redraws the axes, which takes several times as long as the curves.
    """

    reach: float
    low: float
    high: float

    def following(self, end: float, low: float, high: float, ceiling: float | None = None) -> "AxisRange":
        """The range for curves that end at x = `end` and lie in [low, high]; this one as long as they fit.

        `ceiling`: the largest possible value; only the space of a mark is left above it.
        """
        fits = _MIN_FILLED * self.reach < end <= (1 - _FREE_X) * self.reach
        reach = self.reach if fits else _AHEAD * end
        height = self.high - self.low
        if self.low <= low and high <= self.high - _FREE_Y * height and high - low >= _MIN_FILLED * height:
            return AxisRange(reach, self.low, self.high)
        extent = (high - low) or abs(high) or 1.0
        margin = _MARGIN * extent
        top = high + margin
        if ceiling is not None:
            top = min(top, max(ceiling, high) + _CEILING_MARGIN * extent)
        return AxisRange(reach, low - margin, top)
