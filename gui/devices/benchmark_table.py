"""The table of a benchmark's rows. All its rows are visible: the page around it scrolls."""

from collections.abc import Sequence
from textwrap import fill

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QScrollArea, QTableWidget, QTableWidgetItem

from core.bench.rows import Row, Table
from gui.devices.benchmark_format import describe_ratio, format_cells, time_heading
from gui.widgets.table import LEFT, RIGHT, set_up_table

HEADING_WIDTH = 14  # letters in a line of a heading


class BenchmarkTable(QTableWidget):
    def __init__(self) -> None:
        super().__init__(0, 0)
        set_up_table(self, "benchTable", self.tr("Measurements"))
        self.setAlternatingRowColors(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.currentCellChanged.connect(self._scroll_to_row)

    def show_rows(self, table: Table, rows: Sequence[Row]) -> None:
        """Show `rows` of this table; texts are left-aligned, numbers right-aligned."""
        self.setColumnCount(len(table.columns))
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels(
            [fill(time_heading(heading), HEADING_WIDTH) for _, heading in table.columns]
        )
        for column, (key, heading) in enumerate(table.columns):
            values = [row.values.get(key) for row in rows]
            side = LEFT if any(isinstance(value, str) for value in values) else RIGHT
            header = self.horizontalHeaderItem(column)
            assert header
            header.setTextAlignment(side)
            for row, (value, text) in enumerate(zip(values, format_cells(heading, values), strict=True)):
                item = QTableWidgetItem(text)
                item.setToolTip(describe_ratio(heading, value))
                item.setTextAlignment(side)
                self.setItem(row, column, item)
        self._fit_height(len(rows))
        self._fit_last_column()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_last_column()

    def _fit_last_column(self) -> None:
        """Extend the last column, and so the stripes, to the right edge where all columns have their room."""
        header, columns = self.horizontalHeader(), range(self.columnCount())
        needed = sum(max(header.sectionSizeHint(c), self.sizeHintForColumn(c)) for c in columns)
        header.setStretchLastSection(needed <= self.viewport().width())

    def _fit_height(self, rows: int) -> None:
        bars = self.horizontalScrollBar().sizeHint().height() + 2 * self.frameWidth()
        height = self.horizontalHeader().sizeHint().height() + bars
        self.setFixedHeight(height + rows * self.verticalHeader().defaultSectionSize())

    def _scroll_to_row(self, row: int, column: int) -> None:
        """Scroll the page so that the row of the arrow keys is visible."""
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        page = area.widget() if area else None
        if area is None or page is None or row < 0:
            return
        cell = self.visualRect(self.model().index(row, 0))
        center = self.viewport().mapTo(page, cell.center())
        area.ensureVisible(center.x(), center.y(), 0, cell.height())
