"""The settings that all tables share."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def set_up_table(
    table: QTableView, name: str, title: str, *, row_height: int = 0, editable: bool = False
) -> None:
    """Make `table` a list of rows, without grid and row headers.

    name: the object name. title: the name for screen readers. row_height: pixels; 0 for a line of text with a margin.
    editable: whether the cells that the model allows can be edited.
    """
    table.setObjectName(name)
    table.setAccessibleName(title)
    table.setShowGrid(False)
    table.setWordWrap(False)
    # The Tab key leaves the table instead of visiting each cell.
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    if not editable:
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(row_height or table.fontMetrics().height() + 8)
    table.horizontalHeader().setHighlightSections(False)
