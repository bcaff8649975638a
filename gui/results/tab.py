"""The results tab shows what the newest network makes of the test split: a page for each kind of data."""

from functools import partial
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING

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
from core.progress import unless_cancelled
from core.training.records import EpochDone, Finished, Record
from gui.background.failure import Failure, failure_of
from gui.background.latest_task import LatestTask, Question
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
        self._learning: RunContext | None = None
        self._newest: Model | None = None
        self._export_due = False  # it was asked for before there was an answer
        self._asked: Model | None = None
        # An opened model that waits for the data to be read that it is tested on.
        self._opened: Model | None = None
        self._read: Question | None = None
        self._due = False
        self._colours: Colours | None = None
        self._scoring = LatestTask(self)
        self._scoring.answered.connect(self._on_answer)
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

    def begin(self, learning: RunContext) -> None:
        """A new run has its data and its network."""
        self._start_over(learning)
        self._turn_to(learning.dataset)

    def show_model(self, model: Model, dataset_cache: DatasetCache, source: str) -> None:
        """A model that was opened: tested on the data set `source`, if it fits that; empty: there is none."""
        self._start_over(None)
        dataset = dataset_cache.at_hand(source)
        if source and dataset is None:
            self._page = None
            self._opened, self._read = model, partial(_read, dataset_cache, source)
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

    def take(self, records: list[Record]) -> None:
        """Keep the newest parameters among the records, and show what they give when it is time."""
        if self._learning is None or self._page is None:
            return
        for record in reversed(records):
            if record.checkpoint is not None:
                score = record.test_score if isinstance(record, EpochDone | Finished) else None
                self._newest = self._learning.model(record.checkpoint.parameters, score)
                ends = any(isinstance(record, EpochDone | Finished) for record in records)
                self._due = self._due or ends or not self._page.at_epochs_only
                break
        self._ask()

    def rest(self) -> None:
        """The run has ended, be it in the middle of an epoch: show what it learnt last."""
        self._due = self._newest is not self._asked
        self._ask()

    def apply_theme(self, colours: Colours) -> None:
        self._colours = colours
        for page in self._pages.values():
            page.apply_theme(colours)

    def close_background(self) -> None:
        self._scoring.close()

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

    def _start_over(self, learning: RunContext | None) -> None:
        self._export_due = False
        self._learning = learning
        self._newest = self._asked = self._opened = self._read = None
        self._due = False
        self.banner.hide()
        self._scoring.forget()

    def _ask(self) -> None:
        if self._read is not None and self.isVisible():
            read, self._read = self._read, None
            self._scoring.ask(read, 0)
        if self._due and self._newest is not None and self._page is not None and self.isVisible():
            self._due = False
            self._asked = self._newest
            self._scoring.ask(self._page.question(self._newest), self._page.pause)

    def _on_answer(self, answer: object) -> None:
        if isinstance(answer, Dataset) and self._opened is not None:
            self._test(self._opened, answer)
        elif isinstance(answer, Failure):
            self.summary.setText(answer.text)
            if self._page is None:
                self._say_instead(answer.text)
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


def _read(dataset_cache: DatasetCache, source: str, cancelled: Flag) -> Dataset:
    return dataset_cache.get(source, unless_cancelled(cancelled, lambda done, total: None))
