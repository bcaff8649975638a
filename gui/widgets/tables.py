"""Tables: a model whose rows are records and whose columns are functions of a record, its sorting,
and its view.

A table is a tuple of Columns. `RecordTable(RecordModel(columns), "runTable", "Runs")` shows it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QIcon,
    QKeySequence,
    QPainter,
    QPalette,
    QPixmap,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from gui.widgets.basics import ENTER_KEYS, FitsOnResize, named
from gui.widgets.pictures import temporary_picture
from gui.widgets.shapes import paint_bar
from gui.widgets.theme import ink_image, theme

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
RECORD_ROLE = Role.UserRole
"""The record of a row."""
_BAR = 1  # the column of a bar
_MIN_BAR = 24  # pixels
# Pixels at a text size of 100 %; rows; pixels.
_MAX_WIDTH, _MEASURED_ROWS, _TEXT_MARGIN = 190, 30, 22
_ROW_ROOM = 12  # pixels: height of a row without its line of text
T = TypeVar("T")


@dataclass(frozen=True)  # with slots, `Column[T](...)` fails: it sets an attribute
class Column(Generic[T]):
    heading: str
    tip: str  # of the heading
    text: Callable[[T], str]  # of a cell
    # What the rows are sorted by; None: the text in lower case.
    order: Callable[[T], Any] | None = None
    is_number: bool = False  # right-aligned
    editable: bool = False
    cell_tip: Callable[[T], str] | None = None  # None: the whole text
    # Such as Role.ForegroundRole.
    roles: Mapping[int, Callable[[T], Any]] = field(default_factory=dict)
    width: int = 0  # pixels; 0: fitted to heading and cells


class RecordModel(QAbstractTableModel):
    """Shows `records`, each in a row. row_heading: the heading of a row; None for rows without
    headings.
    """

    def __init__(
        self,
        columns: Sequence[Column[Any]],
        parent: Any = None,
        *,
        row_heading: Callable[[Any], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.records: list[Any] = []
        self.columns = tuple(columns)
        self._row_heading = row_heading

    def show_records(
        self, records: Sequence[Any], columns: Sequence[Column[Any]] | None = None
    ) -> None:
        """Show other records, and other columns unless these are None."""
        self.beginResetModel()
        self.records = list(records)
        self.columns = self.columns if columns is None else tuple(columns)
        self.endResetModel()

    def update_records(self, records: Sequence[Any]) -> None:
        """Show new states of the same rows; the selection stays."""
        self.records = list(records)
        self.refresh()

    def refresh(self) -> None:
        """Read all cells again."""
        if self.records and self.columns:
            last = self.index(len(self.records) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def set_record(self, row: int, record: Any) -> None:
        """Show another record in this row; the row after the last adds it."""
        if row == len(self.records):
            self.beginInsertRows(QModelIndex(), row, row)
            self.records.append(record)
            self.endInsertRows()
        else:
            self.records[row] = record
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(self.columns) - 1))

    def tip(self, record: Any, column: int) -> str:
        described = self.columns[column]
        return (described.cell_tip or described.text)(record)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.records)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            shown = role == Role.DisplayRole and self._row_heading
            return self._row_heading(self.records[section]) if shown and self._row_heading else None
        if section >= len(self.columns):
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
        record = self.records[index.row()]
        column = self.columns[index.column()]
        if role in column.roles:
            return column.roles[role](record)
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
        records = self._model.records
        if column not in self._keys:
            described = self._model.columns[column]
            order = described.order or (lambda record: described.text(record).lower())
            self._keys[column] = [order(record) for record in records]
        keys = self._keys[column]
        first = keys[left.row()]
        second = keys[right.row()]
        try:
            return bool(first < second)
        except TypeError:  # a number beside a text such as "off"
            return str(first) < str(second)


class RecordTable(QTableView):
    """Shows a RecordModel.

    sorted_by: the column that a sortable table is sorted by at first, negative: descending
    (~column); None for a table in the order of its records. filter: a SortedRecords of the model,
    for a table that hides rows. several: whether several rows can be selected. fills: whether the
    columns share the whole width, instead of being as wide as their texts and scrolled. shows_all:
    whether the table is as high as its rows, because the page around it scrolls. row_height:
    pixels; 0 for a line of text with a margin.
    """

    def __init__(
        self,
        model: RecordModel,
        name: str,
        title: str,
        *,
        sorted_by: int | None = None,
        filter: SortedRecords | None = None,
        several: bool = False,
        fills: bool = False,
        shows_all: bool = False,
        row_height: int = 0,
    ) -> None:
        super().__init__()
        # Qt does not own the model of a view: without a parent it could be deleted before the view.
        if model.parent() is None:
            model.setParent(self)
        self.record_model, self._fills, self._shows_all = model, fills, shows_all
        self._row_height = row_height
        named(self, name, title)
        self.setShowGrid(False)
        self.setWordWrap(False)
        # The Tab key leaves the table instead of visiting each cell.
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().hide()
        self._set_row_height()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(24)
        mode = QHeaderView.ResizeMode
        header.setSectionResizeMode(mode.Stretch if fills else mode.Interactive)
        selection = QAbstractItemView.SelectionMode
        self.setSelectionMode(selection.ExtendedSelection if several else selection.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        if shows_all:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if sorted_by is None:
            self.setModel(model)
        else:
            self.setModel(filter or SortedRecords(model, self))
            self.setSortingEnabled(True)
            order = Qt.SortOrder.AscendingOrder if sorted_by >= 0 else Qt.SortOrder.DescendingOrder
            self.sortByColumn(sorted_by if sorted_by >= 0 else ~sorted_by, order)
        model.modelReset.connect(self.fit)
        model.rowsInserted.connect(self.fit)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_row_height()
            self.fit()

    def _set_row_height(self) -> None:
        high = (
            theme().px(self._row_height)
            if self._row_height
            else self.fontMetrics().height() + _ROW_ROOM
        )
        self.verticalHeader().setDefaultSectionSize(high)

    def selected(self) -> list[Any]:
        """The selected records, from top to bottom."""
        rows = sorted(self.selectionModel().selectedRows(), key=QModelIndex.row)
        return [index.data(RECORD_ROLE) for index in rows]

    def fit(self) -> None:
        """Fit the columns to their headings and to the first rows, and the height to all rows where
        that is wanted.
        """
        if not self._fills:
            for column in range(self.model().columnCount()):
                self.setColumnWidth(column, self.needed_width(column))
        self.fit_height()

    def fit_height(self) -> None:
        """Make a table that shows all its rows as high as they are."""
        if self._shows_all:
            never = self.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            bars = 0 if never or self._fills else self.horizontalScrollBar().sizeHint().height()
            height = self.horizontalHeader().sizeHint().height() + bars + 2 * self.frameWidth()
            rows = self.model().rowCount() * self.verticalHeader().defaultSectionSize()
            self.setFixedHeight(height + rows)

    def needed_width(self, column: int) -> int:
        """Pixels for the column's heading and the texts of the first rows, with a limit."""
        described = self.record_model.columns[column]
        metrics = self.fontMetrics()
        if described.width:
            return described.width
        records = self.record_model.records[:_MEASURED_ROWS]
        texts = map(described.text, records)
        widest = max(map(metrics.horizontalAdvance, texts), default=0) + _TEXT_MARGIN
        return min(max(widest, self.heading_width(column)), theme().px(_MAX_WIDTH))

    def heading_width(self, column: int) -> int:
        """Pixels that the column's heading requires."""
        # Qt returns 0 for a hidden column; `fit_columns` hides it again.
        self.setColumnHidden(column, False)
        return self.horizontalHeader().sectionSizeHint(column)

    def use_fixed_widths(self) -> None:
        """Leave the widths of the columns to `fit_columns`."""
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)

    def fit_columns(
        self,
        needs: dict[int, int],
        *,
        stretch: Sequence[int],
        hide_first: Sequence[int] = (),
        shrinkable: int = -1,
    ) -> None:
        """Set the widths of the columns of `needs`; columns that are not in it are hidden.

        needs: pixels that each column requires. hide_first: columns that may be hidden where the
        table is too narrow, in this order. stretch: columns that share the remaining width.
        shrinkable: a column that may become as narrow as its heading after that; without one the
        table is scrolled.
        """
        available = self.viewport().width()
        widths = dict(needs)
        for column in hide_first:
            if sum(widths.values()) <= available:
                break
            widths.pop(column, None)
        missing = sum(widths.values()) - available
        if missing > 0 and shrinkable in widths:
            widths[shrinkable] = max(widths[shrinkable] - missing, self.heading_width(shrinkable))
        growing = [column for column in stretch if column in widths]
        extra, remainder = divmod(max(-missing, 0), max(len(growing), 1))
        for column in range(self.model().columnCount()):
            self.setColumnHidden(column, column not in widths)
        for column, width in widths.items():
            more = extra if column in growing else 0
            if column in growing[:remainder]:
                more += 1
            self.setColumnWidth(column, width + more)


