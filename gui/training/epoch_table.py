"""The table of epochs: one row per epoch, the newest last."""

from math import floor, inf, isfinite, log10
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTableView, QWidget

from core.files.csv_text import csv_text
from core.training.records import Epoch
from gui.text import count, localized, percent
from gui.widgets.tables import RIGHT, fit_columns, heading_width, set_up_table, use_fixed_widths

# Beyond these limits numbers with fixed decimals would be too long.
_LEAST, _GREATEST = 1e-6, 1e5


class NumberFormat:
    """Fixed decimals: as many as give the smallest value two digits; powers of ten where that takes too much room.

    decimals: the least number of decimals.
    """

    def __init__(self, decimals: int) -> None:
        self._least_decimals = decimals
        self._low, self._high = inf, 0.0
        self._format = f".{decimals}f"

    def include(self, value: float | None) -> bool:
        """Extend the format to `value`; returns whether this changed it."""
        if not value or not isfinite(value):
            return False
        self._low, self._high = min(self._low, abs(value)), max(self._high, abs(value))
        before = self._format
        if self._low < _LEAST or self._high >= _GREATEST:
            self._format = ".2e"
        else:
            self._format = f".{max(self._least_decimals, 1 - floor(log10(self._low)))}f"
        return self._format != before

    def text(self, value: float) -> str:
        return "0" if value == 0 and self._format == ".2e" else localized(f"{value:{self._format}}")


Index = QModelIndex | QPersistentModelIndex


COLUMNS = (
    "epoch", "train_loss", "test_loss", "validation_loss", "train_score", "test_score",
    "epoch_seconds", "images_per_second", "learning_rate",
)  # fmt: skip
# The columns of the exported table, named as in history.csv: `seconds` is the time since the start.
_EXPORTED = (*COLUMNS[:7], "seconds", *COLUMNS[7:])
# Hidden where there is no room for all columns, the first one first.
SPARE = tuple(
    map(COLUMNS.index, ("learning_rate", "epoch_seconds", "train_score", "images_per_second", "train_loss"))
)
# The least number of decimals of the columns with numbers. Scores of classes are percentages.
DECIMALS = {
    "train_loss": 4, "test_loss": 4, "validation_loss": 4, "train_score": 4, "test_score": 4, "epoch_seconds": 2,
    "learning_rate": 4,
}  # fmt: skip
# The width of a column has room for such a text.
USUAL = ("◆ 1,000", "0.1234", "0.1234", "0.1234", "99.99 %", "99.99 %", "12.34", "1,000,000", "0.0010")


