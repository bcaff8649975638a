"""A small chart of curves over the epochs, for dialogs: what was expected, and what it was."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF

from core.labs.attempt import Point
from gui.text import number
from gui.widgets.basics import PaintedWidget
from gui.widgets.plots.series import series_color
from gui.widgets.theme import SMALL, theme

# Pixels at a text size of 100 %.
_HEIGHT = 132
_LEFT = 40
_RIGHT = 120
_EDGE = 10
_MOST_EPOCHS = 6  # numbers below the axis


@dataclass(frozen=True, slots=True)
class SketchedCurve:
    """name: written at its end; empty for one of many, which is thin and pale. is_expected:
    dashed.
    """

    name: str
    points: Sequence[Point]
    is_expected: bool = False


class CurveSketch(PaintedWidget):
    """Draws curves of one quantity. highest: the end of the axis of values; 0: that of the curves.

    series: the color of those with a name, as in the plot.
    """

    def __init__(self, title: str, name: str, highest: float, series: int) -> None:
        super().__init__(name, title)
        self._highest = highest
        self._series = series
        self._curves: list[SketchedCurve] = []

    def show_curves(self, curves: Sequence[SketchedCurve]) -> None:
        self._curves = [curve for curve in curves if curve.points]
        words = [
            f"{curve.name}: {number(curve.points[-1][1], 3)}"
            for curve in self._curves
            if curve.name
        ]
        self.setAccessibleDescription(", ".join(words))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme().px(320), theme().px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(200), theme().px(_HEIGHT))

    def tip_at(self, point: QPoint) -> str:
        return self.accessibleDescription()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._curves:
            return
        font = theme().font(SMALL)
        line = QFontMetrics(font).height()
        edge = theme().px(_EDGE)
        area = QRectF(self.rect()).adjusted(
            theme().px(_LEFT), edge, -theme().px(_RIGHT), -line - edge
        )
        last = max(point[0] for curve in self._curves for point in curve.points) or 1.0
        top = (
            self._highest
            or max(point[1] for curve in self._curves for point in curve.points)
            or 1.0
        )

        def place(point: Point) -> QPointF:
            x = area.left() + area.width() * point[0] / last
            return QPointF(x, area.bottom() - area.height() * min(max(point[1] / top, 0.0), 1.0))

        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            self._paint_axes(painter, area, last, top)
            ends: list[float] = []
            for curve in sorted(self._curves, key=attrgetter("name")):
                points = [place(point) for point in curve.points]
                self._paint_curve(painter, curve, points)
                if curve.name:
                    ends.append(_free(points[-1].y(), ends, 2 * line))
                    self._paint_name(painter, curve, QPointF(area.right() + edge, ends[-1]))

    def _paint_axes(self, painter: QPainter, area: QRectF, last: float, top: float) -> None:
        colors = theme().colors
        metrics = painter.fontMetrics()
        for share in (0.0, 0.5, 1.0):
            y = area.bottom() - share * area.height()
            painter.setPen(QPen(QColor(colors.line), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(colors.muted))
            text = number(share * top, 3)
            painter.drawText(
                QPointF(area.left() - metrics.horizontalAdvance(text) - 8, y + 4), text
            )
        step = max(1, round(last / _MOST_EPOCHS))
        bottom = area.bottom() + metrics.height()
        for epoch in range(step, int(last) + 1, step):
            text = number(epoch)
            x = area.left() + area.width() * epoch / last
            painter.drawText(QPointF(x - metrics.horizontalAdvance(text) / 2, bottom), text)
        painter.drawText(QPointF(area.right() + theme().px(_EDGE), bottom), self.tr("epoch"))

    def _paint_curve(self, painter: QPainter, curve: SketchedCurve, points: list[QPointF]) -> None:
        color = QColor(series_color(theme().colors, self._series))
        width = float(theme().line(2))
        if not curve.name:
            color = QColor(theme().colors.muted)
            color.setAlphaF(1.0 if theme().high_contrast else 0.4)
            width = 1.0
        pen = QPen(color, width)
        if curve.is_expected and curve.name:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points))
        if not curve.is_expected:
            painter.setBrush(color)
            for point in points if len(points) <= 2 * _MOST_EPOCHS else points[-1:]:
                painter.drawEllipse(point, width, width)

    def _paint_name(self, painter: QPainter, curve: SketchedCurve, place: QPointF) -> None:
        line = painter.fontMetrics().height()
        painter.setPen(QColor(series_color(theme().colors, self._series)))
        painter.setFont(theme().font(SMALL, bold=True))
        painter.drawText(place, curve.name)
        painter.setFont(theme().font(SMALL))
        painter.setPen(QColor(theme().colors.text))
        painter.drawText(place + QPointF(0, line), number(curve.points[-1][1], 3))


def _free(y: float, taken: Sequence[float], height: float) -> float:
    """A place for a name near `y` that covers no other one."""
    for other in taken:
        if abs(y - other) < height:
            return other + height if y >= other else other - height
    return y
