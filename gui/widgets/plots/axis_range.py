"""The visible range of a plot that follows growing curves."""

from dataclasses import dataclass

# Space beyond the end of the curves, and the fraction of the range below which it shrinks.
_AHEAD = 1.25
_MINIMUM_FILLED = 0.55
_MARGIN = 0.06


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

        `ceiling`: the largest possible value; no margin is left above it.
        """
        reach = self.reach if _MINIMUM_FILLED * self.reach < end <= self.reach else _AHEAD * end
        if self.low <= low and high <= self.high and high - low >= _MINIMUM_FILLED * (self.high - self.low):
            return AxisRange(reach, self.low, self.high)
        margin = _MARGIN * ((high - low) or abs(high) or 1.0)
        top = high + margin if ceiling is None else min(high + margin, max(ceiling, high))
        return AxisRange(reach, low - margin, top)
