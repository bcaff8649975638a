"""Parallel coordinates: a vertical axis for each varied setting and for the results, and a line for each run."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QHelpEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip

from core.runs.library import RunEntry
from gui.runs.rows import setting_title, value_text
from gui.text import number, percent
from gui.widgets.plots.axis import log_ticks, round_ticks
from gui.widgets.plots.plot import Plot
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.plots.values import NEAR
from gui.widgets.theme import blend

# Lines are drawn in groups of the same color, because each item of a plot costs time.
_COLORS = 9
_TICKS = 5
_MAX_TICKS = 12  # of a list of values
_LEFT_ROOM = 55  # pixels beside the first and the last axis
_RIGHT_ROOM = 65
# Losses that differ by more than this factor are drawn on a logarithmic axis.
_LOG_FACTOR = 20


@dataclass(frozen=True, slots=True)
class Axis:
    """`heights`: float (runs,) from 0 to 1, NaN for a run without a value. `ticks`: heights with their texts."""

    title: str
    heights: np.ndarray
    ticks: list[tuple[float, str]]


class ParallelPlot(Plot):
    """Blue lines have the lowest validation loss, orange ones the highest."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}Parallel", self.tr("Parallel coordinates of the runs"), left_width=8)
        tr = self.tr
        self.setToolTip(tr("A line for each selected run. Blue: lowest loss; orange: highest."))
        self.setMinimumHeight(110)
        self.plotItem.getAxis("left").setStyle(showValues=False)
        self.plotItem.getAxis("left").setPen(None)
        self.plotItem.setMouseEnabled(x=False, y=False)
        self._runs: list[RunEntry] = []
        self.axes_shown: list[Axis] = []
        self._items: list[Any] = []

    def show_runs(self, settings: tuple[str, ...], runs: Sequence[RunEntry], names: Sequence[str]) -> None:
        """Show the runs that have a result. settings: those with an axis. names: of the runs, in the tooltip."""
        self._names = settings
        self._runs = [run for run in runs if _loss(run) is not None]
        self._titles = {run.id: name for run, name in zip(runs, names, strict=True)}
        self.draw()

    def draw(self) -> None:
        for item in self._items:
            self.plotItem.removeItem(item)
        self._items = []
        self.axes_shown = self._axes() if self._runs else []
        bottom = self.plotItem.getAxis("bottom")
        bottom.setTicks([[(x, axis.title) for x, axis in enumerate(self.axes_shown)]])
        if not self.axes_shown:
            return
        self._draw_lines()
        background = QColor(self.colors.base)
        background.setAlpha(190)
        for x, axis in enumerate(self.axes_shown):
            self._add(pg.PlotCurveItem([x, x], [0, 1], pen=pg.mkPen(self.colors.muted, width=1)))
            for height, text in axis.ticks:
                fill = pg.mkBrush(background)
                label = pg.TextItem(text, color=self.colors.text, anchor=(-0.06, 0.5), fill=fill)
                label.setPos(x, height)
                self._add(label)
        self.fit()

    def fit(self) -> None:
        """Show all axes, with room for the texts at both sides."""
        last = max(len(self.axes_shown) - 1, 1)
        unit = last / max(self.width() - _LEFT_ROOM - _RIGHT_ROOM, 100)
        self.setRange(xRange=(-unit * _LEFT_ROOM, last + unit * _RIGHT_ROOM), yRange=(-0.05, 1.05), padding=0)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:  # pyqtgraph calls it from its constructor
            self.fit()

    def recolor(self) -> None:
        super().recolor()
        self.plotItem.getAxis("left").setPen(None)
        self.draw()

    # -- axes ---------------------------------------------------------------------------------------------

    def _axes(self) -> list[Axis]:
        losses = np.array([_loss(run) for run in self._runs], float)
        bests = [run.best for run in self._runs]
        scores = np.array([best.test_score if best else np.nan for best in bests])
        is_value = any(best and best.train_score is None for best in bests)
        is_wide = bool(losses.min() > 0 and losses.max() > _LOG_FACTOR * losses.min())
        return [
            *map(self._setting_axis, self._names),
            _number_axis(self.tr("Validation loss"), losses, is_wide),
            _number_axis(self.tr("R² of the test") if is_value else self.tr("Test"), scores, False,
                         number if is_value else percent),
        ]  # fmt: skip

    def _setting_axis(self, name: str) -> Axis:
        title = setting_title(name)
        given = [run.value_of(name) for run in self._runs]
        numbers = [value for value in given if isinstance(value, int | float)]
        distinct = sorted({*given}, key=lambda value: (value is not None, isinstance(value, str), value))
        is_long = len(distinct) > _MAX_TICKS or not all(map(_is_round, numbers))
        if len(numbers) == len(given) and is_long:
            is_wide = min(numbers) > 0 and max(numbers) > _LOG_FACTOR * min(numbers)
            return _number_axis(title, np.array(numbers, float), is_wide)
        last = max(len(distinct) - 1, 1)
        places = {value: index / last for index, value in enumerate(distinct)}
        heights = np.array([places.get(value, np.nan) for value in given])
        ticks = [(height, value_text(name, value)) for value, height in places.items()]
        return Axis(title, heights, ticks[:: -(-len(places) // _MAX_TICKS)])

    # -- lines --------------------------------------------------------------------------------------------

    def _draw_lines(self) -> None:
        losses = np.array([_loss(run) for run in self._runs], float)
        ranks = np.argsort(np.argsort(losses)) / max(len(losses) - 1, 1)
        groups = np.minimum((ranks * _COLORS).astype(int), _COLORS - 1)
        # The best last, in front of the others.
        for group in reversed(range(_COLORS)):
            self._draw_group(group, groups == group)

    def _draw_group(self, group: int, chosen: np.ndarray) -> None:
        if not chosen.any():
            return
        heights = np.array([axis.heights[chosen] for axis in self.axes_shown])  # (axes, runs)
        gap = np.full((1, heights.shape[1]), np.nan)
        y = np.concatenate([heights, gap]).T.ravel()
        x = np.tile([*range(len(heights)), np.nan], heights.shape[1])
        color = blend(QColor(self.colors.train), QColor(self.colors.test), group / (_COLORS - 1))
        self._add(pg.PlotCurveItem(x, y, pen=pg.mkPen(color, width=1.5), connect="finite"))

    def _add(self, item: Any) -> None:
        self._items.append(item)
        self.plotItem.addItem(item, ignoreBounds=True)

    # -- pointer ------------------------------------------------------------------------------------------

    def run_at(self, x: float, y: float) -> RunEntry | None:
        """The run whose line passes nearest to the point, in the plot's coordinates; None if none is near."""
        if not self.axes_shown or not 0 <= x <= len(self.axes_shown) - 1:
            return None
        left = min(int(x), len(self.axes_shown) - 2)
        heights = np.array([axis.heights for axis in self.axes_shown])
        at = heights[left] + (x - left) * (heights[left + 1] - heights[left])
        distances = np.abs(at - y)
        if not np.isfinite(distances).any():
            return None
        nearest = int(np.nanargmin(distances))
        near = NEAR * self.plotItem.vb.viewPixelSize()[1]
        return self._runs[nearest] if distances[nearest] <= near else None

    def viewportEvent(self, event: QEvent) -> bool:
        """Name the run whose line is under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            point = self.plotItem.vb.mapSceneToView(self.mapToScene(event.pos()))
            run = self.run_at(point.x(), point.y())
            tip = self.toolTip()
            if run is not None:
                tip = self.tr("{run}; loss {loss}")
                tip = tip.format(run=self._titles[run.id], loss=number(_loss(run) or 0.0))
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().viewportEvent(event)


def _loss(run: RunEntry) -> float | None:
    """The loss by which runs are compared: of validation, or of the test set where there is no validation."""
    loss = run.best.validation_loss if run.best else run.results()["validation_loss"]
    if run.best and loss is None:
        loss = run.best.test_loss
    return None if loss is None or not np.isfinite(loss) else float(loss)


def _is_round(value: float) -> bool:
    """Whether a value was probably chosen by a person, and not at random."""
    return float(f"{value:.3g}") == value


def _number_axis(
    title: str,
    values: np.ndarray,
    logarithmic: bool,
    form: Any = number,
) -> Axis:
    low = float(np.nanmin(values))
    high = float(np.nanmax(values))
    if low == high:
        return Axis(title, np.where(np.isnan(values), np.nan, 0.5), [(0.5, form(low))])
    first, last = (log10(low), log10(high)) if logarithmic else (low, high)
    heights = ((np.log10(values) if logarithmic else values) - first) / (last - first)
    marks = np.array(log_ticks(first, last, _TICKS) if logarithmic else round_ticks(first, last, _TICKS))
    parts = (marks - first) / (last - first)
    texts = map(form, (10**marks if logarithmic else marks).tolist())
    return Axis(title, heights, list(zip(parts.tolist(), texts, strict=True)))
