"""The stage: what is drawn flows through the layers of the network that reads, and arrives as an
answer.
"""

import time

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
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
)
from PySide6.QtWidgets import QSizePolicy

from core.inspection.stage_content import Links
from gui.stage.accessible import Path, SpokenWidget
from gui.stage.answers import Answer, AnswerPainter
from gui.stage.asked import items_of, owner_of, strongest_item
from gui.stage.captions import layer_text, tip_text, unit_text
from gui.stage.colors import stage_colors
from gui.stage.images import Drawing
from gui.stage.layout import heights
from gui.stage.parts import StageParts
from gui.stage.picture import StagePicture
from gui.stage.renderer import StageRenderer, StageView
from gui.stage.scene import StageScene
from gui.widgets.basics import ARROW_KEYS, ENTER_KEYS, announce, delayed
from gui.widgets.shapes import paint_frame, smooth_painter
from gui.widgets.theme import motion_wanted, theme

STEP_MILLISECONDS = 20  # after which the next layer follows
_TAB = Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason
HOVER_MILLISECONDS = 80  # after which the pointer lights what leads to a unit
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

    def start(self, count: int, *, moves: bool, backward: bool = False) -> None:
        """Reveal the columns 0 to `count` - 1, or backward from the last one; at once without
        `moves`.
        """
        self._clock.stop()
        self._waiting = list(range(count))
        if backward:
            self._waiting.reverse()
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


