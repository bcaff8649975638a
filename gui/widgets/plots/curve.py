"""A growing series of points with its mean, and the visible range of a plot that follows it."""

from dataclasses import dataclass

import numpy as np

# Time constant of the mean in epochs; at the start, where curves fall fast, this fraction of x instead.
SMOOTHING_EPOCHS = 0.05
SMOOTHING_AT_START = 0.2


class Curve:
    """`x`: epochs, ascending; `y`: values; `smooth`: their mean. All are views of float64 arrays."""

    def __init__(self) -> None:
        self._points = np.empty((3, 256))
        self._count = 0
        self._weight = 0.0
        self._sum = 0.0

    def __len__(self) -> int:
        return self._count

    def add_point(self, x: float, y: float) -> None:
        """Add a point. Values that are not finite are left out, because a plot cannot show them."""
        if not np.isfinite(y):
            return
        if self._count == self._points.shape[1]:
            self._points = np.concatenate([self._points, np.empty_like(self._points)], axis=1)
        gap = x - self._points[0, self._count - 1] if self._count else x
        # The mean is over epochs and not over points, whose distances differ; `_weight` removes its bias at the start.
        memory = max(min(SMOOTHING_EPOCHS, SMOOTHING_AT_START * x), 1e-9)
        keep = float(np.exp(-max(gap, 1e-9) / memory))
        self._weight = keep * self._weight + (1 - keep)
        self._sum = keep * self._sum + (1 - keep) * y
        self._points[:, self._count] = x, y, self._sum / self._weight
        self._count += 1

    @property
    def x(self) -> np.ndarray:
        return self._points[0, : self._count]

    @property
    def y(self) -> np.ndarray:
        return self._points[1, : self._count]

    @property
    def smooth(self) -> np.ndarray:
        return self._points[2, : self._count]


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
