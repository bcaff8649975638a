"""The page of the band on which a training step is seen slowly, station by station."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, sqrt

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QRadioButton, QWidget

from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inspection.one_step import BatchAnswers, OneStep
from core.inspection.stage_content import StageContent, as_input, stage_content
from core.training.records import EpochDone, Record
from gui.background.task_runner import TaskControl
from gui.drawing.panel import DrawingPanel
from gui.stage.answers import Answer
from gui.stage.renderer import StageView
from gui.stage.sheet import SheetView
from gui.stage.wires import Tone
from gui.stage.worker import EngineRunner
from gui.steps.blocks import (
    BACK,
    CHANGE,
    ERROR,
    FORWARD,
    Looked,
    SeenWeight,
    first_weight,
    formula_words,
    headline,
    image_words,
    weight_at,
    weight_title,
    write_station,
)
from gui.text import count
from gui.training.session import State
from gui.widgets import make
from gui.widgets.band import BandPage
from gui.widgets.basics import ARROW_KEYS, ENTER_KEYS, FitsOnResize, announce, named
from gui.widgets.theme import ink_image, palette, theme

_FAINT = 0.35  # share of the ink of an image that is not meant
STEPS = 10  # of the button that looks at the last of several
_STATIONS = {
    Qt.Key.Key_1: FORWARD,
    Qt.Key.Key_2: ERROR,
    Qt.Key.Key_3: BACK,
    Qt.Key.Key_4: CHANGE,
}
_MOVES = {
    Qt.Key.Key_Space: 1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_PageDown: 1,  # what presenters' clickers send
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_PageUp: -1,
}
_LINES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class BatchGrid(FitsOnResize, QListWidget):
    """Shows the images of a step, one of them framed."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "batchGrid", self.tr("The images of the step"))
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setMovement(QListWidget.Movement.Static)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_batch(
        self, inputs: np.ndarray, words: Sequence[str], image: int, is_strong: np.ndarray
    ) -> None:
        """inputs: float32 (n, *input shape). words: what is said of each. image: the framed one.
        is_strong: bool (n,), which are meant; the others are faint.
        """
        # Filling the list changes its current row, which nobody has chosen.
        with QSignalBlocker(self):
            self.clear()
            for index, (x, text) in enumerate(zip(inputs, words, strict=True)):
                item = QListWidgetItem(self)
                if x.ndim == 3:
                    share = 255 if is_strong[index] else 255 * _FAINT
                    ink = np.clip(x.mean(axis=2) * share, 0, 255).astype(np.uint8)
                    pixels = QPixmap.fromImage(ink_image(ink, palette(theme().colors)))
                    if index == image:
                        with QPainter(pixels) as painter:
                            painter.setPen(QPen(QColor(theme().colors.accent), 2))
                            painter.drawRect(pixels.rect().adjusted(1, 1, -1, -1))
                    icon = QIcon(pixels)
                    icon.addPixmap(pixels, QIcon.Mode.Selected)  # not tinted
                    item.setIcon(icon)
                else:
                    item.setText(str(index + 1))
                item.setToolTip(text)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
            self.setCurrentRow(image)
        self.fit()

    def fit(self) -> None:
        side = min(self.width(), self.height()) // ceil(sqrt(max(self.count(), 1)))
        self.setGridSize(QSize(side, side))
        self.setIconSize(QSize(side, side) * 0.86)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the images; all other keys are those of the step."""
        if event.key() in (*ARROW_KEYS, Qt.Key.Key_Home, Qt.Key.Key_End):
            super().keyPressEvent(event)
        else:
            event.ignore()


class StepPage(BandPage):
    """Shows a step at its stations, and lets the stage of `drawing` show the same meanwhile.

    `opened`: a step is there to be shown. `steps_asked`: so many more, of which the last is shown.
    """

    opened = Signal()
    steps_asked = Signal(int)

    def __init__(self, drawing: DrawingPanel) -> None:
        super().__init__("stepPage", "")
        self.next_button = make.button(
            self.tr("Next step"),
            "nextStepButton",
            make.tip_with_key(self.tr("Train on the next batch, and see it."), "Return"),
            partial(self._ask_for_steps, 1),
        )
        self.more_button = make.button(
            self.tr("10 steps, then look"),
            "moreStepsButton",
            self.tr("Train on ten batches, and see the last one."),
            partial(self._ask_for_steps, STEPS),
        )
        self.tools.addWidget(self.next_button)
        self.tools.addWidget(self.more_button)
        self._drawing = drawing
        self._stage = drawing.stage
        self.station = FORWARD
        self.looked: Looked | None = None
        self.weight: SeenWeight | None = None
        self._test: EpochDone | None = None
        self._line = -1, -1  # that the keys have chosen last
        self.grid = BatchGrid()
        self.below = make.label(name="stepBelow", role="muted")
        self.stations = self._make_stations()
        stations = QWidget()
        make.column(*self.stations, None, owner=stations, spacing=3)
        self.parts = SheetView("stepParts", self.tr("What the step computes"))
        content = QWidget()
        make.row(stations, (self.parts, 1), owner=content, spacing=24)
        self.add_leaf(content)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._worker = _StepWorker(self)
        self._worker.records.connect(self._on_looked)
        self.grid.currentRowChanged.connect(self.take_image)
        self.parts.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._stage.line_pressed.connect(self._take_line)
        drawing.model_changed.connect(self._on_model)
        theme().changed.connect(self._refresh)
        self.closed.connect(self._give_back)

    def _make_stations(self) -> list[QRadioButton]:
        tr = self.tr
        texts = (
            (
                tr("Forward"),
                tr("the images go through"),
                tr("What the network reads in the images."),
            ),
            (
                tr("Error"),
                tr("how wrong is the answer?"),
                tr("What was answered, less what is right."),
            ),
            (tr("Back"), tr("who is to blame?"), tr("How the error goes back through the layers.")),
            (
                tr("Change"),
                tr("each weight moves"),
                tr("What the step does to a weight, and to the answers."),
            ),
        )
        made = []
        for station, (name, words, tip) in enumerate(texts):
            number_of = str(station + 1)
            tip = make.tip_with_key(tip, number_of)
            go_to = partial(self.go_to, station)
            text = f"{number_of}  {name}, {words}"
            made.append(make.button(text, f"station{number_of}", tip, go_to, kind=QRadioButton))
        return made

    # -- what is shown -----------------------------------------------------------------------------

    def show_step(self, step: OneStep) -> None:
        """Show this step, as soon as it is computed what it did."""
        request = self._stage.scene.request
        drawing = None
        if request is not None and request.reading is not None:
            drawing = request.x
        all_units = self._stage.scene.all_units
        self._worker.compute(step, partial(look, step, drawing, all_units=all_units))

    def add_records(self, records: list[Record]) -> None:
        """Keep the test of an epoch, for the step that has ended it."""
        for record in records:
            if isinstance(record, EpochDone):
                self._test = record
                self._refresh()

    def follow(self, state: State) -> None:
        """Give the drawing back when the run goes on or is stopped; offer steps while it waits."""
        if state not in (State.PAUSED, State.IDLE):
            self.leave()
        for button in (self.next_button, self.more_button):
            button.setEnabled(state is State.PAUSED)

    def leave(self) -> None:
        self._worker.cancel(discard=True)
        if self.looked is not None:
            self.close_asked.emit()

    def _on_looked(self, records: list[Looked]) -> None:
        looked = records[-1]
        # Another image of the same step stays at its station.
        is_new = self.looked is None or self.looked.step is not looked.step
        self.looked = looked
        self.weight = first_weight(looked)
        if is_new:
            self.station = FORWARD
            self.opened.emit()
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            n = looked.count
            title = self.tr("The {n} images of this step", None, n).format(n=n)
            size = looked.step.seen.after.position - looked.step.seen.before.position
            if n < size:
                title = self.tr("{n} of the {all} images of this step").format(n=n, all=size)
            self._drawing.lend_canvas(self.grid, self.below, title)
        self.go_to(self.station)

    def go_to(self, station: int, *_: object) -> None:
        """Show a station: here, on the stage, and to a screen reader."""
        self.station = station
        self._refresh()
        announce(self, f"{self.stations[station].text()}. {self.accessibleDescription()}")

    def take_image(self, image: int) -> None:
        """Show the way of another image of the step."""
        if self.looked is not None:
            all_units = self._stage.scene.all_units
            work = partial(look_at, self.looked, image, all_units=all_units)
            self._worker.compute(self.looked.step, work)

    def _take_line(self, position: int, index: int) -> None:
        if self.looked is not None and self.station == CHANGE:
            self.weight = weight_at(self.looked, position, index)
            self.go_to(CHANGE)

    def _step_line(self, by: int) -> None:
        """Take the weight of the line before or after, of all lines from left to right."""
        looked = self.looked
        if looked is None or self.weight is None:
            return
        lines = [
            (position, index)
            for position, links in enumerate(looked.then.links)
            for index in range(0 if links is None else len(links.contributions))
        ]
        if not lines:
            return
        # So that the first key takes the first line, or going back the last one.
        at = lines.index(self._line) if self._line in lines else (-1 if by > 0 else 0)
        self._line = lines[(at + by) % len(lines)]
        self._take_line(*self._line)

    def _refresh(self) -> None:
        looked = self.looked
        if looked is None or self.weight is None:
            return
        step = looked.step.seen.after.step
        words = headline(looked, self.station)
        if self.station == CHANGE:
            change = self.weight.change
            words = f"{weight_title(looked, change)}: {formula_words(change)}"
        text = self.tr("Space or → next, ← before, Esc leaves")
        self.show_title(self.tr("Step {n}, seen slowly").format(n=count(step)), text)
        self.setAccessibleDescription(words)
        self.stations[self.station].setChecked(True)
        for button in (self.next_button, self.more_button):
            button.setHidden(theme().presenting)
        # Only of the epoch that this step has ended.
        test = self._test if self._test is not None and self._test.step == step else None
        write = partial(write_station, looked, self.station, self.weight, test)
        self.parts.show_sheet(write)
        self._show_grid(looked)
        self._show_stage(looked, self.weight)

    def _show_grid(self, looked: Looked) -> None:
        everything = np.ones(looked.count, bool)
        was, now = looked.is_right(looked.before), looked.is_right(looked.after)
        read = looked.is_right(looked.said)
        meant = {FORWARD: everything, ERROR: ~read, BACK: everything, CHANGE: now & ~was}
        text = self.tr("framed: the one in the picture, a {label}")
        if not looked.classes:
            text = self.tr("framed: the one in the picture, {label}")
        below = {
            FORWARD: text.format(label=looked.label()),
            ERROR: self.tr("{n} of them are read wrong", None, int((~read).sum())),
            BACK: self.tr("the mean of all {n} moves the weights"),
            CHANGE: self.tr("{n} newly right (dark), {wrong} newly wrong"),
        }[self.station]
        number_of = looked.count if self.station == BACK else int(meant[self.station].sum())
        below = below.format(n=number_of, wrong=int((was & ~now).sum()))
        is_said = looked.classes or self.station in (FORWARD, BACK)
        strong = meant[self.station] if is_said else everything
        self.below.setText("" if theme().presenting or not is_said else below)
        words = [image_words(looked, image) for image in range(looked.count)]
        self.grid.show_batch(looked.step.seen.inputs, words, looked.image, strong)

    def _show_stage(self, looked: Looked, weight: SeenWeight) -> None:
        content, answers = looked.forward, looked.said
        if self.station == BACK:
            content = looked.back
        elif self.station == CHANGE:
            content, answers = looked.then, looked.after
        answer = self._answer(looked, answers)
        tone = Tone(answer=answer.row)
        if self.station in (ERROR, BACK):
            errors = looked.errors() if self.station == ERROR else looked.back.answers
            assert errors is not None
            answer = replace(answer, errors=errors[list(content.columns[-1].shown)])
        if self.station == BACK:
            tone = Tone(errors=True)
        line = None
        if self.station == CHANGE and weight.line is not None:
            line = weight.position, weight.line
        self._stage.show_view(StageView(content, tone, answer), line)

    def _answer(self, looked: Looked, answers: BatchAnswers) -> Answer:
        """What is read in the framed image, and what is right."""
        label, name = looked.label(), looked.read(answers)
        if not looked.classes:
            return Answer(
                name,
                "",
                self.tr("true: {value}").format(value=label),
                is_value=True,
                is_grey=False,
            )
        sentence = self.tr("it is a {label}")
        if self.station == CHANGE:
            sentence = self.tr("now a {label}") if name == label else self.tr("not yet a {label}")
        shares = np.nan_to_num(answers.answers[looked.image])
        shown = list(looked.forward.columns[-1].shown)
        row = int(shares[shown].argmax())
        return Answer(
            name,
            sentence.format(label=label),
            probabilities=shares[shown],
            row=row,
            is_grey=False,
        )

    def _on_model(self, model: Model) -> None:
        if self.looked is not None and not model.computes_like(self.looked.step.before):
            self.leave()

    def _give_back(self) -> None:
        self._worker.cancel(discard=True)
        self.looked = None
        self.weight = None
        self._drawing.take_canvas_back()
        self._stage.show_view(None)

    # -- keys --------------------------------------------------------------------------------------

    def _ask_for_steps(self, steps: int, *_: object) -> None:
        self.steps_asked.emit(steps)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key does wherever the focus is in the tab; return whether it does something."""
        key = Qt.Key(event.key())
        if self.looked is None:
            return False
        if key in _STATIONS:
            self.go_to(_STATIONS[key])
        elif key in _MOVES:
            station = self.station + _MOVES[key]
            if FORWARD <= station <= CHANGE:
                self.go_to(station)
            elif station > CHANGE and theme().presenting:  # where there is no button for it
                self._ask_for_steps(1)
        elif key in _LINES and self.station == CHANGE:
            self._step_line(_LINES[key])
        elif key in ENTER_KEYS:
            if self.next_button.isEnabled():
                self._ask_for_steps(1)
        else:
            return False
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.press(event):
            super().keyPressEvent(event)


