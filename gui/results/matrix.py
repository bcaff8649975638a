"""The confusion matrix as a table."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from core.inference.scores import confusion_rows
from gui.text import count, percent
from gui.widgets.basics import FitsOnResize
from gui.widgets.tables import Column, Index, RecordModel, RecordTable, Role
from gui.widgets.theme import blend, theme

MIN_CELL = 22  # pixels
# The largest fraction of a cell's color: above it text would have too little contrast.
STRONGEST = 0.82
# Of the images of a row: mistakes that are rarer have no number, and the strongest color of those
# with one.
NUMBERED = 0.005
STRONG = 0.05
TOP = 5  # the most frequent mistakes
OCHRE = "#f2b84b"  # their color


class MatrixModel(RecordModel):
    """counts: int (classes, classes); rows are the true classes, columns the predicted ones.
    Records: rows' indices.
    """

    def __init__(self) -> None:
        super().__init__(())
        self.classes: tuple[str, ...] = ()
        self._top: set[tuple[int, int]] = set()  # row and column of the most frequent mistakes
        self.counts = np.zeros((0, 0), int)

    def set_classes(self, classes: tuple[str, ...]) -> None:
        """Start with counts of zero for these classes."""
        self.classes = classes
        self.counts = np.zeros((len(classes), len(classes)), int)
        self.show_records(range(len(classes)), list(map(self._column, range(len(classes)))))

    def show_counts(self, counts: np.ndarray) -> None:
        """Show `counts`; the selected cell stays selected."""
        self.counts = counts
        mistakes = counts.copy()
        np.fill_diagonal(mistakes, 0)
        order = np.argsort(mistakes, axis=None)[::-1][:TOP]
        # A good network makes fewer different mistakes than are marked.
        self._top = {divmod(int(place), len(counts)) for place in order if mistakes.flat[place]}
        self.refresh()

    def _column(self, read: int) -> Column[int]:
        def text(row: int) -> str:
            return count(self.counts[row, read]) if self._is_numbered(row, read) else ""

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
        text = self.tr(
            "Of the {n} images read as {name}, {share} are one (precision).", None, total
        )
        if is_row:
            text = self.tr("Of the {n} images of {name}, {share} are found (recall).", None, total)
        share = percent(right / total) if total else "–"
        return text.format(n=count(total), name=self.classes[section], share=share)

    def _ink(self, row: int, column: int) -> QColor:
        """Black or white, whichever has more contrast (relative luminance of WCAG 2, with a power
        of 2.2).
        """
        back = self._shade(row, column)
        red = back.redF() ** 2.2
        green = back.greenF() ** 2.2
        blue = back.blueF() ** 2.2
        return QColor(
            "#ffffff" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18 else "#101418"
        )

    def _fraction(self, row: int, column: int) -> float:
        """Of the images of the row's class."""
        # A class may have no test image.
        return float(self.counts[row, column] / max(self.counts[row].sum(), 1))

    def _is_numbered(self, row: int, column: int) -> bool:
        """Whether the cell has a number: those of rare mistakes would hide the others."""
        is_top = row == column or (row, column) in self._top
        return bool(self.counts[row, column]) and (
            is_top or self._fraction(row, column) >= NUMBERED
        )

    def _shade(self, row: int, column: int) -> QColor:
        """The cell's color: the larger its fraction of the row, the stronger."""
        colors = theme().colors
        fraction = self._fraction(row, column)
        if row == column:
            return blend(QColor(colors.base), QColor(colors.series[0]), STRONGEST * fraction)
        strength = 0.15 + 0.85 * min(fraction / STRONG, 1.0)
        if (row, column) in self._top:
            return blend(QColor(colors.base), QColor(OCHRE), 0.45 + 0.4 * strength)
        # Mistakes are rare: a hundredth of a row must still be visible.
        return blend(QColor(colors.base), QColor(colors.muted), 0.35 * strength)

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


class MatrixTable(FitsOnResize, RecordTable):
    """Shows a MatrixModel. `chosen` gives the row and column of the selected cell, or (-1, -1)
    after Escape.

    Ctrl+C copies the whole table.
    """

    chosen = Signal(int, int)

    def __init__(self, model: MatrixModel) -> None:
        # Before the base class, which asks `fit` for the sizes of the cells.
        self._matrix = model
        super().__init__(model, "confusionMatrix", self.tr("Confusion matrix"))
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
        # Else the arrow keys would go on from the cell that was left.
        self.setCurrentIndex(QModelIndex())

    def choice(self) -> tuple[int, int]:
        """Row and column of the selected cell, or (-1, -1)."""
        selected = self.selectedIndexes()
        return (selected[0].row(), selected[0].column()) if selected else (-1, -1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Let the arrow keys begin at the first cell, which has the frame of the focus."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            first = self.model().index(0, 0)
            self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.selectedIndexes():
            self.clear_choice()
        elif event.matches(QKeySequence.StandardKey.Copy):
            # Tabs, which spreadsheets accept from the clipboard.
            rows = confusion_rows(self._matrix.classes, self._matrix.counts)
            QGuiApplication.clipboard().setText("\n".join(map("\t".join, rows)))
        else:
            super().keyPressEvent(event)

    def fit(self) -> None:
        """Make all cells equally large squares that fill the table; none is smaller than its
        number.
        """
        cells = max(self.model().rowCount(), 1)
        metrics = self.fontMetrics()
        width = self._least_cell()
        height = max(self.viewport().height() // cells, metrics.height() + 2)
        side = min(self.viewport().width() // cells, height)
        self.horizontalHeader().setDefaultSectionSize(max(side, width))
        self.verticalHeader().setDefaultSectionSize(max(side, metrics.height() + 2))

    def least_width(self) -> int:
        """The width at which all cells are in sight."""
        return self.verticalHeader().width() + self.model().columnCount() * self._least_cell() + 4

    def _least_cell(self) -> int:
        largest = int(self._matrix.counts.max(initial=0))
        # At least for three digits: cells would grow while the first results come.
        return max(MIN_CELL, self.fontMetrics().horizontalAdvance(count(max(largest, 999))) + 6)


class _CellDelegate(QStyledItemDelegate):
    """Paints a cell as a square of its color with its number; the selected one has a frame."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = option.rect.adjusted(1, 1, -1, -1)
        back = index.data(Role.BackgroundRole)
        painter.fillRect(area, back or QColor(theme().colors.base))
        painter.setPen(index.data(Role.ForegroundRole) or option.palette.text().color())
        painter.setFont(option.font)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, index.data(Role.DisplayRole))
        has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if has_focus or option.state & QStyle.StateFlag.State_Selected:
            frame = QColor(theme().colors.accent) if has_focus else option.palette.text().color()
            painter.setPen(QPen(frame, 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))
