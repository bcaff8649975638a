"""The Inside tab: what happens inside of a network, for the drawing or an example of the test
split.
"""

import time
from collections.abc import Callable, Generator
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.inference.engine import Engine
from core.inference.model_file import Model, fits, reads_drawings
from core.runs.folder import kept_of
from core.runs.plan import RunContext
from core.training.records import EpochDone, Finished, KeptParameters, Record
from gui.background.task_runner import Failure, TaskControl, TaskRunner, single_record
from gui.inside.page import Computation, InspectedInput, Kept, Page
from gui.text import number
from gui.widgets import make
from gui.widgets.basics import insert_in_tab_order, named
from gui.widgets.messages import set_message
from gui.widgets.tab import PageChooser, Tab
from gui.words import explain, network_words


class InsideTab(Tab):
    """Computes in background threads, and only while it is visible. Its pages are created after the
    start.

    source: returns the name of the chosen data set, or an empty text.
    """

    def __init__(self, dataset_cache: DatasetCache, source: Callable[[], str]) -> None:
        super().__init__()
        named(self, "insideTab")
        self._dataset_cache = dataset_cache
        self._source = source
        self._model: Model | None = None
        self._run_dataset: Dataset | None = None
        self._run_settings: dict[str, Any] = {}
        self._kept = KeptParameters()
        self._opened: Model | None = None
        self._opened_kept: Kept = ()  # in the folder of its run
        self._training = self._diverged = False
        self._failed_source = ""
        self._shown_at = 0.0
        self.pages: tuple[Page, ...] = ()
        self._all_units = False
        self.chooser = PageChooser("insideChooser", self.tr("What to look at"), scrolls=True)
        self.input = InputBar()
        self.explanation = make.label(name="insideExplanation", role="muted")
        self.message = make.label(name="insideMessage")
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setMargin(24)
        self.stack = QStackedWidget()
        self.setContentsMargins(0, 8, 0, 0)
        head = (self.chooser, self.input, self.explanation)
        make.column(*head, (self.message, 1), (self.stack, 1), owner=self, spacing=6)
        self._live = InspectionWorker(self)
        self._slow = InspectionWorker(self, low_priority=True)
        self._live.records.connect(self._on_result)
        self._slow.records.connect(lambda records: records[-1][0].show_slow(records[-1][2]))
        self._reader = TaskRunner(self, low_priority=True)
        self._reader.records.connect(self.update_view)
        self._reader.ended.connect(self._on_read_ended)
        for runner in (self._live, self._slow, self._reader):
            runner.ended.connect(self._show_failure)
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self.update_view)
        self.chooser.currentChanged.connect(self._show_page)
        self.input.changed.connect(self.update_view)

    def title(self) -> str:
        return self.tr("Inside")

    @property
    def busy(self) -> bool:
        """Whether data are being read, or something is being computed."""
        return self._reader.busy or self._live.busy or self._slow.busy

    @property
    def shows_drawing(self) -> bool:
        """Whether the tab is in front, and the network is shown the drawing."""
        return self.isVisible() and self.input.box.currentData() == DRAWING

    # -- called by the window ----------------------------------------------------------------------

    def show_all_units(self, wanted: bool) -> None:
        """Show all units of each layer, or those that add most to the answers."""
        self._all_units = wanted
        for page in self.pages:
            page.show_all_units(wanted)

    def start_run(self, context: RunContext) -> None:
        self._run_dataset = context.dataset
        self._run_settings = context.plan.settings.as_dict()
        self._kept = KeptParameters()
        self._training = True
        self._diverged = False

    def end_run(self) -> None:
        self._training = False

    def remember(self) -> Callable[[], None]:
        """A function that shows again the network that is shown now."""
        model = self._model
        dataset = self._run_dataset
        settings = self._run_settings
        kept = self._kept
        diverged = self._diverged

        def put_back() -> None:
            self._run_dataset = dataset
            self._run_settings = settings
            self._kept = kept
            self._diverged = diverged
            if model is not None:
                self.show_model(model)

        return put_back

    def add_records(self, records: list[Record]) -> None:
        for record in records:
            if isinstance(record, EpochDone):
                self._kept.add(record.epoch, record.checkpoint.parameters)
            elif isinstance(record, Finished):
                self._diverged = record.reason == "diverged"

    def show_snapshot(self, model: Model, epoch_ended: bool) -> None:
        """A network that reads drawings comes by `show_model`, unless the user lets another one
        read them.
        """
        if not reads_drawings(model.kind, model.network.input_shape):
            self.show_model(model)

    def show_model(self, model: Model) -> None:
        """Show this model from now on.

        A model that differs from the last one in its parameters alone, as while a network learns,
        is shown `Page.snapshot_milliseconds` after it at the earliest.
        """
        if model is self._model:
            return
        is_snapshot = self._model is not None and model.computes_like(self._model)
        if not is_snapshot:
            self._slow.cancel(discard=True)
        self._model = model
        self.input.set_model(model)
        if not is_snapshot:
            self.update_view()
        elif not self._later.isActive():
            interval = self.page.snapshot_milliseconds if self.page else 0
            self._later.start(max(round(interval - 1000 * (time.monotonic() - self._shown_at)), 0))

    # -- the view ----------------------------------------------------------------------------------

    @property
    def page(self) -> Page | None:
        """The page in front."""
        return self.pages[self.chooser.currentIndex()] if self.pages else None

    def show_page(self, name: str) -> None:
        """Bring the page with this object name to the front."""
        while self.create_next():
            pass
        self.chooser.setCurrentIndex([page.objectName() for page in self.pages].index(name))

    def update_view(self) -> None:
        """Compute what the page in front shows, if the tab is visible."""
        page = self.page
        model = self._model
        if page is None or not self.isVisible():
            return
        self._later.stop()
        if model is None:
            self._show_message(self.tr("No network has learned yet: train one, or open a model."))
            return
        # The data set of the last run, or the chosen one, whichever fits the model and is in
        # memory.
        candidates = (self._run_dataset, self._dataset_cache.get_if_loaded(self._source()))
        dataset = next((data for data in candidates if data and fits(model, data)), None)
        self.input.show_dataset(dataset, model)
        of_run = model.run_settings == self._run_settings
        if not of_run and self._opened is not model:
            self._opened = model
            self._opened_kept = kept_of(model)
        subject = InspectedInput(
            model,
            self.input.input()[0],
            dataset,
            self._kept.epochs if of_run else self._opened_kept,
            training=of_run and self._training,
            diverged=of_run and self._diverged,
        )
        if reason := self._missing(page, subject):
            self._live.cancel(discard=True)
            self._show_message(reason)
            return
        if dataset is None and page.wants_dataset:
            self._read_dataset()
        self._shown_at = time.monotonic()
        self._live.inspect(page, subject, page.computation(subject))

    def _missing(self, page: Page, subject: InspectedInput) -> str:
        """Why the page can show nothing now, or an empty text."""
        is_image = len(subject.model.network.input_shape) == 3
        if page.needs_image and not (is_image and subject.model.kind == "classes"):
            return self.tr("This view is for networks that classify images.")
        if subject.dataset is None and (page.needs_dataset or self.input.wants_data):
            return self._read_dataset()
        if page.needs_input and subject.input is None:
            return self.tr("Draw a digit under Training, or choose a test example above.")
        return ""

    def _show_message(self, text: str) -> None:
        set_message(self.message, text)
        self.stack.setVisible(not text)

    def _show_page(self) -> None:
        if (page := self.page) is None:
            return
        self._stop()
        self.explanation.setText(page.explanation)
        self.explanation.setToolTip(explain(page.explanation))
        self.input.show_choice(page.needs_input)
        self.stack.setCurrentWidget(page)
        self.update_view()

    def _on_result(self, records: list[tuple[Page, InspectedInput, Any]]) -> None:
        page, subject, result = records[-1]
        if page is self.page:
            self._show_message("")
            page.show_result(subject, result)

    def _show_failure(self, failure: Failure | None) -> None:
        if failure:
            self._show_message(failure.text)

    def _read_dataset(self) -> str:
        """Read the chosen data set in the background; returns what to tell the user meanwhile."""
        source = self._source()
        if (
            source in ("", self._failed_source)
            or self._dataset_cache.get_if_loaded(source) is not None
        ):
            return self.tr(
                "This needs test examples like those that the network learned from: choose its "
                "data under Training."
            )
        self._reader.start(
            single_record(lambda control: self._dataset_cache.get(source, control.progress))
        )
        return self.tr("The data are being read…")

    def _on_read_ended(self, failure: Failure | None) -> None:
        if failure:
            self._failed_source = self._source()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_page()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop()

    def _stop(self) -> None:
        self._later.stop()
        for worker in (self._live, self._slow):
            worker.cancel(discard=True)

    def create_parts(self) -> Generator[None]:
        from gui.inside.health_page import HealthPage
        from gui.inside.layer_pages import ActivationsPage, ArithmeticPage, WeightsPage
        from gui.inside.network_page import NetworkPage
        from gui.inside.why_page import WhyPage

        pages: list[Page] = []
        for kind in (
            ActivationsPage,
            NetworkPage,
            WhyPage,
            WeightsPage,
            HealthPage,
            ArithmeticPage,
        ):
            pages.append(page := kind())
            page.show_all_units(self._all_units)
            page.recompute.connect(self.update_view)
            page.slow.connect(partial(self._slow.inspect, page))
            page.example_wanted.connect(self.input.show_example)
            self.stack.addWidget(page)
            yield
        self.pages = tuple(pages)
        for shown in pages:
            self.chooser.add_page(shown.title, shown.explanation)
        for shown in reversed(pages):
            insert_in_tab_order(self.input.number, shown)


