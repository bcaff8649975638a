"""The stage: what is drawn flows through the layers of the network that reads, and arrives as an
answer.
"""

import time

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy

from gui.stage.accessible import SpokenPicture
from gui.stage.answers import Answer, AnswerPainter
from gui.stage.captions import tip_text
from gui.stage.colors import stage_colors
from gui.stage.images import Drawing
from gui.stage.layout import heights
from gui.stage.parts import StageParts
from gui.stage.picture import StagePicture
from gui.stage.renderer import StageRenderer
from gui.stage.scene import StageScene
from gui.widgets.basics import announce
from gui.widgets.theme import motion_wanted, theme

STEP_MILLISECONDS = 20  # after which the next layer follows
_TAB = Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason
SPEECH_MILLISECONDS = 500  # after which an answer is said: the pen has stopped


class Flow(QObject):
    """Reveals one column of `picture` after the other. `revealed`: it has to be painted; `ended`:
    that was the last.
    """

    revealed = Signal()
    ended = Signal()

    def __init__(self, picture: StagePicture, parent: QObject) -> None:
        super().__init__(parent)
        self._picture = picture
        self._waiting: list[int] = []
        self._clock = QTimer(self, interval=STEP_MILLISECONDS)
        self._clock.timeout.connect(self._step)

    def start(self, count: int, *, moves: bool) -> None:
        """Reveal the columns 0 to `count` - 1, at once without `moves`."""
        self._clock.stop()
        self._waiting = list(range(count))
        if moves:
            self._step()
            self._clock.start()
            return
        while self._waiting:
            self._picture.reveal(self._waiting.pop(0))
        self.revealed.emit()
        self.ended.emit()

    @property
    def is_flowing(self) -> bool:
        return bool(self._waiting)

    def _step(self) -> None:
        if self._waiting:
            self._picture.reveal(self._waiting.pop(0))
            self.revealed.emit()
        if not self._waiting:
            self._clock.stop()
            self.ended.emit()


