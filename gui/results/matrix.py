"""The confusion matrix as a table."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from core.inference.scores import confusion_rows
from gui.text import count, percent
from gui.widgets.tables import Column, Index, RecordModel, RecordTable, Role
from gui.widgets.theme import blend, theme

MIN_CELL = 22  # pixels
STRONGEST = 0.82  # the largest fraction of a cell's color: above it text would have too little contrast


class MatrixModel(RecordModel):
    """counts: int (classes, classes); rows are the true classes, columns the predicted ones. Records: rows' indices."""

    def __init__(self) -> None:
        super().__init__(())
        self.classes: tuple[str, ...] = ()
        self.counts = np.zeros((0, 0), int)

    def set_classes(self, classes: tuple[str, ...]) -> None:
        """Start with counts of zero for these classes."""
        self.classes = classes
        self.counts = np.zeros((len(classes), len(classes)), int)
        self.show_records(range(len(classes)), list(map(self._column, range(len(classes)))))

    def show_counts(self, counts: np.ndarray) -> None:
        """Show `counts`; the selected cell stays selected."""
        self.counts = counts
        self.refresh()

    def _column(self, read: int) -> Column[int]:
        def text(row: int) -> str:
            return count(self.counts[row, read]) if self.counts[row, read] else ""

        def shade(row: int) -> QColor | None:
            return self._shade(row, read) if self.counts[row, read] else None

        def ink(row: int) -> QColor | None:
            return self._ink(row, read) if self.counts[row, read] else None

        tip = partial(self._cell_tip, read)
        roles: dict[int, Callable[[int], object]] = {
            Role.TextAlignmentRole: lambda row: Qt.AlignmentFlag.AlignCenter,
            Role.AccessibleTextRole: tip,
            Role.BackgroundRole: shade,
            Role.ForegroundRole: ink,
        }
        return Column("", "", text, cell_tip=tip, roles=roles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """The class; as a tooltip the recall of a row's class, or the precision of a column's."""
        if role == Role.DisplayRole:
            return self.classes[section]
        if role != Role.ToolTipRole:
            return None
        is_row = orientation == Qt.Orientation.Vertical
        total = int(self.counts.sum(axis=int(is_row))[section])
        right = int(self.counts[section, section])
        text = self.tr("Of the {n} images read as {name}, {share} are one (precision).")
        if is_row:
            text = self.tr("Of the {n} images of {name}, {share} are found (recall).")
        share = percent(right / total) if total else "–"
        return text.format(n=count(total), name=self.classes[section], share=share)

    def _ink(self, row: int, column: int) -> QColor:
        """Black or white, whichever has more contrast (relative luminance of WCAG 2, with a power of 2.2)."""
        back = self._shade(row, column)
        red = back.redF() ** 2.2
        green = back.greenF() ** 2.2
        blue = back.blueF() ** 2.2
        return QColor("#ffffff" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18 else "#101418")

    def _fraction(self, row: int, column: int) -> float:
        """Of the images of the row's class."""
        return float(self.counts[row, column] / max(self.counts[row].sum(), 1))

    def _shade(self, row: int, column: int) -> QColor:
        """The cell's color: the larger its fraction of the row, the stronger."""
        colors = theme().colors
        fraction = self._fraction(row, column)
        strong = QColor(colors.train if row == column else colors.test)
        # Mistakes are rare: a hundredth of a row must still be visible.
        strength = fraction if row == column else min(1.0, 0.12 + 1.6 * fraction**0.5)
        return blend(QColor(colors.base), strong, STRONGEST * strength)

    def _cell_tip(self, column: int, row: int) -> str:
        text = self.tr("{n} of {all} images of {right} were read as {read} ({share}).")
        if row == column:
            text = self.tr("{n} of {all} images of {right} were read right ({share}).")
        return text.format(
            n=count(int(self.counts[row, column])),
            all=count(int(self.counts[row].sum())),
            right=self.classes[row],
            read=self.classes[column],
            share=percent(self._fraction(row, column)),
        )


class MatrixTable(RecordTable):
    """Shows a MatrixModel. `chosen` gives the row and column of the selected cell, or (-1, -1) after Escape.

    Ctrl+C copies the whole table.
    """

    chosen = Signal(int, int)

    def __init__(self, model: MatrixModel) -> None:
        super().__init__(model, "confusionMatrix", self.tr("Confusion matrix"))
        self._matrix = model
        self.setShowGrid(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.verticalHeader().show()
        self.setItemDelegate(_CellDelegate(self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setMinimumSectionSize(MIN_CELL)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
            header.setSectionsClickable(False)
            header.setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
            header.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.verticalHeader().setMaximumWidth(110)
        self.setMinimumHeight(150)
        self.selectionModel().selectionChanged.connect(lambda: self.chosen.emit(*self.choice()))

    def clear_choice(self) -> None:
        self.clearSelection()
        self.setCurrentIndex(QModelIndex())

    def choice(self) -> tuple[int, int]:
        """Row and column of the selected cell, or (-1, -1)."""
        selected = self.selectedIndexes()
        return (selected[0].row(), selected[0].column()) if selected else (-1, -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.selectedIndexes():
            self.clear_choice()
        elif event.matches(QKeySequence.StandardKey.Copy):
            # Tabs, which spreadsheets accept from the clipboard.
            rows = confusion_rows(self._matrix.classes, self._matrix.counts)
            QGuiApplication.clipboard().setText("\n".join(map("\t".join, rows)))
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Make all cells equally large so that together they fill the table, at most twice as wide as high."""
        cells = max(self.model().rowCount(), 1)
        metrics = self.fontMetrics()
        minimum = max(MIN_CELL, metrics.horizontalAdvance("0000") + 8)
        height = max(self.viewport().height() // cells, metrics.height() + 2)
        width = min(self.viewport().width() // cells, 2 * height)
        self.horizontalHeader().setDefaultSectionSize(max(width, minimum))
        self.verticalHeader().setDefaultSectionSize(height)


class _CellDelegate(QStyledItemDelegate):
    """Marks the selected cell by a frame, because its background shows its value."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        option.state &= ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus)
        super().paint(painter, option, index)
        if selected:
            painter.setPen(QPen(option.palette.text().color(), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))
