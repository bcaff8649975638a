"""What the Studies tab shows: the study, its runs as they train, and their comparison."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.files.atomic import write_atomically
from core.runs.plan import RunPlan
from core.studies.spec import StudySpec, read_study
from core.studies.study import (
    StudyRun,
    delete_study,
    deleted_studies,
    require_dask,
    require_optuna,
    restore_study,
    study_names,
)
from gui.background.failure import Failure, failure_of
from gui.background.task_runner import TaskRunner
from gui.preferences import Preferences
from gui.studies.run_table import StudyModel, StudyTable, values_text
from gui.studies.save_dialog import ask_and_write
from gui.studies.study_task import Completed, Importances, RunChanged, StudyOpened, train_task, view_task
from gui.studies.views import CURVES, SET_UP, StudyViews
from gui.text import number, sentence
from gui.widgets.banner import Banner
from gui.widgets.basics import PrimaryButton, QuietComboBox, key_text, named, note, set_message
from gui.widgets.flow_layout import FlowLayout, labeled
from gui.widgets.pictures import set_icon

START_KEY = "Ctrl+Return"


class StudyControls(QWidget):
    """Widgets only; the tab connects them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        tr = self.tr
        self.study_box = named(QuietComboBox(), "studyBox")
        self.study_box.setMinimumContentsLength(16)
        self.study_box.setToolTip(
            tr("A new study, or one that was begun: it can be looked at and continued.")
        )
        self.open_button = _button("studyOpen", tr("&Open…"), tr("Open the TOML file of a study."))
        self.save_button = _button(
            "studySave", tr("Sa&ve…"), tr("Save the study as a TOML file, as `main.py study` reads it.")
        )
        self.copy_button = _button("studyCopy", tr("Use as ne&w"), tr(
            "Show the settings of this study at the left, and what it varies in the form, for a new study."
        ))  # fmt: skip
        self.delete_button = _button("studyDelete", tr("De&lete…"), tr(
            "Move this study to the trash, with or without its runs. {key} restores the study that was deleted last."
        ).format(key=key_text(UNDO_KEY)))  # fmt: skip
        self.start_button = named(PrimaryButton(), "studyStart")
        self.stop_button = _button(
            "studyStop", tr("Sto&p"), tr("Stop the study; it can be continued, also after a restart.")
        )
        set_icon(self.start_button, "play")
        set_icon(self.stop_button, "stop")
        self.reason = note(name="studyReason")
        self.progress_note = note(name="studyProgress")
        self.bar = named(QProgressBar(), "studyBar")
        self.bar.setAccessibleName(tr("Progress of the study"))
        self.bar.setTextVisible(False)
        self.bar.hide()
        top, run = FlowLayout(6), FlowLayout(6)
        for widget in (labeled(tr("St&udy"), self.study_box, grows=True), self.open_button, self.save_button,
                       self.delete_button):  # fmt: skip
            top.addWidget(widget)
        for widget in (self.start_button, self.stop_button, self.copy_button):
            run.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addLayout(top)
        column.addLayout(run)
        for message in (self.reason, self.progress_note, self.bar):
            column.addWidget(message)

    def list_studies(self, names: list[str], chosen: str) -> None:
        """Offer a new study and these, without a signal."""
        with QSignalBlocker(self.study_box):
            self.study_box.clear()
            self.study_box.addItem(self.tr("New study"), "")
            for name in names:
                self.study_box.addItem(name, name)
            self.study_box.choose(chosen)

    def show_start(self, *, begun: bool, complete: bool, enabled: bool, problem: str) -> None:
        """`problem`: why the study cannot be trained now."""
        tip = self.tr("Train the runs of the study one after the other ({key}).").format(
            key=key_text(START_KEY)
        )
        if complete:
            tip = self.tr("All runs of this study have ended.")
        self.start_button.setText(self.tr("Continue study") if begun else self.tr("Start study"))
        self.start_button.setEnabled(enabled)
        self.start_button.setToolTip(problem or tip)
        # Setting the text of a button removes its shortcut.
        self.start_button.setShortcut(START_KEY)
        set_message(self.reason, problem)

    def show_progress(self, ended: int, total: int) -> None:
        self.bar.setRange(0, total)
        self.bar.setValue(ended)
        self.say(self.tr("{n} of {total} runs have ended.").format(n=ended, total=total))

    def say(self, text: str) -> None:
        """Show what is being done; an empty text hides the line."""
        if self.progress_note.text() != text or not text:
            set_message(self.progress_note, text)


def _button(name: str, text: str, tip: str) -> QPushButton:
    button = named(QPushButton(text), name)
    button.setToolTip(tip)
    return button


UNDO_KEY = "Ctrl+Shift+Z"


