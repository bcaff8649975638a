"""The trainings that a lab asks for: one after the other, and which of them count."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from core.labs.answers import Answers
from core.labs.attempt import Attempt, attempt_of
from core.labs.blocks.exercise import TrainedBlock
from core.labs.blocks.run import RunBlock
from core.labs.trial import DataSets, score_of
from core.runs.plan import RunContext
from core.runs.side_by_side import Outcome
from core.training.records import Finished, Record, StepsDone, format_rate_changes
from gui.background.task_runner import Failure, TaskControl, TaskRunner, single_record
from gui.labs.curves import LabCurves
from gui.training.session import Session
from gui.training.tab import TrainingTab


@dataclass(slots=True)
class Training:
    """A training for a part of the lab. `begins`: whether it began with its first step; None before
    that is known.
    """

    part: TrainedBlock
    variant: int = 0
    outcome: Outcome = field(default_factory=Outcome)
    begins: bool | None = None


class LabRuns(QObject):
    """`answers` and `step` are those of the lab that is open; no run of the session counts without
    them.

    `asked(plan)`: train it now. `reached(attempt)`: a run has ended and counts. `changed`: another
    run is trained by now, or none. `tab_asked(name)`: show what the part is about.
    `failed(failure)`: a run does not count, or could not be scored.
    """

    asked = Signal(object)
    reached = Signal(object)
    changed = Signal()
    tab_asked = Signal(str)
    failed = Signal(object)

    def __init__(self, session: Session, training: TrainingTab, parent: QObject) -> None:
        super().__init__(parent)
        self.answers: Answers | None = None
        self.trained: Training | None = None
        self._uncounted = ""  # why the run that is trained does not count
        self._session = session
        self.curves = LabCurves(training, self)
        self.curves.tab_asked.connect(self.tab_asked)
        self._runner = TaskRunner(self, self._on_scored, self._on_score_ended)
        session.prepared.connect(self._on_prepared)
        session.records.connect(self._on_records)
        session.ended.connect(self._on_ended)

    def begin(self, answers: Answers | None) -> None:
        """Count runs for these answers from now on; None: for none."""
        self.answers = answers
        self.trained = None
        if answers is not None:
            self._data = DataSets(answers.lab.folder)
        self.curves.begin(answers)

    def show_step(self) -> None:
        """Another step is shown: the next run that is started counts for it."""
        self.trained = None
        self.curves.show_step()

    def running_variant(self, run: RunBlock) -> int | None:
        """Which of the part's trainings is in progress, or None."""
        return (
            self.trained.variant if self.trained is not None and self.trained.part is run else None
        )

    # -- trainings ---------------------------------------------------------------------------------

    def start(self, run: RunBlock) -> None:
        """Make the trainings of the part one after the other: those missing, or all again."""
        assert self.answers
        variants = range(len(run.variants))
        self._train(
            run, next((each for each in variants if self.answers.attempt_of(run, each) is None), 0)
        )

    def _train(self, run: RunBlock, variant: int) -> None:
        if self.answers is None or self._session.active:
            return
        # Before the run: from its first epoch on it shows what was to be predicted.
        self.answers.begin(run)
        plan = run.plans(self.answers.name)[variant]
        # Before it is asked for: the session may start it at once.
        self.trained = Training(run, variant)
        self.curves.begin_run(run, variant)
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
            task = self.answers.task_of(self.answers.shown_step)
            if task is None:
                self._uncounted = self.tr(
                    "This run does not count for the lab: nothing in this step asks for it."
                )
                return
            if context.plan.data != self.answers.lab.located(task.setup.plan).data:
                self._uncounted = self.tr(
                    "This run does not count for the lab: the task is about other data."
                )
                return
            self.trained = Training(task)
            self.curves.begin_attempt()
        self.trained.outcome = self.trained.outcome.after(context)

    def _on_records(self, records: list[Record]) -> None:
        if self.trained is None:
            return
        for record in records:
            self.trained.outcome = self.trained.outcome.after(record)
        steps = next((record for record in records if isinstance(record, StepsDone)), None)
        if self.trained.begins is None and steps is not None:
            # A run that was continued has made steps before those of its first record.
            self.trained.begins = steps.step == len(steps.step_metrics)

    def _on_ended(self, outcome: Any) -> None:
        # Kept, and forgotten: what follows may start the next run.
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
                "A run that was continued is no attempt, since its settings alone do not repeat "
                "it: press Train."
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
                # With the answers that they are for: another lab may be open at the end.
                return answers, replace(attempt, score=score_of(part.on, context, outcome, data))

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
            self.curves.show_run(run)
        if run.show == "results":
            self.tab_asked.emit(run.show)
        self.changed.emit()

    def _keep(self, answers: Answers, attempt: Attempt) -> None:
        answers.add(attempt)
        self.reached.emit(attempt)

    def _on_scored(self, records: list[tuple[Answers, Attempt]]) -> None:
        for answers, attempt in records:
            # Another lab may have been opened while it was scored.
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
        changes = (
            format_rate_changes(finished.checkpoint.rate_changes) or plan.settings.rate_changes
        )
        kept = plan.change(rate_changes=changes)
        if plan.data == self.answers.lab.located(given).data:
            # As the lab names it: a path on this computer means nothing on that of the teacher.
            kept = replace(kept, data=given.data)
        return attempt_of(
            trained.part.id,
            trained.variant,
            kept,
            trained.outcome.epochs,
            finished,
            finished.test_score,
        )
