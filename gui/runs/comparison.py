"""Compares runs of the library or of a study: curves, results, confusion, parallel coordinates, importance."""

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QStackedWidget, QWidget

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.files.atomic import write_atomically
from core.runs.comparison import (
    comparison_report,
    curve,
    curves_csv,
    differing,
    legends,
    result_of,
    results_csv,
    smoothed,
    value_of,
)
from core.runs.library import RunEntry, RunLibrary
from core.training.records import Epoch
from gui.background.failure import Failure
from gui.background.task_runner import Task, TaskControl, TaskRunner
from gui.runs.parallel_plot import ParallelPlot
from gui.runs.run_table import score_text, setting_title, state_text, values_text
from gui.text import clock, count, number
from gui.widgets.basics import note, scroll_area, set_message
from gui.widgets.colors import blend
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.make import button, check, column, combo, label, row, slider
from gui.widgets.pictures import paint_to_file
from gui.widgets.plots.plot import Plot, series_color
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.tab import PageChooser
from gui.widgets.tables import BarRow, BarTable, Column, RecordModel, RecordTable, Role
from gui.widgets.theme import theme

if TYPE_CHECKING:
    from core.studies.importance import Importance
    from core.studies.spec import StudySpec
    from core.studies.study import StudyRun

EXPORTS = ("HTML (*.html)", "PNG (*.png)", "SVG (*.svg)", "CSV (*.csv)")
_STRONGEST = 0.7  # share of the strong color in the cell of the largest difference
MAX_LEGEND = 12  # entries; more would hide the curves
_ENTRY_HEIGHT, _AXIS_HEIGHT = 20, 50  # pixels
_LINES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_SMOOTHING_STEPS = 95  # hundredths of the weight of the past
_ALL_EPOCHS = 1 << 31
Read = tuple[list[RunEntry], list[list[Epoch]]]  # runs with their histories


