"""The table of runs, of the library or of a study: columns for results and varied settings, a curve in each row."""

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QDateTime,
    QItemSelection,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QPointF,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.data.sources import data_title
from core.runs.comparison import differing
from core.runs.library import RunEntry
from core.runs.names import short_value, shown_value, state_title
from core.studies.spec import VARIED, StudySpec
from core.studies.study import StudyRun
from core.text import format_bytes
from gui.text import clock, count, label, number, percent
from gui.widgets.pictures import series_icon
from gui.widgets.plots.plot import series_color
from gui.widgets.tables import RECORD_ROLE, Column, Index, RecordModel, RecordTable, Role, SortedRecords
from gui.widgets.theme import theme

AnyRun = RunEntry | StudyRun
STAR = 0
NAME = 1
CURVE = 2
STUDY_LOSS = 3  # the column by which the runs of a study are compared
# Settings that have a column of their own anyway.
_SHOWN_ELSEWHERE = ("network", "data", "epochs")


def _tr(text: str) -> str:
    return QCoreApplication.translate("RunTable", text)


# -- what is known of a run -------------------------------------------------------------------------------


def state_text(run: AnyRun) -> str:
    return _tr(state_title(run.state, run.is_training()))


def score_text(run: AnyRun, name: str) -> str:
    """A score of the test split: the accuracy, or R² of values."""
    score = run.results()[name]
    if score is None:
        return "–"
    return f"R² {number(score)}" if run.best is None or run.best.train_score is None else percent(score)


def setting_title(name: str) -> str:
    return label(VARIED[name]) if name in VARIED else {"data": _tr("Data set")}.get(name, name.capitalize())


def value_text(name: str, value: object) -> str:
    """A value of a setting, or of `data` or `device`, as people call it."""
    if type(value) is int:
        return count(value)
    return number(value) if isinstance(value, float) else shown_value(name, value)


def values_text(run: StudyRun) -> str:
    """The values in which the run differs: `rate 0.1, Built-in digits`."""
    return ", ".join(short_value(name, value) for name, value in run.values.items())


# -- columns ----------------------------------------------------------------------------------------------


def _result(
    heading: str, tip: str, name: str, form: Callable[[Any], str] | None, missing: float = -inf
) -> Column[AnyRun]:
    """A column of a result; form: None for a score."""

    def text(run: AnyRun) -> str:
        if form is None:
            return score_text(run, name)
        value = run.results()[name]
        return "–" if value is None else form(value)

    def order(run: AnyRun) -> float:
        value = run.results()[name]
        return missing if value is None else float(value)

    return Column(heading, tip, text, order, is_number=True)


def _state_and_curve() -> tuple[Column[AnyRun], Column[AnyRun]]:
    state = Column(_tr("State"), _tr("Whether the run has ended, and how."), state_text)
    tip = _tr("The loss over the epochs, which should fall: validation, or test without a validation split.")
    return state, Column(_tr("Loss"), tip, lambda run: "", lambda run: (run.curve() or (inf,))[-1], width=70)


def _setting(name: str) -> Column[AnyRun]:
    tip = _tr("A setting in which the runs differ.")
    return Column(setting_title(name), tip, lambda run: value_text(name, run.value_of(name)),
                  lambda run: run.value_of(name), is_number=True)  # fmt: skip