def open_by_keys(view: QAbstractItemView, slot: Callable[[Index], None]) -> None:
    """Call `slot` with what is double-clicked, or with the current index at Return.

    Qt's `activated` does not come on Return on macOS, and elsewhere Return then presses the button
    of a dialog, too.
    """
    view.doubleClicked.connect(slot)
    for key in ENTER_KEYS:
        shortcut = QShortcut(QKeySequence(key), view, lambda: slot(view.currentIndex()))
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)


class ImageList(QListView):
    """Shows records as pictures with captions, in rows that wrap.

    Return or a double click: `opened` gives the path of the picture in a file, which is deleted
    after the signal. caption, tip: the texts of a record. picture: its ink, uint8 (height, width),
    or None without one. side: pixels of the largest picture that is shown.
    """

    opened = Signal(str)

    def __init__(
        self,
        name: str,
        title: str,
        caption: Callable[[Any], str],
        tip: Callable[[Any], str],
        picture: Callable[[Any], np.ndarray | None],
        side: int,
    ) -> None:
        super().__init__()
        named(self, name, title)
        top = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        roles: dict[int, Any] = {
            Role.TextAlignmentRole: lambda record: top,
            Role.DecorationRole: lambda record: self._icon(picture(record), side),
        }
        self.record_model = RecordModel([Column("", "", caption, cell_tip=tip, roles=roles)], self)
        self.setModel(self.record_model)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setIconSize(QSize(side, side))
        self._picture = picture
        open_by_keys(self, self._open)

    def selected(self) -> list[Any]:
        return [index.data(RECORD_ROLE) for index in self.selectedIndexes()]

    def _open(self, index: Index) -> None:
        ink = self._picture(index.data(RECORD_ROLE)) if index.isValid() else None
        if ink is not None:
            with temporary_picture(ink) as path:
                self.opened.emit(path)

    def _icon(self, levels: np.ndarray | None, side: int) -> QIcon:
        """In the colors of the theme, with two device pixels for each pixel; the view scales it
        down.
        """
        if levels is None:
            return QIcon()
        keep, smooth = (
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        image = ink_image(levels, self.palette()).scaled(2 * side, 2 * side, keep, smooth)
        return QIcon(QPixmap.fromImage(image))


@dataclass(frozen=True, slots=True)
class BarRow:
    """A row of a BarTable. fraction: the length of the bar, 0 to 1. color: of the bar; empty for
    the accent.
    """

    texts: tuple[str, ...]
    fraction: float = 0.0
    color: str = ""
    tip: str = ""


class BarTable(FitsOnResize, RecordTable):
    """A table with a bar in one column, which can be updated while it is read. All rows are
    visible.

    headings: of the columns, each with its tooltip where it has one; the second is that of the bar,
    which takes the remaining width. hide_first: columns to hide where the table is too narrow.
    """

    def __init__(
        self,
        name: str,
        title: str,
        headings: Sequence[str | tuple[str, str]],
        *,
        hide_first: tuple[int, ...] = (),
    ) -> None:
        def column(index: int) -> Column[BarRow]:
            given = headings[index]
            heading, tip = (given, "") if isinstance(given, str) else given
            return Column(
                heading, tip, lambda r: r.texts[index], is_number=index > _BAR,
                # It repeats the name, which may be elided.
                cell_tip=lambda r: f"{r.texts[0]}: {r.tip}" if r.tip else r.texts[0],
                roles={Role.TextAlignmentRole: lambda r: LEFT if index < _BAR else RIGHT},
            )  # fmt: skip

        self._hide_first = hide_first
        self._needs: dict[int, int] = {}
        super().__init__(
            RecordModel([column(k) for k in range(len(headings))]), name, title, shows_all=True
        )
        self.use_fixed_widths()
        self.setItemDelegateForColumn(_BAR, _BarDelegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.record_model.dataChanged.connect(self.fit)

    def show_rows(self, rows: Sequence[BarRow]) -> None:
        """Show these rows; the selection stays while their number does."""
        if len(rows) == self.record_model.rowCount():
            self.record_model.update_records(rows)
        else:
            self._needs = {}
            self.record_model.show_records(rows)

    def show_row(self, row: int, shown: BarRow) -> None:
        # An equal row needs no painting; a race calls this for all its rows.
        if self.record_model.records[row] != shown:
            self.record_model.set_record(row, shown)

    def fit(self) -> None:
        """Fit the columns; none becomes narrower, so that changing numbers do not make the table
        jump.
        """
        self.fit_height()
        for column in range(self.model().columnCount()):
            needed = max(self.heading_width(column), self.sizeHintForColumn(column))
            if column == _BAR:
                needed = max(needed, _bar_text_width(self.fontMetrics()) + _MIN_BAR)
            self._needs[column] = max(needed, self._needs.get(column, 0))
        self.fit_columns(self._needs, hide_first=self._hide_first, stretch=(_BAR,), shrinkable=0)


def _bar_text_width(metrics: QFontMetrics) -> int:
    """Pixels reserved for the text to the right of a bar."""
    return metrics.horizontalAdvance("100.0 %") + 10


class _BarDelegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        row = index.data(RECORD_ROLE)
        rect = option.rect
        palette = option.palette
        text_width = _bar_text_width(option.fontMetrics)
        track = QRectF(rect.left() + 4, rect.center().y() - 4, rect.width() - text_width - 4, 9)
        if track.width() < 8:
            return
        color = QColor(row.color) if row.color else palette.color(QPalette.ColorRole.Accent)
        # The view paints the next cell with the same painter.
        painter.save()
        paint_bar(painter, track, min(max(row.fraction, 0.0), 1.0), color)
        painter.restore()
