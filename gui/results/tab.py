"""The results tab shows what the newest network makes of the test split: a page for each kind of data."""

import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.inference.compatibility import fits
from core.inference.model_file import Model
from core.inference.run_context import RunContext
from gui.background.failure import Failure, failure_of
from gui.background.task_runner import Task, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.results.export import new_folder
from gui.widgets.banner import Banner
from gui.widgets.basics import insert_in_tab_order, named
from gui.widgets.colours import Colours

if TYPE_CHECKING:
    from gui.results.classification_page import ClassesPage
    from gui.results.regression_page import RegressionPage

    Page = ClassesPage | RegressionPage


class ResultsTab(QWidget):
    """Computes only while it is seen, and in a thread; `close_background` ends that."""

    open_image = Signal(str)  # a file with a picture for the canvas

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resultsTab")
        self.summary = named(QLabel(), "resultsSummary")
        self.summary.setWordWrap(True)
        self.nothing = named(QLabel(self._empty_text()), "resultsNothing")
        self.nothing.setProperty("role", "muted")
        self.nothing.setWordWrap(True)
        self.nothing.setMargin(24)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.before: QWidget | None = None  # what has the focus before the pages, which are made later
        self._pages: dict[str, Page] = {}
        self._page: Page | None = None
        self._newest: Model | None = None
        self._export_due = False  # it was asked for before there was an answer
        self._asked: Model | None = None
        # An opened model that waits for the data to be read that it is tested on.
        self._opened: Model | None = None
        self._read: Task | None = None
        self._training = False
        self._due = False
        self._asked_at = 0.0
        self._colours: Colours | None = None
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(self._on_records)
        self._runner.ended.connect(self._on_ended)
        self.export_button = named(QPushButton(self.tr("E&xport…")), "resultsExport")
        tip = self.tr("Save the numbers as CSV and what is seen here as PNG.")
        key = self.export_button.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.export_button.setToolTip(f"{tip} ({key})" if key else tip)
        self.export_button.clicked.connect(self.export)
        self.export_button.setEnabled(False)
        self.banner = Banner()
        self._filled = QWidget()
        column = QVBoxLayout(self._filled)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(6)
        row = QHBoxLayout()
        row.addWidget(self.summary, 1)
        row.addWidget(self.export_button, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        column.addWidget(self.banner)
        self._column = column
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.nothing)
        self._stack.addWidget(self._filled)

    def begin(self, context: RunContext) -> None:
        """A new run has its data and its network."""
        self._start_over()
        self._training = True
        self._turn_to(context.dataset)

    def show_model(self, model: Model, dataset_cache: DatasetCache, source: str) -> None:
        """A model that was opened: tested on the data set `source`, if it fits that; empty: there is none."""
        self._start_over()
        dataset = dataset_cache.at_hand(source)
        if source and dataset is None:
            self._page = None
            self._opened, self._read = model, _reading(dataset_cache, source)
            self._say_instead(self.tr("The data to test this model on are being read…"))
            self._ask()
        else:
            self._test(model, dataset)

    def _test(self, model: Model, dataset: Dataset | None) -> None:
        if dataset is not None and fits(model, dataset):
            self._turn_to(dataset)
            self._newest, self._due = model, True
            self._ask()
        else:
            self._page = None
            self._say_instead(
                self.tr(
                    "This model does not fit the chosen data: choose the data it learnt from, and open it again "
                    "to see what it makes of their test split."
                )
            )

    def _say_instead(self, text: str) -> None:
        self.nothing.setText(text)
        self._stack.setCurrentWidget(self.nothing)

    def show_snapshot(self, model: Model, epoch_ended: bool) -> None:
        """Show the results of the run's newest parameters, when it is time."""
        if not self._training or self._page is None:
            return
        self._newest = model
        self._due = self._due or epoch_ended or not self._page.at_epochs_only
        self.ask_if_due()

    def ask_if_due(self) -> None:
        """Compute the newest results, unless the last computation began too short a time ago."""
        if self._page and 1000 * (time.monotonic() - self._asked_at) >= self._page.pause:
            self._ask()

    def rest(self) -> None:
        """The run has ended: show the results of its last parameters."""
        self._due = self._newest is not self._asked
        self._ask()

    def apply_theme(self, colours: Colours) -> None:
        self._colours = colours
        for page in self._pages.values():
            page.apply_theme(colours)

    def close_background(self) -> None:
        self._runner.close()

    def export(self) -> None:
        """Ask for a place, and write what is seen into a new folder there."""
        if self._page is None or not self._page.answered:
            # What a run has just brought is still being computed.
            self._export_due = self._page is not None
            return
        preferences = Preferences()
        chosen = QFileDialog.getExistingDirectory(
            self, self.tr("Where to put a folder of the results"), preferences.folder()
        )
        if chosen:
            self._export_to(new_folder(Path(chosen)), self._page)
            preferences.keep_folder(Path(chosen) / "any")

    def _export_to(self, folder: Path, page: "Page") -> None:
        try:
            written = page.export(folder)
        except (InputError, OSError) as error:
            self.banner.show_text(failure_of(error).text, "bad")
            return
        names = ", ".join(path.name for path in written)
        text = self.tr("Written to {folder}: {files}.").format(folder=folder, files=names)
        self.banner.show_text(text, "good")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    def _start_over(self) -> None:
        self._export_due = self._training = False
        self._newest = self._asked = self._opened = self._read = None
        self._due = False
        self.banner.hide()
        self._runner.cancel(discard=True)

    def _ask(self) -> None:
        if self._read is not None and self.isVisible():
            read, self._read = self._read, None
            self._runner.start_latest(read)
        if self._due and self._newest is not None and self._page is not None and self.isVisible():
            self._due = False
            self._asked, self._asked_at = self._newest, time.monotonic()
            self._runner.start_latest(self._page.task(self._newest))

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.summary.setText(failure.text)
            if self._page is None:
                self._say_instead(failure.text)

    def _on_records(self, records: list[Any]) -> None:
        (answer,) = records
        if isinstance(answer, Dataset) and self._opened is not None:
            self._test(self._opened, answer)
        elif self._page is not None:
            text = self._page.show_answer(answer)
            self.summary.setText(text)
            self.export_button.setEnabled(self._page.answered)
            if self._export_due and self._page.answered:
                self._export_due = False
                QTimer.singleShot(0, self, self.export)
            self._page.setAccessibleDescription(text)

    def _turn_to(self, dataset: Dataset) -> None:
        """Show the page for this data set, made when it is first needed."""
        page = self._pages.get(dataset.kind)
        if page is None:
            page = self._pages[dataset.kind] = self._make_page(dataset.kind)
            self._column.addWidget(page, 1)
            if self.before:
                insert_in_tab_order(self.before, self._filled)
                insert_in_tab_order(self.before, page)
        for other in self._pages.values():
            other.setVisible(other is page)
        page.begin(dataset)
        if self._colours:
            page.apply_theme(self._colours)
        self._page = page
        self.export_button.setEnabled(False)
        self.summary.setText(self.tr("The first results come in a moment…"))
        self._stack.setCurrentWidget(self._filled)

    def _make_page(self, kind: str) -> "Page":
        if kind == "regression":
            from gui.results.regression_page import RegressionPage

            return RegressionPage()
        from gui.results.classification_page import ClassesPage

        page = ClassesPage()
        page.open_image.connect(self.open_image)
        return page

    def _empty_text(self) -> str:
        return self.tr(
            "Once a network has been trained, here stands what it makes of the test set: which digits it "
            "confuses and the images it reads worst, or for regression its predictions against the truth."
        )


def _reading(dataset_cache: DatasetCache, source: str) -> Task:
    def read(control: TaskControl) -> Generator[Dataset]:
        yield dataset_cache.get(source, control.progress)

    return read
