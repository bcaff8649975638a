"""When the stage is computed and drawn again, and in which frame."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QObject, Signal

from core.inspection.stage_content import StageContent, weights_content
from core.reading.reader import Reading
from gui.stage.answers import Answer, answer_of
from gui.stage.colors import stage_colors
from gui.stage.images import Drawing, draw
from gui.stage.layout import Frame
from gui.stage.scene import StageScene
from gui.stage.wires import Tone
from gui.stage.worker import StageResult, StageWorker, drawn
from gui.widgets.basics import delayed

SNAPSHOT_MILLISECONDS = 100  # between two pictures while a network learns
SLOW_MILLISECONDS = 200  # the same where one takes longer than EXPENSIVE
EXPENSIVE = 6.0  # milliseconds of the window's thread


@dataclass(frozen=True, slots=True)
class StageView:
    """What the stage shows in place of its scene."""

    content: StageContent
    tone: Tone
    answer: Answer


class StageRenderer(QObject):
    """Draws a scene: what is known at once in the window's thread, what has to be computed in that
    of a worker.

    `drawn` gives a drawing with its answer, and whether it is the first one of a stroke. `answered`
    gives the answer to what has been read, before its layers are computed. frame: for the names of
    the classes, the frame to draw in.
    """

    drawn = Signal(object, object, bool)
    answered = Signal(object)

    def __init__(
        self, scene: StageScene, frame: Callable[[Sequence[str]], Frame], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._scene = scene
        self._frame = frame
        self._is_active = False
        self.view: StageView | None = None
        self._drawing: Drawing | None = None  # the last one
        self._result: StageResult | None = None  # the last one that has been computed
        # The last answer that was shown before its layers.
        self._early: tuple[Reading, Answer] | None = None
        self._flowed = 0  # the stroke that was shown last
        self._shown_at = 0.0
        # That the last picture took of the window's thread; who paints it adds its part.
        self.milliseconds = 0.0
        self.worker = StageWorker(self)
        self.worker.records.connect(self._on_records)
        self._due = delayed(self, self._compute)
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

    def show_view(self, view: StageView | None) -> None:
        """Draw this in place of the scene, until it is None."""
        self.view = view
        if view is not None:
            self._due.stop()
            self._draw_view(view, is_new=True)
            return
        self.redraw()
        self._ask(at_once=True)

    def _draw_view(self, view: StageView, *, is_new: bool) -> None:
        frame = self._frame(view.content.classes)
        if frame.size.width() > 1:
            self._drawing = draw(view.content, view.tone, frame, self._drawing)
            self.drawn.emit(self._drawing, view.answer, is_new)

    def redraw(self) -> None:
        """Draw the last result again, or the weights of a network before anything has been
        computed.
        """
        if self.view is not None:
            self._draw_view(self.view, is_new=False)
            return
        request = self._scene.request
        if request is None:
            return
        frame = self._frame(request.model.classes)
        if frame.size.width() < 2:
            return
        if self._result is not None:
            last = self._result
            self._result = drawn(last.request, last.drawing.content, frame, self._drawing)
            self._emit(self._result, is_new=False)
            return
        content = weights_content(request.model, all_units=request.all_units)
        self._emit(drawn(request, content, frame, self._drawing), is_new=False)

    def _on_replaced(self) -> None:
        self._result = None
        self._early = None
        self.redraw()
        self._ask(at_once=True)

    def _on_changed(self, at_once: bool) -> None:
        self._ask(at_once=at_once)
        if at_once:
            self._answer_early()

    def _answer_early(self) -> None:
        """Give the answer of a reading, which is known; its layers are drawn after that.

        The first answer comes with its layers: it would stand beside an empty picture.
        """
        request = self._scene.request
        reading = None if request is None else request.reading
        is_seen = self._is_active and self.view is None
        if reading is None or self._drawing is None or not is_seen:
            return
        content = self._drawing.content
        if content.input is None or reading.probabilities is None:
            return
        # The probabilities are of all classes: they fit the rows only where these are all, in
        # order.
        names = tuple(range(len(reading.classes)))
        if content.classes != reading.classes or content.columns[-1].shown != names:
            return
        now = replace(content, input=reading.image, answers=reading.probabilities)
        answer = answer_of(now, reading, None)
        self._early = reading, answer
        self.answered.emit(answer)

    # -- computing ---------------------------------------------------------------------------------

    def _ask(self, *, at_once: bool) -> None:
        """Compute what is to be shown, if somebody sees it; snapshots of a training not too
        often.
        """
        if not self._is_active or self._scene.request is None or self.view is not None:
            return
        wait = 0.0
        if not at_once:
            interval = SLOW_MILLISECONDS if self.milliseconds > EXPENSIVE else SNAPSHOT_MILLISECONDS
            wait = max(interval - 1000 * (time.monotonic() - self._shown_at), 0)
        # Snapshots come faster than they are shown: each would put off the one that waits.
        if not self._due.isActive() or at_once:
            self._due.start(round(wait))

    def _compute(self) -> None:
        request = self._scene.request
        if request is not None and self._is_active:
            self._shown_at = time.monotonic()
            self.worker.compute(request, self._frame(request.model.classes), self._drawing)

    def _on_records(self, records: list[StageResult]) -> None:
        result = records[-1]
        request = self._scene.request
        # Another network, input or choice of units may have come while this was computed; its own
        # result follows.
        is_current = request is not None and result.request.model.computes_like(request.model)
        if request is None or not is_current or self.view is not None:
            return
        is_same_kind = (result.request.x is None) == (request.x is None)
        if not is_same_kind or result.request.all_units != request.all_units:
            return
        # Of this thread alone: on a busy machine the clock would also count what others compute.
        started = time.thread_time()
        frame = self._frame(request.model.classes)
        current = result.drawing
        # The window has another size or theme than when the worker began.
        if current.frame != frame or current.look != stage_colors():
            result = drawn(result.request, current.content, frame, self._drawing)
        is_new = result.request.x is not None and result.request.stroke != self._flowed
        # A stroke flows in once; its later dots only change what is there.
        self._flowed = result.request.stroke
        self._result = result
        self._emit(result, is_new=is_new)
        self.milliseconds = 1000 * (time.thread_time() - started)

    def _emit(self, result: StageResult, *, is_new: bool) -> None:
        self._drawing = result.drawing
        self.drawn.emit(result.drawing, self._answer(result), is_new)

    def _answer(self, result: StageResult) -> Answer:
        """The answer to the present input; `result` may still have the layers of the input
        before.
        """
        request = self._scene.request
        assert request is not None
        if request.x is None and self._scene.message:
            return Answer(sentence=self._scene.message)
        if self._early is not None:
            reading, early = self._early
            if reading is request.reading:
                return early
        if request.x is not None and result.drawing.content.input is None:
            return Answer(sentence=QCoreApplication.translate("Stage", "reading…"))
        return result.answer
