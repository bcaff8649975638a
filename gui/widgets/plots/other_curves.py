"""The curves of other runs beside those of a plot's own run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gui.widgets.plots.end_labels import Line
from gui.widgets.plots.live_axes import LiveAxes, Points
from gui.widgets.plots.series import series_color
from gui.widgets.theme import Colors, theme

FIRST_OTHER = 1  # the series of the first curve beside those of the run
MAX_OTHERS = 12  # curves of other runs; more cannot be told apart


@dataclass(frozen=True, slots=True)
class OtherCurve:
    """A curve beside those of the run, with its name at its end. `points`: (epoch, value as the
    axis shows it).

    `band`: (epoch, lowest, highest) of the repetitions of which `points` are the mean.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    series: int
    style: Qt.PenStyle = Qt.PenStyle.SolidLine
    band: tuple[tuple[float, float, float], ...] = ()


class OtherCurves:
    """The curves of a comparison, or else those of the runs that are kept from earlier; `lines` are
    their lines.
    """

    def __init__(self) -> None:
        self.compared: tuple[OtherCurve, ...] = ()
        self.kept: tuple[OtherCurve, ...] = ()
        self.lines: list[Line] = []
        self._points: list[np.ndarray] = []  # (2, n) of each

    @property
    def shown(self) -> tuple[OtherCurve, ...]:
        return self.compared or self.kept

    def show_others(self, compared: Sequence[OtherCurve]) -> None:
        self.compared = tuple(compared)
        self._make_lines()

    def show_kept(self, kept: Sequence[OtherCurve]) -> None:
        self.kept = tuple(kept)
        self._make_lines()

    def _make_lines(self) -> None:
        self.lines = [Line(other.name, most_marks=1) for other in self.shown]
        self._points = [
            np.array(other.points, dtype=float).reshape(-1, 2).T for other in self.shown
        ]

    def named_points(self) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """The name, epochs and values of each."""
        return [(line.name, *points) for line, points in zip(self.lines, self._points, strict=True)]

    def draw(self, axes: LiveAxes) -> list[Points]:
        """Draw the curves; returns their points."""
        shown = []
        for other, line, points in zip(self.shown, self.lines, self._points, strict=True):
            x, y = axes.past(*points)
            line.set_points(x, y)
            at, low, high = np.array(other.band, dtype=float).reshape(-1, 3).T
            line.band = (at, low), (at, high)
            shown.append((x, y))
        return shown

    def recolor(self, colors: Colors) -> None:
        for other, line in zip(self.shown, self.lines, strict=True):
            color = series_color(colors, other.series)
            line.pen = pg.mkPen(QColor(color), width=theme().line(), style=other.style)
            # A single point, after the first epoch, has no line.
            line.set_marks("o", 2 * theme().line() + 2, color, color)
