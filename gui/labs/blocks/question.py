"""A question with choices."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.labs.answers import Answers
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.blocks.question import Choice, QuestionBlock
from gui.labs.blocks.part import ExercisePart, asked
from gui.widgets.make import button

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns


class QuestionPart(ExercisePart):
    """Choices; a wrong one is answered, and another try follows."""

    block = QuestionBlock
    part: QuestionBlock

    def __init__(self, part: QuestionBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        *_, last = answers.tries.get(part.id) or [""]
        self._group = self._choices([choice.text for choice in part.choices], last)
        tip = self.tr("Give this answer.")
        self.check = button(self.tr("Answer"), f"lab-{part.id}Answer", tip, self._answer)
        self._add(self.check)

    def _answer(self) -> None:
        chosen = self._group.checkedId()
        if chosen < 0:
            self.message.say(self.tr("Choose an answer first."), False)
            return
        choice = self.part.choices[chosen]
        self.answers.answer(self.part, choice.text)
        self._reply(choice)
        self.changed.emit()

    def _reply(self, choice: Choice) -> None:
        text = self.tr("Right. {reply}") if choice.right else self.tr("No. {reply}")
        self.message.say(text.format(reply=choice.reply).strip(), choice.right)

    def refresh(self) -> None:
        done = self.answers.is_done(self.part)
        self.check.setEnabled(not done)
        for made in self._group.buttons():
            made.setEnabled(not done)
        if done and not self.message.text():
            chosen = self.answers.tries[self.part.id][-1]
            self._reply(next(choice for choice in self.part.choices if choice.text == chosen))

    @classmethod
    def report_text(cls, part: ExerciseBlock, answers: Answers) -> str:
        attempts = len(answers.tries.get(part.id, ()))
        text = QCoreApplication.translate("HandInDialog", "{ask} Not answered yet.")
        if attempts and not answers.is_done(part):
            text = QCoreApplication.translate("HandInDialog", "{ask} Not right yet (attempts: {n}).")
        elif attempts == 1:
            text = QCoreApplication.translate("HandInDialog", "{ask} Right at the first attempt.")
        elif attempts:
            text = QCoreApplication.translate("HandInDialog", "{ask} Right at attempt {n}.")
        return text.format(ask=asked(part), n=attempts)
