"""Computes and draws what the stage shows, in a background thread."""

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject

from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inspection.stage_content import Chosen, StageContent, stage_content
from core.reading.reader import Reading
from gui.background.task_runner import TaskControl, TaskRunner
from gui.stage.answers import Answer, answer_of
from gui.stage.images import Drawing, draw
from gui.stage.layout import Frame
from gui.stage.wires import EMPTY, UNREAD, Tone


@dataclass(frozen=True, slots=True)
class StageRequest:
    """`x`: one input, or None. `reading`: what has been read in it, where it is a drawing. `truth`:
    the right value.

    `stroke`: its number; with another one, other units and maps may be chosen to be shown.
    `all_units`: all are shown. `kept`: a layer, and a unit or map of it that is shown in any case.
    """

    model: Model
    x: np.ndarray | None = None
    reading: Reading | None = None
    truth: float | None = None
    stroke: int = 0
    all_units: bool = False
    kept: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class StageResult:
    """`drawing`: of the content of the model. `answer`: what is read."""

    request: StageRequest
    drawing: Drawing
    answer: Answer


def drawn(
    request: StageRequest, content: StageContent, frame: Frame, before: Drawing | None
) -> StageResult:
    """The content of a model, drawn in `frame` after `before`. It may run in any thread."""
    answer = answer_of(content, request.reading, request.truth)
    has_input = content.input is not None
    opacity = EMPTY
    if has_input:
        opacity = 1.0 if answer.row >= 0 or not content.classes else UNREAD
    tone = Tone(opacity, answer.row, has_input)
    return StageResult(request, draw(content, tone, frame, before), answer)


class EngineRunner(TaskRunner):
    """Runs tasks that use one engine, one at a time."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, low_priority=True)
        self._engine: Engine | None = None

    def engine_for(self, model: Model) -> Engine:
        if self._engine is None:
            self._engine = Engine(model, threads=1)
        self._engine.use(model)
        return self._engine


class StageWorker(EngineRunner):
    """Its records are StageResult."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last: tuple[StageRequest, Chosen] | None = None

    def compute(self, request: StageRequest, frame: Frame, before: Drawing | None) -> None:
        """Compute as soon as the running computation has ended; this replaces a waiting one."""

        def task(control: TaskControl) -> Generator[StageResult]:
            engine = self.engine_for(request.model)
            reading = request.reading
            outputs: tuple[np.ndarray, ...] = ()
            # Newer parameters may have come since it was read.
            if reading is not None and reading.model is request.model:
                outputs = reading.outputs  # computed once, for the answer
            content = stage_content(
                engine,
                request.x,
                self._chosen(request),
                outputs=outputs,
                all_units=request.all_units,
                kept=request.kept,
            )
            # Without the outputs of all layers, which the next request does not need.
            self._last = replace(request, reading=None), content.chosen
            yield drawn(request, content, frame, before)

        self.start_latest(task)

    def _chosen(self, request: StageRequest) -> Chosen | None:
        """What was shown of the same stroke with the same network."""
        if self._last is None:
            return None
        last, chosen = self._last
        has_input = request.x is not None
        had_input = last.x is not None
        is_same = last.stroke == request.stroke and last.all_units == request.all_units
        # Without an input units are chosen by their weights alone.
        if not is_same or has_input != had_input:
            return None
        return chosen if request.model.computes_like(last.model) else None
