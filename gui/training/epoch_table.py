"""The table of epochs: a row for each, the newest last."""

import csv
import io
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTableView, QWidget

from core.training.records import EpochDone
from gui.text import count, number, percent
from gui.widgets.column_widths import fit_columns, heading_width, use_fixed_widths
from gui.widgets.table import RIGHT, set_up_table

Index = QModelIndex | QPersistentModelIndex
TRAINING = 2  # the column of the score while learning, which regression has none of
SPARE = (6, 4, TRAINING)  # the rate first, then the seconds: hidden where there is no room for all
# As wide as what usually stands in the columns.
USUAL = ("1,000", "0.1234", "99.99 %", "99.99 %", "1.23", "1,000,000", "0.00123")


class EpochModel(QAbstractTableModel):
    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.epochs: list[EpochDone] = []
        self.kind = "classes"

    def add(self, epochs: list[EpochDone]) -> None:
        if epochs:
            first = len(self.epochs)
            self.beginInsertRows(QModelIndex(), first, first + len(epochs) - 1)
            self.epochs += epochs
            self.endInsertRows()

    def begin(self, kind: str) -> None:
        self.beginResetModel()
        self.epochs, self.kind = [], kind
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.epochs)

    def columnCount(self, parent: Index | None = None) -> int:
        return 7

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings()[section][0]
        return self._headings()[section][1] if role == Qt.ItemDataRole.ToolTipRole else None

    def _headings(self) -> tuple[tuple[str, str], ...]:
        """Each column's heading and the sentence that explains it."""
        if self.kind == "classes":
            test = self.tr("Test"), self.tr("The share of the test images that is read right.")
            speed = self.tr("Images/s"), self.tr("How many images it learnt from in a second.")
        else:
            test = self.tr("Test R²"), self.tr(
                "The share of the variance of the test values that the network explains; 1 is exact."
            )  # fmt: skip
            speed = self.tr("Points/s"), self.tr("How many points it learnt from in a second.")
        return (
            (self.tr("Epoch"), self.tr("One pass through all the data to learn from.")),
            (self.tr("Loss"), self.tr("How wrong the network was while it learnt, on average.")),
            (self.tr("Training"), self.tr("The share read right while it learnt from them.")),
            test,
            (self.tr("Seconds"), self.tr("How long the epoch's training took.")),
            speed,
            (self.tr("Rate"), self.tr("The learning rate at the epoch's end.")),
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        if role != Qt.ItemDataRole.DisplayRole or not index.isValid():
            return None
        row = self.epochs[index.row()]
        before = self.epochs[index.row() - 1].seconds if index.row() else 0.0
        return (
            lambda: str(row.epoch),
            lambda: number(row.train_loss),
            lambda: self._score(row.train_score),
            lambda: self._score(row.test_score),
            lambda: number(row.seconds - before, 3),
            lambda: count(row.images_per_second),
            lambda: number(row.learning_rate, 3),
        )[index.column()]()

    def _score(self, score: float | None) -> str:
        if score is None:
            return "–"
        return percent(score) if self.kind == "classes" else number(score)

    def csv(self) -> str:
        """The table as a file for other programs: decimal points, no units."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        names = (
            "epoch", "train_loss", "train_score", "test_loss", "test_score", "seconds", "images_per_second",
            "learning_rate",
        )  # fmt: skip
        writer.writerow(names)
        writer.writerows([getattr(epoch, name) for name in names] for epoch in self.epochs)
        return text.getvalue()


class EpochTable(QTableView):
    """Follows the newest row as long as the person has not scrolled away from it."""

    def __init__(self, model: EpochModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        set_up_table(self, "epochTable", self.tr("Epochs"), row_height=22)
        self.setAlternatingRowColors(True)
        use_fixed_widths(self)
        self.horizontalHeader().setDefaultAlignment(RIGHT)
        self._model, self._follow = model, True
        model.modelReset.connect(self._fit)
        model.rowsAboutToBeInserted.connect(self._look)
        model.rowsInserted.connect(self._scroll)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        digits = self.fontMetrics()
        needs = {
            column: max(heading_width(self, column), digits.horizontalAdvance(text) + 8)
            for column, text in enumerate(USUAL)
            if column != TRAINING or self._model.kind == "classes"
        }
        fit_columns(self, needs, spare=SPARE, grow=tuple(needs))

    def _look(self) -> None:
        bar = self.verticalScrollBar()
        self._follow = bar.value() >= bar.maximum()

    def _scroll(self) -> None:
        if self._follow:
            self.scrollToBottom()
