"""Series are told apart by colour, mark and dash, so that neither colour-blind eyes nor a print lose them."""

from itertools import count

from PySide6.QtGui import QColor

from gui.widgets.theme import Colours
from kernels.registry import device_names

# Okabe and Ito 2008, darkened or lightened until they stand out from the ground.
_ON_LIGHT = ("#0072b2", "#c04a00", "#00795a", "#a3437d", "#7a6400", "#4d4fbf", "#5a6472")
_ON_DARK = ("#56b4e9", "#f0a13c", "#3fc79a", "#e291c1", "#e8d95a", "#a9a7ff", "#a8b0bd")
_MARKS = ("o", "s", "t1", "d", "t", "star", "+")


def series_indices(names: list[str]) -> list[int]:
    """The numbers of series with these names: a device has the same one everywhere."""
    devices = device_names()
    if not set(names) & set(devices):
        return list(range(len(names)))
    others = count(len(devices))
    return [devices.index(name) if name in devices else next(others) for name in names]


def series_colour(colours: Colours, number: int) -> str:
    """The hex colour of the `number`th series in this scheme."""
    shades = _ON_DARK if QColor(colours.base).lightness() < 128 else _ON_LIGHT
    return shades[number % len(shades)]


def series_mark(number: int) -> str:
    """The `number`th series' mark, as pyqtgraph names it."""
    return _MARKS[number % len(_MARKS)]
