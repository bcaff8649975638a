"""The base class of all plots: a plot of pyqtgraph with the axes, colors and keys of the
program.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFocusEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolButton, QToolTip, QWidget

from gui.text import number, translator
from gui.widgets.basics import lay_out_now, named, paint_border, tip_asked
from gui.widgets.make import button
from gui.widgets.pictures import paint_to_file
from gui.widgets.plots.axis import PlotAxis, recolor_axis
from gui.widgets.theme import Colors, theme

_tr = translator("Plot")

AXES = ("left", "bottom")
_BELOW = 3  # pixels at a text size of 100 %, below the numbers of the axis of epochs
_TITLE_ROOM = 24  # pixels at a text size of 100 %: above an axis of values with a title
EXPORTED = QSize(720, 320)  # pixels of a plot in a file, at the least


NEAR = 24  # pixels

Points = tuple[str, np.ndarray, np.ndarray]
"""The name, x and y of a series."""


def in_words(series: Sequence[Points]) -> str:
    """The series in words, and how to get their values."""
    template = _tr("{name}: {first} at {start}, {last} at {end}; between {low} and {high}.")
    texts = [
        template.format(
            name=name,
            start=number(x[0], 3),
            first=number(y[0]),
            end=number(x[-1], 3),
            last=number(y[-1]),
            low=number(np.nanmin(y)),
            high=number(np.nanmax(y)),
        )
        for name, x, y in series
    ]
    return " ".join([*texts, _tr("Return shows the values as a table.")])


def show_table(parent: QWidget, plot: str, x_title: str, series: Sequence[Points]) -> None:
    """Show the values of the series as a table in a dialog. plot: the name of the plot."""
    from gui.widgets.dialogs import Dialog
    from gui.widgets.tables import Column, RecordModel, RecordTable

    title = _tr("{plot}: values").format(plot=plot)
    dialog = Dialog(parent, title, "plotTableDialog")
    columns: list[Column[Any]] = [
        Column(_tr("Curve"), "", lambda row: row[0]),
        Column("x", x_title, lambda row: number(row[1], 4), is_number=True),
        Column("y", plot, lambda row: number(row[2]), is_number=True),
    ]
    model = RecordModel(columns, dialog)
    rows = [
        (name, float(x), float(y)) for name, xs, ys in series for x, y in zip(xs, ys, strict=True)
    ]
    model.show_records(rows)
    dialog.show_parts((RecordTable(model, "plotTable", title), 1), size=(420, 480))
    dialog.show()


def nearest_point_text(item: Any, drawn: Sequence[Points], position: QPointF) -> str:
    """Name, x and y of the point of `drawn` nearest to `position`, in the scene of `item`, a plot
    item of pyqtgraph.

    Empty if none is within NEAR.
    """
    best = float(NEAR)
    text = ""
    box = item.vb
    at = box.mapSceneToView(position)
    width, height = box.viewPixelSize()
    for name, x, y in drawn:
        distances = np.hypot((x - at.x()) / width, (y - at.y()) / height)
        index = int(np.nanargmin(distances)) if np.isfinite(distances).any() else -1
        if index >= 0 and distances[index] < best:
            best = float(distances[index])
            text = "; ".join(number(float(value)) for value in (x[index], y[index]))
            text = f"{name}: {text}" if name else text
    return text


class Plot(pg.PlotWidget):
    """A plot without pyqtgraph's menu and buttons. With the keyboard focus, Return shows its values
    as a table.

    `pointed` gives the coordinates under the mouse pointer, or NaN after it has left the plot.
    Screen readers read its curves in words when it gets the focus.
    """

    pointed = Signal(float, float)
    recolored = Signal()  # it has taken the colors and sizes of the theme

    def __init__(self, name: str, title: str, *, left_width: int = 48) -> None:
        axes = {side: PlotAxis(side) for side in AXES}
        super().__init__(background=None, axisItems=axes, enableMenu=False)
        named(self, name, title)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.table_action = QAction(self.tr("Values as a table"), self)
        self.table_action.setShortcuts(
            [QKeySequence(Qt.Key.Key_Return), QKeySequence(Qt.Key.Key_Enter)]
        )
        self.table_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.table_action.triggered.connect(self.show_table)
        self.addAction(self.table_action)
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

    def show_horizontal_grid(self) -> None:
        self.plotItem.showGrid(x=False, y=True, alpha=1)
        for axis in self.axes():
            axis.setStyle(
                tickAlpha=255, maxTickLevel=0
            )  # else pyqtgraph makes lines that are close together faint
            # An axis draws its grid; the curves have to be in front of it.
            axis.setZValue(-1)

    def recolor(self) -> None:
        """Take the colors of the theme. A plot with items of its own extends this, and calls it
        when they are there.
        """
        self.setBackground(self.colors.base)
        self.plotItem.getAxis("left").setWidth(theme().px(self._left_width))
        for axis in self.axes():
            recolor_axis(axis, self.colors)
        self.recolored.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        """Name the point under the pointer as soon as the pointer rests; else show the plot's own
        tooltip.
        """
        if asked := tip_asked(event):
            text = nearest_point_text(self.plotItem, self.drawn(), self.mapToScene(asked.pos()))
            if text:
                QToolTip.showText(asked.globalPos(), text, self)
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
        self.setAccessibleDescription(in_words(self.series_points()))
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            with QPainter(self.viewport()) as painter:
                paint_border(painter, QRectF(self.viewport().rect()), self.colors.accent)

    def drawn(self) -> list[Points]:
        """Name, x and y of each series that is shown and has points."""
        series = (
            (item.name() or "", *item.getData())
            for item in self.plotItem.listDataItems()
            if item.isVisible()
        )
        return [(name, x, y) for name, x, y in series if x is not None and len(x)]

    def series_points(self) -> list[Points]:
        """Name, x and y of each series that has a name."""
        return [(name, x, y) for name, x, y in self.drawn() if name]

    def show_table(self) -> None:
        """Show the values of the curves as a table in a dialog."""
        show_table(
            self,
            self.accessibleName(),
            self.plotItem.getAxis("bottom").labelText,
            self.series_points(),
        )

    def fit(self) -> None:
        """Show all data again after zooming; called on a double click."""

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
    """Give plots that are low or narrow in the window a size at which a file of them can be
    read.
    """
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
    """Write plots of one width, one below the other, as SVG or PNG, and `title` above them. Raises
    OSError.
    """
    with _enlarged(plots):
        _write_plots(path, title, plots)


def _write_plots(path: Path, title: str, plots: Sequence[Plot]) -> None:
    metrics = plots[0].fontMetrics()
    width = plots[0].viewport().width()
    top = 2 * metrics.height() if title else 0
    size = QSize(width, top + sum(plot.viewport().height() for plot in plots))
    with paint_to_file(path, size) as painter:
        painter.fillRect(0, 0, width, top, plots[0].colors.base)
        painter.setPen(plots[0].colors.text)
        text = metrics.elidedText(title, Qt.TextElideMode.ElideRight, width - 16)
        painter.drawText(8, 0, width - 16, top, Qt.AlignmentFlag.AlignVCenter, text)
        for plot in plots:
            plot.paint(painter, top)
            top += plot.viewport().height()
