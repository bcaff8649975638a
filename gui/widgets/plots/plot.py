"""The base class of all plots: axes, ticks, legend, the colors of series, and the point under the pointer."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import ceil, floor, log10, nan
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolButton, QToolTip, QWidget

from gui.text import SUPERSCRIPT, duration, in_unit, localized, number, unit_of
from gui.widgets.basics import lay_out_now, named, paint_border
from gui.widgets.make import button
from gui.widgets.pictures import paint_to_file
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.theme import SMALL, Colors, blend, theme
from kernels.registry import device_names

AXES = ("left", "bottom")
# An axis of losses reaches to so many times what this percentage of the values stays below: a few do not rule it.
MOST, MOST_TIMES = 90, 1.5
EXPORTED = QSize(720, 320)  # pixels of a plot in a file, at the least


class Plot(pg.PlotWidget):
    """A plot without pyqtgraph's menu and buttons. With the keyboard focus, Return shows its values as a table.

    `pointed` gives the coordinates under the mouse pointer, or NaN after it has left the plot. Screen readers read its
    curves in words when it gets the focus.
    """

    pointed = Signal(float, float)
    recolored = Signal()  # it has taken the colors and sizes of the theme

    def __init__(self, name: str, title: str, *, left_width: int = 48, parent: QWidget | None = None) -> None:
        axes = {side: LogAxis(side) for side in AXES}
        super().__init__(parent, background=None, axisItems=axes, enableMenu=False)
        named(self, name, title)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.table_action = QAction(self.tr("Values as a table"), self)
        self.table_action.setShortcuts([QKeySequence(Qt.Key.Key_Return), QKeySequence(Qt.Key.Key_Enter)])
        self.table_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.table_action.triggered.connect(self.show_table)
        self.addAction(self.table_action)
        self.legend: Any = None
        self.plotItem.hideButtons()
        for axis in self.axes():
            # pyqtgraph would scale the values and write a unit prefix (k, m) into the axis title.
            axis.enableAutoSIPrefix(False)
        # The number at the upper end of the axis reaches beyond it by half of its height.
        self.plotItem.getAxis("left").setStyle(hideOverlappingLabels=False)
        self._left_width = left_width
        self._right_margin = 1
        tip = self.tr("Show all of the curves again (double click in the plot).")
        self.fit_button = button(self.tr("Fit"), "fitButton", tip, self.show_all, kind=QToolButton)
        self.fit_button.setParent(self)
        self.fit_button.hide()
        self.plotItem.vb.sigRangeChangedManually.connect(self._on_changed_range)
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)
        Plot.recolor(self)
        theme().changed.connect(self.recolor)

    @property
    def colors(self) -> Colors:
        return theme().colors

    def _on_changed_range(self) -> None:
        """The user has zoomed or moved the plot: show the way back."""
        self.show_way_back(True)

    def show_way_back(self, shown: bool) -> None:
        """Show the button that ends a zoom, or hide it."""
        self.fit_button.setVisible(shown)
        if shown:
            area = self.plotItem.vb.sceneBoundingRect()
            corner = self.mapFromScene(area.topRight())
            self.fit_button.adjustSize()
            self.fit_button.move(corner.x() - self.fit_button.width() - 6, corner.y() + 6)
            self.fit_button.raise_()

    def show_all(self) -> None:
        """End a zoom."""
        self.fit()
        self.show_way_back(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl only: whoever scrolls the page would lose the curves by accident."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
        else:
            event.ignore()

    def set_value_title(self, title: str) -> None:
        """Name what the axis of values shows, above it."""
        self.plotItem.setLabel("left", title)
        self.set_right_margin(self._right_margin)

    def set_right_margin(self, pixels: int) -> None:
        """Keep so much room right of the axes, and room for a title above the axis of values."""
        self._right_margin = pixels
        top = 6
        if self.plotItem.getAxis("left").labelText:
            top = theme().px(_TITLE_ROOM)
        self.plotItem.layout.setContentsMargins(1, top, pixels, theme().px(_BELOW))

    def axes(self) -> list[Any]:
        return [self.plotItem.getAxis(side) for side in AXES]

    def add_legend(self) -> None:
        """A legend in the lower right corner."""
        self.legend = self.plotItem.addLegend(offset=(-8, -8), labelTextSize="9pt")
        self.recolor_legend()

    def show_horizontal_grid(self) -> None:
        self.plotItem.showGrid(x=False, y=True, alpha=1)
        for axis in self.axes():
            axis.setStyle(
                tickAlpha=255, maxTickLevel=0
            )  # else pyqtgraph makes lines that are close together faint
            # An axis draws its grid; the curves have to be in front of it.
            axis.setZValue(-1)

    def recolor(self) -> None:
        """Take the colors of the theme. A plot with items of its own extends this, and calls it when they are there."""
        self.setBackground(self.colors.base)
        self.plotItem.getAxis("left").setWidth(theme().px(self._left_width))
        for axis in self.axes():
            self.recolor_axis(axis)
        self.recolor_legend()
        self.recolored.emit()

    def recolor_axis(self, axis: Any) -> None:
        axis.setPen(self.colors.border)
        axis.setTickPen(self.colors.grid)
        axis.setTextPen(self.colors.muted)
        axis.setTickFont(theme().font(SMALL))
        axis.label.setDefaultTextColor(QColor(self.colors.muted))
        is_upright = axis.orientation == "left"
        axis.label.setFont(theme().font(SMALL, bold=is_upright))

    def recolor_legend(self) -> None:
        """Recolor the entries; call it again after adding one."""
        if self.legend is None:
            return
        self.legend.setLabelTextColor(self.colors.text)
        self.legend.setLabelTextSize(f"{round(theme().font(SMALL).pointSizeF())}pt")
        for sample, label in self.legend.items:
            label.setText(label.text, color=self.colors.text)
            sample.update()

    def viewportEvent(self, event: QEvent) -> bool:
        """Name the point under the pointer as soon as the pointer rests; else show the plot's own tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = nearest_point_text(self, self.mapToScene(event.pos()))
            if text:
                QToolTip.showText(event.globalPos(), text, self)
                return True
        return super().viewportEvent(event)

    def _on_mouse_moved(self, position: QPointF) -> None:
        box = self.plotItem.vb
        inside = box.sceneBoundingRect().contains(position)
        at = box.mapSceneToView(position) if inside else QPointF(nan, nan)
        self.pointed.emit(at.x(), at.y())

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)
        self.pointed.emit(nan, nan)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Describe the curves. The scene gets no focus: it would keep it."""
        self.setAccessibleDescription(self.in_words())
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            with QPainter(self.viewport()) as painter:
                paint_border(painter, QRectF(self.viewport().rect()), QColor(self.colors.accent))

    def drawn(self) -> list[tuple[str, Any, Any]]:
        """Name, x and y of each series that is shown and has points, as drawn: logarithms on a logarithmic axis."""
        series = (
            (item.name() or "", *item.getData()) for item in self.plotItem.listDataItems() if item.isVisible()
        )
        return [(name, x, y) for name, x, y in series if x is not None and len(x)]

    def series_points(self) -> list[tuple[str, Any, Any]]:
        """Name, x and y of each series that has a name."""
        log_x, log_y = (axis.logMode for axis in reversed(self.axes()))
        return [
            (name, 10.0**x if log_x else x, 10.0**y if log_y else y) for name, x, y in self.drawn() if name
        ]

    def in_words(self) -> str:
        """The curves in words, and how to get their values."""
        template = self.tr("{name}: {first} at {start}, {last} at {end}; between {low} and {high}.")
        texts = [
            template.format(
                name=name, start=number(x[0], 3), first=number(y[0]), end=number(x[-1], 3), last=number(y[-1]),
                low=number(np.nanmin(y)), high=number(np.nanmax(y)),
            )
            for name, x, y in self.series_points()
        ]  # fmt: skip
        return " ".join([*texts, self.tr("Return shows the values as a table.")])

    def show_table(self) -> None:
        """Show the values of the curves as a table in a dialog."""
        from gui.widgets.dialogs import Dialog
        from gui.widgets.tables import Column, RecordModel, RecordTable

        title = self.tr("{plot}: values").format(plot=self.accessibleName())
        dialog = Dialog(self, title, "plotTableDialog")
        columns: list[Column[Any]] = [
            Column(self.tr("Curve"), "", lambda row: row[0]),
            Column(
                "x", self.plotItem.getAxis("bottom").labelText, lambda row: number(row[1], 4), is_number=True
            ),
            Column("y", self.accessibleName(), lambda row: number(row[2]), is_number=True),
        ]
        model = RecordModel(columns, dialog)
        rows = [
            (name, float(x), float(y))
            for name, xs, ys in self.series_points()
            for x, y in zip(xs, ys, strict=True)
        ]
        model.show_records(rows)
        dialog.show_parts((RecordTable(model, "plotTable", title), 1), size=(420, 480))
        dialog.show()

    def fit(self) -> None:
        """Show all data again after zooming; called on a double click."""

    def export(self, path: Path, title: str = "") -> None:
        """Write the plot below `title` as SVG, or as PNG at twice the size on the screen. Raises OSError."""
        export_plots(path, title, [self])

    def paint(self, painter: QPainter, top: int) -> None:
        """Draw the plot as it is shown, its upper edge at `top`."""
        view = self.viewport().rect()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.render(painter, QRectF(view).translated(0, top), view)

    def close(self) -> None:
        """pyqtgraph removes the items of a closed plot, which `recolor` needs."""
        if self.plotItem is not None:
            theme().changed.disconnect(self.recolor)
            super().close()

    def mouseDoubleClickEvent(self, event: object) -> None:
        super().mouseDoubleClickEvent(event)
        self.show_all()

    def sizeHint(self) -> QSize:
        """pyqtgraph's hint would make a page with plots taller than the window."""
        return QSize(320, self.minimumHeight())


