"""The Inside tab: what happens inside of a network, for the drawing or an example of the test split."""

import time
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.inference.compatibility import fits, reads_drawings
from core.inference.model_file import Model
from core.inspection.kept_parameters import KeptParameters
from core.runs.plan import RunContext
from core.training.records import EpochDone, Finished, Record
from gui.background.failure import Failure
from gui.background.task_runner import TaskControl, TaskRunner
from gui.inside.input_bar import InputBar
from gui.inside.page import Computation, InspectedInput, Page
from gui.inside.worker import InspectionWorker
from gui.widgets.basics import insert_in_tab_order, named, with_role
from gui.widgets.page_chooser import PageChooser
from gui.widgets.tab import Tab


class InsideTab(Tab):
    """Computes in background threads, and only while it is visible. Its pages are created after the start.

    source: returns the name of the chosen data set, or an empty text.
    """

    def __init__(self, dataset_cache: DatasetCache, source: Callable[[], str]) -> None:
        super().__init__()
        self.setObjectName("insideTab")
        self._dataset_cache, self._source = dataset_cache, source
        self._model: Model | None = None
        self._run_dataset: Dataset | None = None
        self._run_settings: dict[str, Any] = {}
        self._kept = KeptParameters()
        self._training = self._diverged = False
        self._failed_source = ""
        self._shown_at = 0.0
        self.pages: tuple[Page, ...] = ()
        self.chooser = PageChooser("insideChooser", self.tr("What to look at"), scrolls=True)
        self.input = InputBar()
        self.explanation = with_role(named(QLabel(), "insideExplanation"), "muted")
        self.explanation.setWordWrap(True)
        self.message = named(QLabel(), "insideMessage")
        self.message.setWordWrap(True)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setMargin(24)
        self.stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(6)
        for widget in (self.chooser, self.input, self.explanation):
            column.addWidget(widget)
        column.addWidget(self.message, 1)
        column.addWidget(self.stack, 1)
        self._live = InspectionWorker(self)
        self._slow = InspectionWorker(self, low_priority=True)
        self._live.finished.connect(self._on_result)
        self._slow.finished.connect(lambda page, subject, result: page.show_slow(result))
        for worker in (self._live, self._slow):
            worker.failed.connect(self._show_failure)
        self._reader = TaskRunner(self, low_priority=True)
        self._reader.records.connect(self._on_dataset_read)
        self._reader.ended.connect(self._on_read_ended)
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self.update_view)
        self.chooser.currentChanged.connect(self._show_page)
        self.input.changed.connect(self.update_view)

    def title(self) -> str:
        return self.tr("Inside")

    # -- called by the window -----------------------------------------------------------------------------

    def start_run(self, context: RunContext) -> None:
        self._run_dataset = context.dataset
        self._run_settings = context.settings.as_dict()
        self._kept = KeptParameters()
        self._training, self._diverged = True, False

    def end_run(self) -> None:
        self._training = False

    def add_records(self, records: list[Record]) -> None:
        for record in records:
            if isinstance(record, EpochDone):
                self._kept.add(record.epoch, record.checkpoint.parameters)
            elif isinstance(record, Finished):
                self._diverged = record.reason == "diverged"

    def show_snapshot(self, model: Model, epoch_ended: bool) -> None:
        """A network that reads drawings comes by `show_model`, unless the user lets another one read them."""
        if not reads_drawings(model.kind, model.network.input_shape):
            self.show_model(model)

    def show_model(self, model: Model) -> None:
        """Show this model from now on.

        A model that differs from the last one in its parameters alone, as while a network learns, is shown
        `Page.snapshot_milliseconds` after it at the earliest.
        """
        if model is self._model:
            return
        is_snapshot = self._model is not None and model.computes_like(self._model)
        if not is_snapshot:
            self._slow.cancel()
        self._model = model
        self.input.set_model(model)
        interval = self.page.snapshot_milliseconds if self.page else 0
        wait = interval - 1000 * (time.monotonic() - self._shown_at)
        if not is_snapshot:
            self.update_view()
        elif not self._later.isActive():
            self._later.start(max(round(wait), 0))

    def show_drawing(self, image: np.ndarray | None) -> None:
        """`image`: uint8 (28, 28), what the network sees of the drawing; None for an empty canvas."""
        self.input.set_drawing(image)

    def close_background(self) -> None:
        self._later.stop()
        self._live.close()
        self._slow.close()
        self._reader.close()

    @property
    def busy(self) -> bool:
        """Whether data are being read, or something is being computed."""
        return self._reader.busy or self._live.busy or self._slow.busy

    # -- the view -----------------------------------------------------------------------------------------

    @property
    def page(self) -> Page | None:
        """The page in front."""
        return self.pages[self.chooser.currentIndex()] if self.pages else None

    def subject(self) -> InspectedInput | None:
        """What is shown; None without a model."""
        if self._model is None:
            return None
        values, answer = self.input.input()
        if self._model.run != self._run_settings:
            return InspectedInput(self._model, values, answer, self._dataset())
        return InspectedInput(
            self._model, values, answer, self._dataset(), self._kept.epochs,
            training=self._training, diverged=self._diverged,
        )  # fmt: skip

    def update_view(self) -> None:
        """Compute what the page in front shows, if the tab is visible."""
        page = self.page
        if page is None or not self.isVisible():
            return
        self._later.stop()
        self.input.set_dataset(self._dataset())
        subject = self.subject()
        if subject is not None:
            self.input.show_answer(subject.model)
        reason = self._missing(page, subject)
        if reason or subject is None:
            self._live.cancel()
            self._show_message(reason)
            return
        if subject.dataset is None and page.wants_dataset:
            self._read_dataset()
        self._shown_at = time.monotonic()
        self._live.start_latest(page, subject, page.computation(subject))

    def _missing(self, page: Page, subject: InspectedInput | None) -> str:
        """Why the page can show nothing now, or an empty text."""
        if subject is None:
            return self.tr("No network has learned yet: train one, or open a model.")
        if page.needs_image and (
            subject.model.kind != "classes" or len(subject.model.network.input_shape) != 3
        ):
            return self.tr("This view is for networks that classify images.")
        if subject.dataset is None and (page.needs_dataset or self.input.wants_data):
            return self._read_dataset()
        if page.needs_input and subject.input is None:
            return self.tr("Draw a digit on the canvas, or choose a test example above.")
        return ""

    def _show_message(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))
        self.stack.setVisible(not text)

    def _show_page(self) -> None:
        page = self.page
        if page is None:
            return
        self._stop()
        self.explanation.setText(page.explanation)
        self.input.show_choice(page.needs_input)
        self.stack.setCurrentWidget(page)
        self.update_view()

    def _on_result(self, page: Page, subject: InspectedInput, result: Any) -> None:
        if page is self.page:
            self._show_message("")
            page.show_result(subject, result)

    def _show_failure(self, failure: Failure) -> None:
        self._show_message(failure.text)

    # -- data ---------------------------------------------------------------------------------------------

    def _dataset(self) -> Dataset | None:
        """The data set of the last run, or the chosen one, whichever fits the model and is in memory."""
        chosen = self._dataset_cache.get_if_loaded(self._source())
        candidates = (self._run_dataset, chosen)
        return next((data for data in candidates if data and self._model and fits(self._model, data)), None)

    def _read_dataset(self) -> str:
        """Read the chosen data set in the background; returns what to tell the user meanwhile."""
        source = self._source()
        if (
            not source
            or self._dataset_cache.get_if_loaded(source) is not None
            or source == self._failed_source
        ):
            return self.tr(
                "This needs test examples like those that the network learned from: choose its data at the left."
            )

        def read(control: TaskControl) -> Generator[Dataset]:
            yield self._dataset_cache.get(source, control.progress)

        self._reader.start(read)
        return self.tr("The data are being read…")

    def _on_dataset_read(self, records: list[Any]) -> None:
        self.update_view()

    def _on_read_ended(self, failure: Failure | None) -> None:
        if failure:
            self._failed_source = self._source()
            self._show_failure(failure)

    # -- parts --------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_page()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop()

    def _stop(self) -> None:
        self._later.stop()
        self._live.cancel()
        self._slow.cancel()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.chooser.fit(self.width())

    def create_parts(self) -> Generator[None]:
        from gui.inside.activations_page import ActivationsPage
        from gui.inside.arithmetic_page import ArithmeticPage
        from gui.inside.health_page import HealthPage
        from gui.inside.map_page import MapPage
        from gui.inside.network_page import NetworkPage
        from gui.inside.weights_page import WeightsPage
        from gui.inside.why_page import WhyPage

        kinds: tuple[Callable[[], Page], ...] = (
            ActivationsPage, NetworkPage, WhyPage, WeightsPage, HealthPage, MapPage, ArithmeticPage,
        )  # fmt: skip
        pages = []
        for kind in kinds:
            page = kind()
            page.recompute.connect(self.update_view)
            page.slow.connect(self._start_slow)
            if isinstance(page, NetworkPage):
                page.example_wanted.connect(self.input.show_example)
            self.stack.addWidget(page)
            pages.append(page)
            yield
        self.pages = tuple(pages)
        for page in pages:
            self.chooser.add_page(page.title, page.explanation)
        for page in reversed(pages):
            insert_in_tab_order(self.input.number, page)
        self.chooser.fit(self.width())

    def _start_slow(self, computation: Computation) -> None:
        subject, page = self.subject(), self.page
        if subject is not None and page is not None:
            self._slow.start_latest(page, subject, computation)
