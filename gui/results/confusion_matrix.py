"""The confusion matrix: a row for each true class, a column for each predicted class, the counts in the cells."""

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from core.inference.scores import confusion_rows
from gui.text import count, percent
from gui.widgets.colors import blend
from gui.widgets.tables import Index, Role, set_up_table
from gui.widgets.theme import theme

MIN_CELL = 22  # pixels
STRONGEST = 0.82  # the largest fraction of a cell's color: above it text would have too little contrast


class MatrixModel(QAbstractTableModel):
    """counts: int (classes, classes); rows are the true classes, columns the predicted ones."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.classes: tuple[str, ...] = ()
        self.counts = np.zeros((0, 0), int)

    def set_classes(self, classes: tuple[str, ...]) -> None:
        """Start with counts of zero for these classes."""
        self.beginResetModel()
        self.classes, self.counts = classes, np.zeros((len(classes), len(classes)), int)
        self.endResetModel()

    def show_counts(self, counts: np.ndarray) -> None:
        """Show `counts`; the selected cell stays selected."""
        self.counts = counts
        last = len(self.classes) - 1
        self.dataChanged.emit(self.index(0, 0), self.index(last, last))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.classes)

    columnCount = rowCount

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """The class; as a tooltip the recall of a row's class, or the precision of a column's."""
        if role == Role.DisplayRole:
            return self.classes[section]
        if role != Role.ToolTipRole:
            return None
        is_row = orientation == Qt.Orientation.Vertical
        total, right = int(self.counts.sum(axis=int(is_row))[section]), int(self.counts[section, section])
        if is_row:
            text = self.tr("Of the {n} images of {name}, {share} are found (recall).")
        else:
            text = self.tr("Of the {n} images read as {name}, {share} are one (precision).")
        share = percent(right / total) if total else "–"
        return text.format(n=count(total), name=self.classes[section], share=share)

    def text(self) -> str:
        """The rows separated by tabs, which spreadsheets accept from the clipboard."""
        return "\n".join("\t".join(row) for row in confusion_rows(self.classes, self.counts))

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        images = int(self.counts[row, column])
        if role == Role.DisplayRole:
            return str(images) if images else ""  # without separators: a cell is narrow
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role in (Role.ToolTipRole, Role.AccessibleTextRole):
            return self._cell_tip(row, column, images)
        if role in (Role.BackgroundRole, Role.ForegroundRole) and images:
            shade = self._shade(row, column)
            return shade if role == Role.BackgroundRole else _readable_on(shade)
        return None

    def _fraction(self, row: int, column: int) -> float:
        """Of the images of the row's class."""
        return float(self.counts[row, column] / max(self.counts[row].sum(), 1))

    def _shade(self, row: int, column: int) -> QColor:
        """The cell's color: the larger its fraction of the row, the stronger."""
        colors, fraction = theme().colors, self._fraction(row, column)
        strong = QColor(colors.train if row == column else colors.test)
        # Mistakes are rare: a hundredth of a row must still be visible.
        strength = fraction if row == column else min(1.0, 0.12 + 1.6 * fraction**0.5)
        return blend(QColor(colors.base), strong, STRONGEST * strength)

    def _cell_tip(self, row: int, column: int, images: int) -> str:
        if row == column:
            text = self.tr("{n} of {all} images of {right} were read right ({share}).")
        else:
            text = self.tr("{n} of {all} images of {right} were read as {read} ({share}).")
        return text.format(
            n=count(images), all=count(int(self.counts[row].sum())), right=self.classes[row],
            read=self.classes[column], share=percent(self._fraction(row, column)),
        )  # fmt: skip


class MatrixTable(QTableView):
    """Shows a MatrixModel. `chosen` gives the row and column of the selected cell, or (-1, -1) after Escape.

    Ctrl+C copies the whole table.
    """

    chosen = Signal(int, int)

    def __init__(self, model: MatrixModel) -> None:
        super().__init__()
        self._matrix = model
        self.setModel(model)
        set_up_table(self, "confusionMatrix", self.tr("Confusion matrix"))
        self.setShowGrid(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.verticalHeader().show()
        self.setItemDelegate(_CellDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
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
        model.modelReset.connect(self._fit)

    def clear_choice(self) -> None:
        self.clearSelection()
        self.setCurrentIndex(QModelIndex())

    def choice(self) -> tuple[int, int]:
        """Row and column of the selected cell, or (-1, -1)."""
        selected = self.selectedIndexes()
        return (selected[0].row(), selected[0].column()) if selected else (-1, -1)

    def keyPressEvent(self, event: Any) -> None:
        if event.key() == Qt.Key.Key_Escape and self.selectedIndexes():
            self.clear_choice()
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._matrix.text())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Make all cells equally large so that together they fill the table, at most twice as wide as high."""
        cells = max(self.model().rowCount(), 1)
        metrics = self.fontMetrics()
        minimum = max(MIN_CELL, metrics.horizontalAdvance("0000") + 8)
        height = max(self.viewport().height() // cells, metrics.height() + 2)
        width = min(self.viewport().width() // cells, 2 * height)
        self.horizontalHeader().setDefaultSectionSize(max(width, minimum))
        self.verticalHeader().setDefaultSectionSize(height)


class VerticalLabel(QLabel):
    """A label whose text runs upwards."""

    def sizeHint(self) -> QSize:
        return super().sizeHint().transposed()

    def minimumSizeHint(self) -> QSize:
        return QSize(super().sizeHint().height(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        painter.rotate(-90)
        area = QRect(-self.height(), 0, self.height(), self.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.text())


class _CellDelegate(QStyledItemDelegate):
    """Marks the selected cell by a frame, because its background shows its value."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        option.state &= ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus)
        super().paint(painter, option, index)
        if selected:
            painter.setPen(QPen(option.palette.text().color(), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))


def _readable_on(back: QColor) -> QColor:
    """Black or white, whichever has more contrast (relative luminance of WCAG 2, with a power of 2.2)."""
    red, green, blue = back.redF() ** 2.2, back.greenF() ** 2.2, back.blueF() ** 2.2
    return QColor("#ffffff" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18 else "#101418")
