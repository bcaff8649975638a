"""Labels for messages: hidden while there is none, and with a field for the command that a message
names.
"""

import re

from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from gui.text import unbroken
from gui.widgets.basics import SPACING, named
from gui.widgets.make import label
from kernels.installation import COMMAND

_LONG_WORD = re.compile(r"[^\s/\\\u200b]{20}(?=[^\s/\\])")


def note(role: str = "muted", name: str = "") -> QLabel:
    """A hidden label for a message; `set_message` sets its text. `role`: see `label_of_role`."""
    made = label("", name, role, plain=True)
    made.hide()
    return made


def set_message(shown: QLabel, text: str) -> None:
    """Show `text`, or hide the label where that is empty. A command in it gets a field of its own
    to copy it.
    """
    found = COMMAND.search(text)
    field = shown.findChild(CommandField)
    if found and field is None:
        field = CommandField(shown)
    if field is not None:
        field.show_command(found[1] if found else "")
    below = QCoreApplication.translate("CommandField", "the command below")
    shown.setText(breakable(COMMAND.sub(below, text)))
    shown.setVisible(bool(text))


class CommandField(QWidget):
    """The command that a message names, at the lower edge of the label of the message."""

    def __init__(self, owner: QLabel) -> None:
        super().__init__(owner)
        self._label = owner
        self._margins = owner.contentsMargins()
        self.edit = named(QLineEdit(readOnly=True), "command", self.tr("Command"))
        self.edit.setToolTip(self.tr("To type or paste into a terminal."))
        copy = named(QPushButton(self.tr("Copy")), "copyCommand", tip=self.tr("Copy the command."))
        copy.setAutoDefault(False)  # Return in a dialog would click it
        copy.clicked.connect(self._copy)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, SPACING, 0, 0)
        row.addWidget(self.edit)
        row.addWidget(copy)
        owner.installEventFilter(self)

    def show_command(self, command: str) -> None:
        self.edit.setText(command)
        # The end of a long command alone would not be recognized.
        self.edit.setCursorPosition(0)
        self.setVisible(bool(command))
        height = self.sizeHint().height() if command else 0
        self._label.setContentsMargins(self._margins + QMargins(0, 0, 0, height))
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        area = self._label.rect()
        area.setTop(area.bottom() + 1 - self.sizeHint().height())
        self.setGeometry(area)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.edit.text())


def breakable(text: str) -> str:
    """`text` with zero-width spaces in long words and paths, which would otherwise widen the whole
    column.

    No line breaks before a percent sign.
    """
    return unbroken(_LONG_WORD.sub("\\g<0>\u200b", text))
