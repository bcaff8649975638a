"""The crash dialog: what to show of an error that nothing else has answered for."""

import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QSysInfo, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from core.files.log import logger
from core.version import VERSION


class CrashDialog(QDialog):
    """Not modal: the window behind it may still save what was trained."""

    def __init__(self, text: str, details: str, log: Path | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("crashDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Something went wrong"))
        words = self.tr(
            "This went wrong inside DigitLab: {what}. You can go on; save the model if it matters, and "
            "send the details to whoever gave you the program."
        )
        says = QLabel(words.format(what=text))
        says.setWordWrap(True)
        says.setTextFormat(Qt.TextFormat.PlainText)
        self.details = QPlainTextEdit(details)
        self.details.setReadOnly(True)
        self.details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.details.setAccessibleName(self.tr("Details of the error"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.copy_button = buttons.addButton(self.tr("&Copy details"), role)
        self.copy_button.clicked.connect(self._copy)
        column = QVBoxLayout(self)
        column.addWidget(says)
        column.addWidget(self.details, 1)
        if log is not None:
            where = QLabel(self.tr("More stands in the log: {path}").format(path=log))
            where.setWordWrap(True)
            where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(where)
            folder = buttons.addButton(self.tr("&Open its folder"), role)
            folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(log.parent))))
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(640, 380)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.details.toPlainText())


class _Witness(QObject):
    """Hears of errors on any thread; shows one dialog at a time, on the window's."""

    happened = Signal(str, str)

    def __init__(self, log: Path | None) -> None:
        super().__init__()
        self._log = log
        self._dialog: CrashDialog | None = None
        self.happened.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def tell(self, error: BaseException) -> None:
        details = "".join(traceback.format_exception(error))
        logger.critical("not caught: %s", details)
        self.happened.emit(str(error) or type(error).__name__, f"{_machine()}\n\n{details}")

    def _show(self, text: str, details: str) -> None:
        # What goes wrong at each redraw would otherwise open thirty dialogs a second.
        if self._dialog is not None:
            return
        self._dialog = CrashDialog(text, details, self._log, QApplication.activeWindow())
        self._dialog.finished.connect(self._forget)
        self._dialog.show()

    def _forget(self) -> None:
        self._dialog = None


@contextmanager
def crashes_shown(log: Path | None) -> Iterator[None]:
    """While the block runs, errors that nobody caught are logged and shown; earlier hooks hear them too."""
    witness = _Witness(log)
    earlier, earlier_in_threads = sys.excepthook, threading.excepthook

    def on_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.closeAllWindows()
            return
        witness.tell(error)
        earlier(kind, error, trace)

    def on_thread_error(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            witness.tell(args.exc_value)
        earlier_in_threads(args)

    sys.excepthook, threading.excepthook = on_error, on_thread_error
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = earlier, earlier_in_threads


def _machine() -> str:
    system = f"{QSysInfo.prettyProductName()}, {QSysInfo.currentCpuArchitecture()}"
    return f"DigitLab {VERSION} on {system}, Python {sys.version.split()[0]}"
