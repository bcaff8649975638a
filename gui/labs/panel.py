"""A lab in the left column: its text step by step, what a person does there, and how far the person is."""

from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from core.errors import InputError
from core.labs import lab as labs
from core.labs.answers import Answers, Attempt, attempt_of
from core.labs.package import is_lab, open_lab
from core.labs.trial import DataSets, score_of
from core.runs.plan import RunContext
from core.training.records import Epoch, EpochDone, Finished, Record, format_rate_changes
from gui.background.task_runner import Failure, TaskRunner, single_record
from gui.labs.parts import EXPECTED_SERIES, CurveDrawer, PartWidget, part_widget
from gui.labs.progress import LabProgress
from gui.text import count, sentence
from gui.training.session import Session
from gui.training.tab import TrainingTab
from gui.widgets.banner import Banner
from gui.widgets.basics import PrimaryButton, heading, named, note, scroll_area, set_message
from gui.widgets.dialogs import FolderMemory, reporting
from gui.widgets.make import button, check, column, edit, label, row
from gui.widgets.plots.live_plot import LivePlot, OtherCurve
from gui.widgets.theme import theme
from kernels.workshop.trace import Verdict

_FIRST_SERIES = 2
# The text of a column that is so wide, in pixels, is so many times as large.
_WIDE, _LARGE = 430, 1.25


@dataclass(slots=True)
class _Training:
    """A training for a part of the lab. `context`: None until its data and network are there."""

    part: labs.RunBlock | labs.TaskBlock
    variant: int = 0
    context: RunContext | None = None
    epochs: list[Epoch] = field(default_factory=list)


