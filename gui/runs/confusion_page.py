"""The difference of two runs' confusion matrices on the test images."""

from collections.abc import Generator, Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.runs.library import RunEntry
from gui.background.failure import Failure
from gui.background.task_runner import Task, TaskControl, TaskRunner
from gui.widgets.basics import named
from gui.widgets.colors import LIGHT, Colors
from gui.widgets.palette import blend
from gui.widgets.table import set_up_table

_STRONGEST = 0.7


class ConfusionPage(QWidget):
    """Computes both matrices in the background, while the page is visible."""

    def __init__(self, dataset_cache: DatasetCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dataset_cache = dataset_cache
        self._colors = LIGHT
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

    def apply_theme(self, colors: Colors) -> None:
        self._colors = colors
        if self.difference.size:
            self._fill()

    def close_background(self) -> None:
        self._runner.close()

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
        base = QColor(self._colors.base)
        for row in range(size):
            for column in range(size):
                images = int(self.difference[row, column])
                item = QTableWidgetItem(f"{images:+d}".replace("-", "−") if images else "")
                item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                better = (images > 0) == (row == column)
                strong = QColor(self._colors.train if better else self._colors.test)
                item.setBackground(blend(base, strong, _STRONGEST * (abs(images) / largest) ** 0.5))
                table.setItem(row, column, item)
        table.setVisible(True)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.message.setText(failure.text)


def _difference_task(entries: tuple[RunEntry, ...], dataset_cache: DatasetCache) -> Task:
    def compute(control: TaskControl) -> Generator[tuple[tuple[str, ...], np.ndarray]]:
        from core.inference.compatibility import check_fits
        from core.inference.model_file import load_model
        from core.inference.scores import score_classes

        if len({entry.info.data for entry in entries}) > 1:
            raise InputError("These runs learned from different data: select two runs on the same data.")
        matrices = []
        for entry in entries:
            model = load_model(entry.folder.model_path)
            dataset = dataset_cache.get(entry.info.data, control.progress)
            check_fits(model, dataset)
            if dataset.kind != "classes":
                raise InputError(
                    "These runs predict values: only runs that read classes have a confusion matrix."
                )
            scores = score_classes(model, dataset.test, control.cancelled)
            matrices.append(scores.counts(len(dataset.classes)))
        yield dataset.classes, matrices[1] - matrices[0]

    return compute
