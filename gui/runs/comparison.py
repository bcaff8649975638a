"""Compares runs of the library or of a study: curves, results, confusion, parallel coordinates, importance."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QWidget

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.files.atomic import write_atomically
from core.runs import comparison as compare
from core.runs.comparison import differing, legends
from core.runs.library import RunEntry, RunLibrary
from core.studies.importance import FOREST_RUNS, Importance
from core.studies.spec import StudySpec
from core.studies.study import StudyRun, study_csv
from core.training.records import Epoch
from gui.background.task_runner import Failure, TaskControl, TaskRunner, single_record
from gui.runs.parallel_plot import ParallelPlot
from gui.runs.run_table import score_text, setting_title, state_text, value_text, values_text
from gui.text import clock, count, number, percent
from gui.widgets.banner import Banner
from gui.widgets.basics import note, scroll_area, set_message
from gui.widgets.dialogs import FolderMemory, ask_and_write
from gui.widgets.make import FlowLayout, button, check, column, combo, label, labeled, row, slider
from gui.widgets.pictures import paint_to_file
from gui.widgets.plots.end_labels import EndLabel, EndLabels
from gui.widgets.plots.plot import MOST, MOST_TIMES, Plot, epoch_step, series_color
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.tab import PageChooser
from gui.widgets.tables import BarRow, BarTable, Column, RecordModel, RecordTable, Role
from gui.widgets.theme import blend, theme

EXPORTS = ("HTML (*.html)", "PNG (*.png)", "SVG (*.svg)", "CSV (*.csv)")
_STRONGEST = 0.7  # share of the strong color in the cell of the largest difference
_AXIS_HEIGHT = 50  # pixels
_LINES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_SMOOTHING_STEPS = 95  # hundredths of the weight of the past
_ALL_EPOCHS = 1 << 31
Read = tuple[list[RunEntry], list[list[Epoch]]]  # runs with their histories


class Comparison(QWidget):
    """Pages that compare the selected runs, whose folders are read in the background.

    name: the start of the object names. memory: the folder used last. first: for a study, the title, tooltip and widget
    of a page before the others. `shown` is emitted when runs of the library are drawn.
    """

    shown = Signal()

    def __init__(
        self,
        name: str,
        dataset_cache: DatasetCache,
        library: RunLibrary,
        memory: FolderMemory,
        banner: Banner,
        *,
        first: tuple[str, str, QWidget] | None = None,
    ) -> None:
        super().__init__()
        tr = self.tr
        self._library = library
        self._memory = memory
        self._banner = banner
        self.entries: list[RunEntry] = []  # those that are compared and have a folder
        self._histories: list[list[Epoch]] = []
        self._runs: list[StudyRun] = []  # of a study
        self._wanted: list[str] = []  # ids of those that are compared
        self.curves = CurvesPage(name, "validation_loss" if first else "test_score")
        self.results = ResultsPage(name)
        self.confusion = ConfusionPage(name, dataset_cache)
        self.parallel = ParallelPlot(name)
        self.importance = ImportancePage(name) if first else None
        self.chooser = PageChooser(f"{name}Pages", tr("Comparison of runs"))
        self._stack = QStackedWidget()
        pages: list[tuple[str, str, QWidget]] = [
            (tr("Curves"), tr("The curves of the selected runs in one plot."), self.curves),
            (tr("Results"), tr("The results of the selected runs side by side."), self.results),
            (tr("Confusion"), tr("What the second selected run reads differently."), self.confusion),
            (tr("Parallel coordinates"), tr("A line for each run across its settings and results."), self.parallel),
        ]  # fmt: skip
        if first and self.importance:
            pages = [first, *pages, (tr("Importance"), tr("Which settings matter."), self.importance)]
        for title, tip, page in pages:
            self.chooser.add_page(title, tip, tr("Parallel") if page is self.parallel else "")
            self._stack.addWidget(scroll_area(page) if page is self.importance else page)
        self._pages = [page for _, _, page in pages]
        self.chooser.currentChanged.connect(self._stack.setCurrentIndex)
        self.chooser.currentChanged.connect(self._read_wanted)
        tip = tr("Save the page in front as PNG or SVG, tables as CSV, or all of it as one HTML report.")
        self.export_button = button(tr("E&xport…"), f"{name}Export", tip, lambda: self.ask_export())
        layout = column(row((self.chooser, 1), self.export_button), (self._stack, 1), owner=self)
        layout.setContentsMargins(0, 4, 0, 0)
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_read)
        self.show_entries([])

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 90)

    def show_page(self, page: QWidget) -> None:
        self.chooser.setCurrentIndex(self._pages.index(page))

    def show_entries(self, entries: list[RunEntry]) -> None:
        """Compare these runs of the library; nothing is read where they are shown as they are on the disk."""
        if entries == self.entries and entries:
            return
        self.export_button.setEnabled(bool(entries))
        self.parallel.show_runs(differing(entries), entries, [], names=legends(entries))
        self._runner.cancel(discard=True)
        self._runner.start_latest(single_record(lambda control: _read(entries)))
        self._show_results(entries)

    def show_study(self, spec: StudySpec | None, runs: list[StudyRun], selected: list[StudyRun]) -> None:
        """Compare the selected runs of a study, or all."""
        self._runs = runs
        self.export_button.setEnabled(bool(runs))
        drawn = [run for run in selected or runs if run.epochs]
        self.curves.show_runs([values_text(run) for run in drawn], [run.epochs for run in drawn])
        vary = spec.vary if spec else {}
        title = self.tr("Run {n}: {values}")
        names = [title.format(n=run.number + 1, values=values_text(run)) for run in runs]
        self.parallel.show_runs(tuple(vary), runs, selected, names=names, ranges=vary)
        self._wanted = [run.id for run in drawn]
        self._read_wanted()

    def _read_wanted(self) -> None:
        """Read the folders of a study's runs, once a page that needs them is in front."""
        if self._wanted and self._front() in (self.results, self.confusion):
            self._runner.start_latest(single_record(lambda control: self._read_study()))

    def _read_study(self) -> Read:
        wanted = self._wanted
        found = {entry.id: entry for entry in self._library.entries() if entry.id in wanted}
        return _read([found[run_id] for run_id in wanted if run_id in found])

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

    def ask_export(self) -> None:
        """Ask for a file, and write the table, the page in front or a report into it."""
        title = self.tr("Export runs")
        name = "runs.html"
        kinds = [*EXPORTS, self.tr("CSV of all curves (*-curves.csv)")]
        if self.importance:
            title = self.tr("Export study")
            name = "study.csv"
            kinds = [EXPORTS[-1], *EXPORTS[:-1]]
        ask_and_write(self, self._memory, title, name, kinds, self.export_to, self._banner.show_text)

    def export_to(self, path: Path) -> None:
        """Write what the suffix says: the page in front (.png, .svg), a table (.csv) or a report (.html).

        Raises InputError or OSError.
        """
        suffix = path.suffix.lower()
        if suffix == ".csv":
            curves = path.stem.endswith("-curves") and self.entries
            table = study_csv(self._runs) if self._runs else compare.results_csv(self.entries)
            text = compare.curves_csv(self.entries, self._histories) if curves else table
            write_atomically(path, text.encode())
        elif suffix == ".html":
            if self._wanted:  # the newest state of a study's runs
                self.entries, self._histories = self._read_study()
            shown = self.curves
            read = (self.entries, self._histories)
            report = compare.comparison_report(*read, shown.axis, shown.weight, shown.log_check.isChecked())
            write_atomically(path, report.encode())
        elif (front := self._front()) in (self.results, self.confusion, self.importance):
            with paint_to_file(path, front.size()) as painter:
                painter.fillRect(front.rect(), front.palette().color(front.backgroundRole()))
                front.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
        elif front is self.parallel:
            self.parallel.export(path)
        else:
            title = self.curves.quantity_box.currentText()
            settings = compare.common_settings(self.entries) if self.entries else ""
            self.curves.plot.export(path, f"{title}: {settings}" if settings else title)


