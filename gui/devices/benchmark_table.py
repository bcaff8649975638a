"""The table of a bench's rows, as they come: as tall as they need, for the page around it scrolls."""

from collections.abc import Sequence
from textwrap import fill

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QScrollArea, QTableWidget, QTableWidgetItem

from core.bench.rows import Row, Table
from gui.devices.benchmark_format import figure, in_words, titled
from gui.widgets.table import LEFT, RIGHT, set_up_table

FOLD = 14  # letters in a line of a heading


class RowTable(QTableWidget):
    def __init__(self) -> None:
        super().__init__(0, 0)
        set_up_table(self, "benchTable", self.tr("Measurements"))
        self.setAlternatingRowColors(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.currentCellChanged.connect(self._keep_in_sight)

    def show_rows(self, table: Table, rows: Sequence[Row]) -> None:
        """`rows` of this table; names to the left, numbers to the right."""
        self.setColumnCount(len(table.columns))
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels([fill(titled(heading), FOLD) for _, heading in table.columns])
        for column, (key, text) in enumerate(table.columns):
            side = LEFT if any(isinstance(row.values.get(key), str) for row in rows) else RIGHT
            heading = self.horizontalHeaderItem(column)
            assert heading
            heading.setTextAlignment(side)
            for place, row in enumerate(rows):
                value = row.values.get(key)
                item = QTableWidgetItem(figure(text, value))
                item.setToolTip(in_words(text, value))
                item.setTextAlignment(side)
                self.setItem(place, column, item)
        self._fit(len(rows))

    def _fit(self, rows: int) -> None:
        bars = self.horizontalScrollBar().sizeHint().height() + 2 * self.frameWidth()
        height = self.horizontalHeader().sizeHint().height() + bars
        self.setFixedHeight(height + rows * self.verticalHeader().defaultSectionSize())

    def _keep_in_sight(self, row: int, column: int) -> None:
        """The arrow keys move the page."""
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        page = area.widget() if area else None
        if area is None or page is None or row < 0:
            return
        cell = self.visualRect(self.model().index(row, 0))
        place = self.viewport().mapTo(page, cell.center())
        area.ensureVisible(place.x(), place.y(), 0, cell.height())
