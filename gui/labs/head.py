"""The line above a lab: its title, the number of the step, and the buttons of the lab."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.labs.answers import Answers
from gui.widgets.basics import HeadingLabel, named
from gui.widgets.make import button, label, row, tip_with_key


class LabHead(QWidget):
    """`fold_asked`: hide the column; `again_asked`: begin the lab again; `close_asked`: close it."""

    fold_asked = Signal()
    again_asked = Signal()
    close_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = HeadingLabel()
        self.title.setWordWrap(True)
        self._where = label("", "labStep", "muted", wraps=False)
        tip = tip_with_key(
            self.tr("Fold the text away, for more room; the button at the top right shows it again."),
            "Shift+F8",
        )
        fold_button = button("◂", "", slot=lambda: self.fold_asked.emit())
        fold = named(fold_button, "labFold", self.tr("Fold the text away"), tip)
        tip = self.tr("Begin this lab again: the answers so far are put aside.")
        again_button = button("↺", "", slot=lambda: self.again_asked.emit())
        again = named(again_button, "labAgain", self.tr("Start again"), tip)
        tip = self.tr("Close the lab; your answers are kept, and what was shown before comes back.")
        close_button = button("✕", "", slot=lambda: self.close_asked.emit())
        close = named(close_button, "labClose", self.tr("Close the lab"), tip)
        for small in (fold, again, close):
            small.setFixedWidth(28)
        top = row((self.title, 1), self._where, fold, again, close)
        top.setContentsMargins(12, 8, 6, 0)
        self.setLayout(top)

    def refresh(self, answers: Answers) -> None:
        self.title.setText(answers.lab.title)
        text = self.tr("{n} of {all}")
        self._where.setText(text.format(n=answers.step + 1, all=len(answers.lab.steps)))