class StudyDeletion(QObject):
    """`changed` is called with the name of the study to be shown, empty for none."""

    def __init__(self, parent: QWidget, banner: Banner, changed: Callable[[str], None]) -> None:
        super().__init__(parent)
        self._parent, self._banner, self._changed = parent, banner, changed
        self.undo_action = named(QAction(self.tr("&Undo delete"), parent), "studyUndo")
        self.undo_action.setShortcut(UNDO_KEY)
        self.undo_action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.undo_action.triggered.connect(self.undo)
        parent.addAction(self.undo_action)

    def ask(self, name: str, runs: list[str]) -> None:
        """Ask whether the runs are deleted with the study, and delete it."""
        box = QMessageBox(self._parent)
        box.setObjectName("studyDeleteQuestion")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Delete study"))
        box.setText(self.tr("Delete the study “{name}”?").format(name=name))
        box.setInformativeText(
            self.tr("It has {n} runs in the library. What is deleted goes to the trash.").format(n=len(runs))
        )
        both = box.addButton(self.tr("Study and &runs"), QMessageBox.ButtonRole.DestructiveRole)
        alone = box.addButton(self.tr("Study &only"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(alone)
        box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        if box.clickedButton() in (both, alone):
            self.delete(name, runs if box.clickedButton() is both else [])

    def delete(self, name: str, runs: list[str]) -> None:
        """Move the study and these runs to the trash, and offer to undo that."""
        try:
            delete_study(name, runs)
        except (InputError, OSError) as error:
            self._banner.show_text(failure_of(error).text, "bad")
            return
        self._changed("")
        text = self.tr("The study {name} is in the trash.")
        if runs:
            text = self.tr("The study {name} and its runs are in the trash.")
        self._banner.show_text(text.format(name=name))
        self._banner.offer(self.tr("Undo"), self.undo)

    def undo(self) -> None:
        """Restore the study that was deleted last, also after a restart."""
        try:
            names = deleted_studies()
            if not names:
                self._banner.show_text(self.tr("The trash has no study."))
                return
            restore_study(names[0])
        except (InputError, OSError) as error:
            self._banner.show_text(failure_of(error).text, "bad")
            return
        self._changed(names[0])
        self._banner.show_text(self.tr("The study {name} is back.").format(name=names[0]), "good")


# While a study trains, its plots are drawn again at most this often.
REDRAW_SECONDS = 1.0


class StudyPage(QWidget):
    """`base` returns the settings of the window, None while they are not valid. One study is trained at a time."""

    busy_changed = Signal(bool)
    run_asked = Signal(str)  # the id of a run, to be shown in the library
    settings_asked = Signal(object, str)  # RunSettings and data, to be shown in the window

    def __init__(
        self,
        preferences: Preferences,
        dataset_cache: DatasetCache,
        base: Callable[[], RunPlan | None],
        banner: Banner,
        views: StudyViews,
    ) -> None:
        super().__init__()
        self.banner = banner
        self._preferences, self._dataset_cache, self._base = preferences, dataset_cache, base
        self.spec: StudySpec | None = None  # None: the new study in the form
        self._opened: dict[str, StudySpec] = {}  # from files, not begun yet
        self._disabled_reason = ""
        self.busy, self._complete = (
            False,
            False,
        )  # whether a study is trained; whether all its runs have ended
        self._drawn_at = 0.0
        self.model = StudyModel(self)
        self.table = StudyTable(self.model)
        self.controls, self.views = StudyControls(), views
        self.editor, self.results = self.views.editor, self.views.results
        self.runner = TaskRunner(self, low_priority=True)
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "studySplitter")
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.views)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([220, 300])
        self.table.setMinimumHeight(80)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(5)
        column.addWidget(self.controls)
        column.addWidget(self.splitter, 1)
        self.deletion = StudyDeletion(self, self.banner, self._on_deleted)
        self._redraw = QTimer(self, singleShot=True)
        self._redraw.timeout.connect(self.draw)
        self._connect()
        self._show_new()

    def _connect(self) -> None:
        controls = self.controls
        controls.study_box.currentIndexChanged.connect(self._on_chosen)
        for button, slot in (
            (controls.open_button, self.ask_open), (controls.save_button, self.ask_save),
            (controls.copy_button, self.copy), (controls.delete_button, self.ask_delete),
            (controls.start_button, self.start),
            (controls.stop_button, self.stop), (self.views.export_button, self.ask_export),
        ):  # fmt: skip
            button.clicked.connect(lambda _=False, slot=slot: slot())
        self.views.address_edit.textChanged.connect(self.refresh)
        self.editor.changed.connect(self.refresh)
        self.table.run_asked.connect(lambda run: self.run_asked.emit(run.run_id))
        self.table.selectionModel().selectionChanged.connect(self.draw)
        self.runner.records.connect(self._on_records)
        self.runner.ticked.connect(self._show_progress)
        self.runner.ended.connect(self._on_ended)

    # -- which study --------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.list_studies()
        self.refresh()

    def list_studies(self) -> None:
        """List the studies that were begun; the chosen one stays."""
        begun = study_names()
        names = [name for name in self._opened if name not in begun] + begun
        self.controls.list_studies(names, self.spec.name if self.spec else "")
        if not self.editor.name_edit.text():
            self.editor.name_edit.setText(self._free_name())

    def _free_name(self) -> str:
        names = {name.lower() for name in study_names()}
        return next(name for k in range(1, len(names) + 2) if (name := f"study {k}") not in names)

    def _on_chosen(self) -> None:
        name = str(self.controls.study_box.currentData() or "")
        if not name:
            self._show_new()
        elif name in study_names():
            self.runner.start_latest(view_task(name))
        else:
            self._show_study(self._opened[name], [], False)

    def _show_new(self) -> None:
        self.spec, self._complete = None, False
        self.editor.setEnabled(True)
        self.model.show_study(None, [])
        self.views.show_page(SET_UP)
        self.list_studies()
        self.refresh()
        self.draw()

    def _show_study(self, spec: StudySpec, runs: list[StudyRun], complete: bool) -> None:
        is_other = self.spec is None or self.spec.text != spec.text or self.spec.name != spec.name
        self.spec, self._complete = spec, complete
        self.editor.show_spec(spec)
        self.editor.setEnabled(False)
        self.model.show_study(spec, runs)
        if is_other:
            self.results.importance.show_shares({})
        if runs and self.views.chooser.currentIndex() == SET_UP:
            self.views.show_page(CURVES)
        self.list_studies()
        self.refresh()
        self.draw()

    def copy(self) -> None:
        """Show this study in the form for a new one, with its settings in the window."""
        spec = self.spec
        if spec is None or self.busy:
            return
        self.settings_asked.emit(spec.plan.settings, spec.plan.data)
        self._show_new()
        self.editor.show_spec(spec)
        self.editor.name_edit.setText(self._free_name())
        self.refresh()

    def ask_delete(self) -> None:
        """Ask whether to delete the chosen study."""
        if self.spec is not None:
            self.deletion.ask(self.spec.name, [run.run_id for run in self.model.records])

    def _on_deleted(self, name: str) -> None:
        """Show this study, which was restored; empty: the one shown was deleted."""
        if name:
            self.runner.start_latest(view_task(name))
        else:
            self._show_new()

    # -- files --------------------------------------------------------------------------------------------

    def ask_open(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Open study"), self._preferences.folder(), self._kinds()
        )
        if path:
            self.open(Path(path))

    def open(self, path: Path) -> None:
        """Show the study that a TOML file describes."""
        if self.busy:
            self.banner.show_text(self.tr("Stop the study first."))
            return
        try:
            spec = read_study(path)
        except InputError as error:
            self.banner.show_text(failure_of(error).text, "bad")
            return
        self._preferences.save_folder(path)
        self._opened[spec.name] = spec
        self._show_study(spec, [], False)
        if spec.name in study_names():
            self._on_chosen()

    def ask_save(self) -> None:
        """Ask for a file, and save the study in it."""
        try:
            spec = self._current_spec()
        except InputError as error:
            self.banner.show_text(sentence(error), "bad")
            return
        if spec is not None:
            name, text = f"{spec.name}.toml", spec.text.encode()
            self._write(
                self.tr("Save study"), name, [self._kinds()], lambda path: write_atomically(path, text)
            )

    def ask_export(self) -> None:
        """Ask for a file, and write the table or the plot in front into it."""
        kinds = ["CSV (*.csv)", "PNG (*.png)", "SVG (*.svg)"]
        self._write(self.tr("Export study"), "study.csv", kinds, self.results.export)

    def _write(self, title: str, name: str, kinds: list[str], write: Callable[[Path], None]) -> None:
        try:
            path = ask_and_write(self, self._preferences, title, name, kinds, write)
        except (InputError, OSError) as error:
            self.banner.show_text(failure_of(error).text, "bad")
            return
        if path:
            self.banner.show_text(self.tr("Saved as {path}.").format(path=path), "good")

    def _kinds(self) -> str:
        return self.tr("Studies (*.toml)")

    # -- training -----------------------------------------------------------------------------------------

    def disable(self, reason: str) -> None:
        """Disable the start button and show `reason`; an empty text enables it."""
        self._disabled_reason = reason
        self.refresh()

    def _current_spec(self) -> StudySpec | None:
        if self.spec is not None:
            return self.spec
        base = self._base()
        return self.editor.spec(base) if base else None

    def _problem(self) -> str:
        """Why the study cannot be trained now; empty if it can."""
        self.editor.show_count(None)
        spec = None
        try:
            require_optuna()
            if self.views.address_edit.text().strip():
                require_dask()
            if self.spec is None:
                spec = self._current_spec()
                self.editor.show_count(spec)
        except InputError as error:
            return sentence(error)
        if self.spec is None and spec is None:
            return self.tr("Correct the settings at the left first.")
        return self._disabled_reason

    def start(self) -> None:
        """Train the study in the form, or continue the chosen one."""
        if self.busy or self._complete or self._problem():
            return
        spec = self._current_spec()
        assert spec is not None
        self.banner.hide()
        self.runner.cancel(discard=True)  # a study that is being read
        self.busy = True
        self.runner.start_latest(
            train_task(spec, self.views.address_edit.text().strip(), self._dataset_cache)
        )
        self.controls.say(self.tr("reading the data…"))
        self.views.show_page(CURVES)
        had_focus = self.controls.start_button.hasFocus()
        self._on_busy()
        if had_focus:
            self.controls.stop_button.setFocus()

    def stop(self) -> None:
        """Stop the study after the present step; its runs can be continued."""
        if self.busy:
            self.runner.cancel()
            self.controls.say(self.tr("stopping…"))
            self.refresh()

    def _on_records(self, records: list[Any]) -> None:
        for record in records:
            if isinstance(record, StudyOpened):
                self._show_study(record.spec, record.runs, record.complete)
            elif isinstance(record, RunChanged):
                self.model.show_run(record.run)
            elif isinstance(record, Importances):
                self.results.importance.show_shares(record.shares)
            elif isinstance(record, Completed):
                self._complete = True
                self._say_end()
        self.draw_if_due()

    def _show_progress(self) -> None:
        if not self.busy or self.spec is None:
            return
        if not self.runner.cancelling and any(run.state == "training" for run in self.model.records):
            ended = sum(run.state not in ("training", "stopped") for run in self.model.records)
            self.controls.show_progress(ended, self.spec.runs)

    def _on_ended(self, failure: Failure | None) -> None:
        was_busy, self.busy = self.busy, False
        for run in self.model.records:
            if run.state == "training":
                run.state = "stopped"
                self.model.show_run(run)
        if failure:
            self.banner.show_text(failure.text, "bad", failure.details)
        elif was_busy and not self._complete:
            self.banner.show_text(self.tr("The study was stopped: Continue trains what is left."))
        self.controls.say("")
        if was_busy:
            self._on_busy()
        self.list_studies()
        self.refresh()
        self.draw()

    def _say_end(self) -> None:
        complete = [run for run in self.model.records if run.state == "complete" and run.best]
        if not complete:
            self.banner.show_text(self.tr("The study has ended; no run could be trained to its end."), "bad")
            return
        best = min(complete, key=lambda run: _loss(run))
        text = self.tr("The study is complete. The best run: {values}; validation loss {loss}.")
        self.banner.show_text(text.format(values=values_text(best), loss=number(_loss(best))), "good")

    def _on_busy(self) -> None:
        self.refresh()
        self.busy_changed.emit(self.busy)

    # -- updating -----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what can be done now."""
        if not self.isVisible():
            return
        busy, is_new, controls = self.busy, self.spec is None, self.controls
        problem = "" if busy or self._complete else self._problem()
        if is_new:
            self.editor.show_base(self._base())
        begun = bool(self.model.records)
        controls.show_start(
            begun=begun,
            complete=self._complete,
            enabled=not (busy or problem or self._complete),
            problem=problem,
        )
        controls.stop_button.setEnabled(busy and not self.runner.cancelling)
        for widget in (controls.study_box, controls.open_button, self.views.address_edit):
            widget.setEnabled(not busy)
        controls.delete_button.setEnabled(begun and not busy)
        self.deletion.undo_action.setEnabled(not busy)
        controls.copy_button.setEnabled(not (busy or is_new or self._disabled_reason))
        controls.bar.setVisible(busy)
        self.views.export_button.setEnabled(begun)
        self.table.setVisible(not is_new)

    def draw_if_due(self) -> None:
        """Draw the plots now, or when the last drawing is old enough."""
        wait = self._drawn_at + REDRAW_SECONDS - time.monotonic()
        if wait <= 0:
            self.draw()
        elif not self._redraw.isActive():
            self._redraw.start(round(1000 * wait))

    def draw(self) -> None:
        """Draw the plots."""
        self._drawn_at = time.monotonic()
        self.results.show_runs(self.spec, self.model.records, self.table.selected())


def _loss(run: StudyRun) -> float:
    return float("inf") if run.loss is None else run.loss
