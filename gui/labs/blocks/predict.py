"""What a person expects of a run: a choice, a number, or a curve that is drawn on the plot of its quantity."""

from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.labs.answers import Answers
from core.labs.blocks.predict import ChoicePrediction, CurvePrediction, NumberPrediction, PredictBlock
from core.text import parse_number
from gui.labs.blocks.part import ExercisePart
from gui.labs.curve_drawer import CurveKeys
from gui.labs.texts import lab_sentence, value_text
from gui.text import sentence
from gui.widgets.make import button, edit, label, row

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns


class PredictPart(ExercisePart):
    """A prediction and the button that keeps it. Each form shows what is kept, and returns what is given."""

    part: PredictBlock

    def __init__(self, part: PredictBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        self._lay_out(answers.predictions.get(part.id))
        tip = self.tr("Keep this as your prediction. You can change it until the run has shown what happens.")
        self.keep = button(self.tr("That is what I expect"), f"lab-{part.id}Keep", tip, self._keep)
        self._add(self.keep)

    def _lay_out(self, kept: Any) -> None:
        """Show where the prediction is given, with the one that is `kept`, or None."""

    def _value(self) -> Any:
        """What is chosen, typed or drawn; None for nothing. Raises InputError for what is no prediction."""

    def _close(self) -> None:
        """The prediction cannot be changed any more."""

    def _keep(self) -> None:
        try:
            value = self._value()
            if value is None:
                self.message.say(self.tr("Choose, type or draw first what you expect."), False)
                return
            self.answers.predict(self.part, value)
        except InputError as error:
            self.message.say(sentence(error), False)
            return
        self.message.say(self.tr("Kept. You can change it until the run."))
        self.changed.emit()

    def refresh(self) -> None:
        said = self.answers.comparison(self.part, value_text)
        if said is not None:
            self.message.say(
                lab_sentence(said), self.part.was_right(self.answers.predictions.get(self.part.id))
            )
        has_run = self.answers.lab.predicted_run(self.part) is not None
        if not self.answers.is_fixed(self.part) or (said is None and not has_run):
            return
        if said is None:
            self.message.say(self.tr("Kept. The run has begun: it cannot be changed any more."))
        self.keep.setEnabled(False)
        self._close()
        self.finish()


class ChoicePart(PredictPart):
    block = ChoicePrediction
    part: ChoicePrediction

    def _lay_out(self, kept: Any) -> None:
        self._group = self._choices(self.part.choices, kept)

    def _value(self) -> str | None:
        chosen = self._group.checkedId()
        return self.part.choices[chosen] if chosen >= 0 else None

    def _close(self) -> None:
        for choice in self._group.buttons():
            choice.setEnabled(False)


class NumberPart(PredictPart):
    block = NumberPrediction
    part: NumberPrediction

    def _lay_out(self, kept: Any) -> None:
        tip = self.tr("Type the number that you expect.")
        self._edit = edit(f"lab-{self.part.id}Number", self.tr("What you expect"), tip)
        self._edit.setText("" if kept is None else format(kept, "g"))
        self._edit.returnPressed.connect(self._keep)
        unit = "%" if self.part.quantity.endswith("accuracy") else ""
        self.box.addLayout(row((self._edit, 1), label(unit)))

    def _value(self) -> float:
        try:
            return parse_number(self._edit.text().strip().replace(",", ".").removesuffix("%").strip())
        except ValueError:
            raise self.part.number_error() from None

    def _close(self) -> None:
        self._edit.setEnabled(False)


class CurvePart(PredictPart):
    block = CurvePrediction
    part: CurvePrediction

    def _lay_out(self, kept: Any) -> None:
        self._drawer = self.runs.drawer(self.part)
        if self._drawer is not None:
            self.box.addWidget(CurveKeys(self._drawer))
            if kept is not None:
                self._drawer.show_points(kept)

    def _value(self) -> list[tuple[float, float]] | None:
        points = self._drawer.points() if self._drawer is not None else []
        return points or None

    def finish(self) -> None:
        if self._drawer is not None:
            self._drawer.end()
