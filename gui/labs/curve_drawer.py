"""A curve that is drawn by hand on the axes of a plot, with the pointer or the arrow keys."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from gui.text import number
from gui.widgets.basics import named, paint_border
from gui.widgets.make import button, column, label, row
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.plots.other_curves import OtherCurve
from gui.widgets.theme import theme

POINTS = 25
_KEY_STEPS = 50  # of the height of the axis
_MOST_VALUES = 4  # of the curve, below the plot
_PAGE = 5  # steps by one press of Page Up or Page Down


class CurveDrawer(QObject):
    """Draws a curve by hand on the axes of a live plot: while it is active, the plot takes the
    pointer as a pencil.

    `curve`: what is drawn, at first without points. `moved`: it has another point; `drawn`: the
    pointer was lifted, a key pressed, or the curve taken away.
    """

    moved = Signal()
    drawn = Signal()

    def __init__(
        self, plot: LivePlot, curve: OtherCurve, epochs: int, highest: float = 0.0
    ) -> None:
        super().__init__(plot)
        self._plot = plot
        self._curve = curve
        self._highest = highest or plot.live_axes.most_drawn
        # The arrow keys go from epoch to epoch, where there are not more of them than points.
        self._stride = max(1, (POINTS - 1) // epochs)
        self._end = highest
        self._epochs = np.linspace(0, epochs, POINTS)
        # NaN: 0 is a value that can be drawn.
        self._values = np.full(POINTS, np.nan)
        self._cursor = 0
        self._last: int | None = None
        # The plot would take the pointer for itself, and move its axes.
        plot.viewport().installEventFilter(self)
        plot.viewport().setCursor(Qt.CursorShape.CrossCursor)
        plot.show_others((), float(epochs), highest)

    @property
    def epochs(self) -> int:
        return int(self._epochs[-1])

    def value_at(self, epoch: float) -> float | None:
        """The value of the curve at the end of this epoch; None where it is not drawn."""
        points = self.points()
        # Beyond its ends nothing was said; `interp` would go on evenly.
        if not points or not points[0][0] <= epoch <= points[-1][0]:
            return None
        return float(np.interp(epoch, *np.array(points).T))

    def start_again(self) -> None:
        """Take the curve away."""
        self._values[:] = np.nan
        self._cursor = 0
        self._last = None
        self._show()
        self.drawn.emit()

    def points(self) -> list[tuple[float, float]]:
        """What has been drawn; what was left out between two points is filled in evenly."""
        drawn = np.flatnonzero(np.isfinite(self._values))
        if not len(drawn):
            return []
        inside = slice(drawn[0], drawn[-1] + 1)
        values = np.interp(self._epochs[inside], self._epochs[drawn], self._values[drawn])
        # Rounded, as the file of answers is read by people.
        pairs = zip(self._epochs[inside].tolist(), values.tolist(), strict=True)
        return [(round(x, 4), round(y, 4)) for x, y in pairs]

    def show_points(self, points: list[tuple[float, float]]) -> None:
        """Go on with a curve that was drawn before."""
        for x, y in points:
            self._values[int(np.argmin(abs(self._epochs - x)))] = y
        self._show()

    def end(self) -> None:
        """Give the pointer back to the plot; the curve stays."""
        self._plot.viewport().removeEventFilter(self)
        self._plot.viewport().unsetCursor()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The wheel would zoom the plot, whose axes have to stay while a curve is drawn.
        if not isinstance(event, QMouseEvent):
            return event.type() == QEvent.Type.Wheel
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._last = None
            self.drawn.emit()
        elif event.buttons() & Qt.MouseButton.LeftButton:
            at = self._plot.plotItem.vb.mapSceneToView(
                self._plot.mapToScene(event.position().toPoint())
            )
            self._set(int(np.argmin(abs(self._epochs - at.x()))), at.y())
        return True

    def _set(self, index: int, value: float) -> None:
        """Set a point, and those that a fast pointer passed over."""
        value = min(max(value, 0.0), self._highest)
        start = index if self._last is None else self._last
        before = self._values[start] if np.isfinite(self._values[start]) else value
        for passed in range(min(start, index), max(start, index) + 1):
            share = (passed - start) / (index - start) if index != start else 1.0
            self._values[passed] = before + share * (value - before)
        self._last = self._cursor = index
        self._show()

    def press(self, key: int) -> bool:
        """Move the cursor along the epochs or change the value there; whether the key was one for
        that.
        """
        keys = Qt.Key
        moves = {
            keys.Key_Left: (-self._stride, 0),
            keys.Key_Right: (self._stride, 0),
            keys.Key_Up: (0, 1),
            keys.Key_Down: (0, -1),
            keys.Key_PageUp: (0, _PAGE),
            keys.Key_PageDown: (0, -_PAGE),
        }
        if key not in moves:
            return False
        along, up = moves[keys(key)]
        points = self.points()
        value = float(np.interp(self._epochs[self._cursor], *np.array(points).T)) if points else 0.0
        self._cursor = min(max(self._cursor + along, 0), POINTS - 1)
        self._last = None
        self._set(self._cursor, value + up * self._highest / _KEY_STEPS)
        self._last = None
        self.drawn.emit()
        return True

    def position(self) -> tuple[float, float]:
        value = self._values[self._cursor]
        return float(self._epochs[self._cursor]), float(value) if np.isfinite(value) else 0.0

    def _show(self) -> None:
        self._plot.show_others(
            [replace(self._curve, points=tuple(self.points()))],
            self._epochs[-1],
            self._end,
        )
        self.moved.emit()


class DrawingHead(QWidget):
    """Above a plot that is drawn on: what to do, and a button that takes the curve away."""

    def __init__(self, drawer: CurveDrawer) -> None:
        super().__init__()
        title = label(self.tr("Draw what you expect"), "drawingTitle", "title", wraps=False)
        text = self.tr(
            "Hold the mouse button and draw from left to right. The real curve comes afterwards."
        )
        self._hint = label(text, "drawingHint", "muted")
        tip = self.tr(
            "Take the curve away, and draw it again; Delete does so where the arrow keys draw."
        )
        again = button(self.tr("Again"), "drawAgain", tip, drawer.start_again, icon="undo")
        # Tab goes from the choices to the keys of the curve.
        again.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        made = row((column(title, self._hint, spacing=4), 1), again, owner=self, spacing=16)
        made.setAlignment(again, Qt.AlignmentFlag.AlignTop)
        theme().changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """In presenter mode the height belongs to the plot."""
        self._hint.setHidden(theme().presenting)


class DrawnValues(QLabel):
    """Below a plot that is drawn on: the values of the curve at the ends of epochs, of many at some
    of them.
    """

    def __init__(self, drawer: CurveDrawer, unit: str) -> None:
        super().__init__()
        named(self, "drawnValues", self.tr("What you have drawn"))
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self._drawer = drawer
        self._unit = unit
        drawer.moved.connect(self._show)
        theme().changed.connect(self._fit)
        if theme().presenting:
            self.hide()
        self._show()

    def _fit(self) -> None:
        """In presenter mode the height belongs to the plot, where the last value is at the
        curve.
        """
        self.setHidden(theme().presenting)

    def _show(self) -> None:
        ends = np.unique(
            np.linspace(1, self._drawer.epochs, min(self._drawer.epochs, _MOST_VALUES)).round()
        )
        texts = []
        for epoch in ends.tolist():
            value = self._drawer.value_at(epoch)
            shown = (
                self.tr("not drawn yet")
                if value is None
                else f"<b>{number(value, 2)}{self._unit}</b>"
            )
            texts.append(
                self.tr("After epoch {n}: {value}").format(n=number(epoch, 3), value=shown)
            )
        # A line is broken between two values, never within one.
        self.setText("&nbsp;&nbsp;&nbsp; ".join(text.replace(" ", "&nbsp;") for text in texts))


class CurveKeys(QLabel):
    """Takes the arrow keys for the curve, and says where its cursor is."""

    def __init__(self, drawer: CurveDrawer) -> None:
        super().__init__()
        self.setText(self.tr("Draw it at the right with the mouse, or here with the arrow keys."))
        tip = self.tr(
            "The arrow keys draw while this has the focus: right goes to the next epoch, up and "
            "down change the value, Page Up and Page Down by a tenth, Delete takes the curve away."
        )
        named(self, "curveKeys", self.tr("The expected curve"), tip)
        self.setWordWrap(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._drawer = drawer

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            with QPainter(self) as painter:
                paint_border(painter, QRectF(self.rect()), theme().colors.accent)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self._drawer.start_again()
            return
        if not self._drawer.press(event.key()):
            super().keyPressEvent(event)
            return
        epoch, value = self._drawer.position()
        text = self.tr("The arrow keys draw. Epoch {epoch}: {value}")
        self.setText(text.format(epoch=number(epoch, 3), value=number(value, 3)))
