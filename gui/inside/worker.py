"""Runs the computations of the Inside tab in a background thread; of the waiting ones only the newest."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from gui.background.failure import Failure
from gui.background.task_runner import TaskControl, TaskRunner
from gui.inside.page import Computation, InspectedInput, Page

if TYPE_CHECKING:
    from core.inspection.inspector import Inspector


class InspectionWorker(QObject):
    """Computes with an inspector of its own, which one task at a time uses."""

    finished = Signal(object, object, object)  # Page, Subject, result
    failed = Signal(object)  # Failure

    def __init__(self, parent: QObject, *, low_priority: bool = False) -> None:
        super().__init__(parent)
        self._inspector: Inspector | None = None
        self._runner = TaskRunner(self, low_priority=low_priority)
        self._runner.records.connect(self._on_records)
        self._runner.ended.connect(self._on_ended)

    @property
    def busy(self) -> bool:
        return self._runner.busy

    def start_latest(self, page: Page, subject: InspectedInput, computation: Computation) -> None:
        """Compute as soon as the running computation has ended; this replaces a waiting one."""

        def task(control: TaskControl) -> Generator[Any]:
            yield page, subject, computation(self._inspector_for(subject), control.check)

        self._runner.start_latest(task)

    def cancel(self) -> None:
        """End the running computation without a result, and drop the waiting one."""
        self._runner.cancel(discard=True)

    def close(self) -> None:
        """End the running computation and wait for it."""
        self._runner.close()

    def _on_records(self, records: list[Any]) -> None:
        self.finished.emit(*records[-1])

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.failed.emit(failure)

    def _inspector_for(self, subject: InspectedInput) -> "Inspector":
        if self._inspector is None:
            # Imports a compiler, which would delay the start of the window.
            from core.inspection.inspector import Inspector

            self._inspector = Inspector(subject.model)
        self._inspector.use(subject.model)
        return self._inspector
