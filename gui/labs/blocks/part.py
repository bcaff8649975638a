"""The widget of a part of a lab, and what the widgets of all kinds share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QRadioButton, QWidget

from core.labs.answers import Answers
from core.labs.blocks.block import Part
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.forms import plain
from gui.labs.texts import ChoiceText, LabText, OutcomeLabel
from gui.widgets.basics import PrimaryButton
from gui.widgets.make import button, column, row

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns

_MOST_CHARACTERS = 140


class PartWidget(QFrame):
    """A part in its step. `block`: the kind of part that it shows. `changed`: the answers have; `run_asked(part)`: the
    part's trainings are to start; `kernel_asked(part)`: its kernel is to be written."""

    order: ClassVar[int] = 0
    block: ClassVar[type[Part]]

    changed = Signal()
    run_asked = Signal(object)
    kernel_asked = Signal(object)

    def __init__(self, part: Part, answers: Answers, runs: "LabRuns") -> None:
        super().__init__()
        self.answers = answers
        self.runs = runs
        self.box = column(owner=self)

    def refresh(self) -> None:
        """Show what the answers hold by now."""

    def finish(self) -> None:
        """The part is not shown any more."""

    @classmethod
    def report_text(cls, part: ExerciseBlock, answers: Answers) -> str:
        """What the person has done at this part, or that it is missing, in a line."""
        text = QCoreApplication.translate("HandInDialog", "{ask} Not done yet.")
        if answers.is_done(part):
            text = QCoreApplication.translate("HandInDialog", "{ask} Done.")
        return text.format(ask=asked(part))


def asked(part: ExerciseBlock) -> str:
    """What the part asks, in a line without Markdown that ends as a sentence."""
    text = plain(part.ask)
    if len(text) > _MOST_CHARACTERS:
        return text[: _MOST_CHARACTERS - 1] + "…"
    return text if text.endswith((".", "?", "!", "…", ":")) or not text else text + "."


class ExercisePart(PartWidget):
    """What a person does at one part: its question, and a message below."""

    def __init__(self, part: ExerciseBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        self.part = part
        self.setObjectName(f"part-{part.id}")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.box.setContentsMargins(8, 8, 8, 8)
        if part.ask:
            self.box.addWidget(LabText(part.ask, answers.lab.folder))
        self.message = OutcomeLabel(f"lab-{part.id}Message")

    def _add(self, *widgets: QWidget) -> None:
        """Add these, buttons at the left, and the message."""
        for widget in (*widgets, self.message):
            place = Qt.AlignmentFlag(0)
            if isinstance(widget, QPushButton) and not isinstance(widget, PrimaryButton):
                place = Qt.AlignmentFlag.AlignLeft
            self.box.addWidget(widget, 0, place)

    def _choices(self, texts: Sequence[str], chosen: object) -> QButtonGroup:
        group = QButtonGroup(self)
        tip = self.tr("Choose this one.")
        for index, text in enumerate(texts):
            made = button("", f"lab-{self.part.id}Choice{index + 1}", tip, kind=QRadioButton)
            made.setAccessibleName(text)
            made.setChecked(text == chosen)
            group.addButton(made, index)
            self.box.addLayout(row(made, (ChoiceText(text, made), 1)))
        return group
