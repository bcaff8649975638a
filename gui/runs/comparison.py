"""Compares runs of the library: curves, results, mistakes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QMenu, QSizePolicy, QStackedWidget, QWidget

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.inference.model_file import check_fits, load_model
from core.runs import comparison as compare
from core.runs.comparison import differing, legends
from core.runs.library import RunEntry
from core.studies.conclusion import Group, groups_of_runs
from core.training.records import Epoch
from gui.background.task_runner import Failure, TaskControl, TaskRunner, single_record
from gui.runs.curves_page import CurvesPage
from gui.runs.rows import score_text, setting_title, state_text, value_text
from gui.runs.verdict import plain_groups
from gui.text import clock, count, number
from gui.widgets.make import action, column, label, menu_button, row
from gui.widgets.messages import set_message
from gui.widgets.pictures import paint_to_file
from gui.widgets.plots.plot import export_plots
from gui.widgets.tab import PageChooser
from gui.widgets.tables import Column, RecordModel, RecordTable, Role
from gui.widgets.theme import blend, theme
from gui.words import in_plain_words

_STRONGEST = 0.7  # share of the strong color in the cell of the largest difference
_ALL_EPOCHS = 1 << 31
_MAX_NAME = 60  # characters


@dataclass(frozen=True, slots=True)
class ReadRuns:
    """Runs with their histories, and their tables for other programs."""

    entries: Sequence[RunEntry] = ()
    histories: Sequence[list[Epoch]] = ()

    @property
    def have_epochs(self) -> bool:
        """Whether an epoch of any run has ended."""
        return any(self.histories)

    def epochs_csv(self) -> str:
        return compare.curves_csv(self.entries, self.histories)

    def results_csv(self) -> str:
        return compare.results_csv(self.entries)

    def report(self, curves: CurvesPage) -> str:
        """The web page about the runs, with curves that are drawn as in `curves`."""
        is_log = curves.log_check.isChecked()
        return compare.comparison_report(
            self.entries, self.histories, curves.axis, curves.weight, is_log
        )


class Comparison(QWidget):
    """Pages that compare the selected runs, whose folders are read in the background.

    `shown` is emitted with the groups of the runs when their curves are drawn.
    """

    shown = Signal(list)  # of Groups

    def __init__(self, dataset_cache: DatasetCache) -> None:
        super().__init__()
        self.entries: list[RunEntry] = []
        self.groups: list[Group] = []
        self._study = ""
        self.runs = ReadRuns()  # whose curves are shown
        self.curves = CurvesPage()
        self.results = ResultsPage()
        self.confusion = ConfusionPage(dataset_cache)
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_read)
        self._lay_out()
        self.show_entries([])

    def _lay_out(self) -> None:
        tr = self.tr
        self.chooser = PageChooser("runsPages", tr("Comparison of runs"))
        self._stack = QStackedWidget()
        self._pages: list[QWidget] = [self.curves, self.results, self.confusion]
        titles = (
            (tr("Curves"), tr("The curves of the selected runs in one plot.")),
            (tr("Results"), tr("The results of the selected runs side by side.")),
            (
                tr("Mistakes"),
                tr("What the second of two selected runs reads differently from the first."),
            ),
        )
        for (title, tip), page in zip(titles, self._pages, strict=True):
            self.chooser.add_page(title, tip)
            self._stack.addWidget(page)
        self.chooser.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.chooser.currentChanged.connect(self._on_page)
        self.more = QMenu(self)
        self.more.setToolTipsVisible(True)
        self.options_action = action(
            self.more,
            tr("&Options of the plot"),
            "runsOptions",
            tip=tr(
                "Show another quantity, seconds instead of epochs, smoothed or logarithmic curves."
            ),
        )
        self.options_action.setCheckable(True)
        self.options_action.toggled.connect(self.curves.options.setVisible)
        self.more.addAction(self.options_action)
        tip = tr("Further pages, and what can be done with the selected runs.")
        self.more_button = menu_button(tr("More"), "runsMore", tip, self.more)
        head = row(self.chooser, self.more_button, None, self.curves.quick, spacing=8)
        column(head, (self._stack, 1), owner=self, spacing=6)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 90)

    def show_page(self, page: QWidget) -> None:
        index = self._pages.index(page)
        self.chooser.setTabVisible(index, True)
        self.chooser.setCurrentIndex(index)

    def _on_page(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self.curves.quick.setVisible(self._front() is self.curves)

    def show_entries(self, entries: list[RunEntry], study: str = "") -> None:
        """Compare these runs; nothing is read where they are shown as they are on the disk.

        study: the name of the study whose runs they are.
        """
        self._study = study
        if entries == self.entries and entries:
            return
        self.entries = entries
        names = in_plain_words(legends(entries), {entry.info.network for entry in entries})
        self.results.show_runs(entries, names)
        self.confusion.show_runs(entries, names)
        self._runner.cancel(discard=True)
        self._runner.start_latest(single_record(lambda control: _read(entries)))

    def _on_read(self, records: list[ReadRuns]) -> None:
        entries = records[-1].entries
        histories = records[-1].histories
        if entries == self.entries:
            self.runs = records[-1]
            networks = {entry.info.network for entry in entries}
            self.groups = plain_groups(groups_of_runs(entries, histories), networks)
            self.curves.show_groups(self.groups)
            self.shown.emit(self.groups)

    def _front(self) -> QWidget:
        return self._pages[self._stack.currentIndex()]

    # -- what can be shared ------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What people call the runs together: the name of their study, or their own names."""
        networks = {entry.info.network for entry in self.entries}
        names = ", ".join(in_plain_words(legends(self.entries), networks))
        name = self._study or names
        return name if len(name) <= _MAX_NAME else name[: _MAX_NAME - 1] + "…"

    @property
    def shows_curves(self) -> bool:
        """Whether the page of the curves is in front."""
        return self._front() is self.curves

    @property
    def page_title(self) -> str:
        """The title of the page in front."""
        return self.chooser.tabText(self.chooser.currentIndex())

    @property
    def page_has_content(self) -> bool:
        """Whether the page in front shows more than a message."""
        return self._front() is not self.confusion or not self.confusion.table.isHidden()

    def write_curves(self, path: Path) -> None:
        """Write the picture of the curves."""
        title = self.curves.quantity_box.currentText()
        settings = compare.common_settings(self.runs.entries)
        export_plots(path, f"{title}: {settings}" if settings else title, [self.curves.plot])

    def write_page(self, path: Path) -> None:
        """Write the picture of the page in front."""
        front = self._front()
        with paint_to_file(path, front.size()) as painter:
            painter.fillRect(front.rect(), front.palette().color(front.backgroundRole()))
            front.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)


