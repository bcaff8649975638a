"""The race's plot: each contestant's score against its own seconds, or against epochs."""

from math import ceil, floor, log10
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.training.records import EpochDone, Record, StepsDone
from gui.widgets.axis_range import AxisRange
from gui.widgets.colours import Colours
from gui.widgets.curve import Curve
from gui.widgets.plot import Plot, set_marks
from gui.widgets.pyqtgraph_loader import pg
from gui.widgets.series_style import series_colour, series_indices, series_mark

AXES = ("time", "log-time", "epochs")


class RacePlot(Plot):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("racePlot", "", parent=parent)
        self.setAccessibleName(self.tr("Score of each contestant"))
        self.setMinimumHeight(190)
        self.show_horizontal_grid()
        self.add_legend()
        self.lanes: dict[str, Lane] = {}
        self._axis = "time"
        self._share = self._follows = True
        self._frame = AxisRange(1, -2, 100)
        self.plotItem.disableAutoRange()
        self.plotItem.vb.sigRangeChangedManually.connect(self._on_zoomed)
        self.begin((), "classes")

    def begin(self, names: tuple[str, ...], kind: str) -> None:
        """Empty lanes for contestants of these names, on data of this kind."""
        self._share = kind == "classes"
        self.plotItem.clear()
        self.legend.clear()
        self.lanes = {name: Lane(self, name) for name in names}
        self.plotItem.setLabel("left", self.tr("accuracy, %") if self._share else self.tr("R²"))
        self.apply_theme(self.colours)
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

    def take(self, name: str, event: Record) -> None:
        scale = 100 if self._share else 1
        lane = self.lanes[name]
        if isinstance(event, StepsDone) and event.score is not None:
            lane.learning.add(
                event.epoch - 1 + event.position / event.images, event.seconds, scale * event.score
            )
        elif isinstance(event, EpochDone):
            lane.tested.add(event.epoch, event.seconds, scale * event.test_score)

    def draw(self) -> None:
        ends, values = [], []
        for lane in self.lanes.values():
            for trace, item in ((lane.learning, lane.line), (lane.tested, lane.marks)):
                x = trace.curve.x if self._axis == "epochs" else trace.clock.y
                y = trace.curve.smooth if item is lane.line else trace.curve.y
                item.setData(x, y)
                if len(x):
                    ends += [float(x[0]), float(x[-1])]
                    values += [float(y.min()), float(y.max())]
        if values and self._follows:
            # A regression may begin far below zero, where there is nothing to see.
            low = min(values) if self._share else max(min(values), -1.0)
            ceiling = 102 if self._share else 1.02
            self._frame = self._frame.following(max(ends), low, max(values), ceiling)
            self._show(min(ends))

    def fit(self) -> None:
        """Follow the curves again."""
        self._follows = True
        self._frame = AxisRange(1, -2, 100) if self._share else AxisRange(1, -0.05, 1)
        self._show(0.1)
        self.draw()

    def _show(self, begin: float) -> None:
        """Move the axes if they must; `begin`: the first x, where a logarithmic axis starts."""
        wide = [0.0, self._frame.reach]
        if self._axis == "log-time":
            # In steps of a third of a decade, for the same reason as the frame's strides.
            wide = [floor(3 * log10(max(begin, 1e-4))) / 3, ceil(3 * log10(self._frame.reach)) / 3]
        wanted = [wide, [self._frame.low, self._frame.high]]
        if not np.allclose(self.viewRange(), wanted):
            self.setRange(xRange=wide, yRange=wanted[1], padding=0)

    def _on_zoomed(self) -> None:
        self._follows = False

    def apply_theme(self, colours: Colours) -> None:
        for number, lane in zip(series_indices(list(self.lanes)), self.lanes.values(), strict=True):
            shade = series_colour(colours, number)
            lane.line.setPen(pg.mkPen(shade, width=2))
            lane.marks.setPen(pg.mkPen(shade, width=1, style=Qt.PenStyle.DashLine))
            set_marks(lane.marks, series_mark(number), 8, shade, colours.base)
        super().apply_theme(colours)


class Trace:
    """A score over epochs, and the contestant's clock at each of its points."""

    def __init__(self) -> None:
        self.curve, self.clock = Curve(), Curve()

    def add(self, epoch: float, seconds: float, score: float) -> None:
        before = len(self.curve)
        self.curve.add(epoch, score)
        if len(self.curve) > before:
            self.clock.add(epoch, seconds)


class Lane:
    """One contestant: the smoothed score while it learns as a line, on the test split as marks."""

    def __init__(self, plot: Any, name: str) -> None:
        self.learning, self.tested = Trace(), Trace()
        self.line = plot.plot(skipFiniteCheck=True)
        self.marks = plot.plot(skipFiniteCheck=True, name=name)
