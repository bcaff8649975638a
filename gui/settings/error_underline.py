"""A wavy underline below the part of a line of text that an error is about."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import QLineEdit

from core.network.notation import NotationError


def error_span(text: str, error: NotationError) -> tuple[int, int]:
    """Start and end in `text` of the error, whose positions do not count spaces."""
    positions = [position for position, letter in enumerate(text) if not letter.isspace()]
    if not positions or error.start >= len(positions):
        return 0, len(text)
    return positions[error.start], positions[min(error.end, len(positions)) - 1] + 1


def underline(edit: QLineEdit, span: tuple[int, int] | None) -> None:
    """Underline `span`, (start, end) in the text of `edit`; None removes the underline."""
    # QLineEdit has no text formats, but it draws those of an input method event. This event changes no text.
    attributes = []
    if span is not None:
        wavy = QTextCharFormat()
        wavy.setForeground(edit.palette().brightText())
        wavy.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        wavy.setUnderlineColor(edit.palette().brightText().color())
        start, end = span
        attributes.append(
            QInputMethodEvent.Attribute(
                QInputMethodEvent.AttributeType.TextFormat, start - edit.cursorPosition(), end - start, wavy
            )
        )
    QCoreApplication.sendEvent(edit, QInputMethodEvent("", attributes))
