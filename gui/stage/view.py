"""A network that is shown: what is drawn flows through its layers and arrives as an answer."""

import time
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.inference.model_file import Model
from core.inspection.fitted_content import fitted, matching_layers
from core.inspection.stage_content import StageContent
from core.network.network import Network
from core.reading.reader import Reading
from gui.stage.answers import Answer, AnswerPainter, answer_of
from gui.stage.colors import stage_colors
from gui.stage.layout import StageLayout, heights
from gui.stage.motion import Flow, Shifts
from gui.stage.picture import Drawing, Frame, InputCaptions, Marks, StagePicture, draw
from gui.stage.wires import EMPTY, Tone
from gui.stage.worker import StagePlan, StageRequest, StageResult, StageWorker, drawn
from gui.widgets import make
from gui.widgets.basics import PaintedWidget, announce
from gui.widgets.theme import motion_wanted, theme

SNAPSHOT_MILLISECONDS = 100  # between two pictures while a network learns
SLOW_MILLISECONDS = 200  # the same where one takes longer than EXPENSIVE
SPEECH_MILLISECONDS = 500  # after which an answer is said
EXPENSIVE = 6.0  # milliseconds of the window's thread


class StageView(PaintedWidget):
    """Shows a model with an input in the layers of a network. `shown`: a new content is complete.

    `end_requested`: the user wants the end of the training instead of the moment that is shown.
    """

    shown = Signal()
    end_requested = Signal()

    def __init__(self, *, moves: bool | None = None) -> None:
        super().__init__("stage", "")
        self.setAccessibleName(self.tr("The network"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._moves = moves
        self._parts: dict[str, QWidget] = {}
        self._canvas_width = 1  # as a multiple of its height
        self._message = ""
        self._title = ""  # above the canvas
        self._all_units = False
        self._request: StageRequest | None = None
        self._training = False
        self._stroke = 0
        self._flowed = 0
        self._answered: Reading | None = None  # the last one whose answer was shown before its layers
        self._result: StageResult | None = None  # the last one
        self._shown_at = 0.0
        self.network: Network | None = None  # whose layers are shown; None for the model's
        self.milliseconds = 0.0  # that the last picture took of the window's thread
        self.marks = Marks()
        self.picture = StagePicture()
        self.answers = AnswerPainter(self)
        self.answers.changed.connect(self._repaint_answer)
        self.flow = Flow(self._reveal, self)
        self.flow.ended.connect(self._on_complete)
        self.shifts = Shifts(self)
        self.shifts.changed.connect(self._on_shift)
        self.worker = StageWorker(self)
        self.worker.records.connect(self._on_records)
        self.moment = QWidget(self)
        self.moment_label = make.label(name="stageMoment", role="muted", wraps=False)
        tip = self.tr("Show the network as it is at the end of the training.")
        end = make.button(self.tr("To the end"), "stageEndButton", tip, self.end_requested)
        make.row(self.moment_label, end, owner=self.moment, spacing=8)
        self.moment.hide()
        self._speech = QTimer(self, singleShot=True, interval=SPEECH_MILLISECONDS)
        self._speech.timeout.connect(self._speak)
        self._due = QTimer(self, singleShot=True)
        self._due.timeout.connect(self._compute)
        theme().changed.connect(self._on_theme)

    # -- what is shown ------------------------------------------------------------------------------------

    def place(
        self,
        canvas: QWidget | None = None,
        tools: QWidget | None = None,
        reader: QWidget | None = None,
    ) -> None:
        """Take these widgets as children: at the left, below the canvas, below the answers."""
        self._parts = {}
        for name, part in (("canvas", canvas), ("tools", tools), ("reader", reader)):
            if part is not None:
                part.setParent(self)
                part.show()
                self._parts[name] = part
        self._draw_now()

    def set_model(self, model: Model, *, training: bool = False) -> None:
        """Show this model from now on. training: it is a snapshot of a run, and others follow."""
        self._training = training
        before = self._request
        if before is None or model is not before.model:
            is_snapshot = before is not None and model.computes_like(before.model)
            self._request = StageRequest(model, stroke=self._stroke, all_units=self._all_units)
            if before is not None and model.network.input_shape == before.model.network.input_shape:
                self._request = replace(before, model=model)
            if not is_snapshot:
                self._result = None
                self._draw_now()
            self._ask(at_once=not is_snapshot)

    def set_network(self, network: Network | None) -> None:
        """Show the layers of this network, that of the settings; those that the model does not have are dashed."""
        if network != self.network:
            self.network = network
            self._draw_now()

    def show_reading(self, reading: Reading | None) -> None:
        """Show the network this drawing; None, or a reading without an image, for none."""
        self._set_input(None if reading is None else reading.image, reading=reading)
        if reading is not None:
            self._answer_at_once(reading)

    def show_point(self, x: np.ndarray | None, truth: float | None = None) -> None:
        """Show the network this input, (*input shape), which is no drawing. truth: the right value."""
        self._set_input(x, truth=truth)

    def set_canvas_width(self, width: int) -> None:
        """Make the canvas so many times as wide as it is high."""
        if width != self._canvas_width:
            self._canvas_width = width
            self._draw_now()

    def _canvas_columns(self) -> int:
        return self._canvas_width if "canvas" in self._parts else 0

    def show_title(self, text: str) -> None:
        """Write this above the canvas."""
        if text != self._title:
            self._title = text
            self.update()

    def show_all_units(self, wanted: bool) -> None:
        """Show all units and maps of each layer, or those that add most to the answers."""
        if wanted == self._all_units:
            return
        self._all_units = wanted
        self._result = None
        if self._request is not None:
            self._request = replace(self._request, all_units=wanted)
        self._draw_now()
        self._ask(at_once=True)

    def show_message(self, text: str) -> None:
        """Say this in place of an answer while there is no input; an empty text for the usual words."""
        if text != self._message:
            self._message = text
            self._draw_now()

    def begin_stroke(self) -> None:
        """What is shown next belongs to a new stroke: it flows in, and other units may be chosen."""
        self._stroke += 1

    def show_moment(self, text: str) -> None:
        """Write that another moment of the training is shown, such as "epoch 2 of 4"; an empty text for now."""
        self.moment_label.setText(text)
        self.moment.setVisible(
            bool(text) and not theme().presenting
        )  # the bar of presenter mode says it, too
        self._place_moment()

    def set_examples(self, inputs: np.ndarray | None) -> None:
        """Set inputs, (n, *input shape), on which dead layers are looked for; None for digits of the program."""
        self.worker.examples = inputs

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be computed or to flow in."""
        return self._due.isActive() or self.worker.busy or self.flow.is_flowing

    @property
    def content(self) -> StageContent | None:
        """What is shown."""
        return self.picture.content

    def _set_input(
        self, x: np.ndarray | None, reading: Reading | None = None, truth: float | None = None
    ) -> None:
        before = self._request
        if before is None or (x is None and before.x is None):
            return
        if (x is None) != (before.x is None):
            self._stroke += 1
        self._request = StageRequest(before.model, x, reading, truth, self._stroke, self._all_units)
        self._ask(at_once=True)

    def _answer_at_once(self, reading: Reading) -> None:
        """Show the answer of a reading, which is known; its layers are computed after that."""
        content = self.picture.content
        if content is None or not self.isVisible() or reading.probabilities is None:
            return
        is_dead = any(column.dead for column in content.columns)
        names = tuple(range(len(reading.classes)))
        if is_dead or content.classes != reading.classes or content.columns[-1].shown != names:
            return
        now = replace(content, input=reading.image, answers=reading.probabilities)
        self._answered = reading
        self._show_answer(answer_of(now, reading, None), moves=self._wants_motion())

    # -- computing ----------------------------------------------------------------------------------------

    def _ask(self, *, at_once: bool) -> None:
        """Compute what is to be shown, if the stage is visible; snapshots of a training not too often."""
        if not self.isVisible() or self._request is None:
            return
        wait = 0.0
        if not at_once:
            interval = SLOW_MILLISECONDS if self.milliseconds > EXPENSIVE else SNAPSHOT_MILLISECONDS
            wait = max(interval - 1000 * (time.monotonic() - self._shown_at), 0)
        if not self._due.isActive() or at_once:
            self._due.start(round(wait))

    def _compute(self) -> None:
        if self._request is not None and self.isVisible():
            self._shown_at = time.monotonic()
            self.worker.compute(self._request, self._plan(self._request))

    def _plan(self, request: StageRequest | None) -> StagePlan:
        metrics = QFontMetrics(theme().font(bold=True))
        classes = request.model.classes if request else ()
        widest = max((metrics.horizontalAdvance(name) for name in classes), default=8)
        frame = Frame(
            self.size(),
            theme().scale,
            self.devicePixelRatioF(),
            self._canvas_columns(),
            widest,
            has_tools=not theme().presenting,
        )
        network = self.network
        has_input = request is not None and request.x is not None
        if has_input and network is not None and request is not None:
            gets_it = network.input_shape == request.model.network.input_shape
            network = network if gets_it else None  # what is drawn is shown in the network that can get it
        return StagePlan(frame, network, self.picture.drawing)

    def _on_records(self, records: list[StageResult]) -> None:
        result = records[-1]
        request = self._request
        if request is None or not result.request.model.computes_like(request.model):
            return
        is_same_kind = (result.request.x is None) == (request.x is None)
        if not is_same_kind or result.request.all_units != request.all_units:
            return
        started = time.thread_time()
        plan = self._plan(request)
        current = result.drawing
        is_current = current.frame == plan.frame and current.look == stage_colors()
        if not is_current or (plan.network is not None and plan.network != current.content.network):
            result = drawn(result.request, result.content, plan)
        is_new = result.request.x is not None and result.request.stroke != self._flowed
        self._flowed = result.request.stroke
        self._result = result
        answer = result.answer
        if result.request.reading is not request.reading and self._answered is request.reading:
            answer = self.answers.answer  # that of a newer reading
        self._show(result.drawing, answer, flows=is_new)
        self.milliseconds = 1000 * (time.thread_time() - started)

    def _draw_now(self) -> None:
        """Draw the last result, or empty layers, in the present network and frame."""
        if self.width() < 2 or (self._request is None and self.network is None):
            return
        plan = self._plan(self._request)
        if self._result is not None:
            self._result = drawn(self._result.request, self._result.content, plan)
            self._show(self._result.drawing, self._result.answer, flows=False)
            return
        network = plan.network
        if network is None and self._request is not None:
            network = self._request.model.network
        assert network is not None
        content = fitted(None, network, all_units=self._all_units)
        if self._request is not None:
            model = self._request.model
            content = replace(content, classes=model.classes)
            if network == model.network:  # its layers are being computed
                computed = tuple(replace(column, changed=False) for column in content.columns)
                content = replace(content, columns=computed)
        tone = Tone(EMPTY, has_input=False)
        answer = answer_of(content, None, None)
        if self._request is not None and self._request.x is not None:
            answer = Answer(sentence=self.tr("reading…"))  # it is being computed
        self._show(draw(content, tone, plan.frame, plan.before), answer, flows=False)

    def _show(self, drawing: Drawing, answer: Answer, *, flows: bool) -> None:
        before = self.picture.drawing
        moves = self._wants_motion()
        is_relaid = self.picture.show(drawing)
        if is_relaid:
            self.update()
            self._place_parts(drawing.layout)
            self._move_aside(before, drawing, moves=moves)
            if self.marks.layer >= len(drawing.layout.blocks):
                self.marks = replace(self.marks, layer=-1, unit=-1)
        if self._message and drawing.content.input is None:
            answer = replace(answer, sentence=self._message)
        self._show_answer(answer, moves=moves and not is_relaid)
        self.flow.start(len(drawing.content.columns), moves=flows and moves and not is_relaid)

    def _wants_motion(self) -> bool:
        """Whether something moves to show what a person has done; what a training does comes often enough."""
        if self._training:
            return False
        return motion_wanted() if self._moves is None else self._moves

    def _show_answer(self, answer: Answer, *, moves: bool) -> None:
        if answer.name and answer.text != self.answers.answer.text:
            self._speech.start()
        self.answers.show(answer, moves=moves)
        self.setAccessibleDescription(answer.text)

    def _repaint_columns(self) -> None:
        """Paint all between canvas and answers again; painting costs a training time."""
        layout = self.picture.layout
        if layout is not None:
            left = layout.canvas.right() + 1
            self.update(QRect(left, 0, layout.answers.left - left, self.height()))

    def _repaint_answer(self) -> None:
        layout = self.picture.layout
        if layout is not None:
            self.update(QRect(layout.answers.left, 0, self.width() - layout.answers.left, self.height()))

    def _speak(self) -> None:
        """Let a screen reader say the answer, once the pen has stopped."""
        announce(self, self.answers.answer.text)

    def _reveal(self, position: int) -> None:
        self.picture.reveal(position)
        self._repaint_columns()

    def _on_complete(self) -> None:
        self._repaint_columns()
        self.shown.emit()

    # -- places -------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        above, below = heights(theme().scale)
        return QSize(1248, above + 264 + below)

    def minimumSizeHint(self) -> QSize:
        above, below = heights(theme().scale)
        return QSize(720, above + 200 + below)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw_now()

    def _on_theme(self) -> None:
        self.updateGeometry()
        self._draw_now()

    def _place_parts(self, layout: StageLayout) -> None:
        places = {"canvas": layout.canvas, "tools": layout.tools, "reader": layout.reader}
        for name, area in places.items():
            if name in self._parts:
                self._parts[name].setGeometry(area)
            if name in self._parts and name in ("tools", "reader"):
                # In a window that is too low for all, the rows below the columns make way.
                self._parts[name].setVisible(area.bottom() <= self.height())
        self._place_moment()

    def _place_moment(self) -> None:
        """Put the moment and its button below the columns."""
        layout = self.picture.layout
        if layout is not None and not self.moment.isHidden():
            self.moment.adjustSize()
            left = layout.view.center().x() - self.moment.width() // 2
            self.moment.move(left, layout.bottom + 4)

    def _move_aside(self, before: Drawing | None, drawing: Drawing, *, moves: bool) -> None:
        """Let layers go from their old places to the new ones, where there is one more or one less."""
        old = None if before is None else before.content.network
        if before is None or old is None or len(old.layers) == len(drawing.content.network.layers):
            return
        matches = matching_layers(old, drawing.content.network)
        lefts = {block.layer: block.area.left() for block in before.layout.blocks}
        start = {}
        for position, block in enumerate(drawing.layout.blocks[:-1]):
            match = matches[block.layer]
            if match in lefts:
                start[position] = float(lefts[match] - block.area.left())
        self.shifts.move(start, {}, moves=moves)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask(at_once=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._due.stop()
        self.worker.cancel(discard=True)

    def _on_shift(self) -> None:
        self.marks = replace(self.marks, aside=self.shifts.now)
        self.update()

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        started = time.thread_time()
        with QPainter(self) as painter:
            self._paint(painter, event.rect())
        self.milliseconds += 1000 * (time.thread_time() - started)

    def _paint(self, painter: QPainter, area: QRect) -> None:
        """Paint what lies in `area`: the columns, the answers, or both."""
        colors = stage_colors()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme().colors.line), 1) if colors.opaque else Qt.PenStyle.NoPen)
        painter.setBrush(colors.stage)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        content = self.picture.content
        layout = self.picture.layout
        if content is None or layout is None:
            return
        if area.left() < layout.answers.left:
            self.picture.paint_entry(painter)
            self.picture.paint_columns(painter, self.marks)
            self.paint_controls(painter)
            self._paint_note(painter, content)
        captions = InputCaptions(self._title, *self._input_caption(content))
        self.picture.paint_captions(painter, self.rect(), captions, self.marks)
        if area.right() >= layout.answers.left:
            self.answers.paint(painter, layout, content)
        if self.marks.has_focus:
            painter.setPen(QPen(QColor(theme().colors.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)

    def paint_controls(self, painter: QPainter) -> None:
        """Paint what a subclass offers to do."""

    def _input_caption(self, content: StageContent) -> tuple[str, str]:
        shape = content.network.input_shape
        if len(shape) == 3:
            return self.tr("It sees"), f"{shape[0]} × {shape[1]}"
        return self.tr("It gets"), ""

    def _paint_note(self, painter: QPainter, content: StageContent) -> None:
        """That the settings have changed, below the columns."""
        layout = self.picture.layout
        assert layout is not None
        if not any(column.changed for column in content.columns) or self.marks.plus:
            return
        text = self.tr("Dashed layers have changed. Train to see them.")
        if all(column.changed for column in content.columns):
            text = self.tr("Not trained yet. Train to see it.")
        painter.setFont(theme().font())
        painter.setPen(QColor(theme().colors.muted))
        height = painter.fontMetrics().height() + 4
        area = QRect(layout.view.left(), layout.bottom + 8, layout.view.width(), height)
        if painter.fontMetrics().horizontalAdvance(text) <= area.width():  # the dashed layers say it, too
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