@contextmanager
def _enlarged(plots: Sequence[Plot]) -> Iterator[None]:
    """Give plots that are low or narrow in the window a size at which a file of them can be read."""
    sizes = [plot.size() for plot in plots]
    for plot in plots:
        plot.resize(plot.size().expandedTo(EXPORTED))
        if not plot.isVisible():  # Qt tells hidden widgets of their size when they are shown
            for part in (plot, plot.viewport()):
                QCoreApplication.sendEvent(part, QResizeEvent(part.size(), part.size()))
    try:
        lay_out_now()
        yield
    finally:
        for plot, size in zip(plots, sizes, strict=True):
            plot.resize(size)


def export_plots(path: Path, title: str, plots: Sequence[Plot]) -> None:
    """Write plots of one width, one below the other, as SVG or PNG, and `title` above them. Raises OSError."""
    with _enlarged(plots):
        _write_plots(path, title, plots)


def _write_plots(path: Path, title: str, plots: Sequence[Plot]) -> None:
    metrics = plots[0].fontMetrics()
    width = plots[0].viewport().width()
    top = 2 * metrics.height() if title else 0
    size = QSize(width, top + sum(plot.viewport().height() for plot in plots))
    with paint_to_file(path, size) as painter:
        painter.fillRect(0, 0, width, top, QColor(plots[0].colors.base))
        painter.setPen(QColor(plots[0].colors.text))
        text = metrics.elidedText(title, Qt.TextElideMode.ElideRight, width - 16)
        painter.drawText(8, 0, width - 16, top, Qt.AlignmentFlag.AlignVCenter, text)
        for plot in plots:
            plot.paint(painter, top)
            top += plot.viewport().height()


