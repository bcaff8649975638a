"""The table of epochs: one row per epoch, the newest last."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent

from core.files.csv_text import csv_text
from core.runs.comparison import epochs_csv
from core.studies.conclusion import Group
from core.training.records import Epoch
from gui.text import count, fixed, number, percent
from gui.widgets.tables import RIGHT, Column, RecordModel, RecordTable

COLUMNS = (
    "epoch",
    "train_loss",
    "test_loss",
    "validation_loss",
    "train_score",
    "test_score",
    "epoch_seconds",
    "images_per_second",
    "learning_rate",
)
# The columns of the exported table, named as in history.csv: `seconds` is the time since the start.
_EXPORTED = (*COLUMNS[:7], "seconds", *COLUMNS[7:])
# Hidden where there is no room for all columns, the first one first.
SPARE = [
    *map(
        COLUMNS.index,
        ("learning_rate", "epoch_seconds", "train_score", "images_per_second", "train_loss"),
    )
]
# Beyond these limits numbers with four decimals would say too little or be too long.
_LEAST = 1e-3
_GREATEST = 1e5


class EpochModel(RecordModel):
    """The epochs of a run. `best`: the row of the best epoch; `kind`: of the data.

    compared: the runs of a comparison that is shown in place of a run; the table itself has no rows
    then.
    """

    def __init__(self, parent: Any = None) -> None:
        super().__init__((), parent)
        self.begin("classes")

    def begin(self, kind: str) -> None:
        """Remove all rows; a run on data of this kind follows."""
        self.best: int | None = None
        self.compared: Sequence[Group] = ()
        self.kind = kind
        self.show_records((), [*map(self._column, COLUMNS, self._headings())])

    def add(self, rows: Sequence[Epoch]) -> None:
        if not rows:
            return
        first = len(self.records)
        self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
        self.records += rows
        before = self.best
        for row in range(first, len(self.records)):
            if self.best is None or self.records[row].is_better(self.records[self.best]):
                self.best = row
        self.endInsertRows()
        if before is not None and before != self.best:
            self.dataChanged.emit(self.index(before, 0), self.index(before, 0))

    @property
    def has_any(self) -> bool:
        """Whether an epoch of the run, or of those that are compared, has ended."""
        return bool(self.records) or any(
            run.epochs for group in self.compared for run in group.runs
        )

    def has_column(self, name: str) -> bool:
        """Whether a run of this kind has such values."""
        if name == "validation_loss":
            return any(row.validation_loss is not None for row in self.records)
        return name != "train_score" or self.kind == "classes"

    def _headings(self) -> tuple[tuple[str, str], ...]:
        """The heading and the tool tip of each column."""
        tr = self.tr
        test = (
            tr("Test\naccuracy"),
            tr("The share of the test images that is classified correctly."),
        )
        speed = tr("Images\nper s"), tr("How many images it trained on in a second.")
        if self.kind != "classes":
            tip = tr(
                "The share of the variance of the test values that the network explains; 1 is "
                "exact."
            )
            test = (tr("Test\nR²"), tip)
            speed = (tr("Points\nper s"), tr("How many points it trained on in a second."))
        return (
            (
                tr("Epoch"),
                tr(
                    "One pass through all training data. ◆ marks the best: that with the lowest "
                    "validation loss, or with the best test score where there is no validation."
                ),
            ),
            (tr("Training\nloss"), tr("The mean loss while training in this epoch.")),
            (tr("Test\nloss"), tr("The mean loss on the test data after the epoch.")),
            (
                tr("Validation\nloss"),
                tr("The mean loss on the validation data; patience depends on it."),
            ),
            (tr("Training\naccuracy"), tr("The share classified correctly while training.")),
            test,
            (tr("Seconds"), tr("The time of this epoch's training, without evaluation.")),
            speed,
            (tr("Learning\nrate"), tr("The learning rate at the end of the epoch.")),
        )

    def _column(self, name: str, heading: tuple[str, str]) -> Column[Epoch]:
        return Column(*heading, lambda epoch: self._text(name, epoch), is_number=True)

    def _text(self, name: str, epoch: Epoch) -> str:
        value = getattr(epoch, name)
        if value is None:
            return "–"
        if name.endswith("score") and self.kind == "classes":
            return percent(value)
        if name == "epoch" and self.best is not None and epoch is self.records[self.best]:
            return f"◆ {count(value)}"
        if name in ("epoch", "images_per_second"):
            return count(value)
        if value and not _LEAST <= abs(value) < _GREATEST:
            return number(value, 3)
        return fixed(value, 2 if name == "epoch_seconds" else 4)

    def csv(self) -> str:
        """The epochs as a file for other programs: decimal points, no units."""
        if self.compared:
            return epochs_csv(
                (run.id, group.name, run.epochs) for group in self.compared for run in group.runs
            )
        rows = ([getattr(epoch, name) for name in _EXPORTED] for epoch in self.records)
        return csv_text([list(_EXPORTED), *rows])


class EpochTable(RecordTable):
    """Shows the newest row, unless the user has scrolled away from it."""

    def __init__(self, model: EpochModel) -> None:
        self._model = model
        self._follow = True
        super().__init__(model, "epochTable", self.tr("Epochs"), several=True, row_height=22)
        self.setAlternatingRowColors(True)
        self.use_fixed_widths()
        self.horizontalHeader().setDefaultAlignment(RIGHT)
        # Qt elides a heading of two lines as if it were one.
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideNone)
        model.modelReset.connect(self._reset)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._on_scrolled)
        # The range grows later than the rows.
        bar.rangeChanged.connect(self._scroll)
        self._reset()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
        self._scroll()

    def _reset(self) -> None:
        self._follow = True
        self.fit()

    def fit(self) -> None:
        """Fit the columns to their texts; those for which there is no room are hidden."""
        needs = {
            column: self.needed_width(column)
            for column, name in enumerate(COLUMNS)
            if self._model.has_column(name)
        }
        self.fit_columns(needs, hide_first=SPARE, stretch=tuple(needs))

    def _on_scrolled(self, value: int) -> None:
        self._follow = value >= self.verticalScrollBar().maximum()

    def _scroll(self) -> None:
        if self._follow:
            self.scrollToBottom()