class Stage(SpokenWidget):
    """Shows its scene: a model and an input. Nothing that is done on it changes what is shown.

    `shown`: a new content is complete. `visibility_changed`: it was shown or hidden. `asked`: how
    does the chosen unit get its value? `chosen_changed`: something else is chosen, or nothing.
    `line_pressed`: while a view is shown, on a connection as of `StagePicture.line_at`.
    """

    visibility_changed = Signal()
    shown = Signal()
    asked = Signal()
    chosen_changed = Signal()
    line_pressed = Signal(int, int)

    def __init__(self, *, moves: bool | None = None) -> None:
        super().__init__("stage", self.tr("The network"))
        self.picture = StagePicture()
        self.is_asked = False  # whether what is chosen is explained somewhere, and stays chosen
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._moves = moves
        self.has_key_focus = False
        self._wanted: tuple[int, int] | None = None  # a column, and the number of a unit of it
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
        self._pointer = QPoint(-1, -1)
        self._hover = delayed(self, self._light, HOVER_MILLISECONDS)
        self._speech = delayed(
            self, lambda: announce(self, self.accessibleDescription()), SPEECH_MILLISECONDS
        )
        theme().changed.connect(self.updateGeometry)
        theme().changed.connect(self.renderer.redraw)

    # -- what is shown -----------------------------------------------------------------------------

    def show_view(self, view: StageView | None, line: tuple[int, Links] | None = None) -> None:
        """Show this in place of the scene, until it is None; nothing can be chosen in it.

        line: see `StagePicture`.
        """
        # What is chosen belongs to the scene, which is hidden now.
        if view is not None and self.renderer.view is None:
            self.leave()
        self.picture.line = line
        self.renderer.show_view(view)

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be computed or to flow in."""
        return self.renderer.is_waiting or self.flow.is_flowing

    def _show(self, drawing: Drawing, answer: Answer, flows: bool) -> None:
        before = self.picture.drawing
        # By identity: inputs are replaced, never changed, and comparing pixels takes time.
        if before is None or before.content.input is not drawing.content.input:
            self._is_input_due = True
        is_relaid = self.picture.show(drawing)
        if self._wanted is not None and self._wanted[0] < len(drawing.content.columns):
            position, number = self._wanted
            items = items_of(drawing.content, position)
            if number in items:
                self.choose(position, items.index(number))
        if is_relaid:
            self.update()
            self.parts.arrange(drawing.layout)
        self.parts.show_legend(errors=answer.errors is not None)
        self._show_answer(answer)
        moves = flows and self._wants_motion() and not is_relaid
        count = len(drawing.content.columns)
        self.flow.start(count, moves=moves, backward=drawing.tone.errors)

    def _wants_motion(self) -> bool:
        """Whether something moves to show what a person has done; what a training does comes often
        enough.
        """
        if self.scene.is_training and self.renderer.view is None:
            return False
        return motion_wanted() if self._moves is None else self._moves

    def _show_answer(self, answer: Answer) -> None:
        is_other = bool(answer.name) and answer.text != self.answers.answer.text
        self.answers.show(answer)
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
            self._repaint(left, layout.answers.left)

    def _repaint_network(self) -> None:
        """Paint all that a choice changes again: what is right of the canvas and above the tools,
        up to the answer itself.
        """
        layout = self.picture.layout
        if layout is not None:
            left = layout.canvas.right() + 1
            self.update(QRect(left, 0, layout.answer.left() - left, layout.bottom + 8))

    def _repaint_answer(self) -> None:
        layout = self.picture.layout
        if layout is not None:
            self._repaint(layout.answers.left, self.width())

    def _repaint(self, left: int, right: int) -> None:
        """Paint what lies below the captions again."""
        top = self.picture.below_captions
        self.update(QRect(left, top, right - left, self.height() - top))

    # -- choosing ----------------------------------------------------------------------------------

    def choose(
        self,
        position: int,
        unit: int = -1,
        place: tuple[int, int] | None = None,
        other: int = -1,
    ) -> None:
        """Mark the column at `position`, -1 for none, and a unit or map of it; see
        `StagePicture`.
        """
        picture = self.picture
        # What is under the pointer would be lit in place of what is chosen.
        picture.hover(-1, -1)
        picture.choose(position, unit, place, other)
        self._repaint_network()
        self.chosen_changed.emit()
        # A unit that was to be chosen as soon as it is shown is not wanted any more.
        self._wanted = None
        if picture.content is None or picture.layer < 0:
            self.scene.keep(None)
            return
        if picture.chosen is not None:
            owner = owner_of(picture.content, position)
            self.scene.keep((owner, picture.chosen.value.unit))
        if self.hasFocus():
            if QAccessible.isActive():
                QAccessible.updateAccessibility(
                    QAccessibleEvent(self, QAccessible.Event.NameChanged)
                )
            announce(self, picture.chosen_text())

    def ask(self, position: int, unit: int = -1, place: tuple[int, int] | None = None) -> None:
        """Ask how a unit or map gets its value; -1: the strongest of its column."""
        content = self.picture.content
        if content is None or position < 0:
            return
        self.is_asked = True
        self.choose(position, strongest_item(content, position) if unit < 0 else unit, place)
        self.asked.emit()

    def compare_with(self, other: int) -> None:
        """Compare the chosen answer with this class."""
        picture = self.picture
        if picture.chosen is not None and picture.chosen.is_answer:
            self.choose(picture.layer, picture.unit, None, other)

    def leave(self) -> None:
        """Choose nothing any more."""
        self.is_asked = False
        if self.picture.layer >= 0:
            self.choose(-1)

    def tip_at(self, point: QPoint) -> str:
        position, unit = self.picture.at(point)
        content = self.picture.content
        return tip_text(content, position, unit) if content is not None and position >= 0 else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        if self.renderer.view is not None:
            position, index = self.picture.line_at(point)
            if position >= 0:
                self.line_pressed.emit(position, index)
            return
        position, unit = self.picture.at(point)
        if position < 0:
            self.choose(-1)
            return
        chosen = self.picture.chosen
        place = None
        # A first press chooses the map, the next one a pixel of it.
        if chosen is not None and (chosen.position, chosen.index) == (position, unit):
            place = self.picture.pixel_at(point)
        self.ask(position, unit, place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position().toPoint()
        if self.renderer.view is not None:
            self.setCursor(Qt.CursorShape.ArrowCursor)
            return
        position, _ = self.picture.at(self._pointer)
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.setCursor(hand if position >= 0 else arrow)
        # Started again by each move, it would never light while the pointer moves.
        if not self._hover.isActive():
            self._hover.start()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pointer = QPoint(-1, -1)
        self._hover.start()

    def _light(self) -> None:
        """Light what leads to the unit or map under the pointer."""
        if self.picture.hover(*self.picture.at(self._pointer)):
            self._repaint_network()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right go through the layers, Up and Down through the units of one; Enter asks,
        Shift with an arrow moves the pixel, a digit is what an answer is compared with, Escape
        leaves.
        """
        if self.renderer.view is not None:
            event.ignore()
            return
        picture = self.picture
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        is_answer = picture.chosen is not None and picture.chosen.is_answer
        classes = () if picture.content is None else picture.content.classes
        if event.key() in ARROW_KEYS and is_shifted:
            self._move_pixel(*ARROW_KEYS[event.key()])
        elif event.key() in ARROW_KEYS:
            self._go(*ARROW_KEYS[event.key()])
        elif event.key() in ENTER_KEYS and picture.layer >= 0:
            self.ask(picture.layer, picture.unit, picture.place)
        elif event.key() == Qt.Key.Key_Escape and picture.layer >= 0:
            self.choose(-1)
        elif is_answer and event.text() and event.text() in classes:
            self.compare_with(classes.index(event.text()))
        else:
            super().keyPressEvent(event)

    def _go(self, across: int, down: int) -> None:
        """Choose the layer or unit so many steps from the chosen one; the first layer where none is
        chosen.
        """
        picture = self.picture
        content = picture.content
        if content is None:
            return
        layer = min(max(picture.layer + across, 0), len(content.columns) - 1)
        items = items_of(content, layer)
        if picture.layer < 0 or across:
            self.choose(layer, strongest_item(content, layer) if picture.unit >= 0 else -1)
        elif items and picture.unit < 0:
            self.choose(layer, 0)
        elif items:
            count = content.network.shapes[content.columns[layer].layer + 1][-1]
            self._choose_number(layer, min(max(items[picture.unit] + down, 0), count - 1))

    def _choose_number(self, position: int, number: int) -> None:
        """Choose a unit or map by its number; one that is not shown takes the place of another."""
        content = self.picture.content
        assert content is not None
        items = items_of(content, position)
        if number in items:
            self.choose(position, items.index(number))
        elif position < len(content.columns) - 1:
            self._wanted = position, number
            self.scene.keep((owner_of(content, position), number), now=True)

    def _move_pixel(self, across: int, down: int) -> None:
        """Ask about the pixel so many steps from that of the chosen map."""
        picture = self.picture
        if picture.chosen is None:
            return
        value = picture.chosen.value
        shape = picture.chosen.shape
        if len(shape) == 3:
            row = min(max(value.row + down, 0), shape[0] - 1)
            column = min(max(value.column + across, 0), shape[1] - 1)
            self.choose(picture.layer, picture.unit, (row, column))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.has_key_focus = event.reason() in _TAB
        if self.has_key_focus and self.picture.layer < 0 and self.renderer.view is None:
            self.choose(0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.has_key_focus = False
        # A menu or another window takes the focus only for a while: the choice stays.
        if not self.is_asked and event.reason() in (*_TAB, Qt.FocusReason.MouseFocusReason):
            self.picture.choose(-1)
        self.update()

    # -- a screen reader ---------------------------------------------------------------------------

    def count_parts(self, path: Path) -> int:
        """The parts are the layers, and theirs are the units or maps that are shown."""
        content = self.picture.content
        if content is None or len(path) > 1 or (path and path[0] >= len(content.columns)):
            return 0
        return len(content.columns[path[0]].shown) if path else len(content.columns)

    def words_of(self, path: Path) -> str:
        content = self.picture.content
        assert content is not None
        return layer_text(content, path[0]) if len(path) == 1 else unit_text(content, *path)

    def area_of(self, path: Path) -> QRect:
        layout = self.picture.layout
        if layout is None:
            return QRect()
        block = layout.blocks[path[0]]
        if len(path) == 1:
            return block.area
        if path[0] == len(layout.blocks) - 1:
            return layout.answers.bar_at(path[1])
        return block.tiles[path[1]]

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
        self._hover.stop()
        self.renderer.pause()
        self.visibility_changed.emit()

    # -- painting ----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the area of the event: the input, the columns, the answers, or several
        of them.
        """
        started = time.thread_time()
        colors = stage_colors()
        with smooth_painter(self) as painter:
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
        # All of it is painted now: until it changes, the columns alone are.
        if with_funnel:
            self._is_input_due = False
        if area.left() < left_of_answers:
            self.picture.paint_entry(painter, with_funnel=with_funnel)
            self.picture.paint_columns(painter)
        if area.top() < self.picture.below_captions:
            self.picture.paint_captions(painter, self.scene.title)
        # The networks below the answer say what they read more often than it changes.
        is_of_readers = drawing.layout.reader.contains(area)
        if area.right() >= left_of_answers and not is_of_readers:
            self.answers.paint(painter, drawing.layout, drawing.content)
        if self.has_key_focus:
            frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            paint_frame(painter, frame, theme().colors.accent, radius=8)