class LabPanel(QWidget):
    """Hidden until `open` shows a lab.

    `setup_asked(plan)`: show these settings. `controls_asked(names)`: of which settings the fields are shown; None: of
    all. `run_asked(plan)`: train it now. `tab_asked(name)`, `model_asked(path)`: show a tab, open a model.
    `kernel_asked(answers, block)`: let the person write this kernel.
    """

    setup_asked = Signal(object)
    controls_asked = Signal(object)
    run_asked = Signal(object)
    tab_asked = Signal(str)
    model_asked = Signal(object)
    kernel_asked = Signal(object, object)

    def __init__(self, session: Session, training: TrainingTab, memory: FolderMemory, banner: Banner) -> None:
        super().__init__()
        named(self, "labPanel", self.tr("Lab"))
        self.answers: Answers | None = None
        self._session, self._training, self._memory, self._banner = session, training, memory, banner
        self._progress = LabProgress(banner, self)
        self._plots = training.accuracy_plot, training.loss_plot
        self._widgets: list[tuple[Any, QWidget]] = []
        self._trained: _Training | None = None  # what is being trained
        self._controls: tuple[str, ...] = ()
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_read)
        self._runner.ticked.connect(self._show_progress)
        self._runner.ended.connect(self._on_read_ended)
        self._lay_out()
        session.prepared.connect(self._on_prepared)
        session.records.connect(self._on_records)
        session.ended.connect(self._on_ended)
        theme().changed.connect(self._fit_text)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_text()

    def _fit_text(self) -> None:
        """In a wide column the text is larger, so that its lines stay short."""
        self.page.setFont(theme().font(_LARGE if self.width() >= theme().px(_WIDE) else 1.0))

    def _lay_out(self) -> None:
        tr = self.tr
        self.title = heading("")
        self.title.setWordWrap(True)
        self.where = label("", "labStep", "muted", wraps=False)
        tip = tr("Begin this lab again: the answers so far are put aside.")
        again = named(button("↺", "", slot=self.start_again), "labAgain", tr("Start again"), tip)
        tip = tr("Close the lab; your answers are kept.")
        close = named(button("✕", "", slot=self.close_lab), "labClose", tr("Close the lab"), tip)
        for small in (again, close):
            small.setFixedWidth(28)
        self.page = QWidget()
        self._steps = column(owner=self.page, spacing=10)
        self._steps.setContentsMargins(12, 4, 10, 8)
        self.area = scroll_area(self.page)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tip, back = tr("The step before."), partial(self.show_step, -1)
        self.back = button(tr("Back"), "labBack", tip, lambda: back(), key="Alt+Left")
        tip = tr("The next step.")
        self.next = button(tr("Next"), "labNext", tip, self._next, key="Alt+Right", kind=PrimaryButton)
        tip = tr("Show all settings below the text, not only those of this step.")
        self.all_settings = check(tr("All settings"), "labAllSettings", tip, lambda on: self._ask_controls())
        top = row((self.title, 1), self.where, again, close)
        top.setContentsMargins(12, 8, 6, 0)
        below = row(self.back, None, self.all_settings, None, self.next)
        below.setContentsMargins(12, 0, 10, 6)
        self.reason = note("muted", "labReason")
        column(top, (self.area, 1), row(12, self.reason, 10), below, owner=self, spacing=4)

    # -- opening and closing --------------------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Read the lab at `path` and show it, or mark the answers to the open lab in the folder at `path`."""
        answers = self.answers
        if self._session.active:
            self._banner.show_text(self.tr("Stop the run first; then open the lab again."))
        elif is_lab(path) or not path.is_dir():
            language = QLocale().name().partition("_")[0]
            self._runner.start_latest(single_record(lambda c: open_lab(path, c.progress, language)))
        elif answers is None:
            text = self.tr("{path} holds answers: open their lab first, then drop the folder again.")
            self._banner.show_text(text.format(path=path), "bad")
        else:
            # Imported when it is needed, so that the window starts sooner.
            from core.labs.grading import read_folder

            read = partial(read_folder, path, answers.lab)
            self._runner.start_latest(single_record(lambda control: read(control.progress)))

    def _show_progress(self) -> None:
        done, total = self._runner.progress
        if total:
            text = self.tr("Files are being read: {done} of {total}.")
            self._banner.show_text(text.format(done=count(done), total=count(total)))
            self._banner.offer(self.tr("Stop"), self._runner.cancel)

    def _on_read(self, records: list[Any]) -> None:
        for record in records:
            if isinstance(record, labs.Lab):
                self._banner.hide()
                self.open_lab(record)
            elif isinstance(record, tuple):
                answers, attempt = record
                if answers is self.answers:
                    self._keep(attempt)
            else:
                from gui.labs.dialogs import GradeDialog

                GradeDialog(record, self._memory, self.window()).show()

    def _on_read_ended(self, failure: Failure | None) -> None:
        self._banner.withdraw(self._runner.cancel)
        if failure:
            self._banner.show_text(failure.text, "bad", failure.details)

    def open_lab(self, lab: labs.Lab) -> None:
        """Show the lab at the step where the person left it."""
        if lab.is_experiment:
            self._set_up_experiment(lab)
            return
        answers = self._progress.read(lab)
        kernels = [part for part in lab.parts() if isinstance(part, labs.KernelBlock)]
        if not kernels:
            self.tab_asked.emit("training")
        self._answer_in(answers)
        if kernels:
            left = [part for part in kernels if not answers.is_done(part)]
            self.kernel_asked.emit(answers, (left or kernels)[0])
            self.tab_asked.emit("workshop")

    def _set_up_experiment(self, lab: labs.Lab) -> None:
        """Show what an experiment file holds: settings, text, tab, model."""
        for part in lab.parts():
            if isinstance(part, labs.SetupBlock):
                self.setup_asked.emit(lab.located(part.plan_of("")))
                if part.model and lab.folder is not None:
                    self.model_asked.emit(lab.folder / part.model)
                if part.tab:
                    self.tab_asked.emit(part.tab)
        text = self.tr("The experiment “{title}” is set up.")
        self._banner.show_text(text.format(title=lab.title), "good")

    def close_lab(self) -> None:
        """Show the settings again; the answers are kept."""
        self._save()
        self._end_step()
        self.answers = None
        self._training.concludes = self._training.compares = True
        self.hide()
        self._ask_controls()

    def start_again(self) -> None:
        """Begin the lab without answers; the banner offers those so far."""
        if (before := self.answers) is None or self._session.active:
            return
        with reporting(self._banner.show_text):
            aside = self._progress.begin_again(before.lab)
            self._answer_in(Answers(before.lab, before.name))
            text = self.tr("The lab begins again. Your answers so far are in {path}.")
            self._banner.show_text(text.format(path=aside) if aside else self.tr("The lab begins again."))
            self._banner.offer(self.tr("Back to my answers"), lambda: self._answer_in(before))

    def _answer_in(self, answers: Answers) -> None:
        """Go on with these answers, unless a run is in progress."""
        if self._session.active:
            self._banner.show_text(self.tr("Stop the run first; then open the lab again."))
            return
        self.answers, self._data = answers, DataSets(answers.lab)
        self.title.setText(answers.lab.title)
        self._training.clear()
        self._save()
        self._show()
        self.show()

    def hand_in(self) -> None:
        """Show what the file of answers holds, and save it."""
        if self.answers is not None:
            # Imported when it is needed, so that the window starts sooner.
            from gui.labs.dialogs import HandInDialog

            dialog = HandInDialog(self.answers, self._memory, self.window())
            text = self.tr("Your answers are in {path}.")
            dialog.saved.connect(lambda path: self._banner.show_text(text.format(path=path), "good"))
            dialog.finished.connect(self._save)
            dialog.open()

    def _save(self) -> None:
        if self.answers is not None:
            self._progress.write(self.answers)

    # -- steps ----------------------------------------------------------------------------------------------

    @property
    def explains_runs(self) -> bool:
        """Whether the step itself says what comes out of its runs: messages would give away the answers."""
        return self.answers is not None and any(isinstance(part, labs.RunBlock) for part in self._step.parts)

    @property
    def _step(self) -> labs.Step:
        assert self.answers
        return self.answers.lab.steps[self.answers.step]

    def _next(self) -> None:
        assert self.answers
        if self.answers.step + 1 < len(self.answers.lab.steps):
            self.show_step(1)
        else:
            self.hand_in()

    def show_step(self, by: int) -> None:
        if self.answers is None or self._session.active:
            return
        self.answers.step = min(max(self.answers.step + by, 0), len(self.answers.lab.steps) - 1)
        self._save()
        self._show()

    def _end_step(self) -> None:
        for _, widget in self._widgets:
            if isinstance(widget, PartWidget):
                widget.finish()
            widget.hide()
            widget.deleteLater()
        while self._steps.takeAt(0):
            pass
        self._widgets, self._trained = [], None

    def _show(self) -> None:
        assert self.answers
        answers, lab = self.answers, self.answers.lab
        self._end_step()
        step = self._step
        if step.title != lab.title:
            title = heading(step.title)
            title.setWordWrap(True)
            self._add(None, title)
        if lab.varies and not answers.step:
            tip = self.tr("Your name or number: your settings follow from it.")
            name = edit("labName", self.tr("Name or number"), tip, self._on_name, placeholder=tip)
            name.setText(answers.name)
            name.setReadOnly(bool(answers.attempts))
            self._add(None, name)
        asked = (part for part in step.parts if isinstance(part, labs.PredictBlock))
        if not all(answers.comparison(part, lambda v, q: "") for part in asked):
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
        self._training.concludes = not self.explains_runs
        self._training.compares = False
        ran = [part for part in step.parts if isinstance(part, labs.RunBlock) and answers.attempts_of(part)]
        if ran:
            self._training.clear()
            self._show_others(ran[-1])
        QTimer.singleShot(0, self, lambda: self.area.verticalScrollBar().setValue(0))

    def _add(self, part: Any, widget: QWidget) -> None:
        self._widgets.append((part, widget))
        self._steps.addWidget(widget)

    def _on_name(self, name: str) -> None:
        assert self.answers
        self.answers.name = name.strip()[:100]
        self._set_up()
        self.refresh()

    def _set_up(self) -> None:
        """Set what the step sets: the settings in force at its end, and the controls that it shows."""
        assert self.answers
        lab = self.answers.lab
        parts = (part for step in lab.steps[: self.answers.step + 1] for part in step.parts)
        setup = [labs.SetupBlock(0), *(part for part in parts if isinstance(part, labs.SetupBlock))][-1]
        if not self._is_without_settings:
            self.setup_asked.emit(lab.located(setup.plan_of(self.answers.name)))
        has_task = any(isinstance(part, labs.TaskBlock) for part in self._step.parts)
        self._controls = setup.controls if has_task else ()
        self._ask_controls()
        if setup.tab and setup in self._step.parts:
            self.tab_asked.emit(setup.tab)

    @property
    def _is_without_settings(self) -> bool:
        """Whether the lab asks for kernels and sets nothing."""
        kinds = {*map(type, self.answers.lab.parts())} if self.answers else set()
        return labs.KernelBlock in kinds and labs.SetupBlock not in kinds

    def _ask_controls(self) -> None:
        shows_all = self.answers is None or self.all_settings.isChecked()
        self.controls_asked.emit(None if shows_all else self._controls)

    def _plot(self, quantity: str) -> LivePlot:
        return self._plots[not quantity.endswith("accuracy")]

    def _drawer(self, part: object) -> CurveDrawer | None:
        if not isinstance(part, labs.PredictBlock) or part.kind != "curve":
            return None
        assert self.answers
        run = labs.predicted_run(self.answers.lab, part)
        assert run is not None  # a curve has one
        epochs = run.plans(self.answers.name)[part.variant].settings.epochs
        self.tab_asked.emit("training")
        plot = self._plot(part.quantity)
        self._training.bring_forward(plot)
        return CurveDrawer(plot, self.tr("expected"), epochs, part.highest)

    def refresh(self) -> None:
        if self.answers is None:
            return
        step, visible = self._step, {*map(id, self.answers.visible(self._step))}
        for part, widget in self._widgets:
            widget.setVisible(part is None or id(part) in visible)
            if isinstance(widget, PartWidget):
                widget.refresh()
        self.all_settings.setHidden(self._is_without_settings)
        number, steps = self.answers.step + 1, len(self.answers.lab.steps)
        self.next.setText(self.tr("Hand in…") if number == steps else self.tr("Next"))
        self.back.setEnabled(number > 1)
        may_leave = self.answers.may_leave(step)
        self.next.setEnabled(may_leave)
        self.next.set_main(all(map(self.answers.is_done, step.parts)))
        set_message(self.reason, "" if may_leave else self.tr("First say what you expect; then go on."))
        self.where.setText(self.tr("{n} of {all}").format(n=number, all=steps))

    def _on_changed(self) -> None:
        self._save()
        self.refresh()
        # What has just become visible is below.
        QTimer.singleShot(0, self, self._scroll_to_last)

    def _scroll_to_last(self) -> None:
        if shown := [widget for part, widget in self._widgets if part and widget.isVisible()]:
            self.area.ensureWidgetVisible(shown[-1], 0, 10)

    # -- runs -----------------------------------------------------------------------------------------------

    def keep_kernel(self, block: labs.KernelBlock, source: str, verdict: Verdict) -> None:
        if self.answers is not None and block in self.answers.lab.exercises():
            try:
                self.answers.keep_kernel(block, source, verdict)
            except InputError as error:
                self._banner.show_text(sentence(error), "bad")
            self._on_changed()

    def _start(self, run: labs.RunBlock | labs.KernelBlock) -> None:
        """Show the kernel, or make the trainings of the part one after the other: those missing, or all again."""
        assert self.answers
        if isinstance(run, labs.KernelBlock):
            self.kernel_asked.emit(self.answers, run)
            self.tab_asked.emit("workshop")
            return
        if self._session.active:
            self._banner.show_text(self.tr("A run is in progress: stop it first."))
            return
        variants = range(len(run.variants))
        self._train(run, next((each for each in variants if self.answers.attempt_of(run, each) is None), 0))

    def _train(self, run: labs.RunBlock, variant: int) -> None:
        if self.answers is None or self._session.active:
            return
        plan = run.plans(self.answers.name)[variant]
        self._trained = _Training(run, variant)
        self._show_others(run, variant)
        self.run_asked.emit(self.answers.lab.located(plan))
        if not self._session.active:  # something else is going on, as the banner says
            self._trained = None

    def _show_others(self, run: labs.RunBlock, but: int = -1) -> None:
        """The expected curves and those of the variants, beside that of the variant `but`, which is trained."""
        assert self.answers
        answers = self.answers
        others: dict[LivePlot, list[OtherCurve]] = {plot: [] for plot in self._plots}
        highest = dict.fromkeys(self._plots, 0.0)
        for part in labs.predictions_of(answers.lab, run):
            points = answers.predictions.get(part.id)
            if isinstance(points, list):
                plot = self._plot(part.quantity)
                others[plot].append(OtherCurve(self.tr("expected"), tuple(points), EXPECTED_SERIES, True))
                highest[plot] = part.highest
        for index, title in enumerate(run.titles if len(run.titles) > 1 else ()):
            if index != but and (attempt := answers.attempt_of(run, index)) is not None:
                for plot, quantity in zip(self._plots, ("test_accuracy", "test_loss"), strict=True):
                    values = tuple(attempt.values(quantity))
                    others[plot].append(OtherCurve(title, values, _FIRST_SERIES + index))
        self._training.bring_forward(self._plot(run.quantity))
        for plot in self._plots:
            plot.show_others(others[plot], run.plans(answers.name)[0].settings.epochs, highest[plot])

    def _on_prepared(self, context: RunContext) -> None:
        if self.answers is None:
            return
        if self._trained is None:
            # A run that the person started counts for the task that is shown.
            shown = self.answers.visible(self._step)
            task = next((part for part in shown if isinstance(part, labs.TaskBlock)), None)
            if task is None or context.plan.data != self.answers.lab.data_of(task.setup.plan):
                return
            self._trained = _Training(task)
            for plot in self._plots:
                plot.show_others(())  # attempts are compared with each other
        self._trained.context = context

    def _on_records(self, records: list[Record]) -> None:
        if self._trained is not None:
            self._trained.epochs += [record.numbers for record in records if isinstance(record, EpochDone)]

    def _on_ended(self, outcome: Any) -> None:
        trained, self._trained = self._trained, None
        if self.answers is None or trained is None or trained.context is None:
            return
        if not isinstance(outcome, Finished) or outcome.reason == "stopped":
            return
        part, attempt = trained.part, self._attempt(trained, trained.context, outcome)
        if isinstance(part, labs.TaskBlock) and part.on:
            score = partial(_scored, self.answers, self._data, attempt, trained, outcome)
            self._runner.start_latest(single_record(lambda control: score()))
            return
        self._keep(attempt)
        if isinstance(part, labs.TaskBlock):
            return
        if trained.variant + 1 < len(part.variants):
            # After the window has dealt with the end of this run.
            QTimer.singleShot(0, self, partial(self._train, part, trained.variant + 1))
        else:
            self._show_others(part, trained.variant)
            if part.show in ("results", "inside"):
                self.tab_asked.emit(part.show)

    def _keep(self, attempt: Attempt) -> None:
        assert self.answers
        self.answers.add(attempt)
        self._on_changed()

    def _attempt(self, trained: _Training, context: RunContext, finished: Finished) -> Attempt:
        assert self.answers
        part, plan, given = trained.part, context.plan, trained.part.setup.plan
        # The rates that were typed while it trained are needed to repeat it.
        changes = format_rate_changes(finished.checkpoint.rate_changes) or plan.settings.rate_changes
        kept = plan.change(rate_changes=changes)
        if plan.data == self.answers.lab.data_of(given):
            kept = replace(kept, data=given.data)
        return attempt_of(part, trained.variant, kept, trained.epochs, finished, finished.test_score)


def _scored(
    answers: Answers, data: DataSets, attempt: Attempt, trained: _Training, finished: Finished
) -> tuple[Answers, Attempt]:
    """The answers, and the attempt with its score on the data that its task names."""
    from kernels.registry import open_device

    assert trained.context
    with closing(open_device(attempt.device)) as device:
        score = score_of(trained.part, trained.context, finished, data, device)
    return answers, replace(attempt, score=score)
