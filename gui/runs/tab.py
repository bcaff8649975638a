"""The Runs tab: the table of all runs, and the selected ones compared below it."""

import time
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QLineEdit,
    QSplitter,
    QToolButton,
    QVBoxLayout,
)

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.runs.folder import read_label, write_label
from core.runs.library import RunEntry, RunLibrary
from core.runs.plan import RunContext
from core.text import format_bytes
from core.training.records import EpochDone, Record
from gui.background.failure import failure_of
from gui.background.task_runner import Task, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.runs.comparison import Comparison
from gui.runs.dialogs import LimitDialog
from gui.runs.run_table import RunModel, RunTable
from gui.text import count
from gui.widgets.banner import Banner
from gui.widgets.basics import key_text, named, with_role
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.tab import Tab

# While a run trains, its row is read again at most this often.
REFRESH_SECONDS = 2.0
_FILTERS = ("HTML (*.html)", "PNG (*.png)", "SVG (*.svg)", "CSV (*.csv)")


class RunsTab(Tab):
    """The signals ask the window for what concerns its other parts. `listed`: the table shows the library."""

    continue_asked = Signal(object)  # RunEntry
    settings_asked = Signal(object)  # RunEntry
    open_asked = Signal(object)  # RunEntry
    listed = Signal()
    wants_room = True

    def __init__(self, preferences: Preferences, dataset_cache: DatasetCache, banner: Banner) -> None:
        super().__init__()
        self.setObjectName("runsTab")
        self._preferences, self.banner = preferences, banner
        self.library = RunLibrary()
        self.model = RunModel(self)
        self.table = RunTable(self.model)
        self.comparison = Comparison(dataset_cache)
        self.space = with_role(named(QLabel(), "runsSpace"), "muted")
        self.space.setToolTip(
            self.tr("What the library takes on the disk, and the limit for runs without a star.")
        )
        self.filter_edit = named(QLineEdit(), "runsFilter")
        self.filter_edit.setPlaceholderText(self.tr("Filter"))
        self.filter_edit.setClearButtonEnabled(True)
        self.filter_edit.setMaximumWidth(200)
        self.filter_edit.setAccessibleName(self.tr("Filter runs"))
        self.filter_edit.setToolTip(self.tr("Show the runs that have these words in their row ({key}).").format(
            key=key_text("Ctrl+F")))  # fmt: skip
        self._deleted: list[str] = []
        self._asked = ""  # the id of a run that is to be selected
        self._training, self._changed = False, True
        self._read_at = 0.0
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_entries)
        self._make_actions()
        self._lay_out()
        self.filter_edit.textChanged.connect(self._filter)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.table.clicked.connect(self._on_clicked)
        self.model.labeled.connect(lambda entry, field, text: self._write_label(entry, **{field: text}))
        self.comparison.export_asked.connect(self.export)
        self._on_selected()

    def title(self) -> str:
        return self.tr("Runs")

    # -- actions ------------------------------------------------------------------------------------------

    def _make_actions(self) -> None:
        tr = self.tr
        self.continue_action = self._action(
            "runContinue",
            tr("&Continue…"),
            "Ctrl+Return",
            self._ask_continue,
            tr("Train the selected run for more epochs, from its last or best one."),
        )
        self.settings_action = self._action(
            "runSettings",
            tr("Use se&ttings"),
            "Ctrl+U",
            self._ask_settings,
            tr(
                "Show the settings of the selected run at the left, with the rates that were typed while it ran."
            ),
        )
        self.open_action = self._action(
            "runOpen",
            tr("&Open"),
            "Return",
            self._ask_open,
            tr("Let the network of the selected run read the drawing, and test it under Results."),
        )
        self.star_action = self._action(
            "runStar",
            tr("&Star"),
            "Space",
            self._star,
            tr("Keep the selected runs whatever the limit is, or no longer."),
        )
        self.rename_action = self._action(
            "runRename", tr("Re&name"), "F2", self.table.rename, tr("Give the current run a name.")
        )
        self.delete_action = self._action(
            "runDelete",
            tr("&Delete"),
            QKeySequence.StandardKey.Delete,
            self.delete,
            tr("Move the selected runs to the trash."),
        )
        self.undo_action = self._action(
            "runUndo",
            tr("&Undo delete"),
            "Ctrl+Shift+Z",
            self.undo_delete,
            tr("Move the runs that were deleted last back into the library."),
        )
        self.limit_action = self._action(
            "runLimit",
            tr("&Limit…"),
            "",
            self._ask_limit,
            tr("Set how much disk space runs without a star may take, and empty the trash."),
        )
        self._find = QAction(self)
        self._find.setShortcut(QKeySequence.StandardKey.Find)
        self._find.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._find.triggered.connect(self.filter_edit.setFocus)
        self.addAction(self._find)

    def _action(
        self, name: str, text: str, key: str | QKeySequence.StandardKey, slot: Callable[[], object], tip: str
    ) -> QAction:
        action = named(QAction(text, self), name)
        action.setShortcut(key)
        # The keys belong to the table: Space and Return mean something else in other widgets.
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip} ({shortcut})" if shortcut else tip)
        action.triggered.connect(lambda: slot())
        self.table.addAction(action)
        return action

    def _lay_out(self) -> None:
        row = FlowLayout(4)
        row.addWidget(self.filter_edit)
        for action in self.table.actions():
            button = named(QToolButton(), action.objectName() + "Button")
            button.setDefaultAction(action)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "runsSplitter")
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.comparison)
        # In a low window the comparison may take the room of the table.
        self.splitter.setChildrenCollapsible(True)
        self.splitter.setSizes([230, 300])
        self.table.setMinimumHeight(80)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.splitter, 1)
        column.addWidget(self.space)

    # -- the library --------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the library in the background, now or when the tab is shown."""
        self._changed = True
        if self.isVisible():
            self._changed = False
            self._read_at = time.monotonic()
            self._runner.start_latest(_list_task(self.library))

    def show_run(self, run_id: str) -> None:
        """Select this run as soon as the table lists it."""
        self.filter_edit.clear()
        self._asked = run_id
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def start_run(self, context: RunContext) -> None:
        self._training = True

    def add_records(self, records: list[Record]) -> None:
        self._changed = self._changed or any(isinstance(record, EpochDone) for record in records)

    def update_if_due(self) -> None:
        if self._changed and time.monotonic() - self._read_at >= REFRESH_SECONDS:
            self.refresh()

    def end_run(self) -> None:
        self._training = False
        self.refresh()
        self._on_selected()

    def _on_entries(self, records: list[tuple[list[RunEntry], int, int]]) -> None:
        entries, trashed, limit = records[-1]
        self.model.show_entries(entries)
        self._show_space(entries, trashed, limit)
        self._select_asked()
        self._on_selected()
        self.listed.emit()

    def _select_asked(self) -> None:
        asked, self._asked = self._asked, ""
        if asked:
            self.table.select([asked])
            self.table.setFocus()
            if not self.table.selected():
                self.banner.show_text(self.tr("This run is no longer in the library."))

    def _show_space(self, entries: list[RunEntry], trashed: int, limit: int) -> None:
        unstarred = sum(entry.size for entry in entries if not entry.label.starred)
        text = self.tr("Runs: {n}, {size}; without a star {unstarred} of at most {limit}; trash {trash}")
        if not limit:
            text = self.tr("Runs: {n}, {size}; no limit; trash {trash}")
        self.space.setText(text.format(
            n=count(len(entries)), size=format_bytes(sum(entry.size for entry in entries)),
            unstarred=format_bytes(unstarred), limit=format_bytes(limit), trash=format_bytes(trashed),
        ))  # fmt: skip
        self.undo_action.setEnabled(bool(trashed))

    def _filter(self, text: str) -> None:
        self.table.filter.filter_by(text)

    def _on_selected(self) -> None:
        selected = self.table.selected()
        one = len(selected) == 1
        self.continue_action.setEnabled(one and not self._training and selected[0].folder.has_checkpoint)
        self.settings_action.setEnabled(one and not self._training)
        self.open_action.setEnabled(one and not self._training and selected[0].folder.model_path.exists())
        for action in (self.star_action, self.delete_action):
            action.setEnabled(bool(selected))
        self.rename_action.setEnabled(one)
        self.comparison.show_runs(selected)

    def _on_clicked(self, index: object) -> None:
        if index.column() == 0:  # type: ignore[attr-defined]
            self._star()

    # -- what the user asks for ---------------------------------------------------------------------------

    def _ask_continue(self) -> None:
        self.continue_asked.emit(self.table.selected()[0])

    def _ask_settings(self) -> None:
        self.settings_asked.emit(self.table.selected()[0])

    def _ask_open(self) -> None:
        self.open_asked.emit(self.table.selected()[0])

    def _star(self) -> None:
        """Star all selected runs, unless all have one."""
        selected = self.table.selected()
        starred = not all(entry.label.starred for entry in selected)
        for entry in selected:
            self._write_label(entry, starred=starred)

    def _write_label(self, entry: RunEntry, **values: Any) -> None:
        """Change a part of the run's label; the row may be older than the file."""
        self._try(lambda: write_label(entry.path, replace(read_label(entry.path), **values)))
        self.refresh()

    def delete(self) -> None:
        """Move the selected runs to the trash, and offer to undo that."""
        selected = self.table.selected()
        moved: list[str] = []
        self._try(lambda: moved.extend(self.library.delete([entry.id for entry in selected])))
        if moved:
            self._deleted = moved
            text = (
                self.tr("{n} runs are in the trash.")
                if len(moved) > 1
                else self.tr("The run is in the trash.")
            )
            self.banner.show_text(text.format(n=len(moved)))
            self.banner.offer(self.tr("Undo"), self.undo_delete)
        elif selected:
            self.banner.show_text(self.tr("A run that is being trained cannot be deleted: stop it first."))
        self.refresh()

    def undo_delete(self) -> None:
        """Restore the runs that were deleted last; after a restart, the newest one in the trash."""
        names = self._deleted or [entry.id for entry in self.library.trashed()[:1]]
        self._deleted = []
        self._try(lambda: self.library.restore(names))
        self.refresh()

    def _ask_limit(self) -> None:
        LimitDialog(self.library, self.refresh, self).show()

    def export(self) -> None:
        """Ask for a file, and write the comparison of the selected runs into it."""
        names = (*_FILTERS, self.tr("CSV of all curves (*-curves.csv)"))
        start = str(Path(self._preferences.folder()) / "runs.html")
        chosen, kind = QFileDialog.getSaveFileName(self, self.tr("Export runs"), start, ";;".join(names))
        if not chosen:
            return
        path = Path(chosen)
        if path.suffix.lower() not in (".html", ".png", ".svg", ".csv"):
            suffix = kind[kind.rfind("*") + 1 : -1] if kind else ".html"
            path = path.with_name(path.name + suffix)
        if self._try(lambda: self.comparison.export_to(path)):
            self._preferences.save_folder(path)
            self.banner.show_text(self.tr("Exported as {path}.").format(path=path), "good")

    def _try(self, write: Callable[[], object]) -> bool:
        try:
            write()
        except (InputError, OSError) as error:
            self.banner.show_text(failure_of(error).text, "bad")
            return False
        return True


def _list_task(library: RunLibrary) -> Task:
    def read(control: TaskControl) -> Generator[tuple[list[RunEntry], int, int]]:
        from core.runs.library import read_limit

        yield library.entries(), sum(entry.size for entry in library.trashed()), read_limit(library)

    return read
