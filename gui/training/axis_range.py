"""A frame is the part of its plane that a plot shows. It follows the curves in strides: a plot whose axes
move is drawn anew from its letters up, which costs several times what its lines do.
"""

from dataclasses import dataclass

# Room left ahead, and how empty a frame may become before it is drawn closer.
_AHEAD = 1.25
_EMPTY = 0.55
_MARGIN = 0.06


@dataclass(frozen=True, slots=True)
class AxisRange:
    """Epochs from 0 to `reach`, values from `low` to `high`."""

    reach: float
    low: float
    high: float

    def following(self, until: float, low: float, high: float, ceiling: float | None = None) -> "AxisRange":
        """The frame for curves that end at `until` and lie in [low, high]; this one as long as it serves.

        `ceiling`: what no value exceeds; no room is left above it.
        """
        reach = self.reach if _EMPTY * self.reach < until <= self.reach else _AHEAD * until
        if self.low <= low and high <= self.high and high - low >= _EMPTY * (self.high - self.low):
            return AxisRange(reach, self.low, self.high)
        margin = _MARGIN * ((high - low) or abs(high) or 1.0)
        top = high + margin if ceiling is None else min(high + margin, max(ceiling, high))
        return AxisRange(reach, low - margin, top)