def _read(entries: list[RunEntry]) -> ReadRuns:
    return ReadRuns(entries, [entry.folder.read_history(_ALL_EPOCHS) for entry in entries])


# -- pages -----------------------------------------------------------------------------------------


class ResultsPage(RecordTable):
    """A column for each run, a row for each result and each setting in which the runs differ."""

    def __init__(self) -> None:
        # A record is the heading of a row and its texts, one for each run.
        self._model = RecordModel((), row_heading=lambda record: record[0])
        super().__init__(self._model, "runResults", self.tr("Results of the selected runs"))
        self.setToolTip(
            self.tr("The results of the selected runs, and the settings in which they differ.")
        )
        self.verticalHeader().show()
        self.horizontalHeader().setMaximumSectionSize(220)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)

    def show_runs(self, entries: Sequence[RunEntry], names: Sequence[str]) -> None:
        tr = self.tr
        titles = {
            "state": tr("State"), "epochs_done": tr("Epochs"), "best_epoch": tr("Best epoch"),
            "best_score": tr("Best test accuracy"), "test_score": tr("Last test accuracy"),
            "test_loss": tr("Test loss"), "train_loss": tr("Training loss"),
            "validation_loss": tr("Validation loss"), "seconds": tr("Time of training"),
        }  # fmt: skip
        records = [
            (title, [_text(entry, name) for entry in entries]) for name, title in titles.items()
        ]
        for name in differing(entries):
            texts = [value_text(name, entry.value_of(name)) for entry in entries]
            records.append((setting_title(name), texts))

        def column(index: int, name: str) -> Column[tuple[str, list[str]]]:
            return Column(name, name, lambda record: record[1][index], is_number=True)

        self._model.show_records(
            records if entries else [], [column(*each) for each in enumerate(names)]
        )


def _text(entry: RunEntry, name: str) -> str:
    value = entry.results()[name]
    if name == "state":
        return state_text(entry)
    if value is None or name.endswith("_score"):
        return "–" if value is None else score_text(entry, name)
    if name == "seconds":
        return clock(value)
    return count(value) if isinstance(value, int) else number(value)


