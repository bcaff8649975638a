"""The colors and marks of the series of a plot: a device has the same ones in every plot."""

import itertools
from collections.abc import Sequence
from zlib import crc32

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gui.text import device_title
from gui.widgets.theme import Colors, blend
from kernels.registry import device_names

_LIGHTER = 0.25  # share of the background in the light color of a series
GRAY = -1  # the last color
_RUN_COLORS = 6  # without gray
_LINES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)


def series_indices(names: list[str]) -> list[int]:
    """The index of each series of a plot: a device has the same index in every plot."""
    devices = [*map(device_title, device_names())]
    if not set(names) & set(devices):
        return list(range(len(names)))
    others = itertools.count(len(devices))
    return [devices.index(name) if name in devices else next(others) for name in names]


def run_series(run_id: str) -> int:
    """The index of the color of a run, the same wherever it is shown.

    Runs that follow each other in one program have different ones: their ids end with the process
    and a number in it.
    """
    numbers = run_id.split("-")[2:]
    if len(numbers) == 2 and all(map(str.isdecimal, numbers)):
        return sum(map(int, numbers)) % _RUN_COLORS
    return crc32(run_id.encode()) % _RUN_COLORS


def line_styles(series: Sequence[int]) -> list[Qt.PenStyle]:
    """How the curves with these colors are drawn: the first of a color with a solid line, the next
    ones dashed.
    """
    return [_LINES[series[:place].count(each) % len(_LINES)] for place, each in enumerate(series)]


def series_color(colors: Colors, index: int) -> str:
    """The hex color of the series with this index."""
    return colors.series[index % len(colors.series)]


def light_series_color(colors: Colors, index: int) -> str:
    """A lighter color of the same hue, for the training curve of the run whose test curve has
    `series_color`.
    """
    return blend(QColor(series_color(colors, index)), QColor(colors.base), _LIGHTER).name()
