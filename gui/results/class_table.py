"""The table of precision, recall and F1 of each class."""

from math import isnan
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from core.inference.scores import class_rates
from gui.text import count, percent
from gui.widgets.table import LEFT, RIGHT, set_up_table

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


class ClassTableModel(QAbstractTableModel):
    """A row for each class, and one for the mean of all classes."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self._images = np.empty(0, int)
        self._rates = np.empty((0, 3))

    def show_counts(self, classes: tuple[str, ...], counts: np.ndarray) -> None:
        """`counts`: the confusion matrix."""
        rates = class_rates(counts)
        self.beginResetModel()
        self._names = [*classes, self.tr("Mean")]
        self._images = np.append(counts.sum(axis=1), counts.sum())
        defined = ~np.isnan(rates).all(axis=0)
        mean = np.where(
            defined, np.nansum(rates, axis=0) / np.maximum((~np.isnan(rates)).sum(axis=0), 1), np.nan
        )
        self._rates = np.vstack([rates, mean])
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._names)

    def columnCount(self, parent: Index | None = None) -> int:
        return 5

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        titles = (self.tr("Class"), self.tr("Images"), self.tr("Precision"), self.tr("Recall"), self.tr("F1"))
        tips = (
            self.tr("The true class of the images."),
            self.tr("Test images of the class."),
            self.tr("Of the images read as this class, the share that is one."),
            self.tr("Of the images of this class, the share that is read as it."),
            self.tr("2 · precision · recall / (precision + recall)."),
        )
        if role == Role.DisplayRole:
            return titles[section]
        if role == Role.TextAlignmentRole:
            return RIGHT if section else LEFT
        return tips[section] if role == Role.ToolTipRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if role == Role.TextAlignmentRole:
            return RIGHT if index.column() else LEFT
        if role != Role.DisplayRole:
            return None
        row, column = index.row(), index.column()
        if column == 0:
            return self._names[row]
        if column == 1:
            return count(int(self._images[row]))
        rate = float(self._rates[row, column - 2])
        return "–" if isnan(rate) else percent(rate)


class ClassTable(QTableView):
    def __init__(self, model: ClassTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_up_table(self, "classTable", self.tr("Precision, recall and F1 of each class"))
        self.setModel(model)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
