"""What runs the edited kernel in the background: its check, a race with another kernel, and its use
in a training.
"""

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from core.workshop.launch import Launch
from gui.background.task_runner import Task, TaskControl, TaskRunner
from kernels.registry import probe


class KernelTasks(QObject):
    """One runs at a time. All signals are emitted in the window's thread.

    `checked(source, verdict)`, `raced(source, verdict, verdict of the other)`: a check or a race
    has ended. `use_recorded(record)`: one object of `workshop use --json`. `trained(path)`: the
    model of the network that has learned with the kernel.
    """

    checked = Signal(str, object)
    raced = Signal(str, object, object)
    use_recorded = Signal(object)
    trained = Signal(object)
    started = Signal()
    ended = Signal(object)  # the Failure, or None

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.runner = TaskRunner(self, self._on_records, self.ended)
        # That is being checked, or waits for that; None: a race or a training.
        self._source: str | None = None

    def will_answer(self, source: str) -> bool:
        """Whether a check of this text waits or runs, or a task that has no text."""
        return self.runner.busy and self._source in (None, source)

    def cancel(self) -> None:
        """End the task, and let no check follow."""
        self.runner.cancel()
        self._source = None

    def check(self, source: str, launch: Launch) -> bool:
        """Check the kernel in a process of its own. A running check of another text is cancelled.

        Returns False where a race or a training runs, which is not cancelled.
        """
        from core.workshop.check import iter_check

        if self.runner.busy and not self.runner.cancelling and self._source in (None, source):
            return self._source is not None

        def task(control: TaskControl) -> Generator[Any]:
            # Where it has waited, the end of the task before was the last that was told.
            yield (self.started,)
            for found in iter_check(source, launch, trace=True):
                if found is not None:
                    yield self.checked, source, found
                control.check()

        self.runner.cancel()
        self._start(task, source)
        return True

    def race(self, source: str, other: str, launch: Launch) -> None:
        """Count what both kernels do."""
        from core.workshop.check import iter_check

        def task(control: TaskControl) -> Generator[Any]:
            verdicts = []
            for text in (source, other):
                # The same numbers for both, so that they can be compared.
                for found in iter_check(
                    text, launch, types=False, seed=0, card=probe("cuda").available
                ):
                    control.check()
                    if found is not None:
                        verdicts.append(found)
            yield self.raced, source, *verdicts

        self._start(task)

    def use(self, source: str, exercise: Path, kernel: str, model: Path) -> None:
        """Train a network with the kernel in a process of its own, and write it to `model`."""

        def task(control: TaskControl) -> Generator[Any]:
            from core.workshop.use import iter_use_apart

            # Closed also when it is cancelled: that ends the other process.
            with closing(iter_use_apart(source, exercise, kernel, model)) as records:
                for record in records:
                    control.check()
                    if record is not None:
                        yield self.use_recorded, record
            yield self.trained, model

        self._start(task)

    def _start(self, task: Task, source: str | None = None) -> None:
        self._source = source
        self.runner.start_latest(task)
        self.started.emit()

    def _on_records(self, records: Sequence[tuple[Any, ...]]) -> None:
        """Each is a signal and its arguments."""
        if self.runner.cancelling:
            return
        for signal, *values in records:
            signal.emit(*values)
