"""The confusion matrix: a row for each class, a column for what it was read as, a count in each cell."""

from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gui.text import count, percent
from gui.widgets.colours import Colours
from gui.widgets.palette import blend
from gui.widgets.table import set_up_table

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
LEAST_CELL = 22
DEEPEST = 0.82  # deeper, and no text would stand out clearly


class MatrixModel(QAbstractTableModel):
    """`counts`: int (classes, classes), rows are what an image shows, columns what was read."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.classes: tuple[str, ...] = ()
        self.counts = np.zeros((0, 0), int)
        self._shares = np.zeros((0, 0))
        self._colours: Colours | None = None

    def begin(self, classes: tuple[str, ...]) -> None:
        self.beginResetModel()
        self.classes = classes
        self._take(np.zeros((len(classes), len(classes)), int))
        self.endResetModel()

    def show_counts(self, counts: np.ndarray) -> None:
        """The chosen cell stays."""
        self._take(counts)
        self._changed()

    def apply_theme(self, colours: Colours) -> None:
        self._colours = colours
        self._changed()

    def _take(self, counts: np.ndarray) -> None:
        self.counts = counts
        self._shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)

    def _changed(self) -> None:
        if self.classes:
            last = len(self.classes) - 1
            self.dataChanged.emit(self.index(0, 0), self.index(last, last))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.classes)

    columnCount = rowCount

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Role.DisplayRole:
            return self.classes[section]
        if role == Role.ToolTipRole:
            return self._class_in_words(section, orientation)
        return None

    def _class_in_words(self, place: int, orientation: Qt.Orientation) -> str:
        """Recall beside a row, precision above a column."""
        down = orientation == Qt.Orientation.Vertical
        found, right = int(self.counts.sum(axis=int(down))[place]), int(self.counts[place, place])
        if down:
            text = self.tr("Of the {n} images of {name}, {share} are found (recall).")
        else:
            text = self.tr("Of the {n} images read as {name}, {share} are one (precision).")
        share = percent(right / found) if found else "–"
        return text.format(n=count(found), name=self.classes[place], share=share)

    def rows(self) -> list[tuple[str, ...]]:
        """All counts, with the classes' names above and in front."""
        return [("", *self.classes), *zip(self.classes, *self.counts.T.astype(str), strict=True)]

    def text(self) -> str:
        """The rows with tabs between, as spreadsheets take them."""
        return "\n".join("\t".join(row) for row in self.rows())

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        found = int(self.counts[row, column])
        if role == Role.DisplayRole:
            return str(found) if found else ""  # without separators: a cell is narrow
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role in (Role.ToolTipRole, Role.AccessibleTextRole):
            return self._in_words(row, column, found)
        if role == Role.BackgroundRole and found and self._colours:
            return self._shade(row, column)
        if role == Role.ForegroundRole and found and self._colours:
            return _readable_on(self._shade(row, column))
        return None

    def _shade(self, row: int, column: int) -> QColor:
        """From the paper's colour to that of right or wrong, by the share of the row."""
        assert self._colours
        share = float(self._shares[row, column])
        strong = QColor(self._colours.train if row == column else self._colours.test)
        # Mistakes are rare: a share of a hundredth must still be seen.
        depth = share if row == column else min(1.0, 0.12 + 1.6 * share**0.5)
        return blend(QColor(self._colours.base), strong, DEEPEST * depth)

    def _in_words(self, row: int, column: int, found: int) -> str:
        if row == column:
            text = self.tr("{n} of {all} images of {right} were read right ({share}).")
        else:
            text = self.tr("{n} of {all} images of {right} were read as {read} ({share}).")
        return text.format(
            n=count(found), all=count(int(self.counts[row].sum())), right=self.classes[row],
            read=self.classes[column], share=percent(float(self._shares[row, column])),
        )  # fmt: skip


class MatrixTable(QTableView):
    """Arrow keys and clicks choose a cell; `chosen` tells (row, column), or (-1, -1) for none: Esc.

    Ctrl+C copies all counts.
    """

    chosen = Signal(int, int)

    def __init__(self, model: MatrixModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._matrix = model
        self.setModel(model)
        set_up_table(self, "confusionMatrix", self.tr("Confusion matrix"))
        self.setShowGrid(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.verticalHeader().show()
        self.setItemDelegate(_Cell(self))
        self.setStyleSheet("QTableCornerButton::section { background: palette(window); border: none; }")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setMinimumSectionSize(LEAST_CELL)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
            header.setSectionsClickable(False)
            header.setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
            header.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.verticalHeader().setMaximumWidth(110)
        self.setMinimumHeight(150)
        self.selectionModel().selectionChanged.connect(lambda: self._tell())
        model.modelReset.connect(self._fit)

    def clear_choice(self) -> None:
        self.clearSelection()
        self.setCurrentIndex(QModelIndex())

    def choice(self) -> tuple[int, int]:
        """Row and column of the chosen cell, or (-1, -1)."""
        chosen = self.selectedIndexes()
        return (chosen[0].row(), chosen[0].column()) if chosen else (-1, -1)

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
        """All cells alike, and together as large as there is room for."""
        cells = max(self.model().rowCount(), 1)
        text = self.fontMetrics()
        least = max(LEAST_CELL, text.horizontalAdvance("0000") + 8)
        self.horizontalHeader().setDefaultSectionSize(max(self.viewport().width() // cells, least))
        self.verticalHeader().setDefaultSectionSize(max(self.viewport().height() // cells, text.height() + 2))

    def _tell(self) -> None:
        self.chosen.emit(*self.choice())


class AxisName(QLabel):
    """The name of the rows, written upwards beside them."""

    def sizeHint(self) -> QSize:
        return super().sizeHint().transposed()

    def minimumSizeHint(self) -> QSize:
        return QSize(super().sizeHint().height(), 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        painter.rotate(-90)
        painter.drawText(
            QRect(-self.height(), 0, self.height(), self.width()), Qt.AlignmentFlag.AlignCenter, self.text()
        )


class _Cell(QStyledItemDelegate):
    """The chosen cell keeps its shade, which means something, and gets a frame."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        for state in (QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_HasFocus):
            option.state &= ~state
        super().paint(painter, option, index)
        if chosen:
            painter.setPen(QPen(option.palette.text().color(), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))


def _readable_on(back: QColor) -> QColor:
    """Black or white, whichever contrasts more (relative luminance as in WCAG 2)."""
    red, green, blue = back.redF() ** 2.2, back.greenF() ** 2.2, back.blueF() ** 2.2
    return QColor("#ffffff" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18 else "#101418")
