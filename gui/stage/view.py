"""A network that is shown: what is drawn flows through its layers and arrives as an answer."""

import time
from dataclasses import replace

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy

from gui.stage.accessible import AnswerSpeech
from gui.stage.answers import Answer, AnswerPainter
from gui.stage.colors import stage_colors
from gui.stage.images import Drawing
from gui.stage.layout import heights
from gui.stage.motion import Flow, Shifts, shifts_between
from gui.stage.parts import StageParts
from gui.stage.picture import Marks, StagePicture
from gui.stage.renderer import StageRenderer
from gui.stage.scene import StageScene
from gui.widgets.basics import PaintedWidget
from gui.widgets.theme import motion_wanted, theme


class StageView(PaintedWidget):
    """Shows its scene. `shown`: a new content is complete. `visibility_changed`: it was shown or hidden."""

    visibility_changed = Signal()
    shown = Signal()

    def __init__(self, *, moves: bool | None = None) -> None:
        super().__init__("stage", "")
        self.setAccessibleName(self.tr("The network"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._moves = moves
        self.scene = StageScene(self)
        self.parts = StageParts(self)
        self.renderer = StageRenderer(self.scene, self.parts.frame, self)
        self.renderer.drawn.connect(self._show)
        self.renderer.answered.connect(self._show_answer)
        self.scene.titled.connect(self.update)
        self.parts.changed.connect(self.renderer.redraw)
        self.marks = Marks()
        self.picture = StagePicture()
        self.answers = AnswerPainter(self)
        self.answers.changed.connect(self._repaint_answer)
        self.flow = Flow(self.picture, self)
        self.flow.revealed.connect(self._repaint_columns)
        self.flow.ended.connect(self.shown)
        self._is_input_due = True  # what the network gets is to be painted again
        self.shifts = Shifts(self)
        self.shifts.changed.connect(self.update)
        self._speech = AnswerSpeech(self)
        theme().changed.connect(self.updateGeometry)
        theme().changed.connect(self.renderer.redraw)

    # -- what is shown ------------------------------------------------------------------------------------

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be computed or to flow in."""
        return self.renderer.is_waiting or self.flow.is_flowing

    def _show(self, drawing: Drawing, answer: Answer, flows: bool) -> None:
        before = self.picture.drawing
        moves = self._wants_motion()
        if before is None or before.content.input is not drawing.content.input:
            self._is_input_due = True
        is_relaid = self.picture.show(drawing)
        if is_relaid:
            self.update()
            self.parts.arrange(drawing.layout)
            start = shifts_between(before, drawing)
            if start is not None:
                self.shifts.move(start, {}, moves=moves)
            if self.marks.layer >= len(drawing.layout.blocks):
                self.marks = replace(self.marks, layer=-1, unit=-1)
        self._show_answer(answer, is_relaid=is_relaid)
        self.flow.start(len(drawing.content.columns), moves=flows and moves and not is_relaid)

    def _wants_motion(self) -> bool:
        """Whether something moves to show what a person has done; what a training does comes often enough."""
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
        """Paint what has changed between canvas and answers again; painting costs a training time."""
        layout = self.picture.layout
        if layout is not None:
            left = layout.canvas.right() + 1 if self._is_input_due else layout.input.right() + 1
            self.update(QRect(left, 0, layout.answers.left - left, self.height()))

    def _repaint_answer(self) -> None:
        layout = self.picture.layout
        if layout is not None:
            self.update(QRect(layout.answers.left, 0, self.width() - layout.answers.left, self.height()))

    # -- events -------------------------------------------------------------------------------------------

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

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what lies in the area of the event: the input, the columns, the answers, or several of them."""
        started = time.thread_time()
        colors = stage_colors()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme().colors.line), 1) if colors.opaque else Qt.PenStyle.NoPen)
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
            self.picture.paint_columns(painter, self.marks, self.shifts.now)
            self.paint_controls(painter)
            if not self.marks.plus:
                self.picture.paint_note(painter)
        self.picture.paint_captions(painter, self.rect(), self.scene.title, self.marks)
        if area.right() >= left_of_answers:
            self.answers.paint(painter, drawing.layout, drawing.content)
        if self.marks.has_focus:
            painter.setPen(QPen(QColor(theme().colors.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)

    def paint_controls(self, painter: QPainter) -> None:
        """Paint what a subclass offers to do."""
