"""Starts the Qt application with its log, error handling and main window."""

import platform
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from core.commands.console import INTERRUPTED
from core.files.log import logger, open_log
from core.files.memory import limit_kept_memory
from core.version import VERSION
from gui.window.crash_dialog import show_crashes
from gui.window.drag_and_drop import open_given
from gui.window.help.tour import show_at_first_start
from gui.window.main_window import MainWindow
from gui.window.startup.end_signals import EndSignals
from gui.window.startup.garbage_collector import collect_in_this_thread, exempt_present_objects
from gui.window.startup.qt_log import log_qt_messages

# How long a thread may hold the interpreter lock while another waits. With Python's default of 5 ms the recognition
# of a drawing waits longer for a training thread; 1 ms shortens the long waits by 10 to 25 % and slows no training.
SWITCH_SECONDS = 0.001

ICON = Path(__file__).resolve().parents[2] / "resources" / "icons" / "digitlab.svg"


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
        app.file_opened.connect(partial(open_given, window))
        window.show()
        for path in argv[1:2]:
            open_given(window, Path(path))
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
    return app


def _in_main_loop(window: MainWindow, drive: Callable[[MainWindow], None] | None) -> None:
    logger.info("main loop reached")
    if drive is None:
        window.devices.probed.connect(window.warm_up.begin)
        show_at_first_start(window)
    else:
        drive(window)


def _set_taskbar_identity() -> None:
    """Without this, Windows groups the window with other Python programs and shows Python's icon."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID("DigitLab.DigitLab")