class Stage(SpokenPicture):
    """Shows its scene: a model and an input. Nothing that is done on it changes what is shown.

    `shown`: a new content is complete. `visibility_changed`: it was shown or hidden.
    `unit_activated`: a unit or map of a layer was chosen. `layer_asked`: what is the chosen layer,
    and the chosen unit of it?
    """

    visibility_changed = Signal()
    shown = Signal()
    unit_activated = Signal(int, int)
    layer_asked = Signal()

    def __init__(self, *, moves: bool | None = None, keeps_choice: bool = False) -> None:
        super().__init__("stage", self.tr("The network"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._moves = moves
        self._keeps_choice = keeps_choice  # when the focus goes elsewhere
        self.has_key_focus = False
        self.scene = StageScene(self)
        self.parts = StageParts(self)
        self.renderer = StageRenderer(self.scene, self.parts.frame, self)
        self.renderer.drawn.connect(self._show)
        self.renderer.answered.connect(self._show_answer)
        self.scene.titled.connect(self.update)
        self.parts.changed.connect(self.renderer.redraw)
        self.answers = AnswerPainter(self)
        self.answers.changed.connect(self._repaint_answer)
        self.flow = Flow(self.picture, self)
        self.flow.revealed.connect(self._repaint_columns)
        self.flow.ended.connect(self.shown)
        self._is_input_due = True  # what the network gets is to be painted again
        self._speech = QTimer(self, singleShot=True, interval=SPEECH_MILLISECONDS)
        self._speech.timeout.connect(lambda: announce(self, self.accessibleDescription()))
        theme().changed.connect(self.updateGeometry)
        theme().changed.connect(self.renderer.redraw)

    # -- what is shown -----------------------------------------------------------------------------

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be computed or to flow in."""
        return self.renderer.is_waiting or self.flow.is_flowing

    def _show(self, drawing: Drawing, answer: Answer, flows: bool) -> None:
        before = self.picture.drawing
        if before is None or before.content.input is not drawing.content.input:
            self._is_input_due = True
        is_relaid = self.picture.show(drawing)
        if is_relaid:
            self.update()
            self.parts.arrange(drawing.layout)
        self._show_answer(answer, is_relaid=is_relaid)
        moves = flows and self._wants_motion() and not is_relaid
        self.flow.start(len(drawing.content.columns), moves=moves)

    def _wants_motion(self) -> bool:
        """Whether something moves to show what a person has done; what a training does comes often
        enough.
        """
        if self.scene.is_training:
            return False
        return motion_wanted() if self._moves is None else self._moves

    def _show_answer(self, answer: Answer, *, is_relaid: bool = False) -> None:
        is_other = bool(answer.name) and answer.text != self.answers.answer.text
        self.answers.show(answer, moves=self._wants_motion() and not is_relaid)
        self.setAccessibleDescription(answer.text)
        if is_other:
            self._speech.start()

    def _repaint_columns(self) -> None:
        """Paint what has changed between canvas and answers again; painting costs a training
        time.
        """
        layout = self.picture.layout
        if layout is not None:
            left = layout.canvas.right() + 1 if self._is_input_due else layout.input.right() + 1
            self.update(QRect(left, 0, layout.answers.left - left, self.height()))

    def _repaint_answer(self) -> None:
        layout = self.picture.layout
        if layout is not None:
            self.update(
                QRect(layout.answers.left, 0, self.width() - layout.answers.left, self.height())
            )

    # -- choosing ----------------------------------------------------------------------------------

    def choose(self, position: int, unit: int = -1) -> None:
        """Mark the column at `position`, -1 for none, and a unit or map of it."""
        picture = self.picture
        picture.choose(position, unit)
        self.update()
        if picture.content is None or picture.layer < 0:
            return
        column = picture.content.columns[picture.layer]
        if picture.unit >= 0:
            self.unit_activated.emit(column.layer, column.shown[picture.unit])
        if self.hasFocus():
            if QAccessible.isActive():
                QAccessible.updateAccessibility(
                    QAccessibleEvent(self, QAccessible.Event.NameChanged)
                )
            announce(self, picture.chosen_text())

    def tip_at(self, point: QPoint) -> str:
        position, unit = self.picture.at(point)
        content = self.picture.content
        return tip_text(content, position, unit) if content is not None and position >= 0 else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        direction = self.picture.arrow_at(point)
        if direction:
            self._scroll(direction)
            return
        self.choose(*self.picture.at(point))
        if self.picture.layer >= 0:
            self.layer_asked.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        is_over = self.picture.at(point)[0] >= 0 or self.picture.arrow_at(point) != 0
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_over else Qt.CursorShape.ArrowCursor)

    def wheelEvent(self, event: QWheelEvent) -> None:
        layout = self.picture.layout
        if layout is None or not layout.scrolls:
            event.ignore()
            return
        delta = event.angleDelta().x() or event.angleDelta().y()
        self._scroll(-1 if delta > 0 else 1)

    def _scroll(self, steps: int) -> None:
        self.picture.scroll(steps)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right go through the layers, Up and Down through the units of one; Enter asks,
        Escape leaves.
        """
        layer = self.picture.layer
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        if event.key() in steps:
            self._go(*steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and layer >= 0:
            self.layer_asked.emit()
        elif event.key() == Qt.Key.Key_Escape and layer >= 0:
            self.choose(-1)
        else:
            super().keyPressEvent(event)

    def _go(self, across: int, down: int) -> None:
        """Choose the layer or unit so many steps from the chosen one; the first layer where none is
        chosen.
        """
        picture = self.picture
        if picture.content is None:
            return
        columns = picture.content.columns
        layer = min(max(picture.layer + across, 0), len(columns) - 1)
        if picture.layer < 0 or across:
            self.choose(layer)
        elif columns[layer].shown:
            self.choose(layer, min(max(picture.unit + down, 0), len(columns[layer].shown) - 1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.has_key_focus = event.reason() in _TAB
        if self.has_key_focus and self.picture.layer < 0:
            self.choose(0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.has_key_focus = False
        if not self._keeps_choice and event.reason() in (*_TAB, Qt.FocusReason.MouseFocusReason):
            self.picture.choose(-1)
        self.update()

    # -- events ------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        above, below = heights(theme().scale)
        return QSize(1248, above + 264 + below)

    def minimumSizeHint(self) -> QSize:
        above, below = heights(theme().scale)
        return QSize(720, above + 200 + below)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.renderer.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.renderer.resume()
        self.visibility_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.renderer.pause()
        self.visibility_changed.emit()

    # -- painting ----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the area of the event: the input, the columns, the answers, or several
        of them.
        """
        started = time.thread_time()
        colors = stage_colors()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(
                QPen(QColor(theme().colors.line), 1) if colors.opaque else Qt.PenStyle.NoPen
            )
            painter.setBrush(colors.stage)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            if self.picture.drawing is not None:
                self._paint(painter, self.picture.drawing, event.rect())
        self.renderer.milliseconds += 1000 * (time.thread_time() - started)

    def _paint(self, painter: QPainter, drawing: Drawing, area: QRect) -> None:
        left_of_answers = drawing.layout.answers.left
        with_funnel = area.left() <= drawing.layout.input.left()
        if with_funnel:
            self._is_input_due = False
        if area.left() < left_of_answers:
            self.picture.paint_entry(painter, with_funnel=with_funnel)
            self.picture.paint_columns(painter)
        self.picture.paint_captions(painter, self.rect(), self.scene.title)
        if area.right() >= left_of_answers:
            self.answers.paint(painter, drawing.layout, drawing.content)
        if self.has_key_focus:
            painter.setPen(QPen(QColor(theme().colors.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)
