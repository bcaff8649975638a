"""Scoring answers questions about a model in a thread, one at a time; of those that wait only the newest counts."""

from collections.abc import Callable
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gui.background.task import Worker
from gui.background.thread_priority import give_way

Question = Callable[[Event], Any]


class LatestTask(QObject):
    """`answered` comes on the window's thread, with what a question gave or the Failure that it ended in."""

    answered = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: tuple[Question, int] | None = None
        self._worker: Worker | None = None
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._begin)

    def ask(self, question: Question, pause: int) -> None:
        """Answer this next; the answers come at least `pause` milliseconds apart, whatever is asked for."""
        self._waiting = question, pause
        self._begin()

    def forget(self) -> None:
        """Answer nothing that was asked so far."""
        self._waiting = None
        self._pause.stop()
        if self._worker:
            self._worker.cancel()

    def close(self) -> None:
        """Forget all, and wait for the thread's end."""
        self.forget()
        if self._worker:
            self._worker.close()
            self._worker = None

    def _begin(self) -> None:
        if self._worker or self._pause.isActive() or self._waiting is None:
            return
        (question, pause), self._waiting = self._waiting, None
        self._worker = Worker(lambda progress, cancelled: _answer(question, cancelled), self)
        self._worker.done.connect(self._on_done)
        self._pause.start(pause)
        self._worker.start()

    def _on_done(self, answer: object) -> None:
        self._worker = None
        if answer is not None:
            self.answered.emit(answer)
        self._begin()


def _answer(question: Question, cancelled: Event) -> Any:
    give_way()
    return question(cancelled)
