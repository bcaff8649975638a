"""When the stage is computed and drawn again, and in which network and frame."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from core.inspection.fitted_content import fitted
from core.inspection.stage_content import StageContent
from core.network.network import Network
from core.reading.reader import Reading
from gui.stage.answers import Answer, answer_of
from gui.stage.colors import stage_colors
from gui.stage.images import Drawing, Frame, draw
from gui.stage.scene import StageScene
from gui.stage.wires import EMPTY, Tone
from gui.stage.worker import StagePlan, StageRequest, StageResult, StageWorker, drawn

SNAPSHOT_MILLISECONDS = 100  # between two pictures while a network learns
SLOW_MILLISECONDS = 200  # the same where one takes longer than EXPENSIVE
EXPENSIVE = 6.0  # milliseconds of the window's thread


class StageRenderer(QObject):
    """Draws a scene: what is known at once in the window's thread, what has to be computed in that of a worker.

    `drawn` gives a drawing with its answer, and whether it is the first one of a stroke. `answered` gives the answer to
    what has been read, before its layers are computed. frame: for the names of the classes, the frame to draw in.
    """

    drawn = Signal(object, object, bool)
    answered = Signal(object)

    def __init__(self, scene: StageScene, frame: Callable[[Sequence[str]], Frame], parent: QObject) -> None:
        super().__init__(parent)
        self._scene = scene
        self._frame = frame
        self._is_active = False
        self._drawing: Drawing | None = None  # the last one
        self._result: StageResult | None = None  # the last one that has been computed
        self._early: tuple[Reading, Answer] | None = None  # the last answer that was shown before its layers
        self._flowed = 0  # the stroke that was shown last
        self._shown_at = 0.0
        # That the last picture took of the window's thread; who paints it adds its part.
        self.milliseconds = 0.0
        self.worker = StageWorker(self)
        self.worker.records.connect(self._on_records)
        self._due = QTimer(self, singleShot=True)
        self._due.timeout.connect(self._compute)
        scene.replaced.connect(self._on_replaced)
        scene.changed.connect(self._on_changed)
        scene.relabeled.connect(self.redraw)

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be computed."""
        return self._due.isActive() or self.worker.busy

    def resume(self) -> None:
        """Compute from now on, beginning with what is to be shown now."""
        self._is_active = True
        self._ask(at_once=True)

    def pause(self) -> None:
        """Compute nothing while nobody sees it."""
        self._is_active = False
        self._due.stop()
        self.worker.cancel(discard=True)

    def redraw(self) -> None:
        """Draw the last result, or empty layers, in the present network and frame."""
        request = self._scene.request
        if request is None and self._scene.network is None:
            return
        plan = self._plan(request)
        if plan.frame.size.width() < 2:
            return
        if self._result is not None:
            self._result = drawn(self._result.request, self._result.content, plan)
            self._emit(self._result.drawing, self._result.answer, is_new=False)
            return
        content = _uncomputed(request, plan.network, all_units=self._scene.all_units)
        answer = answer_of(content, None, None)
        if request is not None and request.x is not None:
            answer = Answer(sentence=QCoreApplication.translate("Stage", "reading…"))
        tone = Tone(EMPTY, has_input=False)
        self._emit(draw(content, tone, plan.frame, plan.before), answer, is_new=False)

    def _on_replaced(self) -> None:
        self._result = None
        self.redraw()
        self._ask(at_once=True)

    def _on_changed(self, at_once: bool) -> None:
        self._ask(at_once=at_once)
        if at_once:
            self._answer_early()

    def _answer_early(self) -> None:
        """Give the answer of a reading, which is known; its layers are computed after that."""
        request = self._scene.request
        reading = None if request is None else request.reading
        if reading is None or self._drawing is None or not self._is_active or reading.probabilities is None:
            return
        content = self._drawing.content
        is_dead = any(column.dead for column in content.columns)
        names = tuple(range(len(reading.classes)))
        if is_dead or content.classes != reading.classes or content.columns[-1].shown != names:
            return
        now = replace(content, input=reading.image, answers=reading.probabilities)
        answer = answer_of(now, reading, None)
        self._early = reading, answer
        self.answered.emit(answer)

    # -- computing ----------------------------------------------------------------------------------------

    def _ask(self, *, at_once: bool) -> None:
        """Compute what is to be shown, if somebody sees it; snapshots of a training not too often."""
        if not self._is_active or self._scene.request is None:
            return
        wait = 0.0
        if not at_once:
            interval = SLOW_MILLISECONDS if self.milliseconds > EXPENSIVE else SNAPSHOT_MILLISECONDS
            wait = max(interval - 1000 * (time.monotonic() - self._shown_at), 0)
        if not self._due.isActive() or at_once:
            self._due.start(round(wait))

    def _compute(self) -> None:
        request = self._scene.request
        if request is not None and self._is_active:
            self._shown_at = time.monotonic()
            self.worker.compute(request, self._plan(request))

    def _plan(self, request: StageRequest | None) -> StagePlan:
        classes = request.model.classes if request else ()
        network = self._scene.network
        if network is not None and request is not None and request.x is not None:
            gets_it = network.input_shape == request.model.network.input_shape
            network = network if gets_it else None  # what is drawn is shown in the network that can get it
        return StagePlan(self._frame(classes), network, self._drawing)

    def _on_records(self, records: list[StageResult]) -> None:
        result = records[-1]
        request = self._scene.request
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
        if result.request.reading is not request.reading and self._early is not None:
            reading, early = self._early
            answer = early if reading is request.reading else answer
        self._emit(result.drawing, answer, is_new=is_new)
        self.milliseconds = 1000 * (time.thread_time() - started)

    def _emit(self, drawing: Drawing, answer: Answer, *, is_new: bool) -> None:
        self._drawing = drawing
        if self._scene.message and drawing.content.input is None:
            answer = replace(answer, sentence=self._scene.message)
        self.drawn.emit(drawing, answer, is_new)


def _uncomputed(request: StageRequest | None, network: Network | None, *, all_units: bool) -> StageContent:
    """The layers of `network`, or of the request's model, before anything of them is known."""
    if network is None:
        assert request is not None
        network = request.model.network
    content = fitted(None, network, all_units=all_units)
    if request is None:
        return content
    model = request.model
    content = replace(content, classes=model.classes)
    if network != model.network:
        return content
    computed = tuple(replace(column, changed=False) for column in content.columns)  # they are being computed
    return replace(content, columns=computed)
