"""The table of runs: a column for each result and differing setting, and a small curve in each row."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QDateTime,
    QItemSelection,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from core.runs.comparison import differing, result_of, value_of
from core.runs.library import RunEntry
from core.text import format_bytes
from core.training.run_settings import BY_NAME
from gui.text import clock, count, label, number, percent
from gui.widgets.tables import RECORD_ROLE, Column, Index, RecordModel, Role, SortedRecords, set_up_table

STAR, NAME, CURVE = 0, 1, 2
# Settings that have a column of their own anyway.
_SHOWN_ELSEWHERE = ("network", "data", "epochs")


def _tr(text: str) -> str:
    return QCoreApplication.translate("RunTable", text)


def _columns() -> tuple[Column[RunEntry], ...]:
    return (
        Column("★", _tr("A run with a star is kept whatever the limit is. Space sets it."),
               lambda e: "★" if e.label.starred else "☆", lambda e: e.label.starred),
        Column(_tr("Name"), _tr("The name you give a run; at first its time. F2 changes it."),
               lambda e: e.label.name or "–", editable=True),
        Column(_tr("Curve"), _tr("The loss over the epochs: validation, or test without a validation split."),
               lambda e: "", lambda e: e.summary.curve[-1] if e.summary else float("inf"), is_number=True),
        Column(_tr("Started"), _tr("When the run began."), _started, lambda e: e.started),
        Column(_tr("Data"), _tr("The data set."), lambda e: Path(e.info.plan.data).name),
        Column(_tr("Network"), _tr("The layers of the network."), lambda e: e.info.network),
        Column(_tr("State"), _tr("Whether the run ended, and why."), state_text),
        Column(_tr("Epochs"), _tr("Epochs done, of those that were planned."),
               lambda e: f"{e.summary.last.epoch if e.summary else 0} / {count(e.info.plan.settings.epochs)}",
               lambda e: e.summary.last.epoch if e.summary else 0, is_number=True),
        Column(_tr("Best"), _tr("The test score of the best epoch: by validation loss, or by test score without it."),
               lambda e: score_text(e, "best_score"), lambda e: _value(e, "best_score"), is_number=True),
        Column(_tr("At epoch"), _tr("The best epoch."), lambda e: count(e.summary.best.epoch) if e.summary else "–",
               lambda e: _value(e, "best_epoch"), is_number=True),
        Column(_tr("Last"), _tr("The test score of the last epoch."), lambda e: score_text(e, "test_score"),
               lambda e: _value(e, "test_score"), is_number=True),
        Column(_tr("Validation"), _tr("The validation loss of the last epoch."), _validation,
               lambda e: _value(e, "validation_loss"), is_number=True),
        Column(_tr("Time"), _tr("The time of training, without evaluation."),
               lambda e: clock(e.summary.last.seconds) if e.summary else "–", lambda e: _value(e, "seconds"),
               is_number=True),
        Column(_tr("Size"), _tr("What the run takes on the disk."), lambda e: format_bytes(e.size), lambda e: e.size,
               is_number=True),
        Column(_tr("Note"), _tr("Your remarks. F2 changes them."), lambda e: e.label.note, editable=True),
    )  # fmt: skip


def _setting_column(name: str) -> Column[RunEntry]:
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
    value = result_of(entry)[name]
    return float("-inf") if value is None else float(value)


def _validation(entry: RunEntry) -> str:
    value = entry.summary.last.validation_loss if entry.summary else None
    return "–" if value is None else number(value)


class RunModel(RecordModel):
    """`labeled` is emitted with a run, `name` or `note`, and the text that the user typed into a cell."""

    labeled = Signal(object, str, str)  # RunEntry

    def __init__(self, parent: Any = None) -> None:
        self._fixed = _columns()
        self._names: tuple[str, ...] = ()
        super().__init__(self._fixed, parent)

    def show_entries(self, entries: list[RunEntry]) -> None:
        """Show these runs. The table is reset only where other runs or columns are to be shown."""
        names = tuple(name for name in differing(entries) if name not in _SHOWN_ELSEWHERE)
        same_runs = [entry.id for entry in entries] == [entry.id for entry in self.records]
        if same_runs and names == self._names:
            self.records = entries
            if entries:
                self.dataChanged.emit(self.index(0, 0), self.index(len(entries) - 1, len(self.columns) - 1))
            return
        self._names = names
        self.show_records(entries, (*self._fixed, *map(_setting_column, names)))

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if role == Role.EditRole and index.isValid():
            run_label = self.records[index.row()].label
            return run_label.name if index.column() == NAME else run_label.note
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.EditRole or not index.isValid():
            return False
        entry, text = self.records[index.row()], str(value).strip()
        field = "name" if index.column() == NAME else "note"
        if text != getattr(entry.label, field):
            self.labeled.emit(entry, field, text)
        return True

    def tip(self, record: RunEntry, column: int) -> str:
        """For the name also what the command line calls the run, and its parent."""
        if column != NAME:
            return super().tip(record, column)
        parent = record.info.parent
        branch = _tr("; a branch of {run} after epoch {epoch}")
        more = branch.format(run=parent.run_id, epoch=parent.epoch) if parent else ""
        return f"{record.id}{more}"


class RunFilter(SortedRecords):
    """Shows the runs that have all words of the filter in one of their texts."""

    def __init__(self, model: RunModel, parent: Any = None) -> None:
        super().__init__(model, parent)
        self._words: list[str] = []

    def filter_by(self, text: str) -> None:
        self._words = text.lower().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        if not self._words:
            return True
        entry = self._model.records[row]
        line = " ".join(column.text(entry) for column in self._model.columns).lower()
        return all(word in line for word in self._words)


_WIDTHS = {STAR: 26, NAME: 170, CURVE: 70}
_USUAL_WIDTH, _MAXIMUM_WIDTH, _MEASURED_ROWS = 74, 190, 30


class RunTable(QTableView):
    """Sorted by a click on a heading; several rows can be selected."""

    def __init__(self, model: RunModel, parent: Any = None) -> None:
        super().__init__(parent)
        self._model, self.filter = model, RunFilter(model, self)
        self.setModel(self.filter)
        set_up_table(self, "runTable", self.tr("Runs"), row_height=26, editable=True)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.setItemDelegateForColumn(CURVE, _CurveDelegate(self))
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(24)
        self.setSortingEnabled(True)
        self.sortByColumn(CURVE + 1, Qt.SortOrder.DescendingOrder)
        self._kept: list[str] = []
        model.modelAboutToBeReset.connect(self._keep_selection)
        model.modelReset.connect(self._restore)
        self._fit()

    def selected(self) -> list[RunEntry]:
        """The selected runs, from top to bottom."""
        rows = sorted(self.selectionModel().selectedRows(), key=QModelIndex.row)
        return [index.data(RECORD_ROLE) for index in rows]

    def select(self, ids: list[str]) -> None:
        """Select the runs with these ids; those that the filter hides are left out."""
        selection, model = QItemSelection(), self._model
        for row, entry in enumerate(model.records):
            index = self.filter.mapFromSource(model.index(row, NAME)) if entry.id in ids else QModelIndex()
            if index.isValid():
                selection.select(index, index)
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(selection, flag.ClearAndSelect | flag.Rows)
        if not selection.isEmpty():
            first = min(selection.indexes(), key=QModelIndex.row)
            self.selectionModel().setCurrentIndex(first, flag.NoUpdate)
            self.scrollTo(first)

    def rename(self) -> None:
        """Edit the name of the current run."""
        index = self.currentIndex()
        if index.isValid():
            self.edit(index.siblingAtColumn(NAME))

    def _keep_selection(self) -> None:
        self._kept = [entry.id for entry in self.selected()]

    def _restore(self) -> None:
        self._fit()
        self.select(self._kept)

    def _fit(self) -> None:
        """Fit the columns to their headings and to the first rows."""
        metrics, header = self.fontMetrics(), self.horizontalHeader()
        rows = range(min(self.filter.rowCount(), _MEASURED_ROWS))
        for column in range(self.filter.columnCount()):
            texts = [str(self.filter.index(row, column).data() or "") for row in rows]
            needed = max((metrics.horizontalAdvance(text) + 14 for text in texts), default=_USUAL_WIDTH)
            needed = max(needed, header.sectionSizeHint(column))
            self.setColumnWidth(column, _WIDTHS.get(column, min(needed, _MAXIMUM_WIDTH)))


class _CurveDelegate(QStyledItemDelegate):
    """Paints the curve of a run."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        entry: RunEntry = index.data(RECORD_ROLE)
        curve = entry.summary.curve if entry.summary else ()
        if not curve:
            return
        area = option.rect.adjusted(6, 5, -6, -5)
        low, high = min(curve), max(curve)
        span, steps = (high - low) or 1.0, max(len(curve) - 1, 1)
        points = [
            QPointF(area.left() + area.width() * k / steps, area.bottom() - area.height() * (y - low) / span)
            for k, y in enumerate(curve)
        ]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        palette = option.palette
        painter.setPen(QPen((palette.highlightedText() if selected else palette.accent()).color(), 1.5))
        if len(points) == 1:
            painter.drawEllipse(points[0], 2, 2)
        else:
            painter.drawPolyline(QPolygonF(points))
        painter.restore()