class EpochModel(QAbstractTableModel):
    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.epochs: list[Epoch] = []
        self.best: int | None = None  # the row of the best epoch
        self.kind = "classes"
        self._formats: dict[str, NumberFormat] = {}
        self._reset_formats()

    def _reset_formats(self) -> None:
        self._formats = {name: NumberFormat(decimals) for name, decimals in DECIMALS.items()}

    def add(self, rows: list[Epoch]) -> None:
        if rows:
            first = len(self.epochs)
            self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
            self.epochs += rows
            changed = [
                COLUMNS.index(name) for name, format_ in self._formats.items()
                if any([format_.include(getattr(row, name)) for row in rows])
            ]  # fmt: skip
            self.endInsertRows()
            for column in changed:
                self.dataChanged.emit(self.index(0, column), self.index(len(self.epochs) - 1, column))
            self._find_best(first)

    def _find_best(self, first: int) -> None:
        """Compare the rows from `first` on with the best row before them."""
        before = self.best
        for row in range(first, len(self.epochs)):
            if self.best is None or self.epochs[row].is_better(self.epochs[self.best]):
                self.best = row
        if before is not None and before != self.best:
            self.dataChanged.emit(self.index(before, 0), self.index(before, 0))

    def begin(self, kind: str) -> None:
        """Remove all rows; a run on data of this kind follows."""
        self.beginResetModel()
        self.epochs, self.best, self.kind = [], None, kind
        self._reset_formats()
        self.endResetModel()

    def has_column(self, name: str) -> bool:
        """Whether a run of this kind has such values."""
        if name == "validation_loss":
            return any(row.validation_loss is not None for row in self.epochs)
        return name != "train_score" or self.kind == "classes"

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.epochs)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings()[section][0]
        return self._headings()[section][1] if role == Qt.ItemDataRole.ToolTipRole else None

    def _headings(self) -> tuple[tuple[str, str], ...]:
        """The heading and the tool tip of each column."""
        if self.kind == "classes":
            test = (
                self.tr("Test\naccuracy"),
                self.tr("The share of the test images that is classified correctly."),
            )
            speed = self.tr("Images\nper s"), self.tr("How many images it trained on in a second.")
        else:
            test = self.tr("Test\nR²"), self.tr(
                "The share of the variance of the test values that the network explains; 1 is exact."
            )  # fmt: skip
            speed = self.tr("Points\nper s"), self.tr("How many points it trained on in a second.")
        return (
            (self.tr("Epoch"), self.tr("One pass through all training data. ◆ marks the best: that with the lowest "
                                       "validation loss, or with the best test score where there is no validation.")),
            (self.tr("Training\nloss"), self.tr("The mean loss while training in this epoch.")),
            (self.tr("Test\nloss"), self.tr("The mean loss on the test data after the epoch.")),
            (self.tr("Validation\nloss"), self.tr("The mean loss on the validation data; patience depends on it.")),
            (self.tr("Training\naccuracy"), self.tr("The share classified correctly while training.")),
            test,
            (self.tr("Seconds"), self.tr("The time of this epoch's training, without evaluation.")),
            speed,
            (self.tr("Learning\nrate"), self.tr("The learning rate at the end of the epoch.")),
        )  # fmt: skip

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        if role != Qt.ItemDataRole.DisplayRole or not index.isValid():
            return None
        name = COLUMNS[index.column()]
        value = getattr(self.epochs[index.row()], name)
        if value is None:
            return "–"
        if name.endswith("score") and self.kind == "classes":
            return percent(value)
        if name == "epoch" and index.row() == self.best:
            return f"◆ {count(value)}"
        if name in ("epoch", "images_per_second"):
            return count(value)
        return self._formats[name].text(value)

    def csv(self) -> str:
        """The table as a file for other programs: decimal points, no units."""
        rows = ([getattr(epoch, name) for name in _EXPORTED] for epoch in self.epochs)
        return csv_text([list(_EXPORTED), *rows])


class EpochTable(QTableView):
    """Shows the newest row, unless the user has scrolled away from it."""

    def __init__(self, model: EpochModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        set_up_table(self, "epochTable", self.tr("Epochs"), row_height=22)
        self.setAlternatingRowColors(True)
        use_fixed_widths(self)
        self.horizontalHeader().setDefaultAlignment(RIGHT)
        # Qt elides a heading of two lines as if it were one.
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideNone)
        self._model, self._follow = model, True
        self._widths: list[int] = []
        model.modelReset.connect(self._reset)
        model.rowsInserted.connect(self._on_inserted)
        model.dataChanged.connect(self._on_changed)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._scroll)
        self._reset()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._scroll()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._reset()

    def _reset(self) -> None:
        self._follow = True
        self._widths = [self._text_width(text) for text in USUAL]
        self._fit()

    def _on_inserted(self, parent: Index, first: int, last: int) -> None:
        self._widen(first, last, range(len(COLUMNS)))

    def _on_changed(self, top_left: Index, bottom_right: Index) -> None:
        self._widen(top_left.row(), bottom_right.row(), range(top_left.column(), bottom_right.column() + 1))

    def _widen(self, first: int, last: int, columns: range) -> None:
        """Widen those of `columns` for which a value in the rows `first` to `last` is too wide."""
        for column in columns:
            texts = (self._model.data(self._model.index(row, column)) for row in range(first, last + 1))
            self._widths[column] = max(self._widths[column], *map(self._text_width, texts))
        self._fit()

    def _text_width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + 8

    def _fit(self) -> None:
        needs = {
            column: max(heading_width(self, column), self._widths[column])
            for column, name in enumerate(COLUMNS)
            if self._model.has_column(name)
        }
        fit_columns(self, needs, hide_first=SPARE, stretch=tuple(needs))

    def _on_scrolled(self, value: int) -> None:
        self._follow = value >= self.verticalScrollBar().maximum()

    def _scroll(self) -> None:
        if self._follow:
            self.scrollToBottom()
