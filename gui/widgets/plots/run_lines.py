"""The curves of the run that a plot shows, and the lines that draw them."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gui.text import translator
from gui.widgets.plots.end_labels import Line
from gui.widgets.plots.live_axes import LiveAxes, Points
from gui.widgets.plots.other_curves import OtherCurve
from gui.widgets.plots.series import light_series_color, series_color
from gui.widgets.theme import Colors, blend, theme

_tr = translator("LivePlot")

NAMES = ("train", "test", "validation")
MAX_MARKS = 20  # more of them would merge into a line
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


class RunLines:
    """`curves`: the points of "train", "test" and "validation". `lines`: how they are drawn, the
    first one behind.

    `name`: of the run, beside other curves; empty: the curves are named training and test.
    `series`: the color of the run; None: the first. `best`: the best epoch, which has a mark.
    """

    def __init__(self) -> None:
        self.curves = {name: Curve() for name in NAMES}
        self.name = ""
        self.series: int | None = None
        self.best: float | None = None
        self.lines = {
            "raw": Line(_tr("training, not smoothed"), most_marks=1),  # a line needs two points
            "train": Line(_tr("training"), spreads=False),  # its extremes would be stairs
            "test": Line(_tr("test"), MAX_MARKS), "validation": Line(_tr("validation"), MAX_MARKS),
            "best": Line(_tr("best epoch"), most_marks=1),
        }  # fmt: skip

    @property
    def is_empty(self) -> bool:
        return not any(map(len, self.curves.values()))

    def clear(self) -> None:
        self.curves = {name: Curve() for name in NAMES}
        self.best = None

    def mark_best(self, epoch: float, text: str) -> None:
        """Mark this epoch as the best one, when the curves are drawn next. text: by what; shown at
        the pointer.
        """
        self.best = epoch
        self.lines["best"].name = text

    def as_other(self, name: str, series: int) -> OtherCurve:
        """The test curve as one beside those of the next run; that of training where it has no
        line.
        """
        curve = self.curves["test"]
        x, y = curve.x, curve.y
        if len(curve) < 2:
            x, y = self.curves["train"].x, self.curves["train"].smooth
        return OtherCurve(name, tuple(zip(x.tolist(), y.tolist(), strict=True)), series)

    def named_points(self) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """The name, epochs and values of each curve, of the training its mean."""
        return [
            (self.lines[name].name, curve.x, curve.smooth if name == "train" else curve.y)
            for name, curve in self.curves.items()
        ]

    def draw(self, axes: LiveAxes, unfinished: tuple[float, float] | None = None) -> list[Points]:
        """Draw the curves; returns their points. `unfinished`: a point after the end of the raw
        curve.
        """
        train = self.curves["train"]
        x, y = train.x, train.y
        if unfinished is not None:
            x = np.append(x, unfinished[0])
            y = np.append(y, unfinished[1])
        self.lines["raw"].set_points(*axes.past(x, y))
        shown = [(x, y)]
        for name, curve in self.curves.items():
            y = curve.smooth if name == "train" else curve.y
            self.lines[name].set_points(*axes.past(curve.x, y))
            # Not the mean: behind perfect scores it comes within 1e-8 of them, which would be the
            # end of the axis.
            shown.append((curve.x, curve.y))
        self._draw_best(axes)
        return shown

    def _draw_best(self, axes: LiveAxes) -> None:
        """Draw the mark of the best epoch, on the curve that decided where it is shown here."""
        curve = self.curves["validation"] if len(self.curves["validation"]) else self.curves["test"]
        chosen = curve.x == self.best
        self.lines["best"].set_points(*axes.past(curve.x[chosen], curve.y[chosen]))

    def labeled(self) -> list[tuple[str, Line]]:
        """The lines of the curves with what stands at their ends; an empty text for nothing."""
        return [(self._label(name), self.lines[name]) for name in NAMES]

    def _label(self, name: str) -> str:
        if self.name and name == "test":
            return self.name
        if self.name and name == "train" and len(self.curves["test"]):
            return ""  # it has the color of its run, which is named at the other curve
        return self.lines[name].name

    def recolor(self, colors: Colors) -> None:
        """One hue for the run: training thin and light, test thick. Opaque and not smoothed is
        fastest to draw.
        """
        series = self.series or 0
        color = series_color(colors, series)
        light = light_series_color(colors, series)
        faint = blend(QColor(light), QColor(colors.base), 0.25)
        lines = self.lines
        lines["raw"].pen = pg.mkPen(None) if self.name else pg.mkPen(faint, width=theme().line(1))
        lines["train"].pen = pg.mkPen(light, width=theme().line(1))
        lines["test"].pen = pg.mkPen(color, width=theme().line(3))
        lines["validation"].pen = pg.mkPen(color, width=theme().line(2), style=Qt.PenStyle.DotLine)
        lines["best"].pen = pg.mkPen(None)
        size = 2 * theme().line() + 2
        lines["raw"].set_marks("o", size, light, light)
        lines["test"].set_marks("o", size + 1, color, color)
        lines["validation"].set_marks("t", size, color, color)
        lines["best"].set_marks("d", theme().px(14), colors.base, color, edge_width=theme().line(2))
