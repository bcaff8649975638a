"""The ten statements about the program, each with five choices."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from core.labs.answers import Answers
from core.labs.blocks.usability import MOST, STATEMENTS, UsabilityBlock
from gui.labs.blocks.part import ExercisePart
from gui.labs.texts import LabText
from gui.widgets.basics import named
from gui.widgets.make import row

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns


class UsabilityPart(ExercisePart):
    """Each choice is kept at once, and can be changed."""

    block = UsabilityBlock
    part: UsabilityBlock

    def __init__(self, part: UsabilityBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        self.groups: list[QButtonGroup] = []
        words = self.tr("1: I do not agree at all. 5: I agree fully.")
        self.box.addWidget(LabText(words, None))
        for number, statement in enumerate(STATEMENTS, 1):
            self._add_statement(number, QCoreApplication.translate("Usability", statement))
        self._add()

    def _add_statement(self, number: int, statement: str) -> None:
        self.box.addWidget(LabText(f"{number}\\. {statement}", None))
        group = QButtonGroup(self)
        kept: Any = self.answers.predictions.get(self.part.id) or [0] * len(STATEMENTS)
        buttons = []
        for choice in range(1, MOST + 1):
            name = f"lab-{self.part.id}Statement{number}Choice{choice}"
            tip = self.tr("{statement} 1: not at all, 5: fully.").format(statement=statement)
            button = named(QRadioButton(str(choice)), name, f"{statement} {choice}", tip)
            button.setChecked(kept[number - 1] == choice)
            group.addButton(button, choice)
            buttons.append(button)
        group.idClicked.connect(self._keep)
        self.groups.append(group)
        self.box.addLayout(row(*buttons, None))

    def _keep(self) -> None:
        choices = [max(group.checkedId(), 0) for group in self.groups]
        self.answers.keep(self.part, choices)
        self.refresh()
        self.changed.emit()

    def refresh(self) -> None:
        if self.answers.is_done(self.part):
            self.message.say(self.tr("Thank you: all is answered."))

    def first_control(self) -> QWidget:
        return self.groups[0].buttons()[0]
