"""Column widths of tables: no column is narrower than its heading, and less important columns are hidden first."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableView


def use_fixed_widths(table: QTableView) -> None:
    """Leave the widths of the table's columns to `fit_columns`."""
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    header.setTextElideMode(Qt.TextElideMode.ElideRight)
    header.setMinimumSectionSize(24)


def fit_columns(
    table: QTableView,
    needs: dict[int, int],
    *,
    hide_first: Sequence[int],
    stretch: Sequence[int],
    shrinkable: int = -1,
) -> None:
    """Set the widths of the columns of `needs`; columns that are not in it are hidden.

    needs: pixels that each column requires. spare: columns that may be hidden where the table is too narrow, the
    first one first. grow: columns that share the remaining width. yields: a column that may become as narrow as its
    heading after that; without one the table is scrolled.
    """
    available, widths = table.viewport().width(), dict(needs)
    for column in hide_first:
        if sum(widths.values()) <= available:
            break
        widths.pop(column, None)
    missing = sum(widths.values()) - available
    if missing > 0 and shrinkable in widths:
        widths[shrinkable] = max(widths[shrinkable] - missing, heading_width(table, shrinkable))
    growing = [column for column in stretch if column in widths]
    extra, remainder = divmod(max(-missing, 0), max(len(growing), 1))
    for column in range(table.model().columnCount()):
        table.setColumnHidden(column, column not in widths)
    for column, width in widths.items():
        more = extra + (growing.index(column) < remainder) if column in growing else 0
        table.setColumnWidth(column, width + more)


def heading_width(table: QTableView, column: int) -> int:
    """Pixels that the column's heading requires."""
    # Qt returns 0 for a hidden column; `fit_columns` hides it again.
    table.setColumnHidden(column, False)
    return table.horizontalHeader().sectionSizeHint(column)
