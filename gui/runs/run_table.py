"""The list of runs: the runs of a study as a group that can be folded, and a column for each
result.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf, isnan
from typing import Any

from PySide6.QtCore import (
    QDateTime,
    QItemSelection,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractItemView

from core.runs.comparison import differing, varied
from core.runs.library import RunEntry
from core.text import format_bytes
from gui.runs.rows import RunRow, has_values, named_value, setting_title, state_text, value_text
from gui.text import count, data_title, fixed, number, translator
from gui.widgets.basics import FitsOnResize
from gui.widgets.plots.series import series_color
from gui.widgets.shapes import paint_chevron
from gui.widgets.tables import (
    RECORD_ROLE,
    Column,
    Index,
    RecordModel,
    RecordTable,
    Role,
    SortedRecords,
)
from gui.widgets.theme import theme
from gui.words import network_words

_tr = translator("RunTable")

NAME = 0
MAIN_COLUMNS = 7  # those that are always shown
_INDENT = 20  # pixels at a text size of 100 %, of each level of the list
_DOT = 12
# Settings that have a column of their own anyway.
_SHOWN_ELSEWHERE = ("network", "data", "epochs")

Icon = Callable[[RunRow], QIcon]


# -- columns ---------------------------------------------------------------------------------------


def _score(row: RunRow, name: str) -> str:
    """A score without its unit, which is in the heading; R² of values."""
    score = row.mean(name)
    if isnan(score):
        return "–"
    are_values = all(has_values(entry) for entry in row.entries if entry.best)
    return f"R² {number(score)}" if are_values else fixed(100 * score, 2)


def _score_column(heading: str, tip: str, name: str) -> Column[RunRow]:
    def order(row: RunRow) -> float:
        score = row.mean(name)
        return -inf if isnan(score) else score

    return Column(heading, tip, lambda row: _score(row, name), order, is_number=True)


def _font(row: RunRow) -> QFont | None:
    return theme().font(bold=True) if row.is_best or row.study else None


def _done(row: RunRow) -> str:
    if row.entry is None:
        done = row.mean("epochs_done")
        return "–" if isnan(done) else count(round(done))
    planned = row.entry.info.plan.settings.epochs
    done = row.entry.results()["epochs_done"]
    return (
        count(done)
        if done == planned
        else _tr("{done} of {all}").format(done=done, all=count(planned))
    )


def _trained(row: RunRow) -> str:
    """When it was trained; of a run that is not at its end, that."""
    if not row.entries:
        return _tr("not begun")
    if any(entry.is_training() for entry in row.entries):
        return _tr("is training")
    if row.is_group and not row.study:
        return _tr("{n} runs", len(row.entries)).format(n=count(len(row.entries)))
    text = _moment(max(entry.started for entry in row.entries))
    if row.entry is not None and row.entry.state != "epochs":
        text = _tr("{when}, {state}").format(when=text, state=state_text(row.entry))
    return text


def _newest_first(row: RunRow) -> float:
    """By the time; the values of a study keep their order where the newest study stands first."""
    started = max((entry.started for entry in row.entries), default=0.0)
    return -started if row.level else started


def _moment(seconds: float) -> str:
    moment = QDateTime.fromSecsSinceEpoch(int(seconds))
    if moment.date() == QDateTime.currentDateTime().date():
        time = QLocale().toString(moment.time(), QLocale.FormatType.ShortFormat)
        return _tr("today {time}").format(time=time)
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)


def _network(row: RunRow) -> str:
    return ", ".join(dict.fromkeys(network_words(entry.info.network) for entry in row.entries))


def _notation(row: RunRow) -> str:
    return ", ".join(dict.fromkeys(entry.info.network for entry in row.entries))


def _main_columns(icon: Icon, differs: Callable[[RunRow], str]) -> tuple[Column[RunRow], ...]:
    name_tip = _tr(
        "The name you give a run; at first its main settings. F2 changes it, Space gives it a star."
    )
    roles: dict[int, Any] = {
        Role.EditRole: lambda row: row.entry.label.name if row.entry else "",
        Role.DecorationRole: icon,
        Role.FontRole: lambda row: _font(row) if row.study else None,
    }
    best: dict[int, Any] = {Role.FontRole: lambda row: _font(row) if row.is_best else None}
    score_tip = _tr(
        "The share of the test images that is read right; of a study the highest, of repetitions "
        "the mean."
    )
    score = _score_column(_tr("Test accuracy, %"), score_tip, "test_score")
    return (
        Column(_tr("Name"), name_tip, _name, editable=True, cell_tip=_id_text, roles=roles),
        Column(_tr("Network"), _tr("The layers of the network."), _network, cell_tip=_notation),
        Column(
            _tr("What differs"),
            _tr("In what the runs of a comparison, or those that are chosen, differ."),
            differs,
            cell_tip=differs,
        ),
        Column(
            _tr("Epochs"),
            _tr("How often all training images were gone through."),
            _done,
            lambda row: row.mean("epochs_done"),
            is_number=True,
        ),
        Column(score.heading, score.tip, score.text, score.order, is_number=True, roles=best),
        Column(
            _tr("Time, s"),
            _tr("The seconds of training, without the tests; of several runs their sum."),
            lambda row: fixed(row.total("seconds"), 1),
            lambda row: row.total("seconds"),
            is_number=True,
        ),
        Column(
            _tr("Trained"),
            _tr("When the run began, and how it ended if not after its last epoch."),
            _trained,
            _newest_first,
            width=150,
        ),
    )


def _name(row: RunRow) -> str:
    return f"★ {row.title}" if row.entry and row.entry.label.starred else row.title


def columns_of(
    names: tuple[str, ...], icon: Icon, differs: Callable[[RunRow], str]
) -> tuple[Column[RunRow], ...]:
    """names: the settings in which the runs differ. icon: the marks before the name of a row.

    differs: what differs between a row and those that it is compared with.
    """

    def first(text: Callable[[RunEntry], str]) -> Callable[[RunRow], str]:
        return lambda row: text(row.entry) if row.entry else ""

    best_tip = _tr(
        "The test accuracy of the best epoch: by validation loss, or by this without it."
    )
    return (
        *_main_columns(icon, differs),
        Column(_tr("State"), _tr("Whether the run has ended, and how."), first(state_text)),
        _score_column(_tr("Best, %"), best_tip, "best_score"),
        Column(
            _tr("At epoch"),
            _tr("The best epoch."),
            first(lambda e: count(e.results()["best_epoch"] or 0)),
            lambda row: row.mean("best_epoch"),
            is_number=True,
        ),
        Column(
            _tr("Validation"),
            _tr("The loss on images kept aside, in the last epoch."),
            first(_validation_text),
            lambda row: row.mean("validation_loss"),
            is_number=True,
        ),
        *map(_setting, names),
        Column(_tr("Data"), _tr("The data set."), first(lambda e: data_title(e.info.plan.data))),
        Column(
            _tr("Size"),
            _tr("What it takes on the disk."),
            lambda row: format_bytes(sum(e.size for e in row.entries)),
            lambda row: sum(e.size for e in row.entries),
            is_number=True,
        ),
        Column(
            _tr("Note"),
            _tr("Your remarks. A double click changes them."),
            first(lambda e: e.label.note),
            editable=True,
            roles={Role.EditRole: first(lambda e: e.label.note)},
        ),
    )


def _validation_text(entry: RunEntry) -> str:
    loss = entry.results()["validation_loss"]
    return "–" if loss is None else number(loss)


def _setting(name: str) -> Column[RunRow]:
    def text(row: RunRow) -> str:
        return value_text(name, row.entry.value_of(name)) if row.entry else ""

    def order(row: RunRow) -> Any:
        return row.entries[0].value_of(name) if row.entries else ""

    tip = _tr("A setting in which the runs differ.")
    return Column(setting_title(name), tip, text, order, is_number=True)


def _id_text(row: RunRow) -> str:
    """What the command line calls the run, and its parent."""
    if row.entry is None:
        return _tr("{name}: {n} runs", len(row.entries)).format(
            name=row.title, n=count(len(row.entries))
        )
    parent = row.entry.info.parent
    branch = _tr("; a branch of {run} after epoch {epoch}")
    return f"{row.entry.id}{branch.format(run=parent.run_id, epoch=parent.epoch) if parent else ''}"


# -- models ----------------------------------------------------------------------------------------


class RunModel(RecordModel):
    """The rows of the library.

    `label_edited` is emitted with a run, `name` or `note`, and the text that the user typed into a
    cell.
    """

    label_edited = Signal(object, str, str)  # RunEntry

    def __init__(self, parent: Any = None) -> None:
        self._names: tuple[str, ...] = ()
        self._series: dict[str, int] = {}
        self._differences: dict[str, str] = {}  # of the runs that are chosen, by their ids
        self.folded: set[str] = set()  # the ids of rows
        self.places: dict[str, int] = {}  # of the rows, by their ids
        super().__init__(columns_of((), self._icon, self._differs_text), parent)

    def show_rows(self, rows: list[RunRow]) -> None:
        """Show these rows. The table is reset only where other rows or columns are to be shown."""
        entries = [row.entry for row in rows if row.entry]
        names = tuple(name for name in differing(entries) if name not in _SHOWN_ELSEWHERE)
        if names == self._names and [row.path for row in rows] == [
            row.path for row in self.records
        ]:
            self.update_records(rows)
            return
        # Asked before the new rows are shown: what a person has unfolded stays so.
        known = {row.id for row in self.records}
        # Repetitions, and the runs of a study with many values, are folded at first.
        self.folded |= {
            row.id for row in rows if row.is_group and row.level and row.id not in known
        }
        self._names = names
        self.places = {row.id: place for place, row in enumerate(rows)}
        self.show_records(rows, columns_of(names, self._icon, self._differs_text))

    @property
    def entries(self) -> list[RunEntry]:
        """All runs, each once."""
        return [row.entry for row in self.records if row.entry]

    def show_series(self, series: Mapping[str, int]) -> None:
        """Show the colors of the curves that are drawn, by the ids of the runs."""
        self._series = dict(series)
        self.refresh()

    def show_differences(self, entries: Sequence[RunEntry]) -> None:
        """Show in what these runs, which are compared, differ."""
        names = varied(entries) if len(entries) > 1 else ()
        self._differences = {}
        for entry in entries if len(entries) > 1 else ():
            texts = [named_value(name, entry.value_of(name)) for name in names]
            self._differences[entry.id] = ", ".join(texts) or _tr("nothing")
        self.refresh()

    def _differs_text(self, row: RunRow) -> str:
        """What differs in its study, or else between the runs that are chosen."""
        return row.differs or self._differences.get(row.id, "")

    def fold(self, row: RunRow, folded: bool) -> None:
        if folded:
            self.folded.add(row.id)
        else:
            self.folded.discard(row.id)
        self.refresh()

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        entry = self.records[index.row()].entry if index.isValid() else None
        if role != Role.EditRole or entry is None:
            return False
        text = str(value).strip()
        field = "name" if index.column() == NAME else "note"
        # Opening and closing a cell without a change writes nothing.
        if text != getattr(entry.label, field):
            self.label_edited.emit(entry, field, text)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        is_run = index.isValid() and self.records[index.row()].entry is not None
        return flags if is_run else flags & ~Qt.ItemFlag.ItemIsEditable

    def _icon(self, row: RunRow) -> QIcon:
        """The place in the list: an arrow of a group, a dot of a curve, a circle of a run that is
        not drawn.
        """
        side = theme().px(_INDENT)
        dot_place = max(row.level, 1)
        pixmap = QPixmap(side if row.study else side * (dot_place + 1), side)
        pixmap.fill(QColor(0, 0, 0, 0))
        with QPainter(pixmap) as painter:
            if row.is_group:
                direction = "right" if row.id in self.folded else "down"
                arrow = QRectF(0, 0, side, side).toRect()
                paint_chevron(painter, arrow, theme().colors.muted, direction)
            if not row.study:
                dot = QRectF(0, 0, theme().px(_DOT), theme().px(_DOT))
                dot.moveCenter(QRectF(side * dot_place, 0, side, side).center())
                self._paint_dot(painter, dot, self._series_of(row))
        icon = QIcon(pixmap)
        # Else Qt tints the icon of a selected row, and the dot has not the color of its curve.
        icon.addPixmap(pixmap, QIcon.Mode.Selected)
        return icon

    def _paint_dot(self, painter: QPainter, dot: QRectF, series: int | None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(theme().colors.border)
        if series is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(series_color(theme().colors, series))
        painter.drawEllipse(dot.adjusted(1, 1, -1, -1))

    def _series_of(self, row: RunRow) -> int | None:
        """The color in which all of its runs are drawn; None if there is no such."""
        found = {self._series.get(entry.id) for entry in row.entries}
        return found.pop() if len(found) == 1 else None


class RunFilter(SortedRecords):
    """Shows the runs that have all words of the filter in one of their texts; groups stay
    together.
    """

    _words: tuple[str, ...] = ()

    def __init__(self, model: RunModel) -> None:
        self._runs = model
        super().__init__(model, model)

    def filter_by(self, text: str) -> None:
        # `invalidate` would let rows go out of the selection without its signal.
        self.beginFilterChange()
        self._words = tuple(text.lower().split())
        self.endFilterChange(self.Direction.Rows)

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        shown: RunRow = self._model.records[row]
        # A filter searches folded groups as well.
        if not self._words:
            return not any(around in self._runs.folded for around in shown.path[:-1])
        study = shown.path[0].removeprefix("study ")
        texts = [column.text(shown) for column in self._model.columns]
        line = " ".join([*texts, study, _notation(shown)]).lower()
        return all(word in line for word in self._words)

    def lessThan(self, left: Index, right: Index) -> bool:
        """Compare the rows around them, of those in the same group; a group stands before what is
        in it.
        """
        rows = self._model.records
        first: RunRow = rows[left.row()]
        second: RunRow = rows[right.row()]
        for one, other in zip(first.path, second.path, strict=False):
            if one != other:
                places = self._runs.places
                model = self._model
                column = left.column()
                return super().lessThan(
                    model.index(places[one], column), model.index(places[other], column)
                )
        is_before = first.level < second.level
        # Turned round: Qt turns the whole order for descending, and a group must stay on top.
        return is_before if self.sortOrder() == Qt.SortOrder.AscendingOrder else not is_before


# -- the view --------------------------------------------------------------------------------------


class RunTable(FitsOnResize, RecordTable):
    """Sorted by a click on a heading. Several rows can be selected; they stay so when other runs
    are listed.

    The arrow keys to the left and to the right fold and unfold a group, as does a click on its
    arrow.
    """

    def __init__(self, model: RunModel, name: str, title: str) -> None:
        self.runs = model
        self.filter = RunFilter(model)
        self._kept: list[str] = []
        self._shows_all_columns = False
        model.modelAboutToBeReset.connect(self._keep_selection)
        super().__init__(
            model,
            name,
            title,
            sorted_by=~(MAIN_COLUMNS - 1),
            filter=self.filter,
            several=True,
            row_height=28,
        )
        self.use_fixed_widths()
        self.setIconSize(QSize(theme().px(4 * _INDENT), theme().px(_INDENT)))
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        model.modelReset.connect(lambda: self.select_rows(self._kept))
        model.dataChanged.connect(self.fit)

    def fit(self) -> None:
        """Share the width among the main columns, or show all columns as wide as their texts."""
        if self._shows_all_columns:
            super().fit()
            return
        needs = {column: self.needed_width(column) for column in range(MAIN_COLUMNS)}
        needs[NAME] = max(needs[NAME] + theme().px(3 * _INDENT), theme().px(200))
        self.fit_columns(needs, stretch=(NAME, 1, 2), hide_first=(5, 2, 3), shrinkable=1)

    def show_all_columns(self, shown: bool) -> None:
        self._shows_all_columns = shown
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, False)
        self.fit()

    def chosen(self) -> list[RunEntry]:
        """The runs of the selected rows, each once."""
        found = {entry.id: entry for row in self.selected() for entry in row.entries}
        return [*found.values()]

    def select_rows(self, ids: Sequence[str]) -> None:
        """Select the rows with these ids, also of runs; those that the filter hides are left
        out.
        """
        selection = QItemSelection()
        for place, row in enumerate(self.runs.records):
            index = (
                self.filter.mapFromSource(self.runs.index(place, NAME))
                if row.id in ids
                else QModelIndex()
            )
            if index.isValid():
                selection.select(index, index)
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(selection, flag.ClearAndSelect | flag.Rows)
        if not selection.isEmpty():
            first = min(selection.indexes(), key=QModelIndex.row)
            self.selectionModel().setCurrentIndex(first, flag.NoUpdate)
            self.scrollTo(first)

    def reveal(self, ids: Sequence[str]) -> None:
        """Unfold the groups around these rows."""
        for row in self.runs.records:
            if row.id in ids:
                self.runs.folded -= set(row.path[:-1])
        self.filter.invalidate()

    def rename(self) -> None:
        self.edit(self.currentIndex().siblingAtColumn(NAME))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold or unfold the group whose arrow is pressed."""
        index = self.indexAt(event.position().toPoint())
        row = index.data(RECORD_ROLE) if index.isValid() else None
        if row is not None and row.is_group and index.column() == NAME:
            arrow = self.visualRect(index).left() + theme().px(_INDENT) + 4
            if event.position().x() <= arrow:
                self._fold(row, row.id not in self.runs.folded)
                return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().data(RECORD_ROLE) if self.currentIndex().isValid() else None
        key = event.key()
        if row is not None and row.is_group and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._fold(row, key == Qt.Key.Key_Left)
        else:
            super().keyPressEvent(event)

    def _fold(self, row: RunRow, folded: bool) -> None:
        self.runs.fold(row, folded)
        self.filter.invalidate()

    def _keep_selection(self) -> None:
        self._kept = [row.id for row in self.selected()]
