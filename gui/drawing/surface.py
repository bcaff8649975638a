"""The surface that a network of two inputs has learned, and the cross whose point it gets."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from core.data.functions import reach_of, value_at
from core.inference.model_file import Model
from gui.stage.colors import map_colors, stage_colors, values_image
from gui.stage.stage import Stage
from gui.text import number
from gui.widgets.basics import ARROW_KEYS, announce, named
from gui.widgets.shapes import smooth_painter
from gui.widgets.theme import theme

KEY_STEP = 1 / 40  # of the side, by which an arrow key moves the cross; a fifth of it with Shift
_RADIUS = 8  # pixels, of the corners
_HOLE = 9  # pixels around the point that the cross leaves free


class SurfaceField(QWidget):
    """In the canvas's place on `stage`: the surface of a network of two inputs, which gets the
    point of a cross.
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage = stage
        self._model: Model | None = None
        tip = self.tr(
            "The answers of the network to all points, the larger the bluer. Arrow keys move the "
            "cross."
        )
        named(self, "surfaceField", self.tr("Point of the surface"), tip)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self._range = 1.0
        self.place = np.array(
            [0.62, 0.7]
        )  # of the cross, in shares of the sides, from the left and from below
        self._image: QImage | None = None
        self._say_point()
        stage.shown.connect(self._show_surface)
        self.hide()

    @property
    def point(self) -> np.ndarray:
        """float32 (2,): the point of the cross."""
        return ((2 * self.place - 1) * self._range).astype(np.float32)

    def show_model(self, model: Model) -> None:
        """Show the answers of `model` to all points, and its layers with that of the cross."""
        has_learned = self._model is not None and model.computes_like(self._model)
        self._model = model
        self._range = reach_of(model.data)
        self._stage.scene.set_model(model, training=has_learned)
        if not has_learned:
            self._say_point()
            self._show_point()

    def _show_point(self) -> None:
        if self._model is not None:
            self._stage.scene.show_message("")
            self._stage.scene.show_point(self.point, value_at(self._model.data, self.point))

    def _show_surface(self) -> None:
        """Show the surface that the stage has computed."""
        surface = (
            None if self._stage.picture.content is None else self._stage.picture.content.surface
        )
        self._image = None
        # A network that diverged answers NaN.
        if surface is not None and np.isfinite(surface).all():
            low = float(surface.min())
            # A constant surface has no spread to divide by.
            spread = float(surface.max()) - low or 1.0
            # From 0 on: the least answer has the color of paper, not of a negative number.
            self._image = values_image((surface - low) / spread, 1.0, map_colors())
        self.update()

    def _go(self, place: np.ndarray) -> None:
        self.place = np.clip(place, 0, 1)
        self._say_point()
        self.update()
        self._show_point()

    def _say_point(self) -> None:
        x, y = self.point
        text = self.tr("x {x}, y {y}").format(x=number(float(x), 3), y=number(float(y), 3))
        self.setAccessibleDescription(text)
        if self.hasFocus():
            announce(self, text)

    # -- events ------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._stage.scene.begin_stroke()
            self._go_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event.position())

    def _go_to(self, position: QPointF) -> None:
        self._go(np.array([position.x() / self.width(), 1 - position.y() / self.height()]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = KEY_STEP / 5 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else KEY_STEP
        key = event.key()
        if key in ARROW_KEYS:
            across, down = ARROW_KEYS[key]
            self._go(self.place + step * np.array((across, -down)))
        elif key == Qt.Key.Key_Home:
            self._go(np.array([0.5, 0.5]))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    # -- painting ----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        outline = QPainterPath()
        outline.addRoundedRect(area, _RADIUS, _RADIUS)
        with smooth_painter(self) as painter:
            painter.fillPath(outline, stage_colors().paper)
            if self._image is not None:
                painter.setClipPath(outline)
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(area, self._image)
                painter.setClipping(False)
            painter.setPen(QPen(QColor(colors.accent if self.hasFocus() else colors.border), 1.5))
            painter.drawPath(outline)
            self._paint_cross(painter)

    def _paint_cross(self, painter: QPainter) -> None:
        """Two lines through the point, light below dark, so that they are seen on every color."""
        x = self.place[0] * self.width()
        y = (1 - self.place[1]) * self.height()
        for color, thickness in ((theme().colors.base, 4.0), (theme().colors.text, 1.5)):
            painter.setPen(QPen(QColor(color), thickness))
            painter.drawLine(QPointF(2, y), QPointF(x - _HOLE, y))
            painter.drawLine(QPointF(x + _HOLE, y), QPointF(self.width() - 2, y))
            painter.drawLine(QPointF(x, 2), QPointF(x, y - _HOLE))
            painter.drawLine(QPointF(x, y + _HOLE), QPointF(x, self.height() - 2))
            painter.drawEllipse(QPointF(x, y), _HOLE, _HOLE)
