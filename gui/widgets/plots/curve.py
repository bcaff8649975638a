"""A growing series of points, with its mean."""

import numpy as np

# Time constant of the mean in epochs; at the start, where curves fall fast, this fraction of x
# instead.
SMOOTHING_EPOCHS = 0.05
SMOOTHING_AT_START = 0.2


class Curve:
    """`x`: epochs, ascending; `y`: values; `smooth`: their mean. All are views of float64
    arrays.
    """

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
        # Twice as long each time: adding a point takes the same time on the mean, however long the
        # curve is.
        if self._count == self._points.shape[1]:
            self._points = np.concatenate([self._points, np.empty_like(self._points)], axis=1)
        gap = x - self._points[0, self._count - 1] if self._count else x
        # The mean is over epochs and not over points, whose distances differ; `_weight` removes its
        # bias at the start.
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
