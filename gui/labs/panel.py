"""A lab in the left column: its text step by step, what a person does there, and how far the person is."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from core.errors import InputError
from core.labs import lab as labs
from core.labs.answers import Answers, Attempt
from core.labs.locate import find_marked_lab, is_answers_file
from core.labs.package import holds_answers, is_lab, open_lab
from core.workshop.checker.trace import Verdict
from gui.background.task_runner import Failure, TaskControl, TaskRunner, single_record
from gui.labs.curve_drawer import CurveDrawer
from gui.labs.parts import PartWidget, RunPart, part_widget
from gui.labs.progress import LabProgress
from gui.labs.runs import LabRuns, expected_name, expected_series
from gui.text import count, sentence
from gui.training.session import Session
from gui.training.tab import TrainingTab
from gui.widgets.banner import Banner
from gui.widgets.basics import PrimaryButton, heading, named, note, scroll_area, set_message
from gui.widgets.dialogs import FolderMemory, reporting
from gui.widgets.make import button, check, column, edit, label, row, tip_with_key
from gui.widgets.theme import theme

# The text of a column that is so wide, in pixels, is so many times as large.
_WIDE, _LARGE = 430, 1.25


class LabPanel(QWidget):
    """Hidden until `open` shows a lab. `navigation`: Back and Next, which the window places at the end of the column.

    `opening`: a lab is about to change what is shown; `closed`: it is gone; `handed_in`; `refreshed`: what the person
    may do can be another. `setup_asked(plan)`: show these settings. `controls_asked(names)`: of which settings the
    fields are shown; None: of all. `run_asked(plan)`: train it now. `tab_asked(name)`, `model_asked(path)`: show a tab,
    open a model. `kernel_asked(answers, block)`: let the person write this kernel. `fold_asked`: hide the column.
    """

    opening = Signal()
    closed = Signal()
    handed_in = Signal()
    refreshed = Signal()
    setup_asked = Signal(object)
    controls_asked = Signal(object)
    run_asked = Signal(object)
    tab_asked = Signal(str)
    model_asked = Signal(object)
    kernel_asked = Signal(object, object)
    fold_asked = Signal()

    def __init__(self, session: Session, training: TrainingTab, memory: FolderMemory, banner: Banner) -> None:
        super().__init__()
        named(self, "labPanel", self.tr("Lab"))
        self.answers: Answers | None = None
        self.path: Path | None = None  # what was opened; None for a lab without a file
        self._session, self._training, self._memory, self._banner = session, training, memory, banner
        self._progress = LabProgress(banner, self)
        self._widgets: list[tuple[Any, QWidget]] = []
        self._controls: tuple[str, ...] = ()
        self._is_closing = False
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_read)
        self._runner.ticked.connect(self._show_progress)
        self._runner.ended.connect(self._on_read_ended)
        self.runs = LabRuns(session, training, self)
        self.runs.asked.connect(self.run_asked)
        self.runs.reached.connect(self._keep)
        self.runs.changed.connect(self.refresh)
        self.runs.tab_asked.connect(self.tab_asked)
        self.runs.failed.connect(self._on_read_ended)
        self._lay_out()
        session.ended.connect(self._close_after_run)
        theme().changed.connect(self._fit_text)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_text()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.navigation.show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.isHidden():  # and not the window around it
            self.navigation.hide()

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
        tip = tr("Close the lab; your answers are kept, and what was shown before comes back.")
        close = named(button("✕", "", slot=self.close_lab), "labClose", tr("Close the lab"), tip)
        tip = tip_with_key(
            tr("Fold the text away, for more room; the button at the top right shows it again."), "F8"
        )
        fold_button = button("◂", "", slot=lambda: self.fold_asked.emit())
        fold = named(fold_button, "labFold", tr("Fold the text away"), tip)
        for small in (fold, again, close):
            small.setFixedWidth(28)
        self.page = QWidget()
        self._steps = column(owner=self.page, spacing=10)
        self._steps.setContentsMargins(12, 4, 10, 8)
        self.area = scroll_area(self.page)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        back_slot: Callable[[], None] = partial(self.show_step, -1)
        self.back = button(tr("Back"), "labBack", tr("The step before."), lambda: back_slot(), key="Alt+Left")
        tip = tr("The next step.")
        self.next = button(tr("Next"), "labNext", tip, self._next, key="Alt+Right", kind=PrimaryButton)
        tip = tr("Show all settings below the text, not only those of this step.")
        self.all_settings = check(tr("All settings"), "labAllSettings", tip, lambda on: self._ask_controls())
        self._all_tip = tip
        top = row((self.title, 1), self.where, fold, again, close)
        top.setContentsMargins(12, 8, 6, 0)
        column(top, (self.area, 1), owner=self, spacing=4)
        self.reason = note("muted", "labReason")
        self.navigation = QWidget()
        buttons = row(self.back, None, self.all_settings, None, self.next)
        below = column(self.reason, buttons, owner=self.navigation, spacing=4)
        below.setContentsMargins(12, 6, 10, 10)
        self.navigation.hide()

    # -- opening and closing --------------------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Read the lab at `path` and show it, or mark the answers in the file or folder at `path`."""
        if self._session.active:
            self._banner.show_text(self.tr("Stop the run first; then open the lab again."))
        elif is_lab(path):
            language = QLocale().name().partition("_")[0]

            def read(control: TaskControl) -> tuple[Path, labs.Lab]:
                return path, open_lab(path, control.progress, language)

            self._runner.start_latest(single_record(read))
        elif is_answers_file(path) or (path.is_dir() and holds_answers(path)):
            self._mark(path)
        else:
            text = self.tr(
                "{path} holds no answers to a lab (.json): choose the folder with those of your class."
            )
            self._banner.show_text(text.format(path=path), "bad")

    def _mark(self, path: Path) -> None:
        """Mark the answers at `path`, for the lab that they name."""
        lab = self.answers.lab if self.answers else None

        def mark(control: TaskControl) -> Any:
            # Imported when it is needed, so that the window starts sooner.
            from core.labs.grading import read_folder

            return read_folder(path, find_marked_lab(path, lab), control.progress)

        self._runner.start_latest(single_record(mark))

    def _show_progress(self) -> None:
        done, total = self._runner.progress
        if total:
            text = self.tr("Files are being read: {done} of {total}.")
            self._banner.show_text(text.format(done=count(done), total=count(total)))
            self._banner.offer(self.tr("Stop"), self._runner.cancel)

    def _on_read(self, records: list[Any]) -> None:
        for record in records:
            self._banner.hide()
            if isinstance(record, tuple):
                path, lab = record
                self.open_lab(lab, path)
            else:
                from gui.labs.dialogs import GradeDialog

                GradeDialog(record, self._memory, self.window()).show()

    def _on_read_ended(self, failure: Failure | None) -> None:
        self._banner.withdraw(self._runner.cancel)
        if failure:
            self._banner.show_text(failure.text, failure.tone, failure.details)

    def open_lab(self, lab: labs.Lab, path: Path | None = None) -> None:
        """Show the lab, which was read from `path`, at the step where the person left it."""
        if self._session.active:
            self._banner.show_text(self.tr("Stop the run first; then open the lab again."))
            return
        if lab.is_experiment:
            self._set_up_experiment(lab)
            return
        answers = self._progress.read(lab)
        if self.answers is None:
            self.opening.emit()
        else:
            self._save()
        self.path = path
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
        """Show what was shown before the lab; the answers are kept. A run is stopped first."""
        if self.answers is None:
            return
        if self._session.active:
            self._is_closing = True
            self._session.stop()
            return
        self._save()
        self._end_step()
        title, path = self.answers.lab.title, self.path
        self.answers = self.path = None
        self.runs.begin(None)
        self.hide()
        self._ask_controls()
        self.closed.emit()
        text = self.tr(
            "The lab “{title}” is closed, and what was shown before it is back. Your answers are kept."
        )
        self._banner.show_text(text.format(title=title))
        if path is not None:
            self._banner.offer(self.tr("Open it again"), partial(self.open, path))

    def _close_after_run(self) -> None:
        if self._is_closing:
            self._is_closing = False
            # After the window has dealt with the end of the run.
            QTimer.singleShot(0, self, self.close_lab)

    def start_again(self) -> None:
        """Begin the lab without answers; the banner offers those so far."""
        before = self.answers
        if before is None:
            return
        if self._session.active:
            self._banner.show_text(self.tr("A run is in progress: stop it first."))
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
        self.answers = answers
        self.title.setText(answers.lab.title)
        self.all_settings.setChecked(False)
        self.runs.begin(answers)
        self._save()
        self._show()
        self.show()

    def hand_in(self) -> None:
        """Show what the file of answers holds, and save it."""
        if self.answers is not None:
            # Imported when it is needed, so that the window starts sooner.
            from gui.labs.dialogs import HandInDialog

            dialog = HandInDialog(self.answers, self._memory, self.window())
            dialog.saved.connect(self._on_handed_in)
            dialog.finished.connect(lambda: self._save())
            dialog.open()

    def _on_handed_in(self, path: str) -> None:
        self._banner.show_text(self.tr("Your answers are in {path}.").format(path=path), "good")
        self.handed_in.emit()

    def _save(self) -> None:
        if self.answers is not None:
            self._progress.write(self.answers)

    # -- steps ----------------------------------------------------------------------------------------------

    def closed_reason(self) -> str:
        """Why runs and their results cannot be looked at beside the lab now, or empty."""
        if self.answers is None or self.answers.may_try(self._step):
            return ""
        return self.tr(
            "Closed until you have said what you expect, and the lab has run it: it would give that away."
        )

    def may_train(self) -> bool:
        """Whether runs with the settings of the form can be started: always where no lab is open."""
        if self.answers is None:
            return True
        offered = self.all_settings.isChecked() or bool(self._controls)
        return offered and not self.closed_reason()

    @property
    def is_training(self) -> bool:
        return self._session.active

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
        self._widgets = []

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
        self.runs.show_step()
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
        self.refreshed.emit()

    def _drawer(self, part: object) -> CurveDrawer | None:
        if not isinstance(part, labs.PredictBlock) or part.kind != "curve":
            return None
        assert self.answers
        run = labs.predicted_run(self.answers.lab, part)
        assert run is not None  # a curve has one
        if self.answers.is_fixed(part):
            return None  # it is shown with the run
        epochs = run.plans(self.answers.name)[part.variant].settings.epochs
        self.tab_asked.emit("training")
        plot = self.runs.plot(part.quantity)
        self._training.bring_forward(plot)
        return CurveDrawer(plot, expected_name(run, part), expected_series(run, part), epochs, part.highest)

    def refresh(self) -> None:
        if self.answers is None:
            return
        step, visible = self._step, {*map(id, self.answers.visible(self._step))}
        trained = self.runs.trained
        for part, widget in self._widgets:
            widget.setVisible(part is None or id(part) in visible)
            if isinstance(widget, RunPart):
                is_running = trained is not None and trained.part is part
                widget.running = trained.variant if trained is not None and is_running else None
            if isinstance(widget, PartWidget):
                widget.refresh()
        self._show_navigation(step)
        self.refreshed.emit()

    def _show_navigation(self, step: labs.Step) -> None:
        assert self.answers
        closed = self.closed_reason()
        self.all_settings.setHidden(self._is_without_settings)
        self.all_settings.setEnabled(not closed)
        self.all_settings.setToolTip(closed or self._all_tip)
        number, steps = self.answers.step + 1, len(self.answers.lab.steps)
        self.next.setText(self.tr("Hand in…") if number == steps else self.tr("Next"))
        trains = self.runs.trained is not None
        self.back.setEnabled(number > 1 and not trains)
        may_leave = self.answers.may_leave(step)
        self.next.setEnabled(may_leave and not trains)
        self.next.set_main(all(map(self.answers.is_done, step.parts)))
        reason = ""
        if not self.answers.has_predicted(step):
            reason = self.tr("First say what you expect; then go on.")
        elif not may_leave:
            reason = self.tr("First press Run; then go on.")
        set_message(self.reason, reason)
        self.where.setText(self.tr("{n} of {all}").format(n=number, all=steps))

    def _on_changed(self) -> None:
        self._save()
        self.refresh()
        # What has just become visible is below.
        QTimer.singleShot(0, self, self._scroll_to_last)

    def _scroll_to_last(self) -> None:
        """Show the end of what can be done now, and of a run its results from their beginning."""
        shown = [widget for part, widget in self._widgets if part and widget.isVisible()]
        if shown:
            last = shown[-1]
            self.area.ensureWidgetVisible(last, 0, 10)
            if last.height() > self.area.viewport().height():
                self.area.verticalScrollBar().setValue(last.y())

    # -- runs -----------------------------------------------------------------------------------------------

    def keep_kernel(self, block: labs.KernelBlock, source: str, verdict: Verdict) -> None:
        if self.answers is not None and block in self.answers.lab.exercises():
            try:
                self.answers.keep_kernel(block, source, verdict)
            except InputError as error:
                self._banner.show_text(sentence(error), "bad")
            self._on_changed()

    def _start(self, run: labs.RunBlock | labs.KernelBlock) -> None:
        """Show the kernel, or make the trainings of the part."""
        assert self.answers
        if isinstance(run, labs.KernelBlock):
            self.kernel_asked.emit(self.answers, run)
            self.tab_asked.emit("workshop")
        elif self._session.active:
            self._banner.show_text(self.tr("A run is in progress: stop it first."))
        else:
            self.runs.start(run)
            self._save()

    def _keep(self, answers: Answers, attempt: Attempt) -> None:
        answers.add(attempt)
        self._on_changed()
