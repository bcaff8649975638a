"""The colour and mark of each series of a plot: two signs, so that they differ in print and to colour-blind readers."""

from itertools import count

from gui.widgets.colours import Colours
from kernels.registry import device_names

_MARKS = ("o", "s", "t1", "d", "t", "star", "+")


def series_indices(names: list[str]) -> list[int]:
    """The index of each series of a plot: a device has the same index in every plot."""
    devices = device_names()
    if not set(names) & set(devices):
        return list(range(len(names)))
    others = count(len(devices))
    return [devices.index(name) if name in devices else next(others) for name in names]


def series_colour(colours: Colours, index: int) -> str:
    """The hex colour of the series with this index."""
    return colours.series[index % len(colours.series)]


def series_mark(index: int) -> str:
    """The mark of the series with this index, as pyqtgraph names it."""
    return _MARKS[index % len(_MARKS)]
