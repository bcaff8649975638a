"""A measured plot is a quiet frame for curves: no menu, no keys, in the theme's colours."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QWidget

from gui.widgets.log_axis import LogAxis
from gui.widgets.pyqtgraph_loader import pg
from gui.widgets.theme import LIGHT, Colours


class MeasuredPlot(pg.PlotWidget):
    """A double click shows everything again after zooming."""

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        axes = {side: LogAxis(side) for side in ("left", "bottom")}
        super().__init__(parent, background=None, axisItems=axes)
        self.setObjectName(name)
        self.setAccessibleName(title)
        # It has no keys of its own, and a scene does not pass the focus on.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(190)
        self.colours = LIGHT
        plot = self.plotItem
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.showGrid(x=False, y=True, alpha=0.15)
        for side in ("left", "bottom"):
            # The unit prefixes of pyqtgraph (k, m) mean nothing here.
            plot.getAxis(side).enableAutoSIPrefix(False)
            # The grid lies behind what is measured.
            plot.getAxis(side).setZValue(-1)
        plot.getAxis("left").setWidth(62)
        self.legend = plot.addLegend(offset=(-8, -8), labelTextSize="9pt")

    def sizeHint(self) -> QSize:
        """pyqtgraph's own would make the page taller than the window."""
        return QSize(320, self.minimumHeight())

    def apply_theme(self, colours: Colours) -> None:
        self.colours = colours
        self.setBackground(colours.base)
        small = QFont(self.font())
        small.setPointSizeF(max(small.pointSizeF() - 1, 7))
        for side in ("left", "bottom"):
            axis = self.plotItem.getAxis(side)
            axis.setPen(colours.line)
            axis.setTextPen(colours.muted)
            axis.setTickFont(small)
            axis.label.setDefaultTextColor(QColor(colours.muted))
        self.colour_legend()

    def colour_legend(self) -> None:
        self.legend.setLabelTextColor(self.colours.text)
        for sample, label in self.legend.items:
            label.setText(label.text, color=self.colours.text)
            sample.update()

    def mouseDoubleClickEvent(self, event: object) -> None:
        super().mouseDoubleClickEvent(event)
        self.fit()

    def fit(self) -> None:
        self.plotItem.enableAutoRange()
