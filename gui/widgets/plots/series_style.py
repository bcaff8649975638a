"""The color and mark of each series of a plot: two signs, so that they differ in print and to color-blind readers."""

from itertools import count

from gui.widgets.colors import Colors
from kernels.registry import device_names

_MARKS = ("o", "s", "t1", "d", "t", "star", "+")


def series_indices(names: list[str]) -> list[int]:
    """The index of each series of a plot: a device has the same index in every plot."""
    devices = device_names()
    if not set(names) & set(devices):
        return list(range(len(names)))
    others = count(len(devices))
    return [devices.index(name) if name in devices else next(others) for name in names]


def series_color(colors: Colors, index: int) -> str:
    """The hex color of the series with this index."""
    return colors.series[index % len(colors.series)]


def series_mark(index: int) -> str:
    """The mark of the series with this index, as pyqtgraph names it."""
    return _MARKS[index % len(_MARKS)]
