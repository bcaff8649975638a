"""The plot of a race: the score of each contestant against its own seconds, or against epochs."""

from math import ceil, floor, log10, nan
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.training.records import EpochDone, Record, StepsDone
from gui.text import number
from gui.widgets.plots.curve import AxisRange, Curve
from gui.widgets.plots.plot import Plot, series_color, series_indices, series_mark, set_marks
from gui.widgets.plots.pyqtgraph_loader import pg

AXES = ("time", "log-time", "epochs")


class RacePlot(Plot):
    """`pointed` gives the x under the mouse pointer, or NaN after it has left the plot."""

    pointed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("racePlot", "", parent=parent)
        self.setAccessibleName(self.tr("Score of each contestant"))
        self.setMinimumHeight(190)
        self.show_horizontal_grid()
        self.add_legend()
        self.contestants: dict[str, RaceCurves] = {}
        self._axis = "time"
        self._is_accuracy = self._follows = True
        self._range = AxisRange(1, -2, 105)
        self.plotItem.disableAutoRange()
        self.plotItem.vb.sigRangeChangedManually.connect(self._on_zoomed)
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self.reset((), "classes")

    def reset(self, names: tuple[str, ...], kind: str) -> None:
        """Remove all curves and prepare for contestants with these names, on data of this kind."""
        self._is_accuracy = kind == "classes"
        self.plotItem.clear()
        self.legend.clear()
        self.contestants = {name: RaceCurves(self, name) for name in names}
        self.plotItem.setLabel("left", self.tr("accuracy, %") if self._is_accuracy else self.tr("R²"))
        self.recolor()
        self.show_axis(self._axis)

    def show_axis(self, axis: str) -> None:
        """One of AXES."""
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
        if isinstance(record, StepsDone) and record.score is not None:
            curves.learning.add_point(
                record.epoch - 1 + record.position / record.images, record.seconds, scale * record.score
            )
        elif isinstance(record, EpochDone):
            curves.tested.add_point(record.epoch, record.seconds, scale * record.test_score)

    def draw(self) -> None:
        ends, values = [], []
        for curves in self.contestants.values():
            for trace, item in ((curves.learning, curves.line), (curves.tested, curves.marks)):
                x = trace.curve.x if self._axis == "epochs" else trace.clock.y
                y = trace.curve.smooth if item is curves.line else trace.curve.y
                item.setData(x, y)
                if len(x):
                    ends += [float(x[0]), float(x[-1])]
                    values += [float(y.min()), float(y.max())]
        if values and self._follows:
            # R² may begin far below zero, which would compress the range of interest.
            low = min(values) if self._is_accuracy else max(min(values), -1.0)
            ceiling = 100 if self._is_accuracy else 1
            self._range = self._range.following(max(ends), low, max(values), ceiling)
            self._show(min(ends))

    def fit(self) -> None:
        """Follow the curves again after zooming."""
        self._follows = True
        self._range = AxisRange(1, -2, 105) if self._is_accuracy else AxisRange(1, -0.05, 1.05)
        self._show(0.1)
        self.draw()

    def _show(self, start: float) -> None:
        """Set the axes if their range has changed. start: the smallest x, for a logarithmic axis."""
        x_range = [0.0, self._range.reach]
        if self._axis == "log-time":
            # In steps of a third of a decade: see AxisRange.
            x_range = [floor(3 * log10(max(start, 1e-4))) / 3, ceil(3 * log10(self._range.reach)) / 3]
        elif self._axis == "epochs":
            # Ticks at whole epochs.
            step = max(1, ceil(self._range.reach / 12))
            self.plotItem.getAxis("bottom").setTickSpacing(levels=[(step, 0)])
        if self._axis != "epochs":
            self.plotItem.getAxis("bottom").setTickSpacing()
        view = [x_range, [self._range.low, self._range.high]]
        if not np.allclose(self.viewRange(), view):
            self.setRange(xRange=x_range, yRange=view[1], padding=0)

    def _on_zoomed(self) -> None:
        self._follows = False

    def values_at(self, x: float) -> str:
        """The score of each contestant at x of the plot, in words; empty where there is none."""
        value = 10**x if self._axis == "log-time" else x
        texts = []
        for name, curves in self.contestants.items():
            trace = curves.learning if len(curves.learning.curve) else curves.tested
            xs = trace.curve.x if self._axis == "epochs" else trace.clock.y
            if len(xs) and xs[0] <= value <= xs[-1]:
                score = number(float(np.interp(value, xs, trace.curve.smooth)), 3)
                texts.append(f"{name} {score}{' %' if self._is_accuracy else ''}")
        if not texts:
            return ""
        position = self.tr("epoch {x}") if self._axis == "epochs" else self.tr("{x} s")
        return f"{position.format(x=number(value, 3))}: {', '.join(texts)}"

    def _on_mouse_moved(self, position: QPointF) -> None:
        box = self.plotItem.vb
        inside = box.sceneBoundingRect().contains(position)
        self.pointed.emit(float(box.mapSceneToView(position).x()) if inside else nan)

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)
        self.pointed.emit(nan)

    def recolor(self) -> None:
        for index, curves in zip(
            series_indices(list(self.contestants)), self.contestants.values(), strict=True
        ):
            shade = series_color(self.colors, index)
            curves.line.setPen(pg.mkPen(shade, width=2))
            curves.marks.setPen(pg.mkPen(shade, width=1, style=Qt.PenStyle.DashLine))
            set_marks(curves.marks, series_mark(index), 8, shade, self.colors.base)
        super().recolor()


class Trace:
    """A score against epochs, with the contestant's seconds at each point."""

    def __init__(self) -> None:
        self.curve, self.clock = Curve(), Curve()

    def add_point(self, epoch: float, seconds: float, score: float) -> None:
        before = len(self.curve)
        self.curve.add_point(epoch, score)
        if len(self.curve) > before:
            self.clock.add_point(epoch, seconds)


class RaceCurves:
    """One contestant: a line for the smoothed training score, marks for the test score."""

    def __init__(self, plot: Any, name: str) -> None:
        self.learning, self.tested = Trace(), Trace()
        self.line = plot.plot(skipFiniteCheck=True)
        self.marks = plot.plot(skipFiniteCheck=True, name=name)