class Comparison(QWidget):
    """Pages that compare the selected runs, whose folders are read in the background.

    name: the start of the object names. first: the title, tooltip and widget of a page before the others. of_study:
    with a page for the importance of the settings. `shown` is emitted when runs of the library are drawn.
    """

    shown = Signal()
    export_asked = Signal()

    def __init__(
        self, name: str, dataset_cache: DatasetCache, library: RunLibrary, *,
        first: tuple[str, str, QWidget] | None = None, of_study: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        tr = self.tr
        self._name, self._library = name, library
        self.entries: list[RunEntry] = []  # those that are compared and have a folder
        self._histories: list[list[Epoch]] = []
        self._wanted: list[str] = []  # ids of the runs of a study that are compared
        self._csv: Callable[[], str] = lambda: results_csv(self.entries)
        self.curves = CurvesPage(name, "validation_loss" if of_study else "test_score")
        self.results = ResultsPage(name)
        self.confusion = ConfusionPage(name, dataset_cache)
        self.parallel = ParallelPlot(name)
        self.importance = ImportancePage(name) if of_study else None
        self.chooser = PageChooser(f"{name}Pages", tr("Comparison of runs"))
        self._stack = QStackedWidget()
        pages: list[tuple[str, str, QWidget, str]] = [
            (tr("Curves"), tr("The curves of the selected runs in one plot."), self.curves, ""),
            (tr("Results"), tr("The results of the selected runs side by side."), self.results, ""),
            (tr("Confusion"), tr("What the second selected run reads differently."), self.confusion, ""),
            (tr("Parallel coordinates"), tr("A line for each run across its settings and results."), self.parallel,
             tr("Parallel")),
        ]  # fmt: skip
        if first is not None:
            pages.insert(0, (*first, ""))
        if self.importance:
            pages.append((tr("Importance"), tr("Which settings matter."), self.importance, ""))
        for title, tip, page, short in pages:
            self.chooser.add_page(title, tip, short)
            self._stack.addWidget(scroll_area(page) if page is self.importance else page)
        self._pages = [page for _, _, page, _ in pages]
        self.chooser.currentChanged.connect(self._stack.setCurrentIndex)
        self.chooser.currentChanged.connect(self._read_wanted)
        self.export_button = button(
            tr("E&xport…"), f"{name}Export",
            tr("Save the page in front as PNG or SVG, tables as CSV, or all of it as one HTML report."),
            lambda: self.export_asked.emit(),
        )  # fmt: skip
        layout = column(row((self.chooser, 1), self.export_button), (self._stack, 1), owner=self)
        layout.setContentsMargins(0, 4, 0, 0)
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_read)
        self.show_entries([])

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 90)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.chooser.fit(self.width() - self.export_button.sizeHint().width() - 8)

    def show_page(self, page: QWidget) -> None:
        """Show this page in front."""
        self.chooser.setCurrentIndex(self._pages.index(page))

    def show_entries(self, entries: list[RunEntry]) -> None:
        """Compare these runs of the library; nothing is read where they are shown as they are on the disk."""
        if entries == self.entries and entries:
            return
        self.export_button.setEnabled(bool(entries))
        self.parallel.show_runs(differing(entries), entries, [], names=legends(entries))
        self._runner.cancel(discard=True)
        self._runner.start_latest(_read_task(lambda: entries))
        self._show_results(entries)

    def show_study(
        self,
        spec: "StudySpec | None",
        runs: list["StudyRun"],
        selected: list["StudyRun"],
        csv: Callable[[], str],
    ) -> None:
        """Compare the selected runs of a study, or all. csv: returns its table for other programs."""
        self._csv = csv
        self.export_button.setEnabled(bool(runs))
        drawn = [run for run in selected or runs if run.epochs]
        self.curves.show_runs([values_text(run) for run in drawn], [run.epochs for run in drawn])
        vary = spec.vary if spec else {}
        self.parallel.show_runs(tuple(vary), runs, selected, ranges=vary)
        self._wanted = [run.run_id for run in drawn]
        self._read_wanted()

    def _read_wanted(self) -> None:
        """Read the folders of a study's runs, once a page that needs them is in front."""
        ids = self._wanted
        if ids and self._front() in (self.results, self.confusion):
            self._runner.start_latest(_read_task(lambda: _find(self._library, ids)))

    def _on_read(self, records: list[Read]) -> None:
        entries, histories = records[-1]
        if self._wanted:
            if [entry.id for entry in entries] != [entry.id for entry in self.entries]:
                self._show_results(entries)
            self._histories = histories
        elif entries == self.entries:
            self._histories = histories
            self.curves.show_runs(legends(entries), histories)
            self.shown.emit()

    def _show_results(self, entries: list[RunEntry]) -> None:
        self.entries = entries
        names = legends(entries)
        self.results.show_runs(entries, names)
        self.confusion.show_runs(entries, names)

    def _front(self) -> QWidget:
        return self._pages[self._stack.currentIndex()]

    def export_to(self, path: Path) -> None:
        """Write what the suffix says: the page in front (.png, .svg), a table (.csv) or a report (.html).

        Raises InputError or OSError.
        """
        suffix = path.suffix.lower()
        if suffix == ".csv":
            curves = path.stem.endswith("-curves") and self.entries
            text = curves_csv(self.entries, self._histories) if curves else self._csv()
            write_atomically(path, text.encode())
        elif suffix == ".html":
            if self._wanted:  # the newest state of a study's runs
                self.entries, self._histories = _read(_find(self._library, self._wanted))
            page = self.curves
            report = comparison_report(
                self.entries, self._histories, axis=page.axis, smoothing=page.weight,
                logarithmic=page.log_check.isChecked(),
            )  # fmt: skip
            write_atomically(path, report.encode())
        elif (front := self._front()) in (self.results, self.confusion, self.importance):
            with paint_to_file(path, front.size()) as painter:
                painter.fillRect(front.rect(), front.palette().color(front.backgroundRole()))
                front.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
        else:
            plot: Plot = self.parallel if front is self.parallel else self.curves.plot
            plot.export(path)


def _read(entries: list[RunEntry]) -> Read:
    return entries, [entry.folder.read_history(_ALL_EPOCHS) for entry in entries]


def _find(library: RunLibrary, ids: Sequence[str]) -> list[RunEntry]:
    found = {entry.id: entry for entry in library.iter_entries() if entry.id in ids}
    return [found[run_id] for run_id in ids if run_id in found]


def _read_task(find: Callable[[], list[RunEntry]]) -> Task:
    def read(control: TaskControl) -> Generator[Read]:
        yield _read(find())

    return read


# -- pages ------------------------------------------------------------------------------------------------


