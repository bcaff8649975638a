"""A table model whose rows are records and whose columns are functions of a record; and its sorting."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt

from gui.widgets.table import LEFT, RIGHT

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
RECORD_ROLE = Role.UserRole
"""The record of a row."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """`text`: of a cell; `order`: what it is sorted by, None: its text in lower case."""

    heading: str
    tip: str
    text: Callable[[T], str]
    order: Callable[[T], Any] | None = None
    is_number: bool = False
    editable: bool = False


class RecordModel(QAbstractTableModel):
    """Shows `records`, each in a row."""

    def __init__(self, columns: tuple[Column[Any], ...], parent: Any = None) -> None:
        super().__init__(parent)
        self.records: list[Any] = []
        self.columns = columns

    def show_records(self, records: list[Any], columns: tuple[Column[Any], ...]) -> None:
        """Show other records in other columns."""
        self.beginResetModel()
        self.records, self.columns = list(records), columns
        self.endResetModel()

    def sort_key(self, row: int, column: int) -> Any:
        """What a cell is sorted by."""
        record, described = self.records[row], self.columns[column]
        return described.order(record) if described.order else described.text(record).lower()

    def tip(self, record: Any, column: int) -> str:
        """The tooltip of a cell: its whole text."""
        return self.columns[column].text(record)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.records)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Role.TextAlignmentRole:
            return RIGHT if column.is_number else LEFT
        return {Role.DisplayRole: column.heading, Role.ToolTipRole: column.tip}.get(role)  # type: ignore[call-overload]

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        editable = index.isValid() and self.columns[index.column()].editable
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        record, column = self.records[index.row()], self.columns[index.column()]
        if role == Role.DisplayRole:
            return column.text(record)
        if role == RECORD_ROLE:
            return record
        if role == Role.TextAlignmentRole:
            return RIGHT if column.is_number else LEFT
        if role == Role.ToolTipRole:
            return self.tip(record, index.column())
        return None


class SortedRecords(QSortFilterProxyModel):
    """Sorts a RecordModel by what its columns mean, also while records change."""

    def __init__(self, model: RecordModel, parent: Any = None) -> None:
        super().__init__(parent)
        self._model = model
        self._keys: dict[int, list[Any]] = {}  # of all rows, by column
        # Connected before `setSourceModel` connects the slots that sort.
        for signal in (model.modelReset, model.dataChanged, model.rowsInserted):
            signal.connect(self._keys.clear)
        self.setSourceModel(model)
        self.setDynamicSortFilter(True)

    def lessThan(self, left: Index, right: Index) -> bool:
        # Not by QModelIndex.data, which takes most of the time of sorting 1,000 rows.
        column = left.column()
        if column not in self._keys:
            self._keys[column] = [self._model.sort_key(row, column) for row in range(self._model.rowCount())]
        keys = self._keys[column]
        first, second = keys[left.row()], keys[right.row()]
        try:
            return bool(first < second)
        except TypeError:  # a number beside a text such as "off"
            return str(first) < str(second)
