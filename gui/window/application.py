"""Starts the Qt application with its log, error handling and main window."""

import gc
import platform
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QLocale,
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    QTimer,
    QtMsgType,
    QTranslator,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from core.commands.console import INTERRUPTED
from core.commands.stopping import END_SIGNALS
from core.files.log import logger, open_log
from core.files.memory import limit_kept_memory
from core.version import VERSION
from gui.window.crash_dialog import show_crashes
from gui.window.main_window import MainWindow

# How long a thread may hold the interpreter lock while another waits. With Python's default of 5 ms the recognition
# of a drawing waits longer for a training thread; 1 ms shortens the long waits by 10 to 25 % and slows no training.
SWITCH_SECONDS = 0.001

# How often the garbage collector is run when it is due.
INTERVAL_MILLISECONDS = 1000

_LEVELS = {QtMsgType.QtDebugMsg: 10, QtMsgType.QtInfoMsg: 20, QtMsgType.QtWarningMsg: 30}
_ERROR = 40
# The offscreen platform prints this whenever a window is shown.
_EXPECTED = ("This plugin does not support propagateSizeHints()",)

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
ICON = RESOURCES / "icons" / "digitlab.svg"


class Application(QApplication):
    """Emits `file_opened` for files that macOS hands to the running program (a double click in the Finder)."""

    file_opened = Signal(Path)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_opened.emit(Path(event.file()))
            return True
        return super().event(event)


def run_window(argv: list[str], drive: Callable[[MainWindow], None] | None = None) -> int:
    """Open the window, and the file or folder that `argv[1]` names if there is one.

    Returns the exit code when the window is closed, which a signal does, too.

    `drive`, if given, is called with the window once the main loop runs.
    """
    configure_process()
    app = make_application(argv)
    with (
        open_log() as log,
        log_qt_messages(),
        show_crashes(log),
        collect_in_this_thread(),
        EndSignals() as signals,
    ):
        logger.info("DigitLab %s, Python %s, %s", VERSION, platform.python_version(), platform.platform())
        window = MainWindow()
        window.devices.probed.connect(exempt_present_objects)
        app.file_opened.connect(window.files.open_given)
        window.show()
        for path in argv[1:2]:
            window.files.open_given(Path(path))
        QTimer.singleShot(0, lambda: _in_main_loop(window, drive))
        code = app.exec()
        if signals.received:
            code = INTERRUPTED
        logger.info("closed with code %d", code)
    return code


def configure_process() -> None:
    """Settings of the process that keep the window responsive and its memory small."""
    sys.setswitchinterval(SWITCH_SECONDS)
    limit_kept_memory()


def make_application(argv: list[str]) -> Application:
    _set_taskbar_identity()
    app = Application.instance() or Application(argv)
    assert isinstance(app, Application)
    app.setApplicationName("DigitLab")
    app.setApplicationDisplayName("DigitLab")
    app.setOrganizationName("DigitLab")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName("digitlab")
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(ICON)))
    load_translation(app)
    return app


def load_translation(app: QApplication) -> None:
    """Show the texts in the language of the system, where there is a translation."""
    translator = QTranslator(app)
    if translator.load(QLocale(), "digitlab", "_", str(RESOURCES / "translations")):
        app.installTranslator(translator)


def _in_main_loop(window: MainWindow, drive: Callable[[MainWindow], None] | None) -> None:
    logger.info("main loop reached")
    if drive is None:
        window.devices.probed.connect(window.warm_up.begin)
        window.show_tour_once()
    else:
        drive(window)


def _set_taskbar_identity() -> None:
    """Without this, Windows groups the window with other Python programs and shows Python's icon."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID("DigitLab.DigitLab")


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


@contextmanager
def collect_in_this_thread() -> Iterator[None]:
    """Within the context, a timer of the calling thread runs Python's cyclic garbage collector when it is due.

    Python itself runs it in whichever thread allocates. If that is a training thread, it may destroy a widget that is
    part of a reference cycle; destroying a widget outside of the window's thread crashes Qt.
    """
    timer = QTimer(interval=INTERVAL_MILLISECONDS)
    timer.timeout.connect(_collect)
    gc.disable()
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        gc.unfreeze()
        gc.enable()


def exempt_present_objects() -> None:
    """Leave all objects that exist now out of collections, at the first call.

    Call it when the compiler is loaded: most objects are those of modules, and examining them would hold the window up
    for 0.2 s at each full collection.
    """
    if not gc.get_freeze_count():
        gc.freeze()


def _collect() -> None:
    """Collect the oldest generation whose threshold is exceeded, all objects only after `exempt_present_objects`."""
    due = [count > threshold for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    if due[0]:
        oldest = 2 if gc.get_freeze_count() else 1
        gc.collect(0 if not due[1] else 1 if not due[2] else oldest)


@contextmanager
def log_qt_messages() -> Iterator[None]:
    """Within the context, messages of Qt are written to the log; an earlier handler is called as well."""

    def handle(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if text in _EXPECTED:
            return
        logger.log(_LEVELS.get(kind, _ERROR), "Qt: %s", text)
        if earlier is not None:
            earlier(kind, context, text)

    earlier: Any = qInstallMessageHandler(handle)
    try:
        yield
    finally:
        qInstallMessageHandler(earlier)
