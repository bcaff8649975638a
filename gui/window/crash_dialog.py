"""The crash dialog shows an exception that no other code has handled."""

import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QSysInfo, Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QVBoxLayout, QWidget

from core.files.log import logger
from core.version import VERSION
from gui.widgets.basics import resize_on_screen
from gui.widgets.dialogs import InfoDialog
from gui.widgets.make import label


class CrashDialog(InfoDialog):
    """Not modal, so that the model can still be saved in the window behind it."""

    def __init__(self, text: str, details: str, log: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("crashDialog")
        self.setWindowTitle(self.tr("Something went wrong"))
        template = self.tr(
            "An error occurred in DigitLab: {what}. You can continue; save the model if you need it, and "
            "send the details to whoever gave you the program."
        )
        message = label(template.format(what=text))
        message.setTextFormat(Qt.TextFormat.PlainText)
        self.details = QPlainTextEdit(details)
        self.details.setReadOnly(True)
        self.details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.details.setAccessibleName(self.tr("Details of the error"))
        self.copy_button = self.add_copy_button(self.tr("&Copy details"), details)
        column = QVBoxLayout(self)
        column.addWidget(message)
        column.addWidget(self.details, 1)
        if log is not None:
            log_label = label(self.tr("The log has more details: {path}").format(path=log))
            log_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(log_label)
            self.add_folder_button(self.tr("&Open its folder"), log.parent)
        column.addWidget(self.buttons)
        resize_on_screen(self, 640, 380)


class _CrashReporter(QObject):
    """Accepts exceptions from any thread and shows one dialog at a time, in the thread of the window."""

    happened = Signal(str, str)

    def __init__(self, log: Path | None) -> None:
        super().__init__()
        self._log = log
        self._dialog: CrashDialog | None = None
        self.happened.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def report(self, error: BaseException) -> None:
        details = "".join(traceback.format_exception(error))
        logger.critical("not caught: %s", details)
        self.happened.emit(str(error) or type(error).__name__, f"{_machine()}\n\n{details}")

    def _show(self, text: str, details: str) -> None:
        # An error in a paint event would otherwise open many dialogs a second.
        if self._dialog is not None:
            return
        self._dialog = CrashDialog(text, details, self._log, QApplication.activeWindow())
        self._dialog.finished.connect(partial(setattr, self, "_dialog", None))
        self._dialog.show()


@contextmanager
def show_crashes(log: Path | None) -> Iterator[None]:
    """Within the context, uncaught exceptions are logged and shown; the earlier hooks are called as well."""
    reporter = _CrashReporter(log)
    earlier, earlier_in_threads = sys.excepthook, threading.excepthook

    def on_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
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


def _machine() -> str:
    system = f"{QSysInfo.prettyProductName()}, {QSysInfo.currentCpuArchitecture()}"
    return f"DigitLab {VERSION} on {system}, Python {sys.version.split()[0]}"
