"""Starts the Qt application with its log, main window, and a dialog for exceptions that no other
code handles.
"""

import gc
import platform
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QLocale,
    QMessageLogContext,
    QObject,
    QSysInfo,
    Qt,
    QTimer,
    QtMsgType,
    QTranslator,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent, QFontDatabase, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from core.commands.console import INTERRUPTED
from core.commands.stopping import handle_end_signals
from core.files.log import logger, open_log
from core.files.memory import limit_kept_memory
from core.program import RESOURCES
from core.version import VERSION
from gui.widgets.dialogs import Dialog
from gui.widgets.make import Part, label
from gui.widgets.style import FlatStyle
from gui.window.main_window import MainWindow
from gui.window.startup import show_window

# How long a thread may hold the interpreter lock while another waits. With Python's default of 5 ms
# the recognition of a drawing waits longer for a training thread; 1 ms shortens the long waits by
# 10 to 25 % and slows no training.
SWITCH_SECONDS = 0.001

# How often the garbage collector is run when it is due, and Python's handlers of signals are
# called.
INTERVAL_MILLISECONDS = 250

_LEVELS = {QtMsgType.QtDebugMsg: 10, QtMsgType.QtInfoMsg: 20, QtMsgType.QtWarningMsg: 30}
_ERROR = 40
# The offscreen platform prints this whenever a window is shown.
_EXPECTED = ("This plugin does not support propagateSizeHints()",)

ICON = RESOURCES / "icons" / "digitlab.svg"


class Application(QApplication):
    """Emits `file_opened` for files that macOS hands to the running program (a double click in the
    Finder).
    """

    file_opened = Signal(Path)

    def __init__(self, argv: list[str]) -> None:
        super().__init__(argv)
        # Under X11, Qt joins the moves that wait while this thread is busy: the canvas would get a
        # straight line in place of a curve. Qt's X11 plugin sets the attribute when it is loaded,
        # by the constructor.
        self.setAttribute(Qt.ApplicationAttribute.AA_CompressHighFrequencyEvents, False)
        self.setStyle(FlatStyle())

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
        collect_in_this_thread() as exempt_present_objects,
        close_at_signal() as signals,
    ):
        logger.info(
            "DigitLab %s, Python %s, %s", VERSION, platform.python_version(), platform.platform()
        )
        window = MainWindow()
        # Once for the window, and once for the compiler.
        once = Qt.ConnectionType.SingleShotConnection
        window.devices.probed.connect(exempt_present_objects, once)
        window.warm_up.loaded.connect(exempt_present_objects, once)
        app.file_opened.connect(window.opening.open)
        show_window(window, window.preferences)
        for path in argv[1:2]:
            window.opening.open(Path(path))

        def in_main_loop() -> None:
            logger.info("main loop reached")
            if drive is None:
                window.devices.probed.connect(window.warm_up.begin)
            else:
                drive(window)

        QTimer.singleShot(0, in_main_loop)
        code = app.exec()
        if signals:
            code = INTERRUPTED
        logger.info("closed with code %d", code)
    return code


def configure_process() -> None:
    """Settings of the process that keep the window responsive and its memory small."""
    sys.setswitchinterval(SWITCH_SECONDS)
    limit_kept_memory()


def make_application(argv: list[str]) -> Application:
    if sys.platform == "win32":
        import ctypes

        # Without this, Windows groups the window with other Python programs and shows Python's
        # icon.
        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID("DigitLab.DigitLab")
    app = Application.instance() or Application(argv)
    assert isinstance(app, Application)
    app.setApplicationName("DigitLab")
    app.setApplicationDisplayName("DigitLab")
    app.setOrganizationName("DigitLab")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName("digitlab")
    app.setWindowIcon(QIcon(str(ICON)))
    load_translation(app)
    app.clipboard().dataChanged.connect(clean_clipboard)
    return app


def clean_clipboard() -> None:
    """Take out of a copied text what `breakable` put into it: a command or a path would not work
    with it.
    """
    clipboard = QGuiApplication.clipboard()
    text = clipboard.text()
    # Not where another program copies.
    if QApplication.focusWidget() is not None and "\u200b" in text:
        clipboard.setText(text.replace("\u200b", ""))


def load_translation(app: QApplication) -> None:
    """Show the texts in the language of the system, where there is a translation.

    The one into English has the forms of the texts with a number; it serves where the language's
    own has no text.
    """
    # Qt asks the translator that was installed last first.
    for locale in (QLocale("en"), QLocale()):
        translator = QTranslator(app)
        if translator.load(locale, "digitlab", "_", str(RESOURCES / "translations")):
            app.installTranslator(translator)


