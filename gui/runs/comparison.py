"""The lower part of the Runs tab: the selected runs compared by curves, results and confusion matrices."""

from collections.abc import Generator
from pathlib import Path

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from core.data.dataset_cache import DatasetCache
from core.files.atomic import write_atomically
from core.runs.comparison import curves_csv, legends, results_csv
from core.runs.library import RunEntry
from core.runs.report import comparison_report
from core.runs.summary import Row
from gui.background.task_runner import Task, TaskControl, TaskRunner
from gui.runs.confusion_page import ConfusionPage
from gui.runs.results_page import ResultsPage
from gui.widgets.basics import named
from gui.widgets.colors import Colors
from gui.widgets.page_chooser import PageChooser
from gui.widgets.plots.curves_page import CurvesPage


class Comparison(QWidget):
    """Reads the histories of the selected runs in the background. `shown` is emitted when they are drawn."""

    shown = Signal()
    export_asked = Signal()

    def __init__(self, dataset_cache: DatasetCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: list[RunEntry] = []
        self._histories: list[list[Row]] = []
        self.curves = CurvesPage("runs")
        self.results = ResultsPage()
        self.confusion = ConfusionPage(dataset_cache)
        self.chooser = PageChooser("runsPages", self.tr("Comparison of runs"))
        self.chooser.add_page(self.tr("Curves"), self.tr("The curves of the selected runs in one plot."))
        self.chooser.add_page(self.tr("Results"), self.tr("The results of the selected runs side by side."))
        self.chooser.add_page(
            self.tr("Confusion"), self.tr("What the second selected run reads differently.")
        )
        self.export_button = named(QPushButton(self.tr("E&xport…")), "runsExport")
        self.export_button.setToolTip(
            self.tr("Save the plot as PNG or SVG, tables as CSV, or all of it as one HTML report.")
        )
        self.export_button.clicked.connect(self.export_asked)
        self._stack = QStackedWidget()
        for page in (self.curves, self.results, self.confusion):
            self._stack.addWidget(page)
        self.chooser.currentChanged.connect(self._stack.setCurrentIndex)
        row = QHBoxLayout()
        row.addWidget(self.chooser, 1)
        row.addWidget(self.export_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addLayout(row)
        column.addWidget(self._stack, 1)
        self._runner = TaskRunner(self)
        self._runner.records.connect(self._on_records)
        self.show_runs([])

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 90)

    def show_runs(self, entries: list[RunEntry]) -> None:
        """Compare these runs; nothing is read where they are shown as they are on the disk."""
        if entries == self.entries and entries:
            return
        self.entries = entries
        self.export_button.setEnabled(bool(entries))
        names = legends(entries)
        self.results.show_runs(entries, names)
        self.confusion.show_runs(entries, names)
        self._runner.cancel(discard=True)
        self._runner.start_latest(_read_task(entries))

    def apply_theme(self, colors: Colors) -> None:
        self.curves.apply_theme(colors)
        self.confusion.apply_theme(colors)

    def close_background(self) -> None:
        self._runner.close()
        self.confusion.close_background()

    def export_to(self, path: Path) -> None:
        """Write what the suffix says: the plot (.png, .svg), a table (.csv) or a report (.html). Raises InputError."""
        suffix = path.suffix.lower()
        if suffix in (".png", ".svg"):
            self.curves.plot.export(path)
        elif suffix == ".csv":
            curves = path.stem.endswith("-curves")
            text = curves_csv(self.entries, self._histories) if curves else results_csv(self.entries)
            write_atomically(path, text.encode())
        else:
            page = self.curves
            report = comparison_report(
                self.entries, self._histories, axis=page.axis, smoothing=page.weight,
                logarithmic=page.log_check.isChecked(),
            )  # fmt: skip
            write_atomically(path, report.encode())

    def _on_records(self, records: list[tuple[list[RunEntry], list[list[Row]]]]) -> None:
        entries, histories = records[-1]
        if entries == self.entries:
            self._histories = histories
            self.curves.show_runs(legends(entries), histories)
            self.shown.emit()


def _read_task(entries: list[RunEntry]) -> Task:
    def read(control: TaskControl) -> Generator[tuple[list[RunEntry], list[list[Row]]]]:
        yield entries, [entry.folder.read_history(1 << 31) for entry in entries]

    return read
