"""The tab Compare: all runs as a list, the chosen ones side by side, and what they have shown."""

import time
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.runs.library import RunLibrary, read_limit
from core.runs.plan import RunContext, RunPlan
from core.studies.conclusion import Group
from core.studies.study import study_names
from core.training.records import Record
from gui.background.task_runner import TaskRunner, single_record
from gui.preferences import Preferences
from gui.runs.commands import RunCommands
from gui.runs.comparison import Comparison
from gui.runs.rows import RunRow, rows_of, space_text
from gui.runs.run_table import NAME, RunModel, RunTable
from gui.runs.verdict import series_of
from gui.runs.verdict_card import VerdictCard
from gui.widgets.banner import Banner
from gui.widgets.basics import FitsOnResize, named
from gui.widgets.card import Card
from gui.widgets.make import action, button, column, edit, ignoring_arguments, row, tip_with_key
from gui.widgets.tab import Tab
from gui.widgets.tables import RECORD_ROLE, Index
from gui.widgets.theme import theme

# While a run trains, its row is read again at most this often.
REFRESH_SECONDS = 2.0
_VERDICT_WIDTH = 384  # pixels at a text size of 100 %
_MANY_ROWS = 12  # from which on a filter is offered


class CompareTab(FitsOnResize, Tab):
    """A study is a name on ordinary runs, which are listed below it.

    share_asked: of what is shown. What is concluded from the runs is asked for by `verdict`.
    """

    share_asked = Signal()

    def __init__(
        self, preferences: Preferences, dataset_cache: DatasetCache, banner: Banner
    ) -> None:
        super().__init__()
        self.setObjectName("compareTab")
        self.banner = banner
        self.library = RunLibrary()
        self.model = RunModel(self)
        self.table = RunTable(self.model, "runTable", self.tr("Runs"))
        self.comparison = Comparison()
        self.verdict = VerdictCard(dataset_cache)
        self.chosen_study = ""
        self._asked: list[str] = []  # the ids of rows that are to be selected
        self._training = ""  # the study that is being trained
        self._progress = ("", 0, 0)  # how far it is: a text, and so many of so many runs
        self._trains_run = False
        self._changed = True
        self._read_at = 0.0
        self._runner = TaskRunner(self, self._on_rows)
        self.commands = RunCommands(self.table, self.library, banner)
        self._lay_out()
        self._connect()
        self._on_selected()

    def title(self) -> str:
        return self.tr("Compare: training") if self._training else self.tr("Compare")

    # -- parts -------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        tr = self.tr
        title = tr("Filter runs")
        narrow = tr("Filter")
        self.filter_edit = edit(
            "runsFilter",
            title,
            tip_with_key(tr("Show the runs that have these words in their row."), "Ctrl+F"),
            self.table.filter.filter_by,
            placeholder=narrow,
        )
        self.filter_edit.setMaximumWidth(240)
        self.filter_edit.setClearButtonEnabled(True)
        self.filter_edit.hide()
        find = action(self, "", "", self._show_filter, keys=("Ctrl+F",))
        find.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.comparison.more.addActions(self.table.actions())
        runs = QWidget()
        column(self.filter_edit, (self.table, 1), owner=runs, spacing=4)
        below = QWidget()
        verdict = Card(self.verdict, name="verdictCard")
        self._verdict_card = verdict
        row((Card(self.comparison, name="curvesCard"), 1), verdict, owner=below, spacing=12)
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "runsSplitter")
        self.splitter.addWidget(Card(runs, name="runsCard"))
        self.splitter.addWidget(below)
        # In a low window the comparison may take the room of the table.
        self.splitter.setChildrenCollapsible(True)
        self.splitter.setHandleWidth(12)
        self.splitter.setSizes([220, 400])
        self.splitter.setStretchFactor(1, 1)
        self.table.setMinimumHeight(80)
        self.table.setFrameShape(RunTable.Shape.NoFrame)
        column((self.splitter, 1), owner=self)
        self.corner = QWidget()  # beside the titles of the tabs
        ask = partial(self.verdict.other_values_asked.emit, "learning_rate")
        self.new_button = button(
            tr("New comparison…"),
            "newComparison",
            tip_with_key(
                tr("Train with several values of a setting side by side."), "Ctrl+Shift+V"
            ),
            ignoring_arguments(ask),
            icon="add",
        )
        tip = tip_with_key(
            tr("Save what is shown as a page, a picture or a table."), "Ctrl+Shift+X"
        )
        self.share_button = button(tr("Share…"), "runsShare", tip, self.share_asked)
        row(self.new_button, self.share_button, owner=self.corner, spacing=12)

    def _connect(self) -> None:
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.table.doubleClicked.connect(self._on_double_clicked)
        self.commands.changed.connect(self.refresh)
        self.model.label_edited.connect(
            lambda entry, field, text: self.commands.write_label(entry, **{field: text})
        )
        self.comparison.shown.connect(self._on_shown)
        self.verdict.open_asked.connect(self.commands.open_action.trigger)
        self.verdict.continue_asked.connect(self.commands.continue_action.trigger)
        theme().changed.connect(self.fit)

    def fit(self) -> None:
        """The verdict keeps its width, up to two fifths of a narrow window."""
        self._verdict_card.setFixedWidth(min(theme().px(_VERDICT_WIDTH), round(0.4 * self.width())))

    # -- the library -------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the library in the background, now or when the tab is shown."""
        self._changed = True
        if self.isVisible():
            # Before reading: what changes meanwhile is read next time.
            self._changed = False
            self._read_at = time.monotonic()
            self._runner.start_latest(single_record(lambda control: _contents(self.library)))

    def show_run(self, run_id: str) -> None:
        """Select this run as soon as the table lists it."""
        # The run that is asked for may be one that the filter hides.
        self.filter_edit.clear()
        self._asked = [run_id]
        self.refresh()

    def show_study(self, name: str) -> None:
        """Select the runs of this study as soon as the table lists them."""
        self.show_run(f"study {name}")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def show_plan(self, plan: RunPlan | None) -> None:
        """The settings under Training are these; None: they are wrong."""
        self.verdict.show_plan(plan)

    def start_run(self, context: RunContext) -> None:
        self._trains_run = True
        self._enable()

    def add_records(self, records: list[Record]) -> None:
        self._changed = self._changed or any(record.numbers for record in records)

    def update_if_due(self) -> None:
        if self._changed and time.monotonic() - self._read_at >= REFRESH_SECONDS:
            self.refresh()

    def end_run(self) -> None:
        self._trains_run = False
        self.refresh()
        self._on_selected()

    def show_training(self, study: str, text: str = "", done: int = 0, total: int = 0) -> None:
        """Show how far the study is that is being trained; an empty name: none is trained any
        more.
        """
        has_changed = study != self._training
        self._training = study
        self._progress = (text, done, total)
        self._enable()
        if has_changed and study:
            self.show_study(study)
        elif has_changed:
            self.refresh()
        if has_changed:
            self.title_changed.emit()
            self._on_selected()
        self._show_progress()
        self._changed = True
        self.update_if_due()

    def _on_rows(self, records: list[tuple[list[RunRow], int, int, list[InputError]]]) -> None:
        rows, trashed, limit, unreadable = records[-1]
        self.model.show_rows(rows)
        self.table.filter.invalidate()
        self.commands.limit_action.setToolTip(
            space_text(self.model.entries, trashed, limit, unreadable)
        )
        if len(self.model.records) > _MANY_ROWS:
            self.filter_edit.show()
        self._select_asked()
        self._on_selected()

    def _select_asked(self) -> None:
        """Select the rows that were asked for, as soon as they are listed; at first the newest
        one.
        """
        rows = self.model.records
        if not self._asked and not self.table.selected() and rows:
            self.table.select_rows([_newest(rows).id])
        elif self._asked:
            self.table.reveal(self._asked)
            self.table.select_rows(self._asked)
            self.table.setFocus()
            if not self.table.selected() and not self._awaits_trained():
                self.banner.show_text(self.tr("This run is no longer in the library."))
        if self.table.selected():
            self._asked = []

    def _show_filter(self) -> None:
        self.filter_edit.show()
        self.filter_edit.setFocus()

    # -- what is chosen ----------------------------------------------------------------------------

    def _on_selected(self) -> None:
        rows = self.table.selected()
        chosen = self.table.chosen()
        studies = {row.path[0].removeprefix("study ") for row in rows if row.study or row.level}
        is_one_study = len(studies) == 1 and all(row.study or row.level for row in rows)
        self.chosen_study = studies.pop() if is_one_study else ""
        self._enable()
        self.share_button.setEnabled(bool(chosen))
        self.comparison.show_entries(chosen, self.chosen_study)
        if self._awaits_trained():
            self.verdict.show_growing()
        elif not chosen:
            self.verdict.show_nothing()
        self._show_progress()

    def _enable(self) -> None:
        is_busy = self._trains_run or bool(self._training)
        self.commands.enable(is_busy)
        self.new_button.setEnabled(not is_busy)

    def _awaits_trained(self) -> bool:
        """Whether the study that is being trained is to be selected: one that has just begun may
        not be listed yet.
        """
        return bool(self._training) and self._asked == [f"study {self._training}"]

    def _show_progress(self) -> None:
        is_chosen = bool(self._training) and self._training == self.chosen_study
        is_trained = is_chosen or self._awaits_trained()
        self.verdict.show_progress(*(self._progress if is_trained else ("", 0, 0)))

    def _on_shown(self, groups: list[Group]) -> None:
        """The curves are drawn: judge them, and give the rows their colors."""
        series = {run.id: series_of(group) for group in groups for run in group.runs}
        self.model.show_series(series)
        entries = self.comparison.entries
        self.model.show_differences(entries)
        self.table.fit()
        sources = {entry.info.plan.data for entry in entries}
        if self._training and self._training == self.chosen_study:
            self.verdict.show_growing()
        elif len(entries) == 1:
            self.verdict.show_run(entries[0])
        elif entries:
            is_left = bool(self.chosen_study) and not all(entry.info.has_ended for entry in entries)
            source = sources.pop() if len(sources) == 1 else ""
            self.verdict.show_groups(groups, source, is_left=is_left)
        self._show_progress()

    def _on_double_clicked(self, index: Index) -> None:
        """Open the run; the cell of a note is edited instead, as it has no other key."""
        if index.data(RECORD_ROLE).entry is None:
            return
        if self.model.columns[index.column()].editable and index.column() != NAME:
            self.table.edit(index)
        else:
            self.commands.open_action.trigger()


def _contents(library: RunLibrary) -> tuple[list[RunRow], int, int, list[InputError]]:
    """The rows, the bytes of the trash, the limit, and why some folders hold no readable run."""
    trashed = library.trashed()
    emptied = {
        entry.info.study for entry in trashed
    }  # a comparison whose runs were deleted is not listed without them
    rows = rows_of(library.entries(), [name for name in study_names() if name not in emptied])
    return rows, sum(entry.size for entry in trashed), read_limit(library), library.unreadable


def _newest(rows: Sequence[RunRow]) -> RunRow:
    """The row that is compared at first: the study or the run that was trained last."""
    return max(
        rows, key=lambda row: (max((each.started for each in row.entries), default=0.0), -row.level)
    )
