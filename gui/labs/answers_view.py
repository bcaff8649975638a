"""What one person has expected and done in a lab, in sentences."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from core.labs.answers import Answers
from core.labs.attempt import Point
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.blocks.predict import CurvePrediction, PredictBlock
from core.labs.lab import Parts
from gui.labs.blocks import PartWidget, widget_class
from gui.labs.blocks.part import asked
from gui.labs.curves import PredictionPlot
from gui.labs.texts import OutcomeLabel, value_text
from gui.text import sentence_text, unbroken
from gui.widgets.dialogs import TextLink
from gui.widgets.make import button, column, ignoring_arguments, label, row
from gui.workshop.exercises import ProgressRing


class AnswersView(QWidget):
    """`step_asked(index)`: go to the step of what is missing; has_links: whether there are links to
    do so.
    """

    step_asked = Signal(int)

    def __init__(self, answers: Answers, *, has_links: bool) -> None:
        super().__init__()
        self.setObjectName("answersView")
        self._answers = answers
        self._has_links = has_links
        column_of_parts = column(owner=self, spacing=6)
        expected = [part for part in answers.lab.parts.predictions if answers.is_done(part)]
        done = [part for part in answers.lab.parts.exercises if part not in expected]
        if expected:
            title = self.tr("What you expected") if has_links else self.tr("What was expected")
            column_of_parts.addWidget(_heading(title))
        for prediction in expected:
            column_of_parts.addWidget(self._expected(prediction))
        if done:
            title = self.tr("What you did") if has_links else self.tr("What was done")
            column_of_parts.addWidget(_heading(title))
        for part in done:
            column_of_parts.addWidget(self._done(part))

    def _expected(self, part: PredictBlock) -> QWidget:
        answers = self._answers
        made = QWidget()
        # A stranger's lab must not bring HTML into the dialog.
        question = label(asked(part), role="muted", plain=True)
        said = OutcomeLabel(f"expected-{part.id}")
        compared = answers.comparison(part, value_text)
        if compared is None:
            text = self.tr("Expected: {value}.")
            value = part.written(answers.predictions.get(part.id), value_text)
            said.say(text.format(value=value) if value else self.tr("A curve is drawn."))
        else:
            said.say(sentence_text(compared), part.was_right(answers.predictions.get(part.id)))
        parts: list[QWidget] = [question, said]
        if isinstance(part, CurvePrediction):
            parts.append(self._plot(part))
        column(*parts, owner=made, spacing=2)
        return made

    def _plot(self, part: CurvePrediction) -> PredictionPlot:
        title = self.tr("The curve that was expected, and the real one")
        plot = PredictionPlot(part, self._answers.lab, title, f"curves-{part.id}")
        plot.show_curves(
            [(self.tr("expected"), self._answers.given(part).points)],
            real_points(part, self._answers),
        )
        return plot

    def _done(self, part: ExerciseBlock) -> QWidget:
        answers = self._answers
        is_done = answers.is_done(part)
        step = answers.lab.step_of(part)
        kind = widget_class(part) or PartWidget
        text = label()
        said = self.tr("{step}: {text}").format(
            step=step.title, text=kind.report_text(part, answers)
        )
        text.setText(unbroken(said))
        text.setObjectName(f"done-{part.id}")
        text.setTextFormat(Qt.TextFormat.PlainText)
        made = QWidget()
        line = row(ProgressRing(answers, Parts([part])), (text, 1), owner=made, spacing=8)
        if not is_done and self._has_links:
            index = answers.lab.steps.index(step)
            tip = self.tr("Close this, and show the step “{step}”.").format(step=step.title)
            asks = ignoring_arguments(lambda: self.step_asked.emit(index))
            link = button(self.tr("go there"), f"goTo-{part.id}", tip, asks, kind=TextLink)
            line.addWidget(link)
            line.setAlignment(link, Qt.AlignmentFlag.AlignTop)
        return made


def real_points(part: CurvePrediction, answers: Answers) -> list[Point]:
    """The curve that was to be predicted, as the person's own run gave it; empty before."""
    run = answers.lab.predicted_run(part)
    attempt = answers.attempt_of(run, part.variant) if run is not None else None
    return attempt.values(part.quantity) if attempt is not None else []


def _heading(text: str) -> QLabel:
    made = label(text, role="heading")
    made.setContentsMargins(0, 8, 0, 0)
    return made