def library_columns(names: tuple[str, ...], series: Mapping[str, int]) -> tuple[Column[Any], ...]:
    """`names`: the settings in which the runs differ; `series`: of the curves that are compared, by the runs' ids."""
    state, curve = _state_and_curve()
    return (
        Column("★", _tr("A run with a star is kept whatever the limit is. Space sets it."),
               lambda e: "★" if e.label.starred else "☆", lambda e: e.label.starred, width=26),
        Column(_tr("Name"), _tr("The name you give a run; at first its main settings. F2 changes it."),
               lambda e: e.title, editable=True, cell_tip=_id_text, width=170,
               roles={Role.EditRole: lambda e: e.label.name, Role.DecorationRole: lambda e: _line(series.get(e.id))}),
        curve,
        Column(_tr("Started"), _tr("When the run began."), _started, lambda e: e.started),
        _result(_tr("Best"), _tr("The test accuracy of the best epoch: by validation loss, or by this without it."),
                "best_score", None),
        *map(_setting, names),
        Column(_tr("Data"), _tr("The data set."), lambda e: data_title(e.info.plan.data)),
        Column(_tr("Network"), _tr("The layers of the network."), lambda e: e.info.network),
        state,
        Column(_tr("Epochs"), _tr("Epochs done, of those that were planned."),
               lambda e: f"{e.results()['epochs_done']} / {count(e.info.plan.settings.epochs)}",
               lambda e: e.results()["epochs_done"], is_number=True),
        _result(_tr("At epoch"), _tr("The best epoch."), "best_epoch", count),
        _result(_tr("Last"), _tr("The test accuracy of the last epoch."), "test_score", None),
        _result(_tr("Validation"), _tr("The validation loss of the last epoch."), "validation_loss", number),
        _result(_tr("Time"), _tr("The time of training, without evaluation."), "seconds", clock),
        Column(_tr("Study"), _tr("The study that the run belongs to."), lambda e: e.info.study or "–"),
        Column(_tr("Size"), _tr("What the run takes on the disk."), lambda e: format_bytes(e.size), lambda e: e.size,
               is_number=True),
        Column(_tr("Note"), _tr("Your remarks. A double click changes them."), lambda e: e.label.note, editable=True,
               roles={Role.EditRole: lambda e: e.label.note}),
    )  # fmt: skip


def study_columns(spec: StudySpec | None, is_best: Callable[[StudyRun], bool]) -> tuple[Column[Any], ...]:
    """The columns for the runs of a study; None: no study. is_best: whether a run is marked."""
    state, curve = _state_and_curve()
    return (
        Column(_tr("Run"), _tr("The number of the run. ◆ marks the best, with the lowest validation loss."),
               lambda r: ("◆ " if is_best(r) else "") + count(r.number + 1), lambda r: r.number, is_number=True),
        state, curve,
        _result(_tr("Validation"), _tr("The validation loss of the best epoch; runs are compared by it."),
                "validation_loss", number, inf),
        _result(_tr("Test"), _tr("The accuracy (or R²) on the test set after the best epoch; it decides nothing."),
                "test_score", None),
        *map(_setting, spec.vary if spec else ()),
        _result(_tr("Epoch"), _tr("The best epoch: that with the lowest validation loss."), "epoch", count, inf),
        _result(_tr("Time"), _tr("The time of training, without evaluation."), "seconds", clock, inf),
    )  # fmt: skip


def _line(series: int | None) -> Any:
    return None if series is None else series_icon(series_color(theme().colors, series))


def _id_text(entry: RunEntry) -> str:
    """What the command line calls the run, and its parent."""
    parent = entry.info.parent
    branch = _tr("; a branch of {run} after epoch {epoch}")
    return f"{entry.id}{branch.format(run=parent.run_id, epoch=parent.epoch) if parent else ''}"


def _started(entry: RunEntry) -> str:
    moment = QDateTime.fromSecsSinceEpoch(int(entry.started))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)


# -- models -----------------------------------------------------------------------------------------------


class LibraryModel(RecordModel):
    """The runs of the library.

    `label_edited` is emitted with a run, `name` or `note`, and the text that the user typed into a cell.
    """

    label_edited = Signal(object, str, str)  # RunEntry

    def __init__(self, parent: Any = None) -> None:
        self._names: tuple[str, ...] = ()
        self._series: dict[str, int] = {}
        super().__init__(library_columns((), self._series), parent)

    def show_entries(self, entries: list[RunEntry]) -> None:
        """Show these runs. The table is reset only where other runs or columns are to be shown."""
        names = tuple(name for name in differing(entries) if name not in _SHOWN_ELSEWHERE)
        if names == self._names and [run.id for run in entries] == [run.id for run in self.records]:
            self.update_records(entries)
            return
        self._names = names
        self.show_records(entries, library_columns(names, self._series))

    def show_series(self, entries: Sequence[RunEntry]) -> None:
        """Show the colors of the curves of these runs, in this order, and none of others."""
        self._series.clear()
        self._series.update((entry.id, index) for index, entry in enumerate(entries))
        self.refresh()

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.EditRole or not index.isValid():
            return False
        entry = self.records[index.row()]
        text = str(value).strip()
        field = "name" if index.column() == NAME else "note"
        if text != getattr(entry.label, field):
            self.label_edited.emit(entry, field, text)
        return True


