"""Closes the window upon a signal that ends the program, such as Ctrl-C in its terminal, so that its run is saved."""

import signal
import socket
import threading
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication

from core.commands.stopping import END_SIGNALS
from core.files.log import logger


class EndSignals(QObject):
    """Context manager: the first of END_SIGNALS closes all windows, a second Ctrl-C ends the program at once.

    Qt's event loop runs no Python code while nothing happens, and a handler in Python would wait for it. So the
    numbers of signals arrive at a socket, which the event loop watches.
    """

    def __init__(self) -> None:
        super().__init__()
        self.received = False
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> "EndSignals":
        if threading.current_thread() is not threading.main_thread():  # Python allows handlers in no other
            return self
        self._received, self._sent = socket.socketpair()
        self._received.setblocking(False)
        self._sent.setblocking(False)
        self._notifier = QSocketNotifier(self._received.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)
        self._earlier_socket = signal.set_wakeup_fd(self._sent.fileno(), warn_on_full_buffer=False)
        for number in END_SIGNALS:
            # `nohup` ignores SIGHUP, and the program keeps that.
            if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                self._handlers[number] = signal.signal(number, lambda *_: None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._handlers:
            return
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._earlier_socket)
        self._notifier.setEnabled(False)
        self._received.close()
        self._sent.close()

    def _on_signal(self) -> None:
        numbers = set(self._received.recv(64))
        if not numbers & set(self._handlers):
            return
        logger.info("ended by signal %s", ", ".join(map(str, sorted(numbers))))
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.received = True
        QApplication.closeAllWindows()
