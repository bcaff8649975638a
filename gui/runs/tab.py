"""The Runs tab: the table of all runs, and the selected ones compared below it."""

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QSplitter, QToolButton

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.runs.folder import change_label
from core.runs.library import RunEntry, RunLibrary, read_limit
from core.runs.plan import RunContext
from core.text import format_bytes
from core.training.records import EpochDone, Record
from gui.background.task_runner import TaskRunner, single_record
from gui.preferences import Preferences
from gui.runs.comparison import Comparison
from gui.runs.dialogs import LimitDialog
from gui.runs.run_table import CURVE, NAME, STAR, LibraryModel, RunTable
from gui.text import count, sentence
from gui.widgets.banner import Banner
from gui.widgets.basics import named
from gui.widgets.dialogs import reporting, short_path
from gui.widgets.make import FlowLayout, action, column, edit, label, tip_with_key
from gui.widgets.tab import Tab
from gui.widgets.tables import Index

# While a run trains, its row is read again at most this often.
REFRESH_SECONDS = 2.0


class RunsTab(Tab):
    """The signals ask the window for what concerns its other parts. `listed`: the table shows the library."""

    continue_asked = Signal(object)  # RunEntry
    settings_asked = Signal(object)  # RunEntry
    open_asked = Signal(object)  # RunEntry
    listed = Signal()

    def __init__(self, preferences: Preferences, dataset_cache: DatasetCache, banner: Banner) -> None:
        super().__init__()
        self.setObjectName("runsTab")
        self.banner = banner
        self.library = RunLibrary()
        self.model = LibraryModel(self)
        self.table = RunTable(self.model, "runTable", self.tr("Runs"), sorted_by=~(CURVE + 1), editable=True)
        self.comparison = Comparison("runs", dataset_cache, self.library, preferences, banner)
        self.space = label("", "runsSpace", "muted", wraps=False)
        tip = tip_with_key(self.tr("Show the runs that have these words in their row."), "Ctrl+F")
        title = self.tr("Filter runs")
        narrow = self.tr("Filter")
        self.filter_edit = edit("runsFilter", title, tip, self.table.filter.filter_by, placeholder=narrow)
        self.filter_edit.setMaximumWidth(200)
        self.filter_edit.setClearButtonEnabled(True)
        self._deleted: list[str] = []
        self._asked = ""  # the id of a run that is to be selected
        self._training = False
        self._changed = True
        self._read_at = 0.0
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_entries)
        self._make_actions()
        self._lay_out()
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.table.clicked.connect(self._on_clicked)
        self.table.doubleClicked.connect(self._on_double_clicked)
        self.model.label_edited.connect(lambda entry, field, text: self._write_label(entry, **{field: text}))
        self._on_selected()

    def title(self) -> str:
        return self.tr("Runs")

    # -- actions ------------------------------------------------------------------------------------------

    def _make_actions(self) -> None:
        tr = self.tr

        def make(name: str, text: str, key: str, slot: Callable[[], object], tip: str) -> QAction:
            made = action(self.table, text, name, lambda: slot(), keys=(key,) if key else (), tip=tip)
            # The keys belong to the table: Space and Return mean something else in other widgets.
            made.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            return made

        def of_run(signal: Any) -> Callable[[], None]:
            return lambda: signal.emit(self.table.selected()[0])

        self.continue_action = make(
            "runContinue", tr("&Continue…"), "Ctrl+Return", of_run(self.continue_asked),
            tr("Train the selected run for more epochs, from its last or best one."),
        )  # fmt: skip
        self.settings_action = make(
            "runSettings", tr("Use se&ttings"), "Ctrl+U", of_run(self.settings_asked),
            tr("Show the settings of the selected run under Training, with the rates that were typed while it ran."),
        )  # fmt: skip
        self.open_action = make(
            "runOpen", tr("&Open"), "Return", of_run(self.open_asked),
            tr("Let the network of the selected run read the drawing, and test it under Results."),
        )  # fmt: skip
        tip = tr("Keep the selected runs whatever the limit is, or no longer.")
        self.star_action = make("runStar", tr("&Star"), "Space", self._star, tip)
        tip = tr("Give the current run a name.")
        self.rename_action = make("runRename", tr("Re&name"), "F2", self.table.rename, tip)
        tip = tr("Move the selected runs to the trash.")
        self.delete_action = make("runDelete", tr("&Delete"), "Del", self.delete_selected, tip)
        tip = tr("Move the runs that were deleted last back into the library.")
        self.undo_action = make("runUndo", tr("&Undo delete"), "Ctrl+Shift+Z", self.undo_delete, tip)
        tip = tr("Set how much disk space runs without a star may take, and empty the trash.")
        self.limit_action = make(
            "runLimit", tr("&Limit…"), "", lambda: LimitDialog(self.library, self.refresh, self).show(), tip
        )
        find = action(self, "", "", self.filter_edit.setFocus, keys=("Ctrl+F",))
        find.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _lay_out(self) -> None:
        tools = FlowLayout(self.filter_edit, spacing=4)
        for each in self.table.actions():
            tool = named(QToolButton(), each.objectName() + "Button")
            tool.setDefaultAction(each)
            tool.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            tools.addWidget(tool)
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "runsSplitter")
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.comparison)
        # In a low window the comparison may take the room of the table.
        self.splitter.setChildrenCollapsible(True)
        self.splitter.setSizes([230, 300])
        self.table.setMinimumHeight(80)
        column(tools, (self.splitter, 1), self.space, owner=self, spacing=4).setContentsMargins(0, 4, 0, 0)

    # -- the library --------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the library in the background, now or when the tab is shown."""
        self._changed = True
        if self.isVisible():
            self._changed = False
            self._read_at = time.monotonic()
            self._runner.start_latest(single_record(lambda control: _contents(self.library)))

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

    def _on_entries(self, records: list[tuple[list[RunEntry], int, int, list[InputError]]]) -> None:
        entries, trashed, limit, unreadable = records[-1]
        self.model.show_entries(entries)
        self._show_space(entries, trashed, limit, unreadable)
        asked = self._asked
        self._asked = ""
        if asked:
            self.table.select_runs([asked])
            self.table.setFocus()
            if not self.table.selected():
                self.banner.show_text(self.tr("This run is no longer in the library."))
        self._on_selected()
        self.listed.emit()

    def _show_space(
        self, entries: list[RunEntry], trashed: int, limit: int, unreadable: list[InputError]
    ) -> None:
        limited = (entry for entry in entries if not entry.label.starred and not entry.is_elsewhere)
        unstarred = sum(entry.size for entry in limited)
        text = self.tr("Runs: {n}, {size}; without a star {unstarred} of at most {limit}; trash {trash}")
        if not limit:
            text = self.tr("Runs: {n}, {size}; no limit; trash {trash}")
        self.space.setText(text.format(
            n=count(len(entries)), size=format_bytes(sum(entry.size for entry in entries)),
            unstarred=format_bytes(unstarred), limit=format_bytes(limit), trash=format_bytes(trashed),
        ))  # fmt: skip
        tip = self.tr("What the library takes on the disk, and the limit for runs without a star.")
        if unreadable:
            named = self.tr("{text}; cannot be read: {n}")
            self.space.setText(named.format(text=self.space.text(), n=count(len(unreadable))))
            tip = "\n".join(map(sentence, unreadable[:10]))
        self.space.setToolTip(tip)
        self.undo_action.setEnabled(bool(trashed))

    def _on_selected(self) -> None:
        selected = self.table.selected()
        one = len(selected) == 1
        self.continue_action.setEnabled(one and not self._training and selected[0].folder.has_checkpoint)
        self.settings_action.setEnabled(one and not self._training)
        self.open_action.setEnabled(one and not self._training and selected[0].folder.model_path.exists())
        for each in (self.star_action, self.delete_action):
            each.setEnabled(bool(selected))
        self.rename_action.setEnabled(one)
        self.comparison.show_entries(selected)
        self.model.show_series(selected)

    def _on_clicked(self, index: Index) -> None:
        if index.column() == STAR:
            self._star()

    def _on_double_clicked(self, index: Index) -> None:
        """Open the run; the cell of a note is edited instead, as it has no other key."""
        if self.model.columns[index.column()].editable and index.column() != NAME:
            self.table.edit(index)
        elif index.column() != STAR:
            self.open_action.trigger()

    # -- what the user asks for ---------------------------------------------------------------------------

    def _star(self) -> None:
        """Star all selected runs, unless all have one."""
        selected = self.table.selected()
        starred = not all(entry.label.starred for entry in selected)
        for entry in selected:
            self._write_label(entry, starred=starred)

    def _write_label(self, entry: RunEntry, **values: Any) -> None:
        """Change a part of the run's label; the row may be older than the file."""
        with reporting(self.banner.show_text):
            change_label(entry.path, **values)
        self.refresh()

    def delete_selected(self) -> None:
        ids = [entry.id for entry in self.table.selected()]
        with reporting(self.banner.show_text):
            moved = self.library.delete(ids)
            elsewhere = [entry for entry in self.table.selected() if entry.is_elsewhere and entry.id in moved]
            trashed = len(moved) - len(elsewhere)
            if moved:
                self._deleted = moved
                parts = []
                if trashed:
                    one = self.tr("The run is in the trash.")
                    several = self.tr("{n} runs are in the trash.")
                    parts.append((several if trashed > 1 else one).format(n=count(trashed)))
                for entry in elsewhere:
                    text = self.tr("{path} is no longer listed; the folder stays where it is.")
                    parts.append(text.format(path=short_path(entry.path)))
                self.banner.show_text(" ".join(parts))
                self.banner.offer(self.tr("Undo"), self.undo_delete)
            elif ids:
                self.banner.show_text(
                    self.tr("A run that is being trained cannot be deleted: stop it first.")
                )
        self.refresh()

    def undo_delete(self) -> None:
        """Restore the runs that were deleted last; after a restart, the newest one in the trash."""
        names = self._deleted or [entry.id for entry in self.library.trashed()[:1]]
        self._deleted = []
        with reporting(self.banner.show_text):
            self.library.restore(names)
        self.refresh()


def _contents(library: RunLibrary) -> tuple[list[RunEntry], int, int, list[InputError]]:
    """The runs, the bytes of the trash, the limit, and why some folders hold no readable run."""
    entries = library.entries()
    return entries, sum(entry.size for entry in library.trashed()), read_limit(library), library.unreadable
