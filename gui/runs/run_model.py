"""The model of the table of runs: fixed columns, and one for each setting in which the runs differ."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QDateTime,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)

from core.runs.comparison import differing, value_of
from core.runs.library import RunEntry
from core.text import format_bytes
from core.training.run import BY_NAME
from gui.text import clock, count, label, number, percent
from gui.widgets.table import LEFT, RIGHT

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
SORT_ROLE, ENTRY_ROLE = Role.UserRole, Role.UserRole + 1
STAR, NAME, CURVE = 0, 1, 2
# Settings that have a column of their own anyway.
_SHOWN_ELSEWHERE = ("network", "data", "epochs")


def _tr(text: str) -> str:
    return QCoreApplication.translate("RunTable", text)


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `text`: of a cell; `order`: what it is sorted by, None: its text."""

    heading: str
    tip: str
    text: Callable[[RunEntry], str]
    order: Callable[[RunEntry], Any] | None = None
    is_number: bool = False
    editable: bool = False


def _columns() -> tuple[Column, ...]:
    return (
        Column("★", _tr("A run with a star is kept whatever the limit is. Space sets it."),
               lambda e: "★" if e.label.starred else "☆", lambda e: e.label.starred),
        Column(_tr("Name"), _tr("The name you give a run; at first its time. F2 changes it."),
               lambda e: e.label.name or "–", editable=True),
        Column(_tr("Curve"), _tr("The loss over the epochs: validation, or test without a validation split."),
               lambda e: "", lambda e: e.summary.curve[-1] if e.summary else float("inf"), is_number=True),
        Column(_tr("Started"), _tr("When the run began."), _started, lambda e: e.started),
        Column(_tr("Data"), _tr("The data set."), lambda e: Path(e.info.data).name),
        Column(_tr("Network"), _tr("The layers of the network."), lambda e: e.info.network),
        Column(_tr("State"), _tr("Whether the run ended, and why."), state_text),
        Column(_tr("Epochs"), _tr("Epochs done, of those that were planned."),
               lambda e: f"{e.summary.epoch if e.summary else 0} / {count(e.info.run.epochs)}",
               lambda e: e.summary.epoch if e.summary else 0, is_number=True),
        Column(_tr("Best"), _tr("The test score of the best epoch: by validation loss, or by test score without it."),
               lambda e: score_text(e, "best_score"), lambda e: _value(e, "best_score"), is_number=True),
        Column(_tr("At epoch"), _tr("The best epoch."), lambda e: count(e.summary.best_epoch) if e.summary else "–",
               lambda e: _value(e, "best_epoch"), is_number=True),
        Column(_tr("Last"), _tr("The test score of the last epoch."), lambda e: score_text(e, "test_score"),
               lambda e: _value(e, "test_score"), is_number=True),
        Column(_tr("Validation"), _tr("The validation loss of the last epoch."), _validation,
               lambda e: _value(e, "validation_loss"), is_number=True),
        Column(_tr("Time"), _tr("The time of training, without evaluation."),
               lambda e: clock(e.summary.seconds) if e.summary else "–", lambda e: _value(e, "seconds"),
               is_number=True),
        Column(_tr("Size"), _tr("What the run takes on the disk."), lambda e: format_bytes(e.size), lambda e: e.size,
               is_number=True),
        Column(_tr("Note"), _tr("Your remarks. F2 changes them."), lambda e: e.label.note, editable=True),
    )  # fmt: skip


def _setting_column(name: str) -> Column:
    heading = label(BY_NAME[name]) if name in BY_NAME else name.capitalize()

    def order(entry: RunEntry) -> Any:
        value = value_of(entry, name)
        try:
            return float(value)
        except ValueError:
            return value

    tip = _tr("A setting in which the runs differ.")
    return Column(heading, tip, lambda entry: value_of(entry, name), order)


def state_text(entry: RunEntry) -> str:
    if entry.info.state == "running":
        return _tr("training") if entry.is_training() else _tr("interrupted")
    states = {
        "epochs": _tr("done"), "target-accuracy": _tr("target reached"), "target-error": _tr("target reached"),
        "patience": _tr("no improvement"), "diverged": _tr("diverged"), "stopped": _tr("stopped"),
        "fault": _tr("device failed"),
    }  # fmt: skip
    return states.get(entry.info.state, entry.info.state)