class CurvesPage(QWidget):
    """Shows one quantity of several runs over epochs, steps or seconds. `name`: the start of the object names."""

    def __init__(self, name: str, quantity: str = "test_score", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self._rows: list[list[Epoch]] = []
        self._items: list[Any] = []
        tip = self.tr("The quantity of the curves; a score is the accuracy, or R² of values.")
        self.quantity_box = combo(f"{name}QuantityBox", self.tr("Quantity"), tip, [
            ("train_loss", self.tr("training loss")), ("validation_loss", self.tr("validation loss")),
            ("test_loss", self.tr("test loss")), ("train_score", self.tr("training score")),
            ("test_score", self.tr("test score")),
        ])  # fmt: skip
        self.quantity_box.choose(quantity)
        tip = self.tr("What the curves are drawn over; seconds are those of training.")
        self.axis_box = combo(f"{name}AxisBox", self.tr("Axis"), tip, [
            ("epoch", self.tr("by epoch")), ("step", self.tr("by step")), ("seconds", self.tr("by second")),
        ])  # fmt: skip
        for box in (self.quantity_box, self.axis_box):
            box.setMinimumWidth(120)
            box.currentIndexChanged.connect(self.draw)
        tip, title = self.tr("Smooth the curves: the weight of the epochs before."), self.tr("Smoothing")
        self.smoothing = slider(f"{name}Smoothing", title, tip, 0, _SMOOTHING_STEPS, self.draw)
        self.smoothing.setMaximumWidth(110)
        tip = self.tr("A logarithmic axis; for scores of the distance from the best value, 1.")
        self.log_check = check(self.tr("Lo&garithmic"), f"{name}Logarithmic", tip, self.draw)
        self.plot = Plot(f"{name}Plot", self.tr("Curves of the selected runs"))
        self.plot.add_legend()
        self.plot.show_horizontal_grid()
        self.plot.setMinimumHeight(110)
        smoothing_label = QLabel(self.tr("Smoot&hing"))
        smoothing_label.setBuddy(self.smoothing)
        row = FlowLayout(self.quantity_box, self.axis_box, self.log_check, smoothing_label, self.smoothing)
        column(row, (self.plot, 1), owner=self).setContentsMargins(0, 4, 0, 0)
        theme().changed.connect(self.draw)

    def show_runs(self, names: list[str], rows: list[list[Epoch]]) -> None:
        """Show these runs; `rows`: the history of each."""
        self._names, self._rows = names, rows
        self.draw()

    @property
    def axis(self) -> str:
        return str(self.axis_box.currentData())

    @property
    def weight(self) -> float:
        """The weight of the past in the smoothed curves."""
        return self.smoothing.value() / 100

    def draw(self) -> None:
        """Draw the curves. Items of earlier curves are used again: creating them takes most of the time."""
        quantity, logarithmic = str(self.quantity_box.currentData()), self.log_check.isChecked()
        score = quantity.endswith("score")
        self.plot.plotItem.setLogMode(y=logarithmic)
        title = self.quantity_box.currentText()
        error = self.tr("1 − {score}").format(score=title)
        self.plot.plotItem.setLabel("left", error if score and logarithmic else title)
        titles = {"epoch": self.tr("epoch"), "step": self.tr("step"), "seconds": self.tr("seconds")}
        self.plot.plotItem.setLabel("bottom", titles[self.axis])
        while len(self._items) < len(self._rows):
            self._items.append(self.plot.plot(skipFiniteCheck=True))
        while len(self._items) > len(self._rows):
            self.plot.plotItem.removeItem(self._items.pop())
        shown = []
        for index, (item, rows) in enumerate(zip(self._items, self._rows, strict=True)):
            x, y = curve(rows, quantity, self.axis)
            y = smoothed(y, self.weight)
            if logarithmic:
                y = 1 - y if score else y
                x, y = x[y > 0], y[y > 0]
            item.setData(x, y)
            self._style(item, index, len(rows) == 1)
            if len(x):
                shown.append((item, self._names[index]))
        self._show_legend(shown)
        self.fit()

    def _style(self, item: Any, index: int, is_point: bool) -> None:
        colors = self.plot.colors
        line = _LINES[index // len(colors.series) % len(_LINES)]
        color = series_color(colors, index)
        item.setPen(pg.mkPen(color, width=2, style=line))
        item.setSymbol("o" if is_point else None)
        if is_point:
            item.setSymbolSize(7)
            item.setSymbolBrush(pg.mkBrush(color))

    def _show_legend(self, shown: list[tuple[Any, str]]) -> None:
        legend = self.plot.legend
        # At most half of the plot's height.
        most = min(max((self.plot.height() - _AXIS_HEIGHT) // (2 * _ENTRY_HEIGHT), 2), MAX_LEGEND)
        texts = [name for _, name in shown[:most]]
        if len(shown) > most:
            texts[-1] = self.tr("and {n} more").format(n=len(shown) - most + 1)
        if [label.text for _, label in legend.items] != texts:
            legend.clear()
            for (item, _), text in zip(shown, texts, strict=False):
                legend.addItem(item, text)
        background = QColor(self.plot.colors.base)
        background.setAlpha(210)
        legend.setBrush(pg.mkBrush(background) if texts else pg.mkBrush(None))
        falls = not str(self.quantity_box.currentData()).endswith("score") or self.log_check.isChecked()
        corner = (1.0, 0.0) if falls else (1.0, 1.0)
        legend.anchor(corner, corner, offset=(-8, 8 if falls else -8))
        self.plot.recolor_legend()

    def fit(self) -> None:
        """Show all curves."""
        ends = [item.getData() for item in self._items]
        xs = np.concatenate([x for x, _ in ends if x is not None and len(x)] or [np.array([0.0, 1.0])])
        ys = np.concatenate([y for x, y in ends if x is not None and len(x)] or [np.array([0.0, 1.0])])
        margin = 0.05 * ((ys.max() - ys.min()) or abs(ys.max()) or 1.0)
        self.plot.setRange(
            xRange=(min(float(xs.min()), 0.0), float(xs.max())), yRange=(ys.min() - margin, ys.max() + margin),
            padding=0.02,
        )  # fmt: skip


class ResultsPage(RecordTable):
    """A column for each run, a row for each result and each setting in which the runs differ."""

    def __init__(self, name: str) -> None:
        # A record is the heading of a row and its texts, one for each run.
        self._model = RecordModel((), row_heading=lambda record: record[0])
        super().__init__(self._model, f"{name.rstrip('s')}Results", self.tr("Results of the selected runs"))
        self._model.setParent(self)
        self.setToolTip(self.tr("The results of the selected runs, and the settings in which they differ."))
        self.verticalHeader().show()
        self.horizontalHeader().setMaximumSectionSize(220)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)

    def show_runs(self, entries: Sequence[RunEntry], names: Sequence[str]) -> None:
        tr = self.tr
        titles = {
            "state": tr("State"), "epochs_done": tr("Epochs"), "best_epoch": tr("Best epoch"),
            "best_score": tr("Best test score"), "test_score": tr("Last test score"), "test_loss": tr("Test loss"),
            "train_loss": tr("Training loss"), "validation_loss": tr("Validation loss"),
            "seconds": tr("Time of training"),
        }  # fmt: skip
        records = [(title, [_text(entry, name) for entry in entries]) for name, title in titles.items()]
        for name in differing(entries) if entries else ():
            records.append((setting_title(name), [value_of(entry, name) for entry in entries]))
        columns = [_run_column(name, index) for index, name in enumerate(names)]
        self._model.show_records(records if entries else [], columns)


def _run_column(name: str, index: int) -> Column[tuple[str, list[str]]]:
    return Column(name, name, lambda record: record[1][index], is_number=True)


def _text(entry: RunEntry, name: str) -> str:
    value: Any = result_of(entry)[name]
    if name == "state":
        return state_text(entry)
    if value is None or name.endswith("_score"):
        return "–" if value is None else score_text(entry, name)
    if name == "seconds":
        return clock(value)
    return count(value) if isinstance(value, int) else number(value)


class ConfusionPage(QWidget):
    """The difference of two runs' confusion matrices on the test images, computed while the page is visible."""

    def __init__(self, name: str, dataset_cache: DatasetCache) -> None:
        super().__init__()
        self._dataset_cache = dataset_cache
        self._entries: tuple[RunEntry, ...] = ()
        self._names: tuple[str, ...] = ()
        self._classes: tuple[str, ...] = ()
        self._due = False
        self.difference = np.zeros((0, 0), int)
        start = "c" if name == "runs" else f"{name}C"
        self.message = label("", f"{start}onfusionDifferenceText")
        # A record is the number of a true class.
        self.model = RecordModel((), self, row_heading=lambda row: self._classes[row])
        self.table = RecordTable(
            self.model, f"{start}onfusionDifference", self.tr("Difference of the confusion matrices")
        )
        self.table.setToolTip(
            self.tr("Rows: true classes. Columns: what was read. Images more (+) or fewer (−).")
        )
        self.table.verticalHeader().show()
        self.table.setSelectionMode(RecordTable.SelectionMode.NoSelection)
        for header in (self.table.horizontalHeader(), self.table.verticalHeader()):
            header.setMinimumSectionSize(22)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        column(self.message, (self.table, 1), owner=self)
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(self._on_records)
        self._runner.ended.connect(self._on_ended)
        theme().changed.connect(self.model.refresh)

    def show_runs(self, entries: Sequence[RunEntry], names: Sequence[str]) -> None:
        """Compare the first two of these runs."""
        self._entries, self._names = tuple(entries[:2]), tuple(names[:2])
        self._due = len(entries) >= 2
        self.table.setVisible(False)
        if not self._due:
            self.message.setText(
                self.tr("Select two runs: here appears what the second one reads differently.")
            )
        self._compute()

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self._compute()

    def _compute(self) -> None:
        if self._due and self.isVisible():
            self._due = False
            self.message.setText(self.tr("Reading the test images with both networks…"))
            self._runner.cancel(discard=True)
            self._runner.start_latest(_difference_task(self._entries, self._dataset_cache))

    def _on_records(self, records: list[tuple[tuple[str, ...], np.ndarray]]) -> None:
        self._classes, self.difference = records[-1]
        columns = [self._class_column(*each) for each in enumerate(self._classes)]
        self.model.show_records(range(len(self._classes)), columns)
        self.table.setVisible(True)
        right = int(np.trace(self.difference))
        text = self.tr(
            "“{second}” less “{first}”: {n} images more are read right. Orange: worse; blue: better."
        )
        if right < 0:
            text = self.tr(
                "“{second}” less “{first}”: {n} images fewer are read right. Orange: worse; blue: better."
            )
        first, second = self._names
        self.message.setText(text.format(first=first, second=second, n=abs(right)))

    def _class_column(self, column: int, name: str) -> Column[int]:
        def text(row: int) -> str:
            images = int(self.difference[row, column])
            return f"{images:+d}".replace("-", "−") if images else ""

        return Column(name, name, text, roles={
            Role.BackgroundRole: lambda row: self._color(row, column),
            Role.TextAlignmentRole: lambda row: Qt.AlignmentFlag.AlignCenter,
        })  # fmt: skip

    def _color(self, row: int, column: int) -> QColor:
        images, colors = int(self.difference[row, column]), theme().colors
        largest = max(int(np.abs(self.difference).max()), 1)
        better = (images > 0) == (row == column)
        strong = QColor(colors.train if better else colors.test)
        return blend(QColor(colors.base), strong, _STRONGEST * (abs(images) / largest) ** 0.5)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.message.setText(failure.text)


def _difference_task(entries: tuple[RunEntry, ...], dataset_cache: DatasetCache) -> Task:
    def compute(control: TaskControl) -> Generator[tuple[tuple[str, ...], np.ndarray]]:
        from core.inference.model_file import check_fits, load_model
        from core.inference.scores import score_classes

        if len({entry.info.plan.data for entry in entries}) > 1:
            raise InputError("These runs learned from different data: select two runs on the same data.")
        matrices = []
        for entry in entries:
            model = load_model(entry.folder.model_path)
            dataset = dataset_cache.get(entry.info.plan.data, control.progress)
            check_fits(model, dataset)
            if dataset.kind != "classes":
                raise InputError(
                    "These runs predict values: only runs that read classes have a confusion matrix."
                )
            scores = score_classes(model, dataset.test, control.check)
            matrices.append(scores.counts(len(dataset.classes)))
        yield dataset.classes, matrices[1] - matrices[0]

    return compute


class ImportancePage(QWidget):
    """A bar for each setting that a study varies."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.table = BarTable(
            f"{name}Importance", self.tr("Importance of the settings"),
            ((self.tr("Setting"), ""), (self.tr("Importance"), "")),
        )  # fmt: skip
        self.table.setToolTip(
            self.tr(
                "How much of the differences of the validation loss each setting explains by itself, or two together."
            )
        )
        self.message = note(name=f"{name}ImportanceNote")
        column(self.message, self.table, None, owner=self)
        self.show_importance(None)

    def show_importance(self, importance: "Importance | None") -> None:
        """Show the settings and pairs of settings, the most important one first."""
        from core.studies.importance import FOREST_RUNS

        self.table.setVisible(importance is not None)
        rows = []
        for names, share, error in importance.ordered() if importance else []:
            title = self.tr(" with ").join(map(setting_title, names))
            rows.append(BarRow((title, f"{share:.0%}" + (f" ± {error:.0%}" if error else "")), share))
        self.table.show_rows(rows)
        if importance is None:
            text = self.tr(
                "The importance is shown when all combinations of a grid, or {n} runs, are complete, with different "
                "results that the settings explain."
            ).format(n=FOREST_RUNS)
        elif importance.is_exact:
            text = self.tr("Computed from all {n} combinations.").format(n=importance.runs)
        else:
            text = self.tr(
                "Estimated from {n} runs: a forest predicts {share} of what it did not see."
            ).format(n=importance.runs, share=f"{importance.explained:.0%}")
        set_message(self.message, text)