class StudyModel(RecordModel):
    def show_run(self, run: StudyRun) -> None:
        numbers = [known.number for known in self.records]
        self.set_record(numbers.index(run.number) if run.number in numbers else len(numbers), run)

    def tip(self, record: Any, column: int) -> str:
        text = super().tip(record, column)
        return record.message or _tr("{text}. A double click opens the run.").format(text=text)


class RunFilter(SortedRecords):
    """Shows the runs that have all words of the filter in one of their texts."""

    _words: tuple[str, ...] = ()

    def filter_by(self, text: str) -> None:
        self._words = tuple(text.lower().split())
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        run = self._model.records[row]
        line = " ".join(column.text(run) for column in self._model.columns).lower()
        return all(word in line for word in self._words)


# -- the view ---------------------------------------------------------------------------------------------


class RunTable(RecordTable):
    """Sorted by a click on a heading. Several rows can be selected; they stay so when other runs are listed."""

    def __init__(
        self, model: RecordModel, name: str, title: str, sorted_by: int, *, editable: bool = False
    ) -> None:
        self._model = model
        self.filter = RunFilter(model, model)
        self._kept: list[str] = []
        model.modelAboutToBeReset.connect(self._keep_selection)
        super().__init__(
            model, name, title, sorted_by=sorted_by, filter=self.filter, several=True, row_height=26
        )
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.EditKeyPressed if editable else trigger.NoEditTriggers)
        if not editable:
            model.dataChanged.connect(self._widen)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        # Both tables have the small curve in this column.
        self.setItemDelegateForColumn(CURVE, _CurveDelegate(self))
        self.horizontalHeader().setSectionsMovable(True)
        model.modelReset.connect(lambda: self.select_runs(self._kept))

    def select_runs(self, ids: list[str]) -> None:
        """Select the runs with these ids; those that the filter hides are left out."""
        selection = QItemSelection()
        model = self._model
        for row, run in enumerate(model.records):
            index = self.filter.mapFromSource(model.index(row, NAME)) if run.id in ids else QModelIndex()
            if index.isValid():
                selection.select(index, index)
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(selection, flag.ClearAndSelect | flag.Rows)
        if not selection.isEmpty():
            first = min(selection.indexes(), key=QModelIndex.row)
            self.selectionModel().setCurrentIndex(first, flag.NoUpdate)
            self.scrollTo(first)

    def _widen(self) -> None:
        """Make room for results that have become longer while the runs train: no figure is cut."""
        for column in range(self.model().columnCount()):
            if (needed := self.needed_width(column)) > self.columnWidth(column):
                self.setColumnWidth(column, needed)

    def rename(self) -> None:
        self.edit(self.currentIndex().siblingAtColumn(NAME))

    def _keep_selection(self) -> None:
        self._kept = [run.id for run in self.selected()]


class _CurveDelegate(QStyledItemDelegate):
    """Paints the curve of a run."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        curve = index.data(RECORD_ROLE).curve()
        if not curve:
            return
        area = option.rect.adjusted(6, 5, -6, -5)
        low = min(curve)
        high = max(curve)
        span = (high - low) or 1.0
        steps = max(len(curve) - 1, 1)
        xs = (area.left() + area.width() * k / steps for k in range(len(curve)))
        ys = (area.bottom() - area.height() * (loss - low) / span for loss in curve)
        points = [*map(QPointF, xs, ys)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        brush = option.palette.highlightedText() if selected else option.palette.accent()
        painter.setPen(QPen(brush.color(), 1.5 if len(points) > 1 else 5))
        # A line of one point would not be drawn.
        (painter.drawPolyline if len(points) > 1 else painter.drawPoints)(QPolygonF(points))
        painter.restore()
