"""A lab in the left column: its text step by step, what a person does there, and how far the person is."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from core.errors import InputError
from core.files.log import logger
from core.files.paths import data_folder
from core.labs.answers import Answers, Attempt, attempt_of, read_answers
from core.labs.lab import ExerciseBlock, Lab, PredictBlock, RunBlock, SetupBlock, TaskBlock, predicted_run
from core.labs.package import open_lab
from core.runs.plan import RunContext, RunPlan
from core.training.records import Epoch, EpochDone, Finished, Record, format_rate_changes
from gui.labs.curve_drawer import CurveDrawer
from gui.labs.parts import LabText, PartWidget, part_widget
from gui.training.live_plot import LivePlot, OtherCurve
from gui.training.session import Session
from gui.training.tab import TrainingTab
from gui.widgets.basics import PrimaryButton, heading, named, scroll_area
from gui.widgets.dialogs import FolderMemory
from gui.widgets.make import button, check, column, label, row

HIGHEST_LOSS = 2.5
_FIRST_SERIES = 2


class LabPanel(QWidget):
    """Hidden until `open` shows a lab.

    `setup_asked(plan)`: show these settings. `controls_asked(names)`: of which settings the fields are shown; None: of
    all. `run_asked(plan)`: train it now. `tab_asked(name)`, `model_asked(path)`: show a tab, open a model.
    `said(text, tone)`: a message.
    """

    setup_asked = Signal(object)
    controls_asked = Signal(object)
    run_asked = Signal(object)
    tab_asked = Signal(str)
    model_asked = Signal(object)
    said = Signal(str, str)

    def __init__(self, session: Session, training: TrainingTab, memory: FolderMemory) -> None:
        super().__init__()
        named(self, "labPanel", self.tr("Lab"))
        self.answers: Answers | None = None
        self._session, self._training, self._memory = session, training, memory
        self._widgets: list[tuple[Any, QWidget]] = []
        self._drawers: list[CurveDrawer] = []
        self._waiting: list[tuple[RunBlock, int, RunPlan]] = []  # runs that still have to be made
        self._trained: tuple[ExerciseBlock, int, RunContext, list[Epoch]] | None = (
            None  # the run that is being made
        )
        self._asked_for: tuple[RunBlock, int] | None = None
        self._controls: tuple[str, ...] = ()
        self._lay_out()
        session.prepared.connect(self._on_prepared)
        session.records.connect(self._on_records)
        session.ended.connect(self._on_ended)
        self.hide()

    def _lay_out(self) -> None:
        tr = self.tr
        self.title = heading("")
        self.title.setWordWrap(True)
        self.where = label("", "labStep", "muted", wraps=False)
        self.close_button = button(
            "✕", "labClose", tr("Close the lab; your answers are kept."), self.close_lab
        )
        self.close_button.setAccessibleName(tr("Close the lab"))
        self.close_button.setFixedWidth(28)
        self.page = QWidget()
        self._steps = column(owner=self.page, spacing=10)
        self._steps.setContentsMargins(12, 4, 10, 8)
        self.area = scroll_area(self.page)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.back = button(
            tr("Back"), "labBack", tr("The step before."), lambda: self.show_step(-1), key="Alt+Left"
        )
        self.next = button(
            tr("Next"), "labNext", tr("The next step."), self._next, key="Alt+Right", kind=PrimaryButton
        )
        tip = tr("Show all settings below the text, not only those of this step.")
        self.all_settings = check(tr("All settings"), "labAllSettings", tip, lambda on: self._ask_controls())
        top = row((self.title, 1), self.where, self.close_button)
        top.setContentsMargins(12, 8, 6, 0)
        below = row(self.back, None, self.all_settings, None, self.next)
        below.setContentsMargins(12, 0, 10, 6)
        column(top, (self.area, 1), below, owner=self, spacing=4)

    # -- opening and closing --------------------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Show the lab at `path`, at the step where the person left it. Raises InputError."""
        self.open_lab(open_lab(path))

    def open_lab(self, lab: Lab) -> None:
        if lab.is_experiment:
            self._set_up_experiment(lab)
            return
        self.answers = Answers(lab)
        path = self._path()
        if path.exists():
            try:
                self.answers = read_answers(path, lab)
            except InputError as error:
                logger.warning("%s", error)
        self.title.setText(lab.title)
        self._show()
        self.show()
        self.tab_asked.emit("training")

    def _set_up_experiment(self, lab: Lab) -> None:
        """Show what an experiment file holds: settings, text, tab, model."""
        for part in lab.parts():
            if isinstance(part, SetupBlock):
                plan = part.plan_of("")
                self.setup_asked.emit(RunPlan(plan.settings, lab.data_of(plan), plan.device))
                if part.model and lab.folder is not None:
                    self.model_asked.emit(lab.folder / part.model)
                if part.tab:
                    self.tab_asked.emit(part.tab)
        self.said.emit(self.tr("The experiment “{title}” is set up.").format(title=lab.title), "good")

    def close_lab(self) -> None:
        """Show the settings again; the answers are kept."""
        self._save()
        self._end_step()
        self.answers = None
        self.hide()
        self._ask_controls()

    def start_again(self) -> None:
        """Forget all answers to this lab."""
        if self.answers is not None:
            self.answers = Answers(self.answers.lab, self.answers.name)
            self._save()
            self._training.clear()
            self._show()

    def hand_in(self) -> None:
        """Show what the file of answers holds, and save it."""
        if self.answers is not None:
            # Imported when it is needed, so that the window starts sooner.
            from gui.labs.dialogs import HandInDialog

            dialog = HandInDialog(self.answers, self._memory, self.window())
            dialog.saved.connect(
                lambda path: self.said.emit(self.tr("Your answers are in {path}.").format(path=path), "good")
            )
            dialog.finished.connect(self._save)
            dialog.open()

    def _path(self) -> Path:
        assert self.answers
        return data_folder() / "labs" / f"{self.answers.lab.digest[:32]}.json"

    def _save(self) -> None:
        if self.answers is not None:
            try:
                self.answers.save(self._path())
            except InputError as error:
                logger.warning("%s", error)

    # -- steps ----------------------------------------------------------------------------------------------

    def _next(self) -> None:
        assert self.answers
        if self.answers.step + 1 < len(self.answers.lab.steps):
            self.show_step(1)
        else:
            self.hand_in()

    def show_step(self, by: int) -> None:
        """Go forwards or backwards by steps."""
        if self.answers is None or self._session.active:
            return
        self.answers.step = min(max(self.answers.step + by, 0), len(self.answers.lab.steps) - 1)
        self._save()
        self._show()

    def _end_step(self) -> None:
        for _, widget in self._widgets:
            if isinstance(widget, PartWidget):
                widget.finish()
            self._steps.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        while self._steps.count():
            self._steps.takeAt(0)
        self._widgets, self._drawers, self._waiting = [], [], []

    def _show(self) -> None:
        """Show the present step."""
        assert self.answers
        answers, lab = self.answers, self.answers.lab
        self._end_step()
        step = lab.steps[answers.step]
        if step.title != lab.title:
            title = heading(step.title)
            title.setWordWrap(True)
            self._add(None, title)
        if any(
            isinstance(part, PredictBlock) and not answers.comparison(part, lambda v, q: "")
            for part in step.parts
        ):
            self._training.clear()
        for part in step.parts:
            widget = part_widget(part, answers, self._drawer(part))
            if isinstance(widget, PartWidget):
                widget.changed.connect(self._on_changed)
                widget.run_asked.connect(self._start)
            if widget is not None:
                self._add(part, widget)
        self._steps.addStretch(1)
        self._set_up()
        self.refresh()
        QTimer.singleShot(0, self, lambda: self.area.verticalScrollBar().setValue(0))

    def _add(self, part: Any, widget: QWidget) -> None:
        self._widgets.append((part, widget))
        self._steps.addWidget(widget)

    def _set_up(self) -> None:
        """Set what the step sets: the settings in force at its end, and the controls that it shows."""
        assert self.answers
        lab = self.answers.lab
        setup = SetupBlock(0)
        for step in lab.steps[: self.answers.step + 1]:
            for part in step.parts:
                setup = part if isinstance(part, SetupBlock) else setup
        plan = setup.plan_of(self.answers.name)
        self.setup_asked.emit(RunPlan(plan.settings, lab.data_of(plan), plan.device))
        has_task = any(isinstance(part, TaskBlock) for part in lab.steps[self.answers.step].parts)
        self._controls = setup.controls if has_task else ()
        self._ask_controls()
        if setup.tab and setup in lab.steps[self.answers.step].parts:
            self.tab_asked.emit(setup.tab)

    def _ask_controls(self) -> None:
        self.controls_asked.emit(
            None if self.answers is None or self.all_settings.isChecked() else self._controls
        )

    def _plot(self, quantity: str) -> LivePlot:
        return self._training.accuracy_plot if quantity.endswith("accuracy") else self._training.loss_plot

    def _drawer(self, part: object) -> CurveDrawer | None:
        if not isinstance(part, PredictBlock) or part.kind != "curve":
            return None
        assert self.answers
        run = predicted_run(self.answers.lab, part)
        plans = run.plans(self.answers.name) if run else []
        epochs = plans[part.variant].settings.epochs if plans else part.setup.plan.settings.epochs
        highest = 100.0 if part.quantity.endswith("accuracy") else HIGHEST_LOSS
        self.tab_asked.emit("training")
        plot = self._plot(part.quantity)
        self._training.bring_forward(plot)
        return CurveDrawer(plot, self.tr("expected"), epochs, highest)

    def refresh(self) -> None:
        """Show what may be seen by now."""
        if self.answers is None:
            return
        step = self.answers.lab.steps[self.answers.step]
        visible = self.answers.visible(step)
        for part, widget in self._widgets:
            widget.setVisible(part is None or any(part is each for each in visible))
            if isinstance(widget, PartWidget):
                widget.refresh()
        last = self.answers.step + 1 == len(self.answers.lab.steps)
        self.next.setText(self.tr("Hand in…") if last else self.tr("Next"))
        self.back.setEnabled(self.answers.step > 0)
        self.next.setEnabled(self.answers.may_leave(step))
        text = self.tr("{n} of {all}").format(n=self.answers.step + 1, all=len(self.answers.lab.steps))
        self.where.setText(text)

    def _on_changed(self) -> None:
        self._save()
        self.refresh()
        # What has just become visible is below.
        QTimer.singleShot(0, self, self._scroll_to_last)

    def _scroll_to_last(self) -> None:
        shown = [
            widget
            for part, widget in self._widgets
            if isinstance(widget, PartWidget | LabText) and widget.isVisible()
        ]
        if shown:
            self.area.ensureWidgetVisible(shown[-1], 0, 10)

    # -- runs -----------------------------------------------------------------------------------------------

    def _start(self, run: RunBlock) -> None:
        """Make the runs of the part, one after the other."""
        assert self.answers
        if self._session.active:
            self.said.emit(self.tr("A run is in progress: stop it first."), "info")
            return
        self._waiting = [(run, index, plan) for index, plan in enumerate(run.plans(self.answers.name))]
        self._start_next()

    def _start_next(self) -> None:
        if self.answers is None or not self._waiting:
            return
        run, variant, plan = self._waiting.pop(0)
        self._asked_for = run, variant
        self._show_others(run)
        self.run_asked.emit(RunPlan(plan.settings, self.answers.lab.data_of(plan), plan.device))

    def _show_others(self, run: RunBlock) -> None:
        """The expected curves, and those of the runs that were made, beside the curves of the run that is made."""
        assert self.answers
        for quantity in ("test_accuracy", "test_loss"):
            others = [
                OtherCurve(self.tr("expected"), tuple(points), 1, True)
                for part in self.answers.lab.exercises()
                if isinstance(part, PredictBlock) and predicted_run(self.answers.lab, part) is run
                and self._plot(part.quantity) is self._plot(quantity)
                and isinstance(points := self.answers.predictions.get(part.id), list)
            ]  # fmt: skip
            if len(run.variants) > 1:
                for index, title in enumerate(run.titles):
                    attempt = self.answers.attempt_of(run, index)
                    if attempt is not None and index != (self._asked_for or (None, -1))[1]:
                        others.append(
                            OtherCurve(title, tuple(attempt.values(quantity)), _FIRST_SERIES + index)
                        )
            self._plot(quantity).show_others(others, run.plans(self.answers.name)[0].settings.epochs)

    def _on_prepared(self, context: RunContext) -> None:
        self._trained = None
        if self.answers is None:
            return
        if self._asked_for is not None:
            run, variant = self._asked_for
            self._trained = run, variant, context, []
            return
        tasks = [
            part
            for part in self.answers.visible(self.answers.lab.steps[self.answers.step])
            if isinstance(part, TaskBlock)
        ]
        if tasks and context.plan.data == self.answers.lab.data_of(tasks[0].setup.plan):
            self._trained = tasks[0], 0, context, []

    def _on_records(self, records: list[Record]) -> None:
        if self._trained is not None:
            self._trained[3].extend(record.numbers for record in records if isinstance(record, EpochDone))

    def _on_ended(self, outcome: Any) -> None:
        trained, self._trained = self._trained, None
        asked, self._asked_for = self._asked_for, None
        if self.answers is None or trained is None:
            return
        part, variant, context, epochs = trained
        complete = isinstance(outcome, Finished) and outcome.reason != "stopped"
        if not complete or (asked is None and isinstance(part, RunBlock)):
            self._waiting = []
            return
        self.answers.add(self._attempt(part, variant, context, epochs, outcome))
        self._on_changed()
        if self._waiting:
            # After the window has dealt with the end of this run.
            QTimer.singleShot(0, self, self._start_next)
        elif isinstance(part, RunBlock):
            self._show_others(part)
            if part.show in ("results", "inside"):
                self.tab_asked.emit(part.show)

    def _attempt(
        self, part: ExerciseBlock, variant: int, context: RunContext, epochs: list[Epoch], finished: Finished
    ) -> Attempt:
        assert self.answers
        plan = context.plan
        named_data = (
            part.setup.plan.data if plan.data == self.answers.lab.data_of(part.setup.plan) else plan.data
        )
        # The rates that were typed while it trained are needed to repeat it.
        changes = format_rate_changes(finished.checkpoint.rate_changes) or plan.settings.rate_changes
        kept = RunPlan(plan.settings.change(rate_changes=changes), named_data, plan.device)
        parameters = finished.checkpoint.parameters
        return attempt_of(part, variant, kept, epochs, finished.test_score, finished.seconds, parameters)
