"""What a person expects of a run: a choice, a number, or a curve that is drawn on the plot of its
quantity.
"""

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from core.errors import InputError
from core.labs.answers import Answers
from core.labs.blocks.predict import (
    ChoicePrediction,
    CurvePrediction,
    NumberPrediction,
    PredictBlock,
)
from core.text import parse_number
from gui.labs.blocks.part import ExercisePart
from gui.labs.curve_drawer import CurveKeys
from gui.labs.texts import value_text
from gui.text import sentence, sentence_text
from gui.widgets.make import button, edit, label, row

if TYPE_CHECKING:
    from gui.labs.runs import LabRuns


class PredictPart(ExercisePart):
    """What is chosen, typed or drawn is kept at once, and can be changed until the run.

    A prediction without a run is compared as soon as it is kept: it has a button that keeps it.
    """

    part: PredictBlock

    def __init__(self, part: PredictBlock, answers: Answers, runs: "LabRuns") -> None:
        super().__init__(part, answers, runs)
        self._has_run = answers.lab.predicted_run(part) is not None
        self._lay_out(answers.predictions.get(part.id))
        tip = self.tr("Keep this as your prediction; what comes out is said then.")
        self.keep = button(self.tr("That is what I expect"), f"lab-{part.id}Keep", tip, self._keep)
        self.keep.setHidden(self._has_run)
        self._add(self.keep)

    def _lay_out(self, kept: Any) -> None:
        """Show where the prediction is given, with the one that is `kept`, or None."""

    def _value(self) -> Any:
        """What is chosen, typed or drawn; None for nothing. Raises InputError for what is no
        prediction.
        """

    def _close(self) -> None:
        """The prediction cannot be changed any more."""

    def _on_given(self, given: object = None) -> None:
        """Something was chosen, typed or drawn."""
        if self._has_run:
            self._keep()

    def _keep(self) -> None:
        try:
            value = self._value()
            self.answers.predict(self.part, value)
            self.message.say(self._kept_text() if value is not None else "")
        except InputError as error:
            # What is wrong takes back what was kept, or that would stay unseen.
            if self.answers.may_change(self.part):
                self.answers.predict(self.part, None)
            self.message.say(sentence(error), False)
        self.changed.emit()

    def _kept_text(self) -> str:
        return self.tr("You can change it until the run.")

    def refresh(self) -> None:
        said = self.answers.comparison(self.part, value_text)
        if said is not None:
            is_right = self.part.was_right(self.answers.predictions.get(self.part.id))
            self.message.say(sentence_text(said), is_right)
            self._show_outcome(is_right)
        if not self.answers.is_fixed(self.part) or (said is None and not self._has_run):
            return
        if said is None:
            self.message.say(self.tr("The run has begun: it cannot be changed any more."))
        self.keep.hide()
        self._close()
        self.finish()

    def _show_outcome(self, is_right: bool | None) -> None:
        """Mark what was given as right or wrong."""


class ChoicePart(PredictPart):
    block = ChoicePrediction
    part: ChoicePrediction

    def _lay_out(self, kept: Any) -> None:
        self._offer(self.part.choices, kept)
        self.choices.idClicked.connect(self._on_given)

    def _value(self) -> str | None:
        chosen = self.choices.checkedId()
        return self.part.choices[chosen] if chosen >= 0 else None

    def waits_for(self) -> str:
        return self.tr("first your choice")

    def _close(self) -> None:
        for choice in self.rows:
            choice.setEnabled(False)

    def _show_outcome(self, is_right: bool | None) -> None:
        for choice, text in zip(self.rows, self.part.choices, strict=True):
            # Also where another one was chosen: the right one is to be seen.
            if text == self.part.right:
                choice.mark(True)
            elif choice.isChecked():
                choice.mark(is_right)


class NumberPart(PredictPart):
    block = NumberPrediction
    part: NumberPrediction

    def _lay_out(self, kept: Any) -> None:
        tip = self.tr("Type the number that you expect.")
        self._edit = edit(f"lab-{self.part.id}Number", self.tr("What you expect"), tip)
        self._edit.setText("" if kept is None else format(kept, "g"))
        self._edit.textEdited.connect(self._on_given)
        self._edit.returnPressed.connect(self._keep)
        unit = "%" if self.part.quantity.endswith("accuracy") else ""
        self.box.addLayout(row((self._edit, 1), label(unit)))

    def _value(self) -> float | None:
        # Some languages write a comma before the decimals.
        text = self._edit.text().strip().replace(",", ".").removesuffix("%").strip()
        if not text:
            return None
        try:
            return parse_number(text)
        except ValueError:
            raise self.part.number_error() from None

    def waits_for(self) -> str:
        return self.tr("first your number")

    def first_control(self) -> QWidget:
        return self._edit

    def _close(self) -> None:
        self._edit.setEnabled(False)


class CurvePart(PredictPart):
    block = CurvePrediction
    part: CurvePrediction

    def _lay_out(self, kept: Any) -> None:
        self._drawer = self.runs.curves.drawer(self.part)
        if self._drawer is not None:
            if kept is not None:
                self._drawer.show_points(kept)
            self._keys = CurveKeys(self._drawer)
            self.box.addWidget(self._keys)
            self._drawer.drawn.connect(self._on_given)

    def _value(self) -> list[tuple[float, float]] | None:
        points = self._drawer.points() if self._drawer is not None else []
        # A single point is no curve that could be compared.
        return points if len(points) > 1 else None

    def waits_for(self) -> str:
        return self.tr("first the curve")

    def first_control(self) -> QWidget | None:
        return self._keys if self._drawer is not None else None

    def _kept_text(self) -> str:
        return self.tr("Kept. You can draw it anew until the run.")

    def finish(self) -> None:
        if self._drawer is not None:
            self.runs.curves.end_drawing(self._drawer)
