"""The lower part of the Runs tab: the selected runs compared by curves, results and confusion matrices."""

from collections.abc import Generator, Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.files.atomic import write_atomically
from core.runs.comparison import (
    comparison_report,
    curves_csv,
    differing,
    legends,
    result_of,
    results_csv,
    value_of,
)
from core.runs.library import RunEntry
from core.training.records import Epoch
from core.training.run_settings import BY_NAME
from gui.background.failure import Failure
from gui.background.task_runner import Task, TaskControl, TaskRunner
from gui.runs.run_table import score_text, state_text
from gui.text import clock, count, label, number
from gui.widgets.basics import named
from gui.widgets.palette import blend
from gui.widgets.plots.curves_page import CurvesPage
from gui.widgets.tab import PageChooser
from gui.widgets.tables import RIGHT, set_up_table
from gui.widgets.theme import theme


def _tr(text: str) -> str:
    return QCoreApplication.translate("RunResults", text)


class ResultsPage(QTableWidget):
    """A column for each run, a row for each result and each setting in which the runs differ."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_table(self, "runResults", self.tr("Results of the selected runs"))
        self.setToolTip(self.tr("The results of the selected runs, and the settings in which they differ."))
        self.verticalHeader().show()
        self.horizontalHeader().setMaximumSectionSize(220)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)

    def show_runs(self, entries: Sequence[RunEntry], names: Sequence[str]) -> None:
        titles = _titles()
        settings = differing(entries) if entries else ()
        headings = [
            *titles.values(),
            *(label(BY_NAME[s]) if s in BY_NAME else s.capitalize() for s in settings),
        ]
        self.setRowCount(len(headings) if entries else 0)
        self.setColumnCount(len(entries))
        self.setVerticalHeaderLabels(headings)
        self.setHorizontalHeaderLabels(list(names))
        self.horizontalHeader().setToolTip("\n".join(names))
        for column, entry in enumerate(entries):
            texts = [_text(entry, name) for name in titles] + [value_of(entry, name) for name in settings]
            for row, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setTextAlignment(RIGHT)
                self.setItem(row, column, item)
        self.resizeColumnsToContents()


def _titles() -> dict[str, str]:
    return {
        "state": _tr("State"), "epochs_done": _tr("Epochs"), "best_epoch": _tr("Best epoch"),
        "best_score": _tr("Best test score"), "test_score": _tr("Last test score"), "test_loss": _tr("Test loss"),
        "train_loss": _tr("Training loss"), "validation_loss": _tr("Validation loss"),
        "seconds": _tr("Time of training"),
    }  # fmt: skip


def _text(entry: RunEntry, name: str) -> str:
    value = result_of(entry)[name]
    if name == "state":
        return state_text(entry)
    if value is None:
        return "–"
    if name.endswith("_score"):
        return score_text(entry, name)
    assert isinstance(value, int | float)
    if name == "seconds":
        return clock(value)
    return count(value) if isinstance(value, int) else number(value)


_STRONGEST = 0.7


class ConfusionPage(QWidget):
    """Computes both matrices in the background, while the page is visible."""

    def __init__(self, dataset_cache: DatasetCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dataset_cache = dataset_cache
        self._entries: tuple[RunEntry, ...] = ()
        self._names: tuple[str, ...] = ()
        self._due = False
        self._classes: tuple[str, ...] = ()
        self.difference = np.zeros((0, 0), int)
        self.message = named(QLabel(), "confusionDifferenceText")
        self.message.setWordWrap(True)
        self.table = QTableWidget()
        set_up_table(self.table, "confusionDifference", self.tr("Difference of the confusion matrices"))
        self.table.setToolTip(
            self.tr("Rows: true classes. Columns: what was read. Images more (+) or fewer (−).")
        )
        self.table.verticalHeader().show()
        self.table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        for header in (self.table.horizontalHeader(), self.table.verticalHeader()):
            header.setMinimumSectionSize(22)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self.message)
        column.addWidget(self.table, 1)
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(self._on_records)
        self._runner.ended.connect(self._on_ended)
        theme().changed.connect(self._recolor)

    def show_runs(self, entries: Sequence[RunEntry], names: Sequence[str]) -> None:
        """Compare the first two of these runs."""
        self._entries, self._names = tuple(entries[:2]), tuple(names[:2])
        self._due = len(entries) >= 2
        self.table.setVisible(False)
        if not self._due:
            self.message.setText(
                self.tr("Select two runs: here appears what the second one reads differently.")
            )
        self._compute()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._compute()

    def _recolor(self) -> None:
        if self.difference.size:
            self._fill()

    def _compute(self) -> None:
        if self._due and self.isVisible():
            self._due = False
            self.message.setText(self.tr("Reading the test images with both networks…"))
            self._runner.cancel(discard=True)
            self._runner.start_latest(_difference_task(self._entries, self._dataset_cache))

    def _on_records(self, records: list[tuple[tuple[str, ...], np.ndarray]]) -> None:
        self._classes, self.difference = records[-1]
        self._fill()
        right = int(np.trace(self.difference))
        text = self.tr(
            "“{second}” less “{first}”: {n} images more are read right. Orange: worse; blue: better."
        )
        if right < 0:
            text = self.tr(
                "“{second}” less “{first}”: {n} images fewer are read right. Orange: worse; blue: better."
            )
        first, second = self._names
        self.message.setText(text.format(first=first, second=second, n=abs(right)))

    def _fill(self) -> None:
        size, table = len(self._classes), self.table
        table.setRowCount(size)
        table.setColumnCount(size)
        table.setHorizontalHeaderLabels(self._classes)
        table.setVerticalHeaderLabels(self._classes)
        largest = max(int(np.abs(self.difference).max()), 1)
        colors = theme().colors
        base = QColor(colors.base)
        for row in range(size):
            for column in range(size):
                images = int(self.difference[row, column])
                item = QTableWidgetItem(f"{images:+d}".replace("-", "−") if images else "")
                item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                better = (images > 0) == (row == column)
                strong = QColor(colors.train if better else colors.test)
                item.setBackground(blend(base, strong, _STRONGEST * (abs(images) / largest) ** 0.5))
                table.setItem(row, column, item)
        table.setVisible(True)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.message.setText(failure.text)


def _difference_task(entries: tuple[RunEntry, ...], dataset_cache: DatasetCache) -> Task:
    def compute(control: TaskControl) -> Generator[tuple[tuple[str, ...], np.ndarray]]:
        from core.inference.model_file import check_fits, load_model
        from core.inference.scores import score_classes

        if len({entry.info.plan.data for entry in entries}) > 1:
            raise InputError("These runs learned from different data: select two runs on the same data.")
        matrices = []
        for entry in entries:
            model = load_model(entry.folder.model_path)
            dataset = dataset_cache.get(entry.info.plan.data, control.progress)
            check_fits(model, dataset)
            if dataset.kind != "classes":
                raise InputError(
                    "These runs predict values: only runs that read classes have a confusion matrix."
                )
            scores = score_classes(model, dataset.test, control.check)
            matrices.append(scores.counts(len(dataset.classes)))
        yield dataset.classes, matrices[1] - matrices[0]

    return compute


class Comparison(QWidget):
    """Reads the histories of the selected runs in the background. `shown` is emitted when they are drawn."""

    shown = Signal()
    export_asked = Signal()

    def __init__(self, dataset_cache: DatasetCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: list[RunEntry] = []
        self._histories: list[list[Epoch]] = []
        self.curves = CurvesPage("runs")
        self.results = ResultsPage()
        self.confusion = ConfusionPage(dataset_cache)
        self.chooser = PageChooser("runsPages", self.tr("Comparison of runs"))
        self.chooser.add_page(self.tr("Curves"), self.tr("The curves of the selected runs in one plot."))
        self.chooser.add_page(self.tr("Results"), self.tr("The results of the selected runs side by side."))
        self.chooser.add_page(
            self.tr("Confusion"), self.tr("What the second selected run reads differently.")
        )
        self.export_button = named(QPushButton(self.tr("E&xport…")), "runsExport")
        self.export_button.setToolTip(
            self.tr("Save the plot as PNG or SVG, tables as CSV, or all of it as one HTML report.")
        )
        self.export_button.clicked.connect(self.export_asked)
        self._stack = QStackedWidget()
        for page in (self.curves, self.results, self.confusion):
            self._stack.addWidget(page)
        self.chooser.currentChanged.connect(self._stack.setCurrentIndex)
        row = QHBoxLayout()
        row.addWidget(self.chooser, 1)
        row.addWidget(self.export_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addLayout(row)
        column.addWidget(self._stack, 1)
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_records)
        self.show_runs([])

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 90)

    def show_runs(self, entries: list[RunEntry]) -> None:
        """Compare these runs; nothing is read where they are shown as they are on the disk."""
        if entries == self.entries and entries:
            return
        self.entries = entries
        self.export_button.setEnabled(bool(entries))
        names = legends(entries)
        self.results.show_runs(entries, names)
        self.confusion.show_runs(entries, names)
        self._runner.cancel(discard=True)
        self._runner.start_latest(_read_task(entries))

    def export_to(self, path: Path) -> None:
        """Write what the suffix says: the plot (.png, .svg), a table (.csv) or a report (.html). Raises InputError."""
        suffix = path.suffix.lower()
        if suffix in (".png", ".svg"):
            self.curves.plot.export(path)
        elif suffix == ".csv":
            curves = path.stem.endswith("-curves")
            text = curves_csv(self.entries, self._histories) if curves else results_csv(self.entries)
            write_atomically(path, text.encode())
        else:
            page = self.curves
            report = comparison_report(
                self.entries, self._histories, axis=page.axis, smoothing=page.weight,
                logarithmic=page.log_check.isChecked(),
            )  # fmt: skip
            write_atomically(path, report.encode())

    def _on_records(self, records: list[tuple[list[RunEntry], list[list[Epoch]]]]) -> None:
        entries, histories = records[-1]
        if entries == self.entries:
            self._histories = histories
            self.curves.show_runs(legends(entries), histories)
            self.shown.emit()


def _read_task(entries: list[RunEntry]) -> Task:
    def read(control: TaskControl) -> Generator[tuple[list[RunEntry], list[list[Epoch]]]]:
        yield entries, [entry.folder.read_history(1 << 31) for entry in entries]

    return read