def _read(entries: list[RunEntry]) -> Read:
    return entries, [entry.folder.read_history(_ALL_EPOCHS) for entry in entries]


# -- pages ------------------------------------------------------------------------------------------------


class CurvesPage(QWidget):
    """Shows one quantity of several runs over epochs, steps or seconds. `name`: the start of the object names."""

    def __init__(self, name: str, quantity: str = "test_score", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self._rows: list[list[Epoch]] = []
        self._items: list[Any] = []
        tip = self.tr("The quantity of the curves; the accuracy of values is R².")
        self.quantity_box = combo(f"{name}QuantityBox", self.tr("Quantity"), tip, [
            ("train_loss", self.tr("training loss")), ("validation_loss", self.tr("validation loss")),
            ("test_loss", self.tr("test loss")), ("train_score", self.tr("training accuracy")),
            ("test_score", self.tr("test accuracy")),
        ])  # fmt: skip
        self.quantity_box.choose(quantity)
        tip = self.tr("What the curves are drawn over; seconds are those of training.")
        self.axis_box = combo(f"{name}AxisBox", self.tr("Axis"), tip, [
            ("epoch", self.tr("by epoch")), ("step", self.tr("by step")), ("seconds", self.tr("by second")),
        ])  # fmt: skip
        for box in (self.quantity_box, self.axis_box):
            box.setMinimumWidth(120)
            box.currentIndexChanged.connect(self.draw)
        tip = self.tr("Smooth the curves: the weight of the epochs before.")
        title = self.tr("Smoothing")
        self.smoothing = slider(f"{name}Smoothing", title, tip, 0, _SMOOTHING_STEPS, self.draw)
        self.smoothing.setMaximumWidth(110)
        tip = self.tr("A logarithmic axis; for accuracies of the distance from the best value, 1.")
        self.log_check = check(self.tr("Lo&garithmic"), f"{name}Logarithmic", tip, self.draw)
        self.plot = Plot(f"{name}Plot", self.tr("Curves of the selected runs"))
        self.plot.labels = EndLabels(self.plot)
        self.plot.show_horizontal_grid()
        self.plot.plotItem.getAxis("bottom").setStyle(hideOverlappingLabels=False)
        self.plot.setMinimumHeight(110)
        smoothing = labeled(self.tr("Smoot&hing"), self.smoothing)
        row = FlowLayout(self.quantity_box, self.axis_box, self.log_check, smoothing)
        text = self.tr("Select runs with this quantity: here appear their curves, named by what differs.")
        self.nothing = label(text, f"{name}CurvesNothing", "muted")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        parts = row, (self.plot, 1), (self.nothing, 1)
        column(*parts, owner=self).setContentsMargins(0, 4, 0, 0)
        theme().changed.connect(self.draw)

    def show_runs(self, names: list[str], rows: list[list[Epoch]]) -> None:
        self._names = names
        self._rows = rows
        self.draw()

    @property
    def axis(self) -> str:
        return str(self.axis_box.currentData())

    @property
    def weight(self) -> float:
        return self.smoothing.value() / 100

    def draw(self) -> None:
        """Draw the curves. Items of earlier curves are used again: creating them takes most of the time."""
        quantity = str(self.quantity_box.currentData())
        logarithmic = self.log_check.isChecked()
        self.plot.plotItem.setLogMode(y=logarithmic)
        title = self.quantity_box.currentText()
        score = quantity.endswith("score")
        percent = score and any(row.train_score is not None for rows in self._rows for row in rows[:1])
        if score and logarithmic:
            title = self.tr("error") if percent else self.tr("1 − {score}").format(score=title)
        self.plot.set_value_title(f"{title}, %" if percent else title)
        titles = {"epoch": self.tr("epoch"), "step": self.tr("step"), "seconds": self.tr("seconds")}
        self.plot.plotItem.setLabel("bottom", titles[self.axis])
        while len(self._items) < len(self._rows):
            self._items.append(self.plot.plot(skipFiniteCheck=True))
        while len(self._items) > len(self._rows):
            self.plot.plotItem.removeItem(self._items.pop())
        shown = []
        for index, (item, rows) in enumerate(zip(self._items, self._rows, strict=True)):
            x, y = compare.curve(rows, quantity, self.axis)
            y = compare.smoothed(y, self.weight)
            if logarithmic:
                y = 1 - y if score else y
                x = x[y > 0]
                y = y[y > 0]
            item.setData(x, 100 * y if percent else y)
            self._style(item, index, len(rows) == 1)
            if len(x):
                shown.append((item, self._names[index]))
        self.plot.setVisible(bool(shown))
        self.nothing.setVisible(not shown)
        self.fit()
        self._show_labels(shown)

    def _style(self, item: Any, index: int, is_point: bool) -> None:
        color = series_color(self.plot.colors, index)
        line = _LINES[index // len(self.plot.colors.series) % len(_LINES)]
        item.setPen(pg.mkPen(color, width=theme().line(), style=line))
        item.setSymbol("o" if is_point else None)
        item.setSymbolSize(7)
        item.setSymbolBrush(pg.mkBrush(color))

    def _show_labels(self, shown: list[tuple[Any, str]]) -> None:
        """Name the curves at their ends, as many as there is room for."""
        most = max((self.plot.height() - theme().px(_AXIS_HEIGHT)) // self.plot.fontMetrics().height(), 2)
        names = [name for _, name in shown]
        if len(shown) > most:
            names[most - 1] = self.tr("and {n} more").format(n=len(shown) - most + 1)
        labels = []
        for (item, _), name in zip(shown[:most], names, strict=False):
            x, y = item.getOriginalDataset()
            end = float(np.log10(y[-1]) if self.log_check.isChecked() else y[-1])
            labels.append(EndLabel(name, item.opts["pen"], float(x[-1]), end))
        self.plot.labels.show_labels(labels)

    def fit(self) -> None:
        """Show all curves; the axis ends at the last epoch, and a loss of a few epochs does not rule it."""
        drawn = [(x, y) for x, y in (item.getData() for item in self._items) if x is not None and len(x)]
        if not drawn:
            return
        xs, ys = (np.concatenate(each) for each in zip(*drawn, strict=True))
        low = float(ys.min())
        high = float(ys.max())
        is_score = str(self.quantity_box.currentData()).endswith("score")
        if not is_score and not self.log_check.isChecked():
            high = min(high, max(MOST_TIMES * float(np.percentile(ys, MOST)), low))
        height = (high - low) or abs(high) or 1.0
        margin = 0.05 * height
        first = float(xs.min())
        last = float(xs.max())
        space = 0.01 * (last - first) or 0.5
        levels = [(epoch_step(last - first), 0)] if self.axis == "epoch" else None
        self.plot.plotItem.getAxis("bottom").setTickSpacing(levels=levels)
        x_range = (first - space, last + space)
        y_range = (low - margin, high + margin)
        self.plot.setRange(xRange=x_range, yRange=y_range, padding=0)


class ResultsPage(RecordTable):
    """A column for each run, a row for each result and each setting in which the runs differ."""

    def __init__(self, name: str) -> None:
        # A record is the heading of a row and its texts, one for each run.
        self._model = RecordModel((), row_heading=lambda record: record[0])
        super().__init__(self._model, f"{name.rstrip('s')}Results", self.tr("Results of the selected runs"))
        self.setToolTip(self.tr("The results of the selected runs, and the settings in which they differ."))
        self.verticalHeader().show()
        self.horizontalHeader().setMaximumSectionSize(220)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)

    def show_runs(self, entries: Sequence[RunEntry], names: Sequence[str]) -> None:
        tr = self.tr
        titles = {
            "state": tr("State"), "epochs_done": tr("Epochs"), "best_epoch": tr("Best epoch"),
            "best_score": tr("Best test accuracy"), "test_score": tr("Last test accuracy"),
            "test_loss": tr("Test loss"), "train_loss": tr("Training loss"),
            "validation_loss": tr("Validation loss"), "seconds": tr("Time of training"),
        }  # fmt: skip
        records = [(title, [_text(entry, name) for entry in entries]) for name, title in titles.items()]
        for name in differing(entries):
            texts = [value_text(name, entry.value_of(name)) for entry in entries]
            records.append((setting_title(name), texts))

        def column(index: int, name: str) -> Column[tuple[str, list[str]]]:
            return Column(name, name, lambda record: record[1][index], is_number=True)

        self._model.show_records(records if entries else [], [column(*each) for each in enumerate(names)])


def _text(entry: RunEntry, name: str) -> str:
    value = entry.results()[name]
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
        self._entries: Sequence[RunEntry] = ()
        self._names: Sequence[str] = ()
        self._classes: tuple[str, ...] = ()
        self._due = False
        self.difference = np.zeros((0, 0), int)
        start = "c" if name == "runs" else f"{name}C"
        self.message = label("", f"{start}onfusionDifferenceText")
        # A record is the number of a true class.
        self.model = RecordModel((), self, row_heading=lambda row: self._classes[row])
        title = self.tr("Difference of the confusion matrices")
        self.table = RecordTable(self.model, f"{start}onfusionDifference", title)
        tip = self.tr("Rows: true classes. Columns: what was read. Images more (+) or fewer (−).")
        self.table.setToolTip(tip)
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
        self._entries = entries[:2]
        self._names = names[:2]
        self._due = len(entries) >= 2
        self.table.setVisible(False)
        self.message.setText(self.tr("Select two runs: here appears what the second one reads differently."))
        self._compute()

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self._compute()

    def _compute(self) -> None:
        if self._due and self.isVisible():
            self._due = False
            self.message.setText(self.tr("Reading the test images with both networks…"))
            task = partial(_difference, self._entries, self._dataset_cache)
            self._runner.cancel(discard=True)
            self._runner.start_latest(single_record(task))

    def _on_records(self, records: list[tuple[tuple[str, ...], np.ndarray]]) -> None:
        self._classes, self.difference = records[-1]
        columns = [self._class_column(*each) for each in enumerate(self._classes)]
        self.model.show_records(range(len(self._classes)), columns)
        self.table.setVisible(True)
        right = int(np.trace(self.difference))
        (first, second) = self._names
        text = self.tr("“{second}” less “{first}”: {n} images more are read right.")
        if right < 0:
            text = self.tr("“{second}” less “{first}”: {n} images fewer are read right.")
        text = text.format(first=first, second=second, n=abs(right))
        self.message.setText(f"{text} {self.tr('Orange: worse; blue: better.')}")

    def _class_column(self, column: int, name: str) -> Column[int]:
        def text(row: int) -> str:
            images = self.difference[row, column]
            if not images:
                return ""
            return f"+{count(images)}" if images > 0 else count(images)

        center = Qt.AlignmentFlag.AlignCenter
        color = partial(self._color, column=column)
        roles: dict[int, Any] = {Role.BackgroundRole: color, Role.TextAlignmentRole: lambda row: center}
        return Column(name, name, text, roles=roles)

    def _color(self, row: int, column: int) -> QColor:
        images = int(self.difference[row, column])
        colors = theme().colors
        largest = max(int(np.abs(self.difference).max()), 1)
        better = (images > 0) == (row == column)
        strong = QColor(colors.train if better else colors.test)
        return blend(QColor(colors.base), strong, _STRONGEST * (abs(images) / largest) ** 0.5)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.message.setText(failure.text)


def _difference(
    entries: Sequence[RunEntry], dataset_cache: DatasetCache, control: TaskControl
) -> tuple[tuple[str, ...], np.ndarray]:
    """The classes, and the confusion matrix of the second run less that of the first."""
    from core.inference.model_file import check_fits, load_model
    from core.inference.scores import score_classes

    if len({entry.info.plan.data for entry in entries}) > 1:
        raise InputError("These runs learned from different data: select two runs on the same data.")
    dataset = dataset_cache.get(entries[0].info.plan.data, control.progress)
    matrices = []
    for entry in entries:
        model = load_model(entry.folder.model_path)
        check_fits(model, dataset)
        if dataset.kind != "classes":
            template = "These runs predict values: only runs that read classes have a confusion matrix."
            raise InputError(template)
        matrices.append(score_classes(model, dataset.test, control.check).counts(len(dataset.classes)))
    return dataset.classes, matrices[1] - matrices[0]


class ImportancePage(QWidget):
    """A bar for each setting that a study varies."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.table = BarTable(
            f"{name}Importance", self.tr("Importance of the settings"),
            ((self.tr("Setting"), ""), (self.tr("Importance"), "")),
        )  # fmt: skip
        tip = self.tr(
            "How much of the differences of the validation loss each setting, or two together, explains."
        )
        self.table.setToolTip(tip)
        self.message = note(name=f"{name}ImportanceNote")
        column(self.message, self.table, None, owner=self)
        self.show_importance(None)

    def show_importance(self, importance: Importance | None) -> None:
        """Show the settings and pairs of settings, the most important one first."""
        self.table.setVisible(importance is not None)
        rows = []
        for names, share, error in importance.ordered() if importance else []:
            title = self.tr(" with ").join(map(setting_title, names))
            text = percent(share, 0) + (f" ± {percent(error, 0)}" if error else "")
            rows.append(BarRow((title, text), share))
        self.table.show_rows(rows)
        if importance is None:
            text = self.tr(
                "The importance is shown when all combinations of a grid, or {n} runs, are complete, with different "
                "results that the settings explain."
            ).format(n=FOREST_RUNS)
        elif importance.is_exact:
            text = self.tr(
                "An analysis of the variance of all {n} combinations; another seed gives other shares."
            )
            text = text.format(n=importance.runs)
        else:
            text = self.tr("Estimated from {n} runs by a forest that predicts {share} of what it did not see; ± is the "
                           "standard error.")  # fmt: skip
            text = text.format(n=importance.runs, share=percent(importance.explained, 0))
        set_message(self.message, text)
