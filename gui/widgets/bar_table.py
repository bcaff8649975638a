"""A table with a bar in one column, which can be updated while it is read."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
)

from gui.widgets.column_widths import fit_columns, heading_width, use_fixed_widths
from gui.widgets.palette import mix
from gui.widgets.table import LEFT, RIGHT, set_up_table

FRACTION, COLOR = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
MIN_BAR = 24  # pixels


class BarTable(QTableWidget):
    """All rows are visible: the page around the table scrolls.

    bar: the column of the bar, which takes the remaining width. spare: columns to hide where the table is too narrow.
    """

    def __init__(
        self,
        name: str,
        title: str,
        headings: tuple[str, ...],
        *,
        bar: int = 1,
        hide_first: tuple[int, ...] = (),
    ) -> None:
        super().__init__(0, len(headings))
        set_up_table(self, name, title)
        self._bar, self._spare = bar, hide_first
        self._needs: dict[int, int] = {}
        self.setHorizontalHeaderLabels(headings)
        for column in range(len(headings)):
            heading = self.horizontalHeaderItem(column)
            assert heading
            heading.setTextAlignment(LEFT if column <= bar else RIGHT)
        self.setItemDelegateForColumn(bar, _BarDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        use_fixed_widths(self)
        self.set_rows(0)

    def set_rows(self, count: int) -> None:
        """Set the number of rows, and the height to show all of them."""
        before = self.rowCount()
        self.setRowCount(count)
        for row in range(before, count):
            for column in range(self.columnCount()):
                item = QTableWidgetItem()
                item.setTextAlignment(LEFT if column < self._bar else RIGHT)
                self.setItem(row, column, item)
        height = self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth()
        self.setFixedHeight(height + count * self.verticalHeader().defaultSectionSize())
        self._needs = {}
        self._fit()

    def show_row(
        self, row: int, texts: tuple[str, ...], fraction: float, color: str = "", tip: str = ""
    ) -> None:
        """Set the texts of a row. fraction: the length of the bar, 0 to 1. color: of the bar; empty for the accent."""
        # The tooltip repeats the name, which may be elided.
        tip = f"{texts[0]}: {tip}" if tip else texts[0]
        changed = False
        for column, text in enumerate(texts):
            item = self._cell(row, column)
            if item.text() != text:
                item.setText(text)
                changed = True
            if item.toolTip() != tip:
                item.setToolTip(tip)
        bar = self._cell(row, self._bar)
        bar.setData(FRACTION, fraction)
        bar.setData(COLOR, color)
        if changed:
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Fit the columns; none becomes narrower, so that changing numbers do not make the table jump."""
        for column in range(self.columnCount()):
            needed = max(heading_width(self, column), self.sizeHintForColumn(column))
            if column == self._bar:
                needed = max(needed, bar_text_width(self.fontMetrics()) + MIN_BAR)
            self._needs[column] = max(needed, self._needs.get(column, 0))
        fit_columns(self, self._needs, hide_first=self._spare, stretch=(self._bar,), shrinkable=0)

    def text(self, row: int, column: int) -> str:
        return self._cell(row, column).text()

    def _cell(self, row: int, column: int) -> QTableWidgetItem:
        item = self.item(row, column)
        assert item
        return item


def bar_text_width(metrics: QFontMetrics) -> int:
    """Pixels reserved for the text to the right of a bar."""
    return metrics.horizontalAdvance("100.0 %") + 10


class _BarDelegate(QStyledItemDelegate):
    """Paints a bar to the left of the cell's text."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        fraction = index.data(FRACTION)
        if fraction is None:
            return
        rect = option.rect
        palette: QPalette = option.palette
        text_width = bar_text_width(option.fontMetrics)
        track = QRectF(rect.left() + 4, rect.center().y() - 4, rect.width() - text_width - 4, 9)
        if track.width() < 8:
            return
        painter.fillRect(track, mix(palette, QPalette.ColorRole.Base, QPalette.ColorRole.WindowText, 0.09))
        track.setWidth(track.width() * min(max(fraction, 0.0), 1.0))
        color = index.data(COLOR)
        painter.fillRect(track, QColor(color) if color else palette.color(QPalette.ColorRole.Accent))
