"""The table of a study's runs, sorted by a click on a heading."""

from collections.abc import Callable
from math import inf
from typing import Any

from PySide6.QtCore import QCoreApplication, QModelIndex, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from core.studies.spec import StudySpec
from core.studies.study import StudyRun
from core.training.run_settings import BY_NAME
from gui.text import clock, count, label, number, percent
from gui.widgets.basics import named
from gui.widgets.tables import RECORD_ROLE, Column, RecordModel, SortedRecords, set_up_table


def _tr(text: str) -> str:
    return QCoreApplication.translate("StudyTable", text)


def setting_title(name: str) -> str:
    """The label of a setting, or of `data`."""
    return label(BY_NAME[name]) if name in BY_NAME else _tr("Data set")


def value_text(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def values_text(run: StudyRun) -> str:
    """The values in which the run differs: `learning rate 0.1, data set mnist`."""
    return ", ".join(
        f"{setting_title(name).lower()} {value_text(value)}" for name, value in run.values.items()
    )


def state_text(run: StudyRun) -> str:
    return {
        "training": _tr("training"), "stopped": _tr("stopped"), "complete": _tr("done"), "pruned": _tr("ended early"),
        "diverged": _tr("diverged"), "failed": _tr("failed"),
    }.get(run.state, run.state)  # fmt: skip


def score_text(run: StudyRun) -> str:
    """The test score of the best epoch: accuracy, or R² of values."""
    best = run.best
    if best is None:
        return "–"
    score = best.test_score
    return f"R² {number(score)}" if best.train_score is None else percent(score)


def _columns(names: tuple[str, ...]) -> tuple[Column[StudyRun], ...]:
    return (
        Column(_tr("Run"), _tr("The number of the run."), lambda r: count(r.number + 1), lambda r: r.number,
               is_number=True),
        Column(_tr("State"), _tr("Whether the run has ended, and how."), state_text),
        _result_column(_tr("Validation"), _tr("The validation loss of the best epoch; runs are compared by it."),
                       "validation_loss", number),
        Column(_tr("Test"), _tr("The accuracy (or R²) on the test set after the best epoch; it decides nothing."),
               score_text, lambda r: _order(r.results()["test_score"], -inf), is_number=True),
        *map(_setting_column, names),
        _result_column(_tr("Epoch"), _tr("The best epoch: that with the lowest validation loss."), "epoch", count),
        _result_column(_tr("Time"), _tr("The time of training, without evaluation."), "seconds", clock),
    )  # fmt: skip


def _setting_column(name: str) -> Column[StudyRun]:
    def order(run: StudyRun) -> Any:
        value = run.values.get(name, "")
        return int(value) if isinstance(value, bool) else value

    return Column(
        setting_title(name), _tr("A setting in which the runs differ."),
        lambda run: value_text(run.values.get(name, "–")), order, is_number=True,
    )  # fmt: skip


def _result_column(heading: str, tip: str, name: str, form: Callable[[float], str]) -> Column[StudyRun]:
    def text(run: StudyRun) -> str:
        value = run.results()[name]
        return "–" if value is None else form(value)

    return Column(heading, tip, text, lambda run: _order(run.results()[name], inf), is_number=True)


def _order(value: float | None, missing: float) -> float:
    return missing if value is None else float(value)


class StudyModel(RecordModel):
    """Shows the runs of one study."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(_columns(()), parent)

    def show_study(self, spec: StudySpec | None, runs: list[StudyRun]) -> None:
        """Show these runs of a study; None: no study."""
        self.show_records(runs, _columns(tuple(spec.vary) if spec else ()))

    def show_run(self, run: StudyRun) -> None:
        """Add a run, or show its newest state."""
        row = next((row for row, known in enumerate(self.records) if known.number == run.number), None)
        if row is None:
            self.beginInsertRows(QModelIndex(), len(self.records), len(self.records))
            self.records.append(run)
            self.endInsertRows()
            return
        self.records[row] = run
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(self.columns) - 1))

    def column_of(self, heading: str) -> int:
        return [column.heading for column in self.columns].index(heading)

    def tip(self, record: StudyRun, column: int) -> str:
        text = super().tip(record, column)
        return record.message or _tr("{text}. A double click opens the run.").format(text=text)


_MAXIMUM_WIDTH, _MEASURED_ROWS, _MARGIN, _SORT_SIGN = 190, 30, 12, 10


class StudyTable(QTableView):
    """Several rows can be selected. `run_asked` is emitted with the run of a double click, or of Return."""

    run_asked = Signal(object)  # StudyRun

    def __init__(self, model: StudyModel, parent: Any = None) -> None:
        super().__init__(parent)
        self.sorted = SortedRecords(model, self)
        self.setModel(self.sorted)
        set_up_table(self, "studyTable", self.tr("Runs of the study"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.open_action = named(QAction(self.tr("&Open in Runs"), self), "studyOpenRun")
        self.open_action.setShortcut("Return")
        self.open_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.open_action.triggered.connect(self._ask_current)
        self.addAction(self.open_action)
        self.doubleClicked.connect(self._ask)
        model.modelReset.connect(self.fit)
        model.rowsInserted.connect(self.fit)

    def selected(self) -> list[StudyRun]:
        """The selected runs, from top to bottom."""
        rows = sorted(self.selectionModel().selectedRows(), key=QModelIndex.row)
        return [index.data(RECORD_ROLE) for index in rows]

    def fit(self) -> None:
        """Fit the columns to their headings and to the first rows."""
        metrics, model = self.fontMetrics(), self.sorted
        rows = range(min(self.sorted.rowCount(), _MEASURED_ROWS))
        for column in range(self.sorted.columnCount()):
            texts = [str(self.sorted.index(row, column).data() or "") for row in rows]
            heading = str(model.headerData(column, Qt.Orientation.Horizontal))
            widths = [metrics.horizontalAdvance(text) + _MARGIN for text in texts]
            needed = max(metrics.horizontalAdvance(heading) + _MARGIN + _SORT_SIGN, *widths, 0)
            self.setColumnWidth(column, min(needed, _MAXIMUM_WIDTH))

    def _ask_current(self) -> None:
        self._ask(self.currentIndex())

    def _ask(self, index: QModelIndex) -> None:
        if index.isValid():
            self.run_asked.emit(index.data(RECORD_ROLE))
