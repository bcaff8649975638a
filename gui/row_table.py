"""The table of a bench's rows, as they come."""

from collections.abc import Sequence
from textwrap import fill
from typing import Any

from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from core.bench.rows import Row, Table
from gui.bar_table import LEFT, RIGHT
from gui.words import about, count, number

# Letters in a line of a heading, and the rows in sight at once.
FOLD, ROWS = 14, 6


class RowTable(QTableWidget):
    def __init__(self) -> None:
        super().__init__(0, 0)
        self.setObjectName("benchTable")
        self.setAccessibleName(self.tr("Measurements"))
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 7)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setHighlightSections(False)

    def show_rows(self, table: Table, rows: Sequence[Row]) -> None:
        """`rows` of this table, the last in sight; names to the left, numbers to the right."""
        self.setColumnCount(len(table.columns))
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels([fill(heading, FOLD) for _, heading in table.columns])
        for column, (key, _) in enumerate(table.columns):
            side = LEFT if any(isinstance(row.values.get(key), str) for row in rows) else RIGHT
            heading = self.horizontalHeaderItem(column)
            assert heading
            heading.setTextAlignment(side)
            for place, row in enumerate(rows):
                item = QTableWidgetItem(_cell(row.values.get(key)))
                item.setTextAlignment(side)
                self.setItem(place, column, item)
        self._fit(len(rows))
        self.scrollToBottom()

    def _fit(self, rows: int) -> None:
        bars = self.horizontalScrollBar().sizeHint().height() + 2 * self.frameWidth()
        height = self.horizontalHeader().sizeHint().height() + bars
        self.setFixedHeight(height + min(max(rows, 2), ROWS) * self.verticalHeader().defaultSectionSize())


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        if abs(value) >= 1e6:
            return about(round(value))
        return count(value) if abs(value) >= 1000 else number(value, 4 if abs(value) >= 0.01 else 3)
    return count(value) if isinstance(value, int) else str(value)
