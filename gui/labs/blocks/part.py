"""The widget of a part of a lab, and what the widgets of all kinds share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from core.labs.answers import Answers
from core.labs.blocks.block import Part
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.forms import plain
from gui.labs.choice import ChoiceRow
from gui.labs.texts import LabText, OutcomeLabel
from gui.widgets.basics import SPACING, PrimaryButton, named
from gui.widgets.make import column, tip_with_key

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns

_MOST_CHARACTERS = 140


class PartWidget(QWidget):
    """A part in its step. `block`: the kind of part that it shows. `changed`: the answers have;
    `run_asked(part)`: the part's trainings are to start; `kernel_asked(part)`: its kernel is to be
    written."""

    order: ClassVar[int] = 0
    block: ClassVar[type[Part]]

    changed = Signal()
    run_asked = Signal(object)
    kernel_asked = Signal(object)

    def __init__(self, part: Part, answers: Answers, runs: "LabRuns") -> None:
        super().__init__()
        self.answers = answers
        self.runs = runs
        self.box = column(owner=self, spacing=SPACING)

    def refresh(self) -> None:
        """Show what the answers hold by now."""

    def waits_for(self) -> str:
        """What has to be done here before the next step, in some words; empty for nothing."""
        return ""

    def choose(self, index: int) -> bool:
        """Choose the choice at `index`, from 0, as its key does; whether there is one."""
        return False

    def start_button(self) -> QPushButton | None:
        """The button that starts the trainings of the part; None for a part without."""
        return None

    def first_control(self) -> QWidget | None:
        """What takes the focus of the keyboard when the step is shown; None for nothing."""
        return None

    def reply(self) -> QWidget:
        """What answers the person."""
        return self

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
    """What a person does at one part: its question, choices where it has some, and a message
    below.
    """

    def __init__(self, part: ExerciseBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        self.part = part
        self.setObjectName(f"part-{part.id}")
        self.choices = QButtonGroup(self)
        self.rows: list[ChoiceRow] = []
        if part.ask:
            self.box.addWidget(LabText(part.ask, answers.lab.folder, is_question=True))
        self.message = OutcomeLabel(f"lab-{part.id}Message")

    def _add(self, *widgets: QWidget) -> None:
        """Add these, buttons at the left, and the message."""
        for widget in (*widgets, self.message):
            place = Qt.AlignmentFlag(0)
            # The main button takes the whole width.
            if isinstance(widget, QPushButton) and not isinstance(widget, PrimaryButton):
                place = Qt.AlignmentFlag.AlignLeft
            self.box.addWidget(widget, 0, place)

    def _offer(self, texts: Sequence[str], chosen: object) -> None:
        """Add a row for each choice; `chosen`: the text of the one that is chosen."""
        for index, text in enumerate(texts):
            made = ChoiceRow(text)
            # Only nine keys have a single digit that counts from 1.
            key = str(index + 1) if index < 9 else ""
            tip = tip_with_key(self.tr("Choose this one."), key)
            named(made, f"lab-{self.part.id}Choice{index + 1}", text, tip)
            made.setChecked(text == chosen)
            self.choices.addButton(made, index)
            self.rows.append(made)
            self.box.addWidget(made)

    def choose(self, index: int) -> bool:
        row = self.choices.button(index)
        if row is None or not row.isEnabled():
            return False
        row.setFocus(Qt.FocusReason.ShortcutFocusReason)
        # By its click, so that a key does what the mouse does.
        row.click()
        return True

    def first_control(self) -> QWidget | None:
        chosen = [row for row in self.rows if row.isChecked()]
        return next(iter(chosen or self.rows), None)

    def reply(self) -> QWidget:
        return self.message
