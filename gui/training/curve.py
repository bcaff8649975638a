"""A curve is a growing series of points with its smoothed twin, in arrays that double when they are full."""

import numpy as np

# The smoothed curve forgets within about this share of an epoch; sooner at the start, where all falls fast.
SMOOTHING_EPOCHS = 0.05
SMOOTHING_AT_START = 0.2  # of the way come so far


class Curve:
    """`x` in epochs, ascending; `y` and `smooth` as views of what has been added so far, float64."""

    def __init__(self) -> None:
        self._points = np.empty((3, 256))
        self._count = 0
        self._weight = 0.0
        self._sum = 0.0

    def __len__(self) -> int:
        return self._count

    def add(self, x: float, y: float) -> None:
        """Points that are no finite number are left out: a plot cannot show them."""
        if not np.isfinite(y):
            return
        if self._count == self._points.shape[1]:
            self._points = np.concatenate([self._points, np.empty_like(self._points)], axis=1)
        gap = x - self._points[0, self._count - 1] if self._count else x
        # An exponential mean over epochs, not over points, whose distances differ; unbiased at the start.
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
