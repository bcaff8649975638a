"""The Studies tab: a study, its runs as they train, and their comparison."""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMessageBox, QProgressBar, QSplitter, QWidget

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.files.atomic import write_atomically
from core.runs.library import RunLibrary, saved_runs
from core.runs.plan import RunPlan
from core.studies import study as studies
from core.studies.cluster import ClusterExecutor
from core.studies.executor import Executor, LocalExecutor, load_study_data
from core.studies.importance import Importance
from core.studies.spec import StudySpec, read_study
from core.studies.study import Study, StudyRun, study_names
from gui.background.task_runner import Failure, Task, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.runs import run_table
from gui.runs.comparison import Comparison
from gui.runs.run_table import RunTable, StudyModel, setting_title, value_text, values_text
from gui.text import number, sentence
from gui.widgets import basics
from gui.widgets.banner import Banner
from gui.widgets.basics import PrimaryButton, named, note, set_message
from gui.widgets.dialogs import ask_and_write, ask_open, reporting
from gui.widgets.make import (
    FlowLayout,
    action,
    button,
    column,
    combo,
    edit,
    fill,
    label,
    labeled,
    tip_with_key,
)
from gui.widgets.tab import Tab

# A study with its runs so far; a run that has started, trained an epoch, or ended; the address of a cluster without
# workers; or what explains the differences between the runs so far, None if that is not known.
StudyRecord = tuple[StudySpec, list[StudyRun]] | StudyRun | str | Importance | None

START_KEY = "Ctrl+Return"
UNDO_KEY = "Ctrl+Shift+Z"
# While a study trains, its plots are drawn again at most this often.
REDRAW_SECONDS = 1.0
# The importances are computed again after a run has ended, but not more often than this.
IMPORTANCE_SECONDS = 3.0


