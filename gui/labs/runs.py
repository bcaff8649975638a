"""The trainings that a lab asks for: one after the other, with their curves beside those that were expected."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from core.labs.answers import Answers
from core.labs.attempt import Attempt, attempt_of
from core.labs.blocks.block import of_kind
from core.labs.blocks.exercise import TrainedBlock
from core.labs.blocks.predict import CurvePrediction, PredictBlock
from core.labs.blocks.run import RunBlock
from core.labs.lab import Step
from core.labs.trial import DataSets, score_of
from core.runs.plan import RunContext
from core.runs.side_by_side import Outcome
from core.training.records import Finished, Record, StepsDone, format_rate_changes
from gui.background.task_runner import Failure, TaskControl, TaskRunner, single_record
from gui.labs.curve_drawer import CurveDrawer, DrawingHead, DrawnValues
from gui.labs.texts import value_text
from gui.training.session import Session
from gui.training.shown import Display
from gui.training.tab import TrainingTab
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.plots.other_curves import FIRST_OTHER, OtherCurve

_TRAINING_SERIES = 0  # where a part has one run
_TEST_SERIES = 1
_ATTEMPT_COLORS = 5  # of a task, before the first comes again


@dataclass(slots=True)
class Training:
    """A training for a part of the lab. `begins`: whether it began with its first step; None before that is known."""

    part: TrainedBlock
    variant: int = 0
    outcome: Outcome = field(default_factory=Outcome)
    begins: bool | None = None


class LabRuns(QObject):
    """`answers` and `step` are those of the lab that is open; no run of the session counts without them.

    `asked(plan)`: train it now. `reached`: a run has ended and counts. `changed`: another run is
    trained by now, or none. `tab_asked(name)`: show what the part is about. `failed(failure)`: a run does not count, or
    could not be scored.
    """

    asked = Signal(object)
    reached = Signal()
    changed = Signal()
    tab_asked = Signal(str)
    failed = Signal(object)

    def __init__(self, session: Session, training: TrainingTab, parent: QObject) -> None:
        super().__init__(parent)
        self.answers: Answers | None = None
        self.trained: Training | None = None
        self._uncounted = ""  # why the run that is trained does not count
        self._session = session
        self._training = training
        self._plots = training.plots.accuracy_plot, training.plots.loss_plot
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_scored)
        self._runner.ended.connect(self._on_score_ended)
        session.prepared.connect(self._on_prepared)
        session.records.connect(self._on_records)
        session.ended.connect(self._on_ended)

    def begin(self, answers: Answers | None) -> None:
        """Count runs for these answers from now on; None: for none."""
        self.answers = answers
        self.trained = None
        if answers is None:
            self._training.set_display(Display())
        else:
            self._data = DataSets(answers.lab)
            self._training.clear()
            self._training.set_display(self._display())

    @property
    def _step(self) -> Step:
        assert self.answers
        return self.answers.shown_step

    @property
    def is_explained(self) -> bool:
        """Whether the step itself says what comes out of its runs: messages would give away the answers."""
        return self.answers is not None and bool(of_kind(self._step.parts, RunBlock))

    @property
    def has_task(self) -> bool:
        """Whether the person chooses settings in the step."""
        trained = of_kind(self._step.parts, TrainedBlock)
        return any(part.is_task for part in trained)

    def running_variant(self, run: RunBlock) -> int | None:
        """Which of the part's trainings is in progress, or None."""
        return self.trained.variant if self.trained is not None and self.trained.part is run else None

    def drawer(self, part: CurvePrediction) -> CurveDrawer | None:
        """Draws the curve on the plot of its quantity; None where it is shown with the run by now."""
        assert self.answers
        run = self.answers.lab.predicted_run(part)
        assert run is not None  # a curve has one
        if self.answers.is_fixed(part):
            return None
        epochs = run.plans(self.answers.name)[part.variant].settings.epochs
        self.tab_asked.emit("training")
        plot = self.plot(part.quantity)
        self._training.plots.bring_forward(plot)
        drawer = CurveDrawer(plot, expected_name(run, part), expected_series(run, part), epochs, part.highest)
        unit = " %" if part.quantity.endswith("accuracy") else ""
        self._training.plots.frame_plot(DrawingHead(drawer), DrawnValues(drawer, unit))
        return drawer

    def end_drawing(self, drawer: CurveDrawer) -> None:
        """The curve cannot be drawn any more; it stays."""
        drawer.end()
        self._training.plots.frame_plot()

    def plot(self, quantity: str) -> LivePlot:
        accuracy, loss = self._plots
        return accuracy if quantity.endswith("accuracy") else loss

    # -- what the plots show --------------------------------------------------------------------------------

    def _display(self, **changes: Any) -> Display:
        """How runs are shown in this step: without advice, and without what belongs to settings of one's own."""
        hint = None if self.has_task else self.tr("The curves of the lab appear here.")
        base = Display(
            concludes=not self.is_explained, compares=False, notes_changes=self.has_task, hint=hint
        )
        return replace(base, **changes)

    def show_step(self) -> None:
        """Show the curves of the step's runs, or none where predictions are still to be made."""
        assert self.answers
        self.trained = None
        parts = self._step.parts
        predicted = map(self.answers.lab.predicted_run, of_kind(parts, CurvePrediction))
        runs = [run for run in predicted if run is not None] + of_kind(parts, RunBlock)
        ran = [run for run in runs if self.answers.has_begun(run)]
        asked = of_kind(parts, PredictBlock)
        if ran or not all(map(self.answers.is_fixed, asked)):
            self._training.clear()
        self._training.set_display(self._display())
        if ran:
            self.show_run(ran[-1])

    def show_run(self, run: RunBlock) -> None:
        """Show what the runs of the part have reached, beside what was expected, and name the best."""
        assert self.answers
        tried = [(index, self.answers.attempt_of(run, index)) for index in range(len(run.variants))]
        shown = [(index, attempt) for index, attempt in tried if attempt is not None]
        if len(run.variants) > 1:
            self._training.clear()
            self._training.set_display(self._headline(run, shown))
        self._show_beside(run, shown)

    def _headline(self, run: RunBlock, shown: list[tuple[int, Attempt]]) -> Display:
        """Above the plots stands the best run of the part; a race has none."""
        values = {index: each.values(run.quantity) for index, each in shown}
        reached = {index: points[-1][1] for index, points in values.items() if points}
        if not reached or run.is_race:
            return self._display(
                line=self.tr("{n} runs", None, len(shown)).format(n=len(shown)) if shown else ""
            )
        highest = run.quantity.endswith("accuracy")
        choose = max if highest else min
        best = choose(reached, key=lambda index: reached[index])
        attempt = next(each for index, each in shown if index == best)
        line = self.tr("the best of {n} runs: {run}").format(n=len(shown), run=run.titles[best])
        result = value_text(reached[best], attempt.shown_as(run.quantity))
        return self._display(line=line, result=result)

    def _show_beside(self, run: RunBlock, shown: list[tuple[int, Attempt]], is_live: bool = False) -> None:
        """Show the expected curves and those of these attempts. `is_live`: another run of the part is trained."""
        assert self.answers
        beside: dict[LivePlot, list[OtherCurve]] = {plot: [] for plot in self._plots}
        highest = dict.fromkeys(self._plots, 0.0)
        quantities = dict.fromkeys(["test_accuracy", "test_loss", run.quantity])
        drawn = shown
        if len(run.variants) == 1:
            # As while it was trained; then the plot draws it itself.
            quantities |= dict.fromkeys(["train_accuracy", "train_loss"])
            drawn = [] if is_live else shown
        for part in of_kind(self.answers.lab.predictions_of(run), CurvePrediction):
            points = part.points(self.answers)
            if points:
                plot = self.plot(part.quantity)
                name = expected_name(run, part)
                beside[plot].append(OtherCurve(name, tuple(points), expected_series(run, part), True))
                highest[plot] = part.highest
                quantities[part.quantity] = None
        for quantity in quantities:
            for index, attempt in drawn:
                values = tuple(attempt.values(quantity))
                if values:
                    name = curve_name(run, index, quantity)
                    curve = OtherCurve(name, values, curve_series(run, index, quantity))
                    beside[self.plot(quantity)].append(curve)
        self._training.plots.bring_forward(self.plot(run.quantity))
        for plot in self._plots:
            plot.show_others(beside[plot], run.plans(self.answers.name)[0].settings.epochs, highest[plot])

    # -- trainings ------------------------------------------------------------------------------------------

    def start(self, run: RunBlock) -> None:
        """Make the trainings of the part one after the other: those missing, or all again."""
        assert self.answers
        variants = range(len(run.variants))
        self._train(run, next((each for each in variants if self.answers.attempt_of(run, each) is None), 0))

    def _train(self, run: RunBlock, variant: int) -> None:
        if self.answers is None or self._session.active:
            return
        self.answers.begin(run)
        plan = run.plans(self.answers.name)[variant]
        self.trained = Training(run, variant)
        self._training.clear()
        title = run.titles[variant]
        count = len(run.variants)
        if count > 1:
            line = self.tr("run {n} of {all}: {run}").format(n=variant + 1, all=count, run=title)
            series = curve_series(run, variant, "test_accuracy")
            self._training.set_display(self._display(name=title, series=series, line=line))
        else:
            self._training.set_display(self._display(series=_TEST_SERIES))
        tried = [(index, self.answers.attempt_of(run, index)) for index in range(count) if index != variant]
        shown = [(index, attempt) for index, attempt in tried if attempt is not None]
        self._show_beside(run, shown, is_live=True)
        self.asked.emit(self.answers.lab.located(plan))
        if not self._session.active:  # something else is going on, as the banner says
            self.trained = None
        self.changed.emit()

    def _on_prepared(self, context: RunContext) -> None:
        self._uncounted = ""
        if self.answers is None:
            return
        if self.trained is None:
            # A run that the person started counts for the task that is shown.
            task = self.answers.task_of(self._step)
            if task is None:
                self._uncounted = self.tr(
                    "This run does not count for the lab: nothing in this step asks for it."
                )
                return
            if context.plan.data != self.answers.lab.data_of(task.setup.plan):
                self._uncounted = self.tr(
                    "This run does not count for the lab: the task is about other data."
                )
                return
            self.trained = Training(task)
            color = FIRST_OTHER + len(self.answers.attempts_of(task)) % _ATTEMPT_COLORS
            self._training.set_display(self._display(series=color))
            for plot in self._plots:
                plot.show_others(())  # attempts are compared with each other
        self.trained.outcome = self.trained.outcome.after(context)

    def _on_records(self, records: list[Record]) -> None:
        if self.trained is None:
            return
        for record in records:
            self.trained.outcome = self.trained.outcome.after(record)
        steps = next((record for record in records if isinstance(record, StepsDone)), None)
        if self.trained.begins is None and steps is not None:
            self.trained.begins = steps.step == len(steps.step_metrics)

    def _on_ended(self, outcome: Any) -> None:
        trained = self.trained
        self.trained = None
        if self.answers is None:
            return
        if trained is None:
            self._say_uncounted(self._uncounted)
            return
        context = trained.outcome.context
        if context is None or not isinstance(outcome, Finished) or outcome.reason == "stopped":
            self.changed.emit()
            return
        if not trained.begins:
            text = self.tr(
                "A run that was continued is no attempt, since its settings alone do not repeat it: press Train."
            )
            self._say_uncounted(text)
            self.changed.emit()
            return
        part = trained.part
        attempt = self._attempt(trained, context, outcome)
        if part.on:
            answers = self.answers
            data = self._data

            def score(control: TaskControl) -> tuple[Answers, Attempt]:
                return answers, replace(attempt, score=score_of(part, context, outcome, data))

            self._runner.start_latest(single_record(score))
            return
        self._keep(self.answers, attempt)
        if isinstance(part, RunBlock):
            # After the window has dealt with the end of this run.
            QTimer.singleShot(0, self, partial(self._go_on, part, trained.variant))

    def _say_uncounted(self, text: str) -> None:
        """Say why a run does not count, after the window has said how it ended."""
        if text:
            QTimer.singleShot(0, self, partial(self.failed.emit, Failure(text, tone="info")))

    def _go_on(self, run: RunBlock, variant: int) -> None:
        """Train the next variant of the part, or show what all have reached."""
        if self.answers is None:
            return
        if variant + 1 < len(run.variants):
            self._train(run, variant + 1)
            return
        if len(run.variants) > 1:
            self.show_run(run)
        if run.show in ("results", "inside"):
            self.tab_asked.emit(run.show)
        self.changed.emit()

    def _keep(self, answers: Answers, attempt: Attempt) -> None:
        answers.add(attempt)
        self.reached.emit()

    def _on_scored(self, records: list[tuple[Answers, Attempt]]) -> None:
        for answers, attempt in records:
            if self.answers is answers:
                self._keep(answers, attempt)

    def _on_score_ended(self, failure: Failure | None) -> None:
        if failure:
            self.failed.emit(failure)

    def _attempt(self, trained: Training, context: RunContext, finished: Finished) -> Attempt:
        assert self.answers
        plan = context.plan
        given = trained.part.setup.plan
        # The rates that were typed while it trained are needed to repeat it.
        changes = format_rate_changes(finished.checkpoint.rate_changes) or plan.settings.rate_changes
        kept = plan.change(rate_changes=changes)
        if plan.data == self.answers.lab.data_of(given):
            kept = replace(kept, data=given.data)
        return attempt_of(
            trained.part, trained.variant, kept, trained.outcome.epochs, finished, finished.test_score
        )


def curve_series(run: RunBlock, variant: int, quantity: str) -> int:
    """The color of a run's curve: its own for each run of a part; training and test have theirs where it has one."""
    if len(run.variants) > 1:
        return FIRST_OTHER + variant
    return _TEST_SERIES if quantity.startswith("test") else _TRAINING_SERIES


def curve_name(run: RunBlock, variant: int, quantity: str) -> str:
    kind = QCoreApplication.translate("LabRuns", "training")
    if quantity.startswith("validation"):
        kind = QCoreApplication.translate("LabRuns", "validation")
    if len(run.variants) == 1:
        return QCoreApplication.translate("LabRuns", "test") if quantity.startswith("test") else kind
    title = run.titles[variant]
    return title if quantity.startswith("test") else f"{title}, {kind}"


def expected_name(run: RunBlock, part: PredictBlock) -> str:
    """The name of a curve that was drawn before the run: it says of which run it is."""
    if len(run.variants) == 1:
        return QCoreApplication.translate("LabRuns", "expected")
    return QCoreApplication.translate("LabRuns", "expected: {run}").format(run=run.titles[part.variant])


def expected_series(run: RunBlock, part: PredictBlock) -> int:
    return curve_series(run, part.variant, part.quantity)
