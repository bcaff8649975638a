"""The base class of all plots: axes, legend and background in the theme's colors."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QHelpEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from core.files.atomic import atomic_path
from gui.widgets.colors import Colors
from gui.widgets.paint_to_file import paint_to_file
from gui.widgets.plots.log_axis import LogAxis
from gui.widgets.plots.nearest_point import nearest_point_text
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.theme import theme

AXES = ("left", "bottom")


class Plot(pg.PlotWidget):
    """A plot without pyqtgraph's menu and buttons. It takes no keyboard focus, because it has no keys."""

    def __init__(self, name: str, title: str, *, left_width: int = 62, parent: QWidget | None = None) -> None:
        super().__init__(parent, background=None, axisItems={side: LogAxis(side) for side in AXES})
        self.setObjectName(name)
        self.setAccessibleName(title)
        # The scene would keep the focus that its widget got, so neither takes it.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.legend: Any = None
        self.plotItem.setMenuEnabled(False)
        self.plotItem.hideButtons()
        for axis in self.axes():
            # pyqtgraph would scale the values and write a unit prefix (k, m) into the axis title.
            axis.enableAutoSIPrefix(False)
        self.plotItem.getAxis("left").setWidth(left_width)
        Plot.recolor(self)
        theme().changed.connect(self.recolor)

    @property
    def colors(self) -> Colors:
        return theme().colors

    def axes(self) -> list[Any]:
        return [self.plotItem.getAxis(side) for side in AXES]

    def add_legend(self, offset: tuple[int, int] = (-8, -8)) -> None:
        """`offset`: pixels from the corner; a negative number counts from the right or lower edge."""
        self.legend = self.plotItem.addLegend(offset=offset, labelTextSize="9pt")
        self.recolor_legend()

    def show_horizontal_grid(self) -> None:
        self.plotItem.showGrid(x=False, y=True, alpha=0.15)
        for axis in self.axes():
            # An axis draws its grid; the curves have to be in front of it.
            axis.setZValue(-1)

    def recolor(self) -> None:
        """Take the colors of the theme. A plot with items of its own extends this, and calls it when they are there."""
        self.setBackground(self.colors.base)
        for axis in self.axes():
            self.recolor_axis(axis)
        self.recolor_legend()

    def recolor_axis(self, axis: Any) -> None:
        small = QFont(self.font())
        small.setPointSizeF(max(small.pointSizeF() - 1, 7))
        axis.setPen(self.colors.line)
        axis.setTextPen(self.colors.muted)
        axis.setTickFont(small)
        axis.label.setDefaultTextColor(QColor(self.colors.muted))

    def recolor_legend(self) -> None:
        """Recolor the entries; call it again after adding one."""
        if self.legend is None:
            return
        self.legend.setLabelTextColor(self.colors.text)
        for sample, label in self.legend.items:
            label.setText(label.text, color=self.colors.text)
            sample.update()

    def viewportEvent(self, event: QEvent) -> bool:
        """Name the point under the pointer as soon as the pointer rests; else show the plot's own tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = nearest_point_text(self.plotItem, self.mapToScene(event.pos()))
            if text:
                QToolTip.showText(event.globalPos(), text, self)
                return True
        return super().viewportEvent(event)

    def fit(self) -> None:
        """Show all data again after zooming; called on a double click."""

    def export(self, path: Path) -> None:
        """Write the plot as SVG, or as PNG at twice the size on the screen. Raises OSError."""
        view = self.viewport().rect()
        with atomic_path(path) as temporary, paint_to_file(temporary, view.size(), path.suffix) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.render(painter, QRectF(view), view)

    def mouseDoubleClickEvent(self, event: object) -> None:
        super().mouseDoubleClickEvent(event)
        self.fit()

    def sizeHint(self) -> QSize:
        """pyqtgraph's hint would make a page with plots taller than the window."""
        return QSize(320, self.minimumHeight())


def set_marks(curve: Any, mark: str, size: int, fill: str, edge: str) -> None:
    """Draw `mark` at each point of `curve`, and in its legend entry even while the curve has no point."""
    curve.setSymbol(mark)
    curve.setSymbolSize(size)
    curve.setSymbolBrush(pg.mkBrush(fill))
    curve.setSymbolPen(pg.mkPen(edge))
    curve.scatter.setBrush(pg.mkBrush(fill))
    curve.scatter.setPen(pg.mkPen(edge))