DRAWING = "drawing"
TEST = "test"


class InputBar(QWidget):
    """`changed`: another input was chosen. `wants_data`: a test example is chosen, and no data set
    is set.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        tip = self.tr("Show the network your drawing, or an example of the test set.")
        title = self.tr("What the network is shown")
        items = [(DRAWING, self.tr("The drawing")), (TEST, self.tr("A test example"))]
        self.box = make.combo("insideInput", title, tip, items, self._on_box, characters=12)
        tip = self.tr("Which example of the test set; the arrow keys go to the next one.")
        title = self.tr("Number of the test example")
        self.number = make.spin("insideExample", title, tip, 0, 0, slot=self.changed)
        self.answer = make.label(name="insideAnswer", wraps=False)
        self.network = make.label(name="insideNetwork", role="muted", wraps=False)
        self.network.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._drawing: np.ndarray | None = None
        self._dataset: Dataset | None = None
        self.setLayout(make.FlowLayout(self.box, self.number, self.answer, self.network))
        self.show_choice(True)

    @property
    def wants_data(self) -> bool:
        return self.box.currentData() == TEST and self._dataset is None

    def set_drawing(self, image: np.ndarray | None) -> None:
        """`image`: uint8 (28, 28), what the network sees of the drawing; None for an empty
        canvas.
        """
        old = self._drawing
        self._drawing = image
        is_same = image is old or (
            image is not None and old is not None and np.array_equal(image, old)
        )
        if not is_same and self.box.currentData() == DRAWING:
            self.changed.emit()

    def set_model(self, model: Model) -> None:
        """Offer the drawing only to a network that reads drawings."""
        drawable = reads_drawings(model.kind, model.network.input_shape)
        item = self.box.model().item(0)  # type: ignore[attr-defined]
        item.setEnabled(drawable)
        if not drawable:
            self.box.setCurrentIndex(1)
        text = model.network.text
        self.network.setText(network_words(text))
        self.network.setToolTip(self.tr("The network that is shown: {text}").format(text=text))

    def show_dataset(self, dataset: Dataset | None, model: Model) -> None:
        """Offer the examples of a data set that fits `model`, and write what the chosen one is."""
        self._dataset = dataset
        self.number.setMaximum(len(dataset.test) - 1 if dataset else 0)
        _, answer = self.input()
        text = ""
        if answer is not None and model.kind == "classes":
            text = self.tr("It is {name}.").format(name=model.classes[int(answer)])
        elif answer is not None:
            text = self.tr("Its value is {value}.").format(
                value=", ".join(number(float(v)) for v in answer)
            )
        self.answer.setText(text)

    def input(self) -> tuple[np.ndarray | None, Any]:
        """The input and its label or target; None for an empty canvas, and for a drawing's
        answer.
        """
        if self.box.currentData() == DRAWING:
            return None if self._drawing is None else self._drawing[:, :, None], None
        if self._dataset is None:
            return None, None
        index = self.number.value()
        return self._dataset.test.inputs[index], self._dataset.test.targets[index]

    def show_example(self, index: int) -> None:
        self.box.setCurrentIndex(1)
        self.number.setValue(index)

    def show_choice(self, shown: bool) -> None:
        self.box.setVisible(shown)
        self.answer.setVisible(shown)
        self.number.setVisible(shown and self.box.currentData() == TEST)

    def _on_box(self) -> None:
        self.show_choice(not self.box.isHidden())
        self.changed.emit()


class InspectionWorker(TaskRunner):
    """Computes with an engine of its own, which one task at a time uses. Its records are (page,
    subject, result).
    """

    _engine: Engine | None = None

    def inspect(self, page: Page, subject: InspectedInput, computation: Computation) -> None:
        """Compute as soon as the running computation has ended; this replaces a waiting one."""

        def compute(control: TaskControl) -> tuple[Page, InspectedInput, Any]:
            if self._engine is None:
                self._engine = Engine(subject.model)
            self._engine.use(subject.model)
            return page, subject, computation(self._engine, control.check)

        self.start_latest(single_record(compute))