def epoch_step(epochs: float) -> int:
    """The distance of the ticks of an axis of so many epochs."""
    return next((s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if epochs <= 12 * s), 1000)


def set_marks(curve: Any, mark: str | None, size: int, fill: QColor | str, edge: QColor | str | None) -> None:
    """Draw `mark` at each point of `curve`, and in its legend entry even while the curve has no point."""
    curve.setSymbol(mark)
    curve.setSymbolSize(size)
    curve.setSymbolBrush(pg.mkBrush(fill))
    curve.setSymbolPen(pg.mkPen(edge))
    curve.scatter.setBrush(pg.mkBrush(fill))
    curve.scatter.setPen(pg.mkPen(edge))


_PIXELS_PER_TICK = {"left": 28, "bottom": 44}
_MOST_LINES = 6  # of a grid
_HALF_NUMBER = 9  # pixels at a text size of 100 %: half the height of a number
_BELOW = 3  # pixels at a text size of 100 %, below the numbers of the axis of epochs
_TITLE_ROOM = 24  # pixels at a text size of 100 %: above an axis of values with a title


class LogAxis(pg.AxisItem):
    """Replaces pyqtgraph's logarithmic ticks, which are all multiples of powers of ten (8·10¹, 9·10¹).

    The axis of values has few ticks, and its title stands above it. timed: whether the values are seconds, written with
    their unit.
    """

    timed = False

    def resizeEvent(self, event: object = None) -> None:
        """Place the title; pyqtgraph turns that of the axis of values by 90 degrees, and centers it."""
        if self.orientation == "left":
            height = self.label.boundingRect().height()
            self.label.setRotation(0)
            self.label.setPos(0, -height - 2)
            self.picture = None
        else:
            super().resizeEvent(event)

    def boundingRect(self) -> QRectF:
        """With room for half of the first and the last number, which pyqtgraph leaves out without it."""
        rect = super().boundingRect()
        half = theme().px(_HALF_NUMBER) if self.orientation == "left" else 0
        return rect.adjusted(0, -half, 0, half)

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        if self.orientation == "left" and self._tickSpacing is None and high > low:
            return [(round_step(low, high, self._most_ticks(size)), 0)]
        return super().tickSpacing(low, high, size)

    def _most_ticks(self, size: float) -> float:
        most = max(size / _PIXELS_PER_TICK[self.orientation], 2)
        return min(most, _MOST_LINES - 1) if self.orientation == "left" else most

    def logTickValues(
        self, low: float, high: float, size: float, ticks: object
    ) -> list[tuple[float, list[float]]]:
        return [(1.0, log_ticks(low, high, self._most_ticks(size)))]

    def logTickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [duration(10**value) for value in values] if self.timed else format_ticks(values)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if not self.timed or self.logMode or not len(values):
            return [localized(text) for text in super().tickStrings(values, scale, spacing)]
        unit = unit_of(max(values, key=abs))
        return [in_unit(value, unit) for value in values]


