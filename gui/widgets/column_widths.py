"""Fitting a table's columns: none narrower than its heading; those that can be spared are hidden to make room."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableView


def use_fixed_widths(table: QTableView) -> None:
    """From now on `fit_columns` says how wide the table's columns are."""
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    header.setTextElideMode(Qt.TextElideMode.ElideRight)
    header.setMinimumSectionSize(24)


def fit_columns(
    table: QTableView, needs: dict[int, int], *, spare: Sequence[int], grow: Sequence[int], yields: int = -1
) -> None:
    """Give each column of `needs` (column: pixels) what it needs, and share out what is over among `grow`.

    Where that is too much, the columns of `spare` are hidden, the first first; then the column `yields` becomes as
    narrow as its heading. A table without such a column is scrolled.
    """
    room, shown = table.viewport().width(), dict(needs)
    for column in spare:
        if sum(shown.values()) <= room:
            break
        shown.pop(column, None)
    short = sum(shown.values()) - room
    if short > 0 and yields in shown:
        shown[yields] = max(shown[yields] - short, heading_width(table, yields))
    growing = [column for column in grow if column in shown]
    each, rest = divmod(max(-short, 0), max(len(growing), 1))
    for column in range(table.model().columnCount()):
        table.setColumnHidden(column, column not in shown)
    for column, width in shown.items():
        more = each + (growing.index(column) < rest) if column in growing else 0
        table.setColumnWidth(column, width + more)


def heading_width(table: QTableView, column: int) -> int:
    # Of a hidden one Qt says 0; fitting hides it again.
    table.setColumnHidden(column, False)
    return table.horizontalHeader().sectionSizeHint(column)
