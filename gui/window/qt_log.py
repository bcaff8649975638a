"""Qt's own messages, in the program's log."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from core.files.log import logger

_LEVELS = {QtMsgType.QtDebugMsg: 10, QtMsgType.QtInfoMsg: 20, QtMsgType.QtWarningMsg: 30}
_GRAVE = 40

# Said by the platform without a screen whenever a window is shown; nothing is wrong.
_EXPECTED = ("This plugin does not support propagateSizeHints()",)


@contextmanager
def qt_logged() -> Iterator[None]:
    """While the block runs, what Qt complains about stands in the log; an earlier handler hears it too."""

    def handle(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if text in _EXPECTED:
            return
        logger.log(_LEVELS.get(kind, _GRAVE), "Qt: %s", text)
        if earlier is not None:
            earlier(kind, context, text)

    earlier: Any = qInstallMessageHandler(handle)
    try:
        yield
    finally:
        qInstallMessageHandler(earlier)
