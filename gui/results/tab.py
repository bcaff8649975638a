"""The Results tab: scores of the newest parameters on the test split, on a page for each kind of
data.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.inference.model_file import Model, fits
from core.runs.plan import RunContext
from core.training.records import Record
from gui.background.history import RunHistory
from gui.background.task_runner import Failure, Task, TaskRunner, call_each, single_record
from gui.widgets import make
from gui.widgets.basics import insert_in_tab_order, named
from gui.widgets.tab import PageChooser, Tab

if TYPE_CHECKING:
    from gui.results.classification_page import ClassesPage
    from gui.results.health_page import HealthPage
    from gui.results.regression_page import RegressionPage

    Page = ClassesPage | RegressionPage


class ResultsTab(Tab):
    """Computes the scores in a background thread, and only while the tab is visible."""

    open_image = Signal(str)  # path of a picture to put on the canvas
    export_asked = Signal()  # there are results to share

    def __init__(self, history: RunHistory) -> None:
        super().__init__()
        named(self, "resultsTab")
        self.history = history
        self.summary = make.label(name="resultsSummary")
        text = self.tr(
            "Results on the test set appear here once a network has been trained: which digits it "
            "confuses and the images it reads worst, or for regression its predictions against "
            "the actual values."
        )
        self.nothing = make.label(text, "resultsNothing", "muted")
        self.nothing.setMargin(24)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.previous_in_tab_order: QWidget | None = None  # precedes the pages in the tab order
        self._pages: dict[str, Page] = {}
        self.page: Page | None = None
        self._dataset: Dataset | None = None  # of the page
        self._newest: Model | None = None
        self._scored: Model | None = None  # the model of the last computation
        # An opened model whose test data are still being read, and the task that reads them until
        # it is started.
        self._read: Task | None = None
        self._training = self._due = False
        self._started_at = 0.0
        self._runner = TaskRunner(self, call_each, self._on_ended, low_priority=True)
        tip = self.tr("Share the results: the numbers as CSV and what is seen here as PNG.")
        self.export_button = make.button(
            self.tr("Sh&are…"), "resultsExport", tip, self.export_asked
        )
        # With the shortcut of the text, which systems without mnemonics have not.
        key = self.export_button.shortcut().toString()
        self.export_button.setToolTip(make.tip_with_key(tip, key))
        self.export_button.setEnabled(False)
        self._content = QWidget()
        self._content.setContentsMargins(0, 4, 0, 0)
        row = make.row((self.summary, 1), self.export_button)
        row.setAlignment(self.export_button, Qt.AlignmentFlag.AlignTop)
        self.chooser = PageChooser("resultsChooser", self.tr("What is shown of the results"))
        self.chooser.add_page(self.tr("Test"), self.tr("What the network reads right and wrong."))
        tip = self.tr("Whether all parts of the network can learn.")
        self.chooser.add_page(self.tr("Could it learn?"), tip)
        self.chooser.currentChanged.connect(self._choose_page)
        self.health: HealthPage | None = None  # made at its first use
        head = make.row(self.chooser, None)
        self._column = make.column(head, row, owner=self._content, spacing=6)
        self._stack = QStackedLayout(self)
        for part in (self.nothing, self._content):
            self._stack.addWidget(part)

    def title(self) -> str:
        return self.tr("Results")

    def start_run(self, context: RunContext) -> None:
        self._reset()
        self._training = True
        self.history.start_run(context)
        self._show_page(context.dataset)

    def add_records(self, records: list[Record]) -> None:
        self.history.add_records(records)

    def show_model(self, model: Model, dataset_cache: DatasetCache, source: str) -> None:
        """Score an opened model on the data set `source`, if it fits; an empty `source` stands for
        no data.
        """
        self._reset()
        # Data in memory are used at once: otherwise “are being read” would flash up.
        dataset = dataset_cache.get_if_loaded(source)
        if source and dataset is None:
            self._read = single_record(
                lambda control: partial(
                    self._test, model, dataset_cache.get(source, control.progress)
                )
            )
            self._show_instead(self.tr("The data to test this model on are being read…"))
            self._compute()
        else:
            self._test(model, dataset)

    def _test(self, model: Model, dataset: Dataset | None) -> None:
        if dataset is not None and fits(model, dataset):
            self._show_page(dataset)
            self._newest = model
            self._show_health()
            self._due = True
            self._compute()
        else:
            self._show_instead(
                self.tr(
                    "This model does not fit the chosen data: choose the data it learned from, "
                    "and open it again to see its results on their test split."
                )
            )

    def _choose_page(self) -> None:
        """Show the scores, or whether the network could learn."""
        shows_health = self.chooser.currentIndex() == 1
        if self.health is None:
            from gui.results.health_page import HealthPage

            self.health = HealthPage(self.history)
            self._column.addWidget(self.health, 1)
        for page in self._pages.values():
            page.setVisible(page is self.page and not shows_health)
        self.summary.setHidden(shows_health)
        self.health.setVisible(shows_health)
        self._show_health()

    def _show_health(self) -> None:
        if self.health is not None and self._newest is not None and self._dataset is not None:
            self.health.show_model(self._newest, self._dataset)

    def _show_instead(self, text: str) -> None:
        self.page = None
        self.nothing.setText(text)
        self._stack.setCurrentWidget(self.nothing)

    def show_snapshot(self, model: Model, epoch_ended: bool) -> None:
        """Score the newest parameters of the run: at the end of an epoch, or at intervals if the
        page supports that.
        """
        if not self._training or self.page is None:
            return
        self._newest = model
        self._show_health()
        self._due = self._due or epoch_ended or not self.page.only_at_epoch_ends
        self.update_if_due()

    def show_moment(self, model: Model) -> None:
        """Score other parameters of the network that is shown, as in the replay of its run."""
        if self.page is not None and self._newest is not None and model.computes_like(self._newest):
            self._newest = model
            self._show_health()
            self._due = True
            self._compute()

    def update_if_due(self) -> None:
        """Score the newest parameters, unless the last computation started too recently."""
        if (
            self.page
            and 1000 * (time.monotonic() - self._started_at) >= self.page.interval_milliseconds
        ):
            self._compute()

    def end_run(self) -> None:
        """The run has ended: score its last parameters."""
        self.history.end_run()
        # The last snapshot may have been scored already.
        self._due = self._newest is not self._scored
        self._compute()

    def remember(self) -> Callable[[], None]:
        """A function that shows again the results that are shown now."""
        model = self._newest
        dataset = self._dataset
        text = self.nothing.text()
        put_history_back = self.history.remember()

        def put_back() -> None:
            put_history_back()
            if self._newest is model:
                return
            self._reset()
            if model is not None and dataset is not None:
                self._test(model, dataset)
            else:
                self._show_instead(text)

        return put_back

    def no_results(self) -> str:
        """Why there is nothing to write; empty where there is."""
        if self.page is not None and self.page.scores is not None:
            return ""
        return self.tr("Open the tab Results first: they are computed there.")

    def write(self, folder: Path) -> None:
        """Write the results into this new folder."""
        assert self.page is not None
        self.page.export(folder)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._compute()

    def _reset(self) -> None:
        self._training = self._due = False
        self._newest = self._scored = self._read = None
        self._runner.cancel(discard=True)

    def _compute(self) -> None:
        if self._read is not None and self.isVisible():
            read = self._read
            self._read = None
            self._runner.start_latest(read)
        if self._due and self._newest is not None and self.page is not None and self.isVisible():
            self._due = False
            self._scored = self._newest
            self._started_at = time.monotonic()
            scoring = self.page.scoring(self._newest)
            self._runner.start_latest(
                single_record(lambda control: partial(self._show_scores, scoring(control)))
            )

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.summary.setText(failure.text)
            if self.page is None:
                self._show_instead(failure.text)

    def _show_scores(self, show: Callable[[], str]) -> None:
        """Show scores in the page by `show`, which returns a summary."""
        if self.page is None:
            return
        self._stack.setCurrentWidget(self._content)
        text = show()
        self.summary.setText(text)
        self.export_button.setEnabled(self.page.scores is not None)
        self.page.setAccessibleDescription(text)

    def _show_page(self, dataset: Dataset) -> None:
        """Show the page for the data set's kind; it is created at its first use."""
        page = self._pages.get(dataset.kind)
        if page is None:
            from gui.results.classification_page import ClassesPage
            from gui.results.regression_page import RegressionPage

            if dataset.kind == "regression":
                page = RegressionPage()
            else:
                classes = ClassesPage()
                classes.open_image.connect(self.open_image)
                page = classes
            self._pages[dataset.kind] = page
            self._column.addWidget(page, 1)
            if self.previous_in_tab_order:
                insert_in_tab_order(self.previous_in_tab_order, self._content)
                insert_in_tab_order(self.previous_in_tab_order, page)
        shows_health = self.chooser.currentIndex() == 1
        for other in self._pages.values():
            other.setVisible(other is page and not shows_health)
        page.set_dataset(dataset)
        self._dataset = dataset
        self.export_button.setEnabled(False)
        # An empty matrix would say that nothing is confused: the page comes with its first results.
        self.summary.clear()
        self._show_instead(self.tr("Computing the first results…"))
        self.page = page
