"""The menu in which the user says which digit the drawing shows, to add it to the own digits."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from core.data.class_names import DIGITS


class LabelMenu(QMenu):
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ownDigitsMenu")
        self.setTitle(self.tr("&Add drawing to my digits"))
        for digit in range(len(DIGITS)):
            text = self.tr("This is a &{digit}").format(digit=digit)
            self.addAction(text).triggered.connect(partial(self.chosen.emit, digit))