class ComputedPage(QWidget):
    """A page whose result is computed in the background while it is visible; `message` says why
    there is none.
    """

    def __init__(self, message: QLabel) -> None:
        super().__init__()
        self.message = message
        self._due: Callable[[TaskControl], object] | None = None
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(lambda records: self.show_result(records[-1]))
        self._runner.ended.connect(self._on_ended)

    def request(self, compute: Callable[[TaskControl], object] | None) -> None:
        """Show what `compute` returns, as soon as the page is visible; None: nothing new."""
        self._due = compute
        self._runner.cancel(discard=True)
        self._compute()

    def show_result(self, result: Any) -> None:
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._compute()

    def _compute(self) -> None:
        if self._due is not None and self.isVisible():
            task = single_record(self._due)
            self._due = None
            self._runner.start_latest(task)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            set_message(self.message, failure.text)


class ConfusionPage(ComputedPage):
    """The difference of two runs' confusion matrices on the test images."""

    def __init__(self, dataset_cache: DatasetCache) -> None:
        super().__init__(label("", "confusionDifferenceText"))
        self._dataset_cache = dataset_cache
        self._names: Sequence[str] = ()
        self._classes: tuple[str, ...] = ()
        self.difference = np.zeros((0, 0), int)
        # A record is the number of a true class.
        self.model = RecordModel((), self, row_heading=lambda row: self._classes[row])
        title = self.tr("Difference of the confusion matrices")
        self.table = RecordTable(self.model, "confusionDifference", title)
        tip = self.tr("Rows: true classes. Columns: what was read. Images more (+) or fewer (−).")
        self.table.setToolTip(tip)
        self.table.verticalHeader().show()
        self.table.setSelectionMode(RecordTable.SelectionMode.NoSelection)
        for header in (self.table.horizontalHeader(), self.table.verticalHeader()):
            header.setMinimumSectionSize(22)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        column(self.message, (self.table, 1), owner=self)
        theme().changed.connect(self.model.refresh)

    def show_runs(self, entries: Sequence[RunEntry], names: Sequence[str]) -> None:
        """Show what the second run reads differently from the first."""
        self._names = names[:2]
        self.table.setVisible(False)
        if len(entries) < 2:
            self.message.setText(
                self.tr("Select two runs: here appears what the second one reads differently.")
            )
            self.request(None)
            return
        self.message.setText(self.tr("Reading the test images with both networks…"))
        self.request(partial(_difference, entries[:2], self._dataset_cache))

    def show_result(self, result: tuple[tuple[str, ...], np.ndarray]) -> None:
        self._classes, self.difference = result
        columns = [self._class_column(*each) for each in enumerate(self._classes)]
        self.model.show_records(range(len(self._classes)), columns)
        self.table.setVisible(True)
        right = int(np.trace(self.difference))
        (first, second) = self._names
        text = self.tr("“{second}” less “{first}”: {n} images more are read right.", None, right)
        if right < 0:
            text = self.tr(
                "“{second}” less “{first}”: {n} images fewer are read right.", None, -right
            )
        text = text.format(first=first, second=second, n=count(abs(right)))
        self.message.setText(f"{text} {self.tr('Orange: worse; blue: better.')}")

    def _class_column(self, column: int, name: str) -> Column[int]:
        def text(row: int) -> str:
            images = self.difference[row, column]
            if not images:
                return ""
            return f"+{count(images)}" if images > 0 else count(images)

        center = Qt.AlignmentFlag.AlignCenter
        color = partial(self._color, column=column)
        roles: dict[int, Any] = {
            Role.BackgroundRole: color,
            Role.TextAlignmentRole: lambda row: center,
        }
        return Column(name, name, text, roles=roles)

    def _color(self, row: int, column: int) -> QColor:
        images = int(self.difference[row, column])
        colors = theme().colors
        largest = max(int(np.abs(self.difference).max()), 1)
        better = (images > 0) == (row == column)
        strong = QColor(colors.train if better else colors.test)
        return blend(QColor(colors.base), strong, _STRONGEST * (abs(images) / largest) ** 0.5)


def _difference(
    entries: Sequence[RunEntry], dataset_cache: DatasetCache, control: TaskControl
) -> tuple[tuple[str, ...], np.ndarray]:
    """The classes, and the confusion matrix of the second run less that of the first."""
    from core.inference.scores import score_classes

    if len({entry.info.plan.data for entry in entries}) > 1:
        raise InputError(
            "These runs learned from different data: select two runs on the same data."
        )
    dataset = dataset_cache.get(entries[0].info.plan.data, control.progress)
    matrices = []
    for entry in entries:
        model = load_model(entry.folder.model_path)
        check_fits(model, dataset)
        if dataset.kind != "classes":
            template = (
                "These runs predict values: only runs that read classes have a confusion matrix."
            )
            raise InputError(template)
        matrices.append(
            score_classes(model, dataset.test, control.check).counts(len(dataset.classes))
        )
    return dataset.classes, matrices[1] - matrices[0]
