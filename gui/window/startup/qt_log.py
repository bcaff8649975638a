"""Writes the messages of Qt to the log of the program."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from core.files.log import logger

_LEVELS = {QtMsgType.QtDebugMsg: 10, QtMsgType.QtInfoMsg: 20, QtMsgType.QtWarningMsg: 30}
_ERROR = 40

# The offscreen platform prints this whenever a window is shown.
_EXPECTED = ("This plugin does not support propagateSizeHints()",)


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