def log_ticks(low: float, high: float, maximum: float) -> list[float]:
    """Decimal logarithms of round numbers between 10^low and 10^high, about `maximum` of them at most."""
    decades = max(high - low, 1e-9)
    choices: tuple[tuple[int, ...], ...] = ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
    factors = next((choice for choice in choices if decades * len(choice) <= maximum), choices[-1])
    stride = max(1, ceil(decades / maximum))
    powers = [power for power in range(floor(low), ceil(high) + 1) if power % stride == 0]
    ticks = [power + log10(factor) for power in powers for factor in factors]
    ticks = [tick for tick in ticks if low <= tick <= high]
    if len(ticks) > 1:
        return ticks
    # Less than a decade has few round numbers: the multiples of a round step.
    return [log10(tick) for tick in round_ticks(10**low, 10**high, maximum) if tick > 0]


def round_ticks(low: float, high: float, maximum: float) -> list[float]:
    """Multiples of a round step between `low` and the larger `high`, about `maximum` of them at most."""
    step = round_step(low, high, maximum)
    return [k * step for k in range(ceil(low / step), floor(high / step) + 1)]


def round_step(low: float, high: float, maximum: float) -> float:
    """The least of 1, 2, 5, 10, ... of which at most `maximum` steps lie between `low` and the larger `high`."""
    power = 10.0 ** floor(log10((high - low) / maximum))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor * maximum >= high - low)


def format_ticks(values: list[float]) -> list[str]:
    """Format 10^value for each value, all alike: 500; 5 k beside 10 k; 5·10² beside very small or large numbers."""
    powers = [floor(value + 1e-9) for value in values]
    factors = [round(10 ** (value - power)) for value, power in zip(values, powers, strict=True)]
    ticks = list(zip(values, factors, powers, strict=True))
    if any(abs(10 ** (value - power) - factor) > 0.01 for value, factor, power in ticks):
        return [number(10**value, 3) for value in values]
    if any(power <= -4 or power >= 12 for power in powers):
        return [f"{f'{k}·' if k != 1 else ''}10{str(power).translate(SUPERSCRIPT)}" for _, k, power in ticks]
    words = []
    for _, factor, power in ticks:
        unit = power // 3 if power >= 3 and max(powers) >= 4 else 0
        words.append(f"{number(factor * 10.0 ** (power - 3 * unit), 3)} {' kMG'[unit]}".strip())
    return words


NEAR = 24  # pixels


def nearest_point_text(plot: Plot, position: QPointF) -> str:
    """Name, x and y of the point nearest to `position`, in its scene; empty if none is within NEAR."""
    best = float(NEAR)
    text = ""
    box = plot.plotItem.vb
    at = box.mapSceneToView(position)
    width, height = box.viewPixelSize()
    log_y, log_x = (axis.logMode for axis in plot.axes())
    for name, x, y in plot.drawn():
        distances = np.hypot((x - at.x()) / width, (y - at.y()) / height)
        index = int(np.nanargmin(distances)) if np.isfinite(distances).any() else -1
        if index >= 0 and distances[index] < best:
            best = float(distances[index])
            values = (10.0 ** x[index] if log_x else x[index], 10.0 ** y[index] if log_y else y[index])
            text = "; ".join(number(float(value)) for value in values)
            text = f"{name}: {text}" if name else text
    return text


_LIGHTER = 0.25  # share of the background in the light color of a series
_MARKS = ("o", "s", "t1", "d", "t", "star", "+")


def series_indices(names: list[str]) -> list[int]:
    """The index of each series of a plot: a device has the same index in every plot."""
    devices = device_names()
    if not set(names) & set(devices):
        return list(range(len(names)))
    others = itertools.count(len(devices))
    return [devices.index(name) if name in devices else next(others) for name in names]


def series_color(colors: Colors, index: int) -> str:
    """The hex color of the series with this index."""
    return colors.series[index % len(colors.series)]


def light_series_color(colors: Colors, index: int) -> str:
    """A lighter color of the same hue, for the training curve of the run whose test curve has `series_color`."""
    return blend(QColor(series_color(colors, index)), QColor(colors.base), _LIGHTER).name()


def series_mark(index: int) -> str:
    """The mark of the series with this index, as pyqtgraph names it."""
    return _MARKS[index % len(_MARKS)]
