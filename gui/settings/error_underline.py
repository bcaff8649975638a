"""A wavy underline below the part of a line of text that an error is about."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import QLineEdit

from core.network.notation import NotationError


def place_in(text: str, error: NotationError) -> tuple[int, int]:
    """Start and end in `text` of the error, whose positions do not count spaces."""
    at = [place for place, letter in enumerate(text) if not letter.isspace()]
    if not at or error.start >= len(at):
        return 0, len(text)
    return at[error.start], at[min(error.end, len(at)) - 1] + 1


def underline(edit: QLineEdit, place: tuple[int, int] | None) -> None:
    """Underline the text from start to end, or nothing."""
    # A line edit has no formats of its own, but draws those of an input method, which changes no text here.
    attributes = []
    if place is not None:
        wavy = QTextCharFormat()
        wavy.setForeground(edit.palette().brightText())
        wavy.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        wavy.setUnderlineColor(edit.palette().brightText().color())
        start, end = place
        attributes.append(
            QInputMethodEvent.Attribute(
                QInputMethodEvent.AttributeType.TextFormat, start - edit.cursorPosition(), end - start, wavy
            )
        )
    QCoreApplication.sendEvent(edit, QInputMethodEvent("", attributes))