class _StepWorker(EngineRunner):
    """Its records are Looked."""

    def compute(self, step: OneStep, work: Callable[[Engine], Looked]) -> None:
        """Call `work` with an engine for the networks of `step`."""

        def task(control: TaskControl) -> Generator[Looked]:
            yield work(self.engine_for(step.before))

        self.start_latest(task)


def look(
    step: OneStep, drawing: np.ndarray | None, engine: Engine, *, all_units: bool = False
) -> Looked:
    """Compute what a step did, with the image that it mends most. It may run in any thread that
    owns `engine`.

    drawing: what the network sees of the drawing, None without one.
    """
    said = step.training_answers()
    before, after = (step.answers(engine, model) for model in (step.before, step.after))
    read = _drawing_answers(step, engine, drawing)
    image = step.most_mended(before, after)
    contents = _contents(step, image, engine, all_units=all_units)
    return Looked(step, said, before, after, read, image, *contents)


def look_at(looked: Looked, image: int, engine: Engine, *, all_units: bool = False) -> Looked:
    """The same step with another image; what the networks answer is known."""
    forward, back, then = _contents(looked.step, image, engine, all_units=all_units)
    return replace(looked, image=image, forward=forward, back=back, then=then)


def _contents(
    step: OneStep, image: int, engine: Engine, *, all_units: bool
) -> tuple[StageContent, StageContent, StageContent]:
    """The contents of the stage for an image: on the way, of the errors, after the step."""
    x = step.seen.inputs[image]
    # Those of the training itself: with dropout, computing again would give others.
    outputs = [output[image] for output in step.seen.outputs]
    engine.use(step.before)
    forward = stage_content(engine, x, outputs=outputs, all_units=all_units)
    forward = step.with_dropped(forward, image)
    engine.use(step.after)
    then = stage_content(engine, x, forward.chosen, all_units=all_units)
    return forward, step.blame(forward, image), then


def _drawing_answers(
    step: OneStep, engine: Engine, drawing: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray] | None:
    """What the networks before and after the step answer to the drawing."""
    shape = step.before.network.input_shape
    if drawing is None or not step.before.classes or drawing.size != int(np.prod(shape)):
        return None
    x = as_input(drawing, step.before.network)[None]
    answers = []
    for model in (step.before, step.after):
        engine.use(model)
        answers.append(engine.probabilities(engine.outputs(x)[-1])[0])
    return answers[0], answers[1]
