"""A stream is a thread that draws records from a generator, and the window's side of it, which empties its queue."""

from collections import deque
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from core.progress import Cancelled, Progress, unless_cancelled
from gui.background.failure import Failure, failure_of

TICK_MILLISECONDS = 50

# Called in the thread; the progress raises Cancelled once the stream is stopped.
Source = Callable[[Progress], Generator[Any]]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A record that only says what is done before the first measurement."""

    text: str


class GeneratorThread(QObject):
    """One thread at most, started again and again. All signals come on the window's thread."""

    records = Signal(list)  # at most once a tick
    ended = Signal(object)  # Failure, or None: done or stopped

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: _Thread | None = None
        self._timer = QTimer(self, interval=TICK_MILLISECONDS)
        self._timer.timeout.connect(self._drain)

    @property
    def busy(self) -> bool:
        return self._thread is not None

    @property
    def stopping(self) -> bool:
        return self._thread is not None and self._thread.ending.is_set()

    def loaded(self) -> tuple[int, int]:
        """How much of the data is drawn or read, of how much."""
        return self._thread.loaded if self._thread else (0, 0)

    def start(self, source: Source) -> None:
        if self._thread:
            return
        self._thread = _Thread(source)
        self._thread.finished.connect(self._on_finished)
        self._timer.start()
        self._thread.start()

    def stop(self) -> None:
        """No further record is asked for; `ended` tells when the thread is through."""
        if self._thread:
            self._thread.ending.set()

    def close(self) -> None:
        """Stop, wait for the thread, and say nothing more."""
        self._timer.stop()
        if self._thread:
            self._thread.finished.disconnect(self._on_finished)
            self.stop()
            self._thread.wait()
            self._thread = None

    def _drain(self) -> None:
        found: list[Any] = []
        while self._thread and self._thread.records:
            found.append(self._thread.records.popleft())
        if found:
            self.records.emit(found)

    def _on_finished(self) -> None:
        thread = self._thread
        if not thread:
            return
        thread.wait()
        self._drain()
        self._timer.stop()
        self._thread = None
        self.ended.emit(thread.failure)


class _Thread(QThread):
    """Owns the generator, whose every line runs here, the last one too.

    It gives way to nobody, unlike the thread that trains: whatever else runs would falsify what it measures.
    """

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source
        self.records: deque[Any] = deque()
        self.failure: Failure | None = None
        self.loaded = (0, 0)
        self.ending = Event()

    def run(self) -> None:
        try:
            with closing(self._source(unless_cancelled(self.ending, self._report))) as found:
                for record in found:
                    self.records.append(record)
                    if self.ending.is_set():
                        break
        except Cancelled:
            pass
        except Exception as error:
            self.failure = failure_of(error)

    def _report(self, done: int, total: int) -> None:
        self.loaded = (done, total)
