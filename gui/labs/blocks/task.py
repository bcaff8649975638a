"""The goals of a task, and how far the last attempt got."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.labs.answers import Answers
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.blocks.task import GOALS, TaskBlock
from core.text import Sentence
from gui.labs.blocks.part import ExercisePart, asked
from gui.labs.texts import OutcomeLabel
from gui.text import count, number, percent, sentence_text

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns


class TaskPart(ExercisePart):
    """The goals, and how far the last attempt got. An attempt is any run that is made while the
    step is shown.
    """

    block = TaskBlock
    part: TaskBlock

    def __init__(self, part: TaskBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        self.goals = {
            name: OutcomeLabel(f"lab-{part.id}Goal-{name}", has_ground=False) for name in part.goals
        }
        self._add(*self.goals.values())

    def refresh(self) -> None:
        attempts = self.answers.attempts_of(self.part)
        best = next((each for each in reversed(attempts) if self.part.meets(each)), None)
        shown = best or (attempts[-1] if attempts else None)
        found = self.part.reached(shown) if shown else {}
        for name, limit in self.part.goals.items():
            value, is_met = found.get(name, (None, False))
            reached = "" if value is None else f"  ({_goal_value(name, value)})"
            goal = Sentence(GOALS[name][1], {"value": _goal_value(name, limit)})
            self.goals[name].say(sentence_text(goal) + reached, None if value is None else is_met)
        if best is not None:
            text = self.tr("Well done: reached at attempt {n} of {all}.")
            self.message.say(text.format(n=attempts.index(best) + 1, all=len(attempts)), True)
        elif attempts:
            text = self.tr("Attempt {n}: not yet. Change something and train again.").format(
                n=len(attempts)
            )
            self.message.say(text, False)
        else:
            self.message.say(self.tr("Change the settings below, then press Train."))

    @classmethod
    def report_text(cls, part: ExerciseBlock, answers: Answers) -> str:
        task = answers.lab.trained_part(part.id)
        attempts = answers.attempts_of(part)
        best = task.best(attempts)
        if best is None:
            return QCoreApplication.translate("HandInDialog", "{ask} Not tried yet.").format(
                ask=asked(part)
            )
        text = QCoreApplication.translate(
            "HandInDialog", "{ask} Not reached yet, best {result} (attempts: {n})."
        )
        if task.meets(best):
            text = QCoreApplication.translate(
                "HandInDialog", "{ask} Reached with {result} (attempts: {n})."
            )
        return text.format(ask=asked(part), result=best.result, n=len(attempts))


def _goal_value(name: str, value: float) -> str:
    if name.startswith("test_accuracy"):
        return percent(value / 100, 1)
    return number(value, 3) if name.startswith(("test_loss", "seconds")) else count(value)