def score_text(entry: RunEntry, name: str) -> str:
    value = _value(entry, name)
    if entry.summary is None:
        return "–"
    return f"R² {number(value)}" if entry.info.kind == "regression" else percent(value)


def _started(entry: RunEntry) -> str:
    moment = QDateTime.fromSecsSinceEpoch(int(entry.started))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)


def _value(entry: RunEntry, name: str) -> float:
    value = getattr(entry.summary, name) if entry.summary else None
    return float("-inf") if value is None else float(value)


def _validation(entry: RunEntry) -> str:
    value = entry.summary.validation_loss if entry.summary else None
    return "–" if value is None else number(value)


class RunModel(QAbstractTableModel):
    """`labelled` is emitted with a run, `name` or `note`, and the text that the user typed into a cell."""

    labelled = Signal(object, str, str)  # RunEntry

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.entries: list[RunEntry] = []
        self._fixed = _columns()
        self._columns = self._fixed
        self._names: tuple[str, ...] = ()

    def show_entries(self, entries: list[RunEntry]) -> None:
        """Show these runs. The table is reset only where other runs or columns are to be shown."""
        names = tuple(name for name in differing(entries) if name not in _SHOWN_ELSEWHERE)
        same_runs = [entry.id for entry in entries] == [entry.id for entry in self.entries]
        if same_runs and names == self._names:
            self.entries = entries
            if entries:
                last = self.index(len(entries) - 1, len(self._columns) - 1)
                self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self.entries, self._names = entries, names
        self._columns = (*self._fixed, *map(_setting_column, names))
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        if role == Role.TextAlignmentRole:
            return RIGHT if column.is_number else LEFT
        return {Role.DisplayRole: column.heading, Role.ToolTipRole: column.tip}.get(role)  # type: ignore[call-overload]

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        editable = index.isValid() and self._columns[index.column()].editable
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry, column = self.entries[index.row()], self._columns[index.column()]
        if role == Role.DisplayRole:
            return column.text(entry)
        if role == SORT_ROLE:
            return self.sort_key(index.row(), index.column())
        if role == ENTRY_ROLE:
            return entry
        if role == Role.EditRole:
            return entry.label.name if index.column() == NAME else entry.label.note
        if role == Role.TextAlignmentRole:
            return RIGHT if column.is_number else LEFT
        if role == Role.ToolTipRole:
            return self._tip(entry, index.column())
        return None

    def sort_key(self, row: int, column: int) -> Any:
        """What a cell is sorted by."""
        entry, described = self.entries[row], self._columns[column]
        return described.order(entry) if described.order else described.text(entry).lower()

    def _tip(self, entry: RunEntry, column: int) -> str:
        """The whole text of a cell; for the name also what the command line calls the run, and its parent."""
        if column != NAME:
            return self._columns[column].text(entry)
        parent = entry.info.parent
        branch = self.tr("; a branch of {run} after epoch {epoch}")
        more = branch.format(run=parent.run, epoch=parent.epoch) if parent else ""
        return f"{entry.id}{more}"

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.EditRole or not index.isValid():
            return False
        entry, text = self.entries[index.row()], str(value).strip()
        field = "name" if index.column() == NAME else "note"
        if text != getattr(entry.label, field):
            self.labelled.emit(entry, field, text)
        return True


class RunFilter(QSortFilterProxyModel):
    """Sorts, and shows the runs that have all words of the filter in one of their texts."""

    def __init__(self, model: RunModel, parent: Any = None) -> None:
        super().__init__(parent)
        self._model = model
        self._words: list[str] = []
        self.setSourceModel(model)
        self.setSortRole(SORT_ROLE)
        self.setDynamicSortFilter(True)

    def filter_by(self, text: str) -> None:
        self._words = text.lower().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        if not self._words:
            return True
        texts = [
            str(self._model.data(self._model.index(row, column)) or "")
            for column in range(self._model.columnCount())
        ]
        line = " ".join(texts).lower()
        return all(word in line for word in self._words)

    def lessThan(self, left: Index, right: Index) -> bool:
        # Not by QModelIndex.data, which takes most of the time of sorting 1,000 runs.
        first = self._model.sort_key(left.row(), left.column())
        second = self._model.sort_key(right.row(), right.column())
        try:
            return bool(first < second)
        except TypeError:  # a number beside a text such as "off"
            return str(first) < str(second)