@contextmanager
def close_at_signal() -> Iterator[list[int]]:
    """Within the context, the first signal that ends the program closes all windows, a second
    Ctrl-C ends it at once.

    Yields the numbers of the signals received. Python calls handlers between two steps of its own
    code, of which Qt's event loop runs none while nothing happens: they wait for the timer of
    `collect_in_this_thread`.
    """
    received: list[int] = []

    def on_signal(number: int, frame: FrameType | None) -> None:
        received.append(number)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # Not here: the handler may have interrupted code that uses the windows.
        QTimer.singleShot(0, close)

    def close() -> None:
        logger.info("ended by signal %s", ", ".join(map(str, received)))
        QApplication.closeAllWindows()

    with handle_end_signals(on_signal):
        yield received


@contextmanager
def collect_in_this_thread() -> Iterator[Callable[[], None]]:
    """Within the context, a timer of the calling thread runs Python's cyclic garbage collector when
    it is due.

    Python itself runs it in whichever thread allocates. If that is a training thread, it may
    destroy a widget that is part of a reference cycle; destroying a widget outside of the window's
    thread crashes Qt.

    Yields a function that leaves all objects that exist at a call out of collections. Call it when
    the window or the compiler is loaded: most objects are those of modules, and examining them
    would hold the window up for 0.2 s at each full collection.
    """
    # Python could be asked, but it counts all these objects one by one.
    has_exempted = False

    def exempt_present_objects() -> None:
        nonlocal has_exempted
        has_exempted = True
        gc.freeze()

    def collect() -> None:
        """Collect the oldest generation whose threshold is exceeded, all only after
        `exempt_present_objects`.
        """
        due = [
            count > threshold
            for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)
        ]
        # Older generations are only examined together with the younger ones.
        if not due[0]:
            return
        generation = 0
        if due[1]:
            generation = 1
        if due[1] and due[2] and has_exempted:
            generation = 2
        gc.collect(generation)

    timer = QTimer(interval=INTERVAL_MILLISECONDS)
    timer.timeout.connect(collect)
    gc.disable()
    timer.start()
    try:
        yield exempt_present_objects
    finally:
        timer.stop()
        if has_exempted:
            gc.unfreeze()
        gc.enable()


@contextmanager
def log_qt_messages() -> Iterator[None]:
    """Within the context, messages of Qt are written to the log; an earlier handler is called as
    well.
    """

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


class CrashDialog(Dialog):
    """Not modal, so that the model can still be saved in the window behind it."""

    def __init__(
        self, text: str, details: str, log: Path | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, self.tr("Something went wrong"), "crashDialog")
        template = self.tr(
            "An error occurred in DigitLab: {what}. You can continue; save the model if you need "
            "it, and send the details to whoever gave you the program."
        )
        message = label(template.format(what=text), plain=True)
        self.details = QPlainTextEdit(details)
        self.details.setReadOnly(True)
        self.details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.details.setAccessibleName(self.tr("Details of the error"))
        self.copy_button = self.add_copy_button(self.tr("&Copy details"), details)
        parts: list[Part] = [message, (self.details, 1)]
        if log is not None:
            text = self.tr("The log has more details: {path}").format(path=log)
            parts.append(label(text, selectable=True))
            self.add_folder_link(self.tr("&Open its folder"), log.parent)
        self.show_parts(*parts, size=(640, 380))


class _CrashReporter(QObject):
    """Accepts exceptions from any thread and shows one dialog at a time, in the thread of the
    window.
    """

    happened = Signal(str, str)

    def __init__(self, log: Path | None) -> None:
        super().__init__()
        self._log = log
        self._dialog: CrashDialog | None = None
        # Queued: an error of another thread is shown in the window's, one of a paint event after
        # it.
        self.happened.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def report(self, error: BaseException) -> None:
        details = "".join(traceback.format_exception(error))
        logger.critical("not caught: %s", details)
        system = f"{QSysInfo.prettyProductName()}, {QSysInfo.currentCpuArchitecture()}"
        machine = f"DigitLab {VERSION} on {system}, Python {sys.version.split()[0]}"
        self.happened.emit(str(error) or type(error).__name__, f"{machine}\n\n{details}")

    def _show(self, text: str, details: str) -> None:
        # An error in a paint event would otherwise open many dialogs a second.
        if self._dialog is not None:
            return
        self._dialog = CrashDialog(text, details, self._log, QApplication.activeWindow())
        self._dialog.finished.connect(self._forget)
        self._dialog.show()

    def _forget(self) -> None:
        """The dialog has been closed: the next error is shown again."""
        self._dialog = None


@contextmanager
def show_crashes(log: Path | None) -> Iterator[None]:
    """Within the context, uncaught exceptions are logged and shown; the earlier hooks are called as
    well.
    """
    reporter = _CrashReporter(log)
    earlier, earlier_in_threads = sys.excepthook, threading.excepthook

    def on_error(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.closeAllWindows()
            return
        reporter.report(error)
        earlier(kind, error, trace)

    def on_thread_error(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            reporter.report(args.exc_value)
        earlier_in_threads(args)

    sys.excepthook, threading.excepthook = on_error, on_thread_error
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = earlier, earlier_in_threads