class StudiesTab(Tab):
    """A study: its form, its runs as they train, and their comparison. One study is trained at a time.

    The parts are created after the start, so that the window starts sooner. `plan` returns what the window would train,
    None while its settings are not valid.
    """

    busy_changed = Signal(bool)
    run_asked = Signal(str)  # the id of a run, to be shown in the library
    settings_asked = Signal(object, str)  # RunSettings and data, to be shown in the window
    settings_said = Signal()  # a message says what has changed by that
    trained = Signal(
        object, list, bool
    )  # StudySpec, its StudyRuns so far, whether they are still being trained
    progressed = Signal(str, int, int)  # what is being done, and how many runs of all have ended

    def __init__(
        self,
        preferences: Preferences,
        dataset_cache: DatasetCache,
        plan: Callable[[], RunPlan | None],
        banner: Banner,
    ) -> None:
        super().__init__()
        self.setObjectName("studiesTab")
        self.banner = banner
        self._preferences = preferences
        self._dataset_cache = dataset_cache
        self._plan = plan
        self.spec: StudySpec | None = None  # None: the new study in the form
        self._opened: dict[str, StudySpec] = {}  # not begun yet: from files, or refused
        self._disabled_reason = ""
        self._trained: StudySpec | None = None  # the study that is being trained
        self._waiting_for = ""  # the address of a cluster without workers
        self._drawn_at = 0.0
        self._best: StudyRun | None = None
        self._continues = False  # whether the study that is being read is then trained
        self.compares = False  # whether the study that is trained is a comparison

    @property
    def busy(self) -> bool:
        """Whether a study is being trained."""
        return self._trained is not None

    def title(self) -> str:
        return self.tr("Studies: training") if self.busy else self.tr("Studies")

    def create_parts(self) -> Generator[None]:
        from gui.studies.form import StudyEditor

        self.editor = StudyEditor()
        yield
        self._lay_out()
        yield
        self._connect()
        for part in (self.controls, self.splitter, self.footer):
            part.show()  # where the tab is visible, a layout shows them later
        self._show_study()

    def _lay_out(self) -> None:
        tr = self.tr
        self._make_controls()
        self.model = StudyModel(run_table.study_columns(None, self._is_best), self)
        self.table = RunTable(self.model, "studyTable", tr("Runs of the study"), sorted_by=0)
        self.table.setMinimumHeight(80)
        tip = tr(
            "The address of a Dask scheduler, to divide the runs among machines. Empty: train in this program. "
            "Whoever can reach the address can execute code on the scheduler, the workers and in this program."
        )
        address = "tcp://127.0.0.1:8786"
        self.address_edit = edit("studyAddress", tr("Cluster"), tip, slot=self.refresh, placeholder=address)
        self.address_edit.setMinimumWidth(150)
        cluster = labeled(tr("&Address"), self.address_edit)
        cluster.setMaximumWidth(340)
        form = QWidget()
        tip = tr("Divide the runs among several machines.")
        folded = named(basics.CollapsibleButton(tr("C&luster"), cluster), "studyCluster", tip=tip)
        column(self.editor, folded, cluster, None, owner=form)
        self.set_up = basics.scroll_area(form)
        self.comparison = Comparison(
            "study", self._dataset_cache, RunLibrary(), self._preferences, self.banner,
            first=(tr("Set up"), tr("What the study varies."), self.set_up),
        )  # fmt: skip
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "studySplitter")
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.comparison)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([220, 300])
        parts = self.controls, (self.splitter, 1), self.footer
        column(*parts, owner=self, spacing=5).setContentsMargins(0, 6, 0, 0)

    def _make_controls(self) -> None:
        """The upper part: which study; and the lower one: the best run, start and stop, and what is going on."""
        tr = self.tr
        tip = tr("A new study, or one that was begun: it can be looked at and continued.")
        self.study_box = combo("studyBox", tr("Study"), tip, slot=self._on_chosen, characters=16)
        tip = tr("Open the file of a study (.toml).")
        self.open_button = button(tr("&Open…"), "studyOpen", tip, lambda: self.open_study())
        tip = tr("Save the study as a file, to send it or to train it without a window.")
        self.save_button = button(tr("Sa&ve…"), "studySave", tip, lambda: self.ask_save())
        tip = tr(
            "Show the settings of this study under Training, and what it varies in the form, for a new one."
        )
        self.copy_button = button(tr("Use as ne&w"), "studyCopy", tip, lambda: self.use_as_new())
        tip = tr("Move this study to the trash, with or without its runs. {key} brings the last one back.")
        tip = tip.format(key=basics.key_text(UNDO_KEY))
        self.delete_button = button(tr("De&lete…"), "studyDelete", tip, lambda: self.ask_delete())
        start = self.start_study
        self.start_button = button("", "studyStart", "", lambda: start(), icon="play", kind=PrimaryButton)
        tip = tr("Stop the study; it can be continued, also after a restart.")
        self.stop_button = button(tr("Sto&p"), "studyStop", tip, lambda: self.stop(), icon="stop")
        self.reason = note(name="studyReason")
        self.progress_note = note(name="studyProgress")
        self.bar = named(QProgressBar(), "studyBar", tr("Progress of the study"))
        self.bar.setTextVisible(False)
        self.bar.hide()
        tip = tr("Show the best run in the library, where it can be opened and continued.")
        self.best_button = button(tr("Show the &best run"), "studyShowBest", tip, self._show_best)
        tip = tr("Show the settings of the best run under Training, to train with them.")
        self.use_button = button(tr("Use its settin&gs"), "studyUseBest", tip, self._use_best)
        self.best_note = label("", "studyBest")
        study = labeled(tr("St&udy"), self.study_box, grows=True)
        self.controls = QWidget()
        self.footer = QWidget()
        files = self.open_button, self.save_button, self.copy_button, self.delete_button
        self.controls.setLayout(FlowLayout(study, *files, spacing=6))
        below = FlowLayout(self.start_button, self.stop_button, self.use_button, self.best_button, spacing=6)
        parts = self.best_note, self.reason, self.progress_note, self.bar, below
        column(*parts, owner=self.footer, spacing=5)

    def _connect(self) -> None:
        self.runner = TaskRunner(self, low_priority=True)
        self._redraw = QTimer(self, singleShot=True)
        self._redraw.timeout.connect(self.draw)
        self.editor.changed.connect(self.refresh)
        context = Qt.ShortcutContext
        text = self.tr("&Open in Runs")
        self.open_run_action = action(self.table, text, "studyOpenRun", self._open_current, keys=("Return",))
        self.open_run_action.setShortcutContext(context.WidgetShortcut)
        text = self.tr("&Undo delete")
        self.undo_action = action(self, text, "studyUndo", self.undo_delete, keys=(UNDO_KEY,))
        self.undo_action.setShortcutContext(context.WidgetWithChildrenShortcut)
        self.table.doubleClicked.connect(self._open_current)
        self.table.selectionModel().selectionChanged.connect(self.draw)
        self.runner.records.connect(self._on_records)
        self.runner.ticked.connect(self._show_progress)
        self.runner.ended.connect(self._on_ended)

    def _is_best(self, run: StudyRun) -> bool:
        return self._best is not None and run.number == self._best.number

    def _show_best(self) -> None:
        if self._best:
            self.run_asked.emit(self._best.id)

    def _use_best(self) -> None:
        if self._best:
            self.use_run(self._best.number)

    def use_run(self, number: int, *, values_only: bool = False) -> None:
        """Show the settings of the run with this number; values_only: what was varied, but for the seed."""
        run = next((run for run in self.model.records if run.number == number), None)
        before = self._plan()
        if run is None or self.spec is None:
            return
        plan = self.spec.plan_of(run.values)
        if values_only and before is not None:
            values = {name: value for name, value in run.values.items() if name != "seed"}
            with reporting(self.banner.show_text):
                plan = replace(self.spec, plan=before).plan_of(values)
        self.settings_asked.emit(plan.settings, plan.data)
        self._say_changes(before, self._plan())

    def _mark_best(self) -> None:
        before = self._best
        best = studies.best_run(self.model.records)
        self._best = best
        text = self.tr("Best: run {n}, {values}: validation loss {loss}, test {score}.")
        if (best and best.number) != (before and before.number):
            self.model.refresh()
        if best:
            text = text.format(n=best.number + 1, values=values_text(best), loss=number(best.loss or 0.0),
                               score=run_table.score_text(best, "test_score"))  # fmt: skip
        set_message(self.best_note, text if best else "")
        for widget in (self.best_button, self.use_button):
            widget.setVisible(best is not None)

    def continue_study(self, name: str) -> None:
        self.create_all()
        self._continues = True
        self._view(name)

    def left(self) -> str:
        """The study that was trained last, if it has runs left and no other run was trained since; else empty."""
        name = self._preferences.study_left
        newest = next(iter(saved_runs()), None)
        with suppress(InputError):
            if name in study_names() and newest and newest.read_info().study == name:
                return name
        return ""

    def _open_current(self) -> None:
        if self.table.selected():
            self.run_asked.emit(self.table.selected()[0].id)

    # -- which study --------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.list_studies()
        self.refresh()

    def list_studies(self) -> None:
        """List the studies that were begun; the chosen one stays."""
        begun = study_names()
        names = [name for name in self._opened if name not in begun] + begun
        with QSignalBlocker(self.study_box):
            fill(self.study_box, [("", self.tr("New study")), *((name, name) for name in names)])
            self.study_box.choose(self.spec.name if self.spec else "")

    def _on_chosen(self) -> None:
        name = str(self.study_box.currentData() or "")
        if name in study_names():
            self._view(name)
        else:
            self._show_study(self._opened.get(name))

    def _view(self, name: str) -> None:
        self.runner.start_latest(_study_task(lambda: Study(studies.stored_spec(name))))

    def _show_study(self, spec: StudySpec | None = None, runs: Sequence[StudyRun] = ()) -> None:
        """Show a study, by default the form of a new one."""
        if spec is None or self.spec is None or (self.spec.text, self.spec.name) != (spec.text, spec.name):
            self.show_importance(None)
            self.table.sortByColumn(run_table.STUDY_LOSS if runs else 0, Qt.SortOrder.AscendingOrder)
        self.spec = spec
        if spec is None:
            self.editor.show_new(_free_name("study"), self._plan())
        else:
            self.editor.show_spec(spec)
            if spec.name not in study_names():
                self._opened[spec.name] = spec
        self.editor.setEnabled(spec is None)
        self.model.show_records(runs, run_table.study_columns(spec, self._is_best))
        if spec is None or (runs and self.comparison.chooser.currentIndex() == 0):
            self.comparison.show_page(self.comparison.curves if spec else self.set_up)
        self.list_studies()
        self.refresh()
        self.draw()

    def use_as_new(self) -> None:
        """Show this study in the form for a new one, with its settings in the window."""
        spec = self.spec
        before = self._plan()
        assert spec
        self.settings_asked.emit(spec.plan.settings, spec.plan.data)
        self._show_study()
        self.editor.show_spec(spec)
        self.editor.name_edit.setText(_free_name("study"))
        self.refresh()
        self._say_changes(before, self._plan())

    def _say_changes(self, before: RunPlan | None, after: RunPlan | None) -> None:
        text = self.tr("The settings of the study are shown under Training.")
        if before and after:
            old, new = ({"data": plan.data, **plan.settings.as_dict()} for plan in (before, after))
            changes = [name for name in new if new[name] != old[name]]
            if changes:
                text = self.tr("Changed under Training, for all later runs, too: {settings}.")
                texts = (f"{setting_title(name).lower()} {value_text(name, new[name])}" for name in changes)
                text = text.format(settings=", ".join(texts))
        self.banner.show_text(text)
        self.settings_said.emit()

    # -- trash --------------------------------------------------------------------------------------------

    def ask_delete(self) -> None:
        assert self.spec
        name = self.spec.name
        runs = [run.id for run in self.model.records]
        if name not in study_names():
            self._drop_unbegun(self.spec)
            return
        box = named(QMessageBox(self), "studyDeleteQuestion")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Delete study"))
        box.setText(self.tr("Delete the study “{name}”?").format(name=name))
        text = self.tr("It has {n} runs in the library. What is deleted goes to the trash.")
        box.setInformativeText(text.format(n=len(runs)))
        both = box.addButton(self.tr("Study and &runs"), QMessageBox.ButtonRole.DestructiveRole)
        alone = box.addButton(self.tr("Study &only"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(alone)
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        if box.clickedButton() not in (both, alone):
            return
        text = self.tr("“{name}” and its runs are in the trash.")
        if alone is box.clickedButton():
            text = self.tr("“{name}” is in the trash.")
            runs = []
        with reporting(self.banner.show_text):
            studies.delete_study(name, runs)
            self._opened.pop(name, None)
            self._show_study()
            self.banner.show_text(text.format(name=name))
            self.banner.offer(self.tr("Undo"), self.undo_delete)

    def _drop_unbegun(self, spec: StudySpec) -> None:
        """Take a study that has no database from the list."""
        self._opened.pop(spec.name, None)
        self._show_study()
        self.banner.show_text(self.tr("“{name}”, which has no runs, is off the list.").format(name=spec.name))
        self.banner.offer(self.tr("Undo"), partial(self._show_study, spec))

    def undo_delete(self) -> None:
        """Restore the study that was deleted last, also after a restart."""
        with reporting(self.banner.show_text):
            names = studies.deleted_studies()
            if not names:
                self.banner.show_text(self.tr("The trash has no study."))
                return
            studies.restore_study(names[0])
            self._view(names[0])
            self.banner.show_text(self.tr("“{name}” is back.").format(name=names[0]), "good")

    # -- files --------------------------------------------------------------------------------------------

    def open_study(self, path: Path | None = None) -> None:
        """Show the study that a TOML file describes; None: ask for the file."""
        self.create_all()
        path = path or ask_open(self, self._preferences, self.tr("Open study"), [self._kind()])
        if path is None:
            return
        if self.busy:
            self.banner.show_text(self.tr("Stop the study first."))
            return
        with reporting(self.banner.show_text):
            spec = read_study(path)
            self._preferences.save_folder(path)
            self._opened[spec.name] = spec
            self._show_study(spec)
            if spec.name in study_names():
                self._on_chosen()

    def ask_save(self) -> None:
        with reporting(self.banner.show_text):
            if spec := self._current_spec():
                ask_and_write(
                    self, self._preferences, self.tr("Save study"), f"{spec.name}.toml", [self._kind()],
                    lambda path: write_atomically(path, spec.text.encode()), self.banner.show_text,
                    self.tr("Saved as {path}."),
                )  # fmt: skip

    def _kind(self) -> str:
        return self.tr("Studies (*.toml)")

    # -- training -----------------------------------------------------------------------------------------

    def disable(self, reason: str) -> None:
        """Disable the start button and show `reason`; an empty text enables it."""
        self._disabled_reason = reason
        self.refresh()

    @property
    def is_complete(self) -> bool:
        """Whether no run of the study is left to train: all have ended, and none has failed that can be tried again."""
        runs = self.model.records
        return self.spec is not None and len(runs) >= self.spec.runs and not any(run.is_left for run in runs)

    def _current_spec(self) -> StudySpec | None:
        if self.spec is not None:
            return self.spec
        plan = self._plan()
        return self.editor.spec(plan) if plan else None

    def _problem(self) -> str:
        """Why the study cannot be trained now; empty if it can."""
        self.editor.show_count(None)
        try:
            studies.require_optuna()
            if self.address_edit.text().strip():
                studies.require_dask()
            spec = self._current_spec()
        except InputError as error:
            return sentence(error)
        if spec is None:
            return self.tr("Correct the settings under Training first.")
        self.editor.show_count(spec if self.spec is None else None)
        return self._disabled_reason

    def start_study(self, *, side_by_side: bool = False) -> None:
        """Train the study in the form, or continue the chosen one; side_by_side: all its runs by turns."""
        if self.busy or self.is_complete or self._problem():
            return
        spec = self._current_spec()
        assert spec is not None
        self.banner.hide()
        self.runner.cancel(discard=True)  # a study that is being read
        self.compares = side_by_side
        self._trained = spec
        self._waiting_for = ""
        self._preferences.study_left = spec.name
        address = self.address_edit.text().strip()

        def executor(control: TaskControl) -> Executor:
            datasets, _ = load_study_data(spec, control.progress, self._dataset_cache.get)
            if address and not side_by_side:
                return ClusterExecutor(address, datasets)
            return LocalExecutor(datasets, spec.runs if side_by_side else 1)

        self.runner.start_latest(_study_task(lambda: Study(spec), executor))
        text = self.tr("reading the data…")
        set_message(self.progress_note, text)
        self.comparison.show_page(self.comparison.curves)
        had_focus = self.start_button.hasFocus()
        self._on_busy()
        self.progressed.emit(f"{spec.name}: {text}", 0, 0)
        self.trained.emit(spec, self.model.records, True)
        if had_focus:
            self.stop_button.setFocus()

    def ask_compare(self, name: str) -> None:
        """Ask which values of the setting `name` are to be compared, and train them side by side."""
        from gui.studies.form import CompareDialog

        self.create_all()
        plan = self._plan()
        if self.busy:
            self.banner.show_text(self.tr("A study is being trained: stop it first, or wait for its end."))
            self.banner.offer(self.tr("Stop the study"), self.stop)
            return
        if plan is None or self._disabled_reason:
            self.banner.show_text(
                self._disabled_reason or self.tr("Correct the settings under Training first.")
            )
            return
        dialog = CompareDialog(plan, name, _free_name("comparison"), self.window())
        dialog.accepted_study.connect(self.compare)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def compare(self, spec: StudySpec) -> None:
        """Train the runs of a comparison side by side; `trained` tells how far they are."""
        self.create_all()
        self._show_study(spec)
        self.start_study(side_by_side=True)

    def stop(self) -> None:
        """Stop the study after the present step; its runs can be continued."""
        if self.busy:
            self.runner.cancel()
            set_message(self.progress_note, self.tr("stopping…"))
            self.refresh()

    def _on_records(self, records: list[StudyRecord]) -> None:
        for record in records:
            self._waiting_for = record if isinstance(record, str) else ""
            if isinstance(record, StudyRun):
                self.model.show_run(record)
            elif isinstance(record, tuple):
                self._show_study(*record)
            elif not isinstance(record, str):
                self.show_importance(record)
        if self._trained:
            self.trained.emit(self._trained, self.model.records, True)
        self.draw_if_due()

    def _show_progress(self) -> None:
        if not self.busy or self.spec is None or self.runner.cancelling:
            return
        runs = self.model.records
        total = self.spec.runs
        if self._waiting_for:
            text = self.tr("Waiting for workers of the cluster at {address}.")
            set_message(self.progress_note, text.format(address=self._waiting_for))
        elif any(run.state == "running" for run in runs):
            self.bar.setRange(0, total)
            self.bar.setValue(sum(run.has_ended for run in runs))
            text = self.tr("{n} of {total} runs have ended.").format(n=self.bar.value(), total=total)
            set_message(self.progress_note, text)
            self.progressed.emit(f"{self.spec.name}: {text}", self.bar.value(), total)

    def _on_ended(self, failure: Failure | None) -> None:
        trained = self._trained
        self._trained = None
        for run in self.model.records:
            if run.state == "running":
                run.state = "stopped"
                self.model.show_run(run)
        runs = self.model.records
        ended = self.spec is not None and len(runs) >= self.spec.runs and all(run.has_ended for run in runs)
        if trained and ended:
            self._preferences.study_left = ""
        if failure:
            self.banner.show_text(failure.text, "bad", failure.details)
        elif trained and not (self.is_complete and self.compares):  # its plot has a conclusion of its own
            self._say_end(ended)
        set_message(self.progress_note, "")
        if trained:
            self.table.sortByColumn(run_table.STUDY_LOSS, Qt.SortOrder.AscendingOrder)
            self._on_busy()
        continues = self._continues and not failure
        self._continues = False
        if continues:
            self.start_study()
        self.list_studies()
        self.refresh()
        self.draw()
        if trained:
            self.trained.emit(trained, self.model.records, self.busy)

    def _say_end(self, ended: bool) -> None:
        """`ended`: all runs have, with or without a result."""
        best = studies.best_run(self.model.records)
        failed = sum(run.is_left for run in self.model.records)
        text = self.tr("The study has ended; no run could be trained to its end.")
        tone = "bad"
        if not ended:
            text = self.tr("The study was stopped: Continue trains what is left.")
            tone = "info"
        elif failed:
            text = self.tr("Failed runs: {n}. Continue tries them again.").format(n=failed)
        elif best:
            text = self.tr("The study is complete. The best run: {values}; validation loss {loss}.")
            text = text.format(values=values_text(best), loss=number(best.loss or 0.0))
            tone = "good"
        self.banner.show_text(text, tone)

    def _on_busy(self) -> None:
        self.refresh()
        self.title_changed.emit()
        self.busy_changed.emit(self.busy)

    # -- updating -----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what can be done now, and what the settings of the window mean for a new study."""
        if not self.isVisible():
            return
        busy = self.busy
        complete = self.is_complete
        is_new = self.spec is None
        problem = "" if busy or complete else self._problem()
        if is_new:
            self.editor.show_base(self._plan())
        begun = bool(self.model.records)
        tip = self.tr("All runs of this study have ended.")
        if not complete:
            tip = tip_with_key(self.tr("Train the runs of the study one after the other."), START_KEY)
        self.start_button.setText(self.tr("Continue study") if begun else self.tr("Start study"))
        self.start_button.setEnabled(not (busy or problem or complete))
        self.start_button.setToolTip(problem or tip)
        # Setting the text of a button removes its shortcut.
        self.start_button.setShortcut(START_KEY)
        set_message(self.reason, problem)
        self.stop_button.setEnabled(busy and not self.runner.cancelling)
        for widget in (self.study_box, self.open_button, self.address_edit):
            widget.setEnabled(not busy)
        self.delete_button.setEnabled(not (busy or is_new))
        self.undo_action.setEnabled(not busy)
        self.copy_button.setEnabled(not (busy or is_new or self._disabled_reason))
        self.use_button.setEnabled(not (busy or self._disabled_reason))
        self.bar.setVisible(busy)
        self.table.setVisible(not is_new)

    def draw_if_due(self) -> None:
        """Draw the plots now, or when the last drawing is old enough."""
        wait = self._drawn_at + REDRAW_SECONDS - time.monotonic()
        if wait <= 0:
            self.draw()
        elif not self._redraw.isActive():
            self._redraw.start(round(1000 * wait))

    def show_importance(self, importance: Importance | None) -> None:
        assert self.comparison.importance
        self.comparison.importance.show_importance(importance)

    def draw(self) -> None:
        self._drawn_at = time.monotonic()
        self._mark_best()
        self.comparison.show_study(self.spec, self.model.records, self.table.selected())


def _free_name(kind: str) -> str:
    """A name that no study has: the kind and a number."""
    names = {name.lower() for name in study_names()}
    return next(name for k in count(1) if (name := f"{kind} {k}") not in names)


# -- what is done in the background -----------------------------------------------------------------------


def _study_task(
    study: Callable[[], Study], executor: Callable[[TaskControl], Executor] | None = None
) -> Task:
    """Reads a study from its database; trains what is left of it where there is an executor."""

    def work(control: TaskControl) -> Generator[StudyRecord]:
        # Before the study: one whose data are missing is not begun.
        train = executor(control) if executor else None
        with closing(study()) as opened:
            yield opened.spec, [replace(run) for run in opened.runs]
            if train and opened.can_continue:
                yield from _train(opened, train, control)
            yield opened.importance()

    return work


def _train(study: Study, executor: Executor, control: TaskControl) -> Generator[StudyRecord]:
    due = time.monotonic() + IMPORTANCE_SECONDS
    with closing(study.iter_runs(executor)) as runs:
        for run in runs:
            control.check()
            if run is None:
                if executor.waiting_for:
                    yield executor.waiting_for
                continue
            yield replace(run)
            if run.state != "running" and time.monotonic() > due:
                begun = time.monotonic()
                yield study.importance()
                # A forest of 1000 runs takes seconds.
                due = time.monotonic() + max(IMPORTANCE_SECONDS, 20 * (time.monotonic() - begun))
