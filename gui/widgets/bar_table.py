"""A bar table has a bar in one of its columns; rows keep their place, so that it can be refreshed while it is read."""

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

SHARE, COLOUR = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
SHORTEST = 24  # pixels of a bar


class BarTable(QTableWidget):
    """`bar`: the column of the bar, which takes what room the others leave; `spare`: columns that are hidden first."""

    def __init__(
        self, name: str, title: str, headings: tuple[str, ...], *, bar: int = 1, spare: tuple[int, ...] = ()
    ) -> None:
        super().__init__(0, len(headings))
        set_up_table(self, name, title)
        self._bar, self._spare = bar, spare
        self._needs: dict[int, int] = {}
        self.setHorizontalHeaderLabels(headings)
        for column in range(len(headings)):
            heading = self.horizontalHeaderItem(column)
            assert heading
            heading.setTextAlignment(LEFT if column <= bar else RIGHT)
        self.setItemDelegateForColumn(bar, _Bars(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        use_fixed_widths(self)
        self.set_rows(0)

    def set_rows(self, count: int) -> None:
        """So many rows, all of them in sight."""
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
        self, row: int, texts: tuple[str, ...], share: float, colour: str = "", tip: str = ""
    ) -> None:
        """`share`: the bar's length in 0..1; `colour`: empty for the accent."""
        # The name may be cut off.
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
        bar.setData(SHARE, share)
        bar.setData(COLOUR, colour)
        if changed:
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """A column does not become narrower while numbers change in it."""
        for column in range(self.columnCount()):
            needed = max(heading_width(self, column), self.sizeHintForColumn(column))
            if column == self._bar:
                needed = max(needed, beside_bar(self.fontMetrics()) + SHORTEST)
            self._needs[column] = max(needed, self._needs.get(column, 0))
        fit_columns(self, self._needs, spare=self._spare, grow=(self._bar,), yields=0)

    def text(self, row: int, column: int) -> str:
        return self._cell(row, column).text()

    def _cell(self, row: int, column: int) -> QTableWidgetItem:
        item = self.item(row, column)
        assert item
        return item


def beside_bar(metrics: QFontMetrics) -> int:
    """Pixels that the text to the right of a bar takes."""
    return metrics.horizontalAdvance("100.0 %") + 10


class _Bars(QStyledItemDelegate):
    """The bar to the left of the cell's text."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        share = index.data(SHARE)
        if share is None:
            return
        rect = option.rect
        palette: QPalette = option.palette
        texts = beside_bar(option.fontMetrics)
        track = QRectF(rect.left() + 4, rect.center().y() - 4, rect.width() - texts - 4, 9)
        if track.width() < 8:
            return
        painter.fillRect(track, mix(palette, QPalette.ColorRole.Base, QPalette.ColorRole.WindowText, 0.09))
        track.setWidth(track.width() * min(max(share, 0.0), 1.0))
        colour = index.data(COLOUR)
        painter.fillRect(track, QColor(colour) if colour else palette.color(QPalette.ColorRole.Accent))
