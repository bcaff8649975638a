"""The plot of a race: the score of each contestant against time or epochs."""

from math import ceil, floor, log10
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import Qt

from core.training.records import Record
from gui.text import number, percent
from gui.widgets.plots.curve import Curve
from gui.widgets.plots.end_labels import EndLabel, EndLabels
from gui.widgets.plots.live_axes import AxisRange
from gui.widgets.plots.plot import Plot
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.plots.series import series_color, series_indices, series_mark, set_marks


class RacePlot(Plot):
    def __init__(self) -> None:
        super().__init__("racePlot", "")
        self.setAccessibleName(self.tr("Score of each contestant"))
        self.setMinimumHeight(190)
        self.show_horizontal_grid()
        self.labels = EndLabels(self)
        self.contestants: dict[str, RaceCurves] = {}
        self._axis = "time"
        self._range = AxisRange(1, -2, 105)
        self.plotItem.disableAutoRange()
        self.plotItem.vb.sigRangeChangedManually.connect(lambda: setattr(self, "_follows", False))
        self.reset((), "classes")

    def reset(self, names: tuple[str, ...], kind: str) -> None:
        """Remove all curves and prepare for contestants with these names, on data of this kind."""
        self._is_accuracy = kind == "classes"
        self.plotItem.clear()
        self.contestants = {
            name: RaceCurves(
                *(Trace(self.plot(skipFiniteCheck=True, name=shown)) for shown in (None, name))
            )
            for name in names
        }
        self.set_value_title(self.tr("accuracy, %") if self._is_accuracy else self.tr("R²"))
        self.recolor()
        self.show_axis(self._axis)

    def show_axis(self, axis: str) -> None:
        """axis: time, log-time or epochs."""
        self._axis = axis
        titles = {
            "time": self.tr("seconds of its own clock"), "epochs": self.tr("epoch"),
            "log-time": self.tr("seconds of its own clock, logarithmic"),
        }  # fmt: skip
        self.plotItem.setLogMode(x=axis == "log-time", y=False)
        self.plotItem.setLabel("bottom", titles[axis])
        self.fit()

    def add_record(self, name: str, record: Record) -> None:
        scale = 100 if self._is_accuracy else 1
        curves = self.contestants[name]
        if record.numbers is not None:
            curves.tested.add(record.epoch, record.seconds, scale * record.test_score)
        elif record.reason is None and record.score is not None:
            epoch = record.epoch - 1 + record.position / record.images
            curves.learning.add(epoch, record.seconds, scale * record.score)

    def draw(self) -> None:
        ends, values = [], []
        for curves in self.contestants.values():
            for trace in curves:
                x = trace.x if self._axis == "epochs" else trace.clock.y
                y = trace.smooth if trace is curves.learning else trace.y
                trace.item.setData(x, y)
                if len(x):
                    ends += [float(x[0]), float(x[-1])]
                    values += [float(y.min()), float(y.max())]
        if values and self._follows:
            # R² may begin far below zero, which would compress the range of interest.
            low = min(values) if self._is_accuracy else max(min(values), -1.0)
            ceiling = 100 if self._is_accuracy else 1
            self._range = self._range.following(max(ends), low, max(values), ceiling)
            self._show(min(ends))
        self._show_names()

    def _show_names(self) -> None:
        """Name each contestant at the end of its curve, with its last score."""
        labels = []
        for name, curves in self.contestants.items():
            trace = curves.learning if len(curves.learning) else curves.tested
            if not len(trace):
                continue
            x = float(trace.x[-1] if self._axis == "epochs" else trace.clock.y[-1])
            score = float(trace.smooth[-1] if trace is curves.learning else trace.y[-1])
            text = percent(score / 100, 1) if self._is_accuracy else number(score, 3)
            end = log10(max(x, 1e-9)) if self._axis == "log-time" else x
            labels.append(EndLabel(name, trace.item.opts["pen"], end, score, text))
        self.labels.show_labels(labels)

    def fit(self) -> None:
        """Follow the curves again after zooming."""
        self._follows = True
        self._range = AxisRange(1, -2, 105) if self._is_accuracy else AxisRange(1, -0.05, 1.05)
        self._show(0.1)
        self.draw()

    def _show(self, start: float) -> None:
        """Set the axes if their range has changed. start: the smallest x, for a logarithmic
        axis.
        """
        x_range = [0.0, self._range.reach]
        spacing = {}
        if self._axis == "log-time":
            # In steps of a third of a decade: see AxisRange.
            x_range = [
                floor(3 * log10(max(start, 1e-4))) / 3,
                ceil(3 * log10(self._range.reach)) / 3,
            ]
        elif self._axis == "epochs":
            # Ticks at whole epochs.
            spacing = {"levels": [(max(1, ceil(self._range.reach / 12)), 0)]}
        self.plotItem.getAxis("bottom").setTickSpacing(**spacing)
        view = [x_range, [self._range.low, self._range.high]]
        if not np.allclose(self.viewRange(), view):
            self.setRange(xRange=x_range, yRange=view[1], padding=0)

    def values_at(self, x: float) -> str:
        """The score of each contestant at x of the plot, in words; empty where there is none."""
        value = 10**x if self._axis == "log-time" else x
        texts = []
        for name, curves in self.contestants.items():
            trace = curves.learning if len(curves.learning) else curves.tested
            xs = trace.x if self._axis == "epochs" else trace.clock.y
            if len(xs) and xs[0] <= value <= xs[-1]:
                score = number(float(np.interp(value, xs, trace.smooth)), 3)
                texts.append(f"{name} {score}{' %' if self._is_accuracy else ''}")
        position = self.tr("epoch {x}") if self._axis == "epochs" else self.tr("{x} s")
        return f"{position.format(x=number(value, 3))}: {', '.join(texts)}" if texts else ""

    def recolor(self) -> None:
        indices = series_indices(list(self.contestants))
        for index, curves in zip(indices, self.contestants.values(), strict=True):
            shade = series_color(self.colors, index)
            curves.learning.item.setPen(pg.mkPen(shade, width=2))
            curves.tested.item.setPen(pg.mkPen(shade, width=1, style=Qt.PenStyle.DashLine))
            set_marks(curves.tested.item, series_mark(index), 8, shade, self.colors.base)
        super().recolor()


class Trace(Curve):
    """A score against epochs, drawn by `item`; `clock` has the contestant's seconds at each
    point.
    """

    def __init__(self, item: Any) -> None:
        super().__init__()
        self.item = item
        self.clock = Curve()

    def add(self, epoch: float, seconds: float, score: float) -> None:
        if np.isfinite(score):
            self.add_point(epoch, score)
            self.clock.add_point(epoch, seconds)


class RaceCurves(NamedTuple):
    """One contestant: a line for the smoothed training score, marks for the test score."""

    learning: Trace
    tested: Trace
