"""A question with choices."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeyEvent

from core.labs.answers import Answers
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.blocks.question import Choice, QuestionBlock
from gui.labs.blocks.part import ExercisePart, asked
from gui.text import translator
from gui.widgets.basics import ENTER_KEYS
from gui.widgets.make import button

_tr = translator("HandInDialog")

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns


class QuestionPart(ExercisePart):
    """Choices; a wrong one is answered, and another try follows."""

    block = QuestionBlock
    part: QuestionBlock

    def __init__(self, part: QuestionBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        *_, last = answers.tries.get(part.id) or [""]
        self._offer([choice.text for choice in part.choices], last)
        tip = self.tr("Give this answer (Return).")
        self.check = button(self.tr("Answer"), f"lab-{part.id}Answer", tip, self._answer)
        self._add(self.check)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return gives the answer that is chosen."""
        if event.key() in ENTER_KEYS and self.check.isEnabled():
            self._answer()
        else:
            super().keyPressEvent(event)

    def _answer(self) -> None:
        chosen = self.choices.checkedId()
        if chosen < 0:
            self.message.say(self.tr("Choose an answer first."))
            return
        choice = self.part.choices[chosen]
        # The same answer twice in a row, as by a double click, is one try.
        if choice.text in self.answers.tries.get(self.part.id, [])[-1:]:
            return  # it is answered
        self.answers.answer(self.part, choice.text)
        self._reply(choice)
        self.changed.emit()

    def _reply(self, choice: Choice) -> None:
        text = self.tr("Right. {reply}") if choice.right else self.tr("No. {reply}")
        self.message.say(text.format(reply=choice.reply).strip(), choice.right)

    def refresh(self) -> None:
        done = self.answers.is_done(self.part)
        tries = self.answers.tries.get(self.part.id, [])
        self.check.setVisible(not done)
        for row, choice in zip(self.rows, self.part.choices, strict=True):
            row.setEnabled(not done)
            row.mark(choice.right if choice.text in tries else None)
        # Opened again: the reply was given before, and is shown with the answer.
        if done and not self.message.text():
            self._reply(self.part.choice(tries[-1]))

    @classmethod
    def report_text(cls, part: ExerciseBlock, answers: Answers) -> str:
        attempts = len(answers.tries.get(part.id, ()))
        text = _tr("{ask} Not answered yet.")
        if attempts and not answers.is_done(part):
            text = _tr("{ask} Not right yet (attempts: {n}).")
        elif attempts == 1:
            text = _tr("{ask} Right at the first attempt.")
        elif attempts:
            text = _tr("{ask} Right at attempt {n}.")
        return text.format(ask=asked(part), n=attempts)
