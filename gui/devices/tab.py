"""The Devices tab: race, profile and comparisons; one measurement at a time."""

from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from core.bench.output import processor_name
from core.program import RESOURCES
from gui.devices.measurement_page import Inputs
from gui.text import count, device_title
from gui.widgets import make
from gui.widgets.basics import SPACING, FitsOnResize, LinkButton, named, scroll_area
from gui.widgets.card import Card, PictureCard
from gui.widgets.tab import Tab
from gui.widgets.theme import theme
from kernels.host import processor_count
from kernels.registry import is_cpu_device

if TYPE_CHECKING:
    from gui.devices.measurement_page import MeasurementPage

_LEAST_BESIDE = 900  # pixels at a text size of 100 %: from here on the profile is beside the race


class DevicesTab(FitsOnResize, Tab):
    """Its pages are created after the start, so that the window starts sooner.

    `lab_asked(path)`: open an exercise of the Workshop.
    """

    busy_changed = Signal(bool)
    lab_asked = Signal(Path)

    def __init__(self, inputs: Inputs) -> None:
        super().__init__()
        self.setObjectName("devicesTab")
        self._inputs = inputs
        self._training = False
        self._closed = ""
        self.pages: tuple[MeasurementPage, ...] = ()
        self.setContentsMargins(0, SPACING, 0, 0)

    def title(self) -> str:
        return self.tr("Devices: measuring") if self.busy else self.tr("Devices")

    @property
    def busy(self) -> bool:
        """Whether a measurement runs, which training would disturb."""
        return any(page.runner.busy for page in self.pages)

    def set_training(self, training: bool) -> None:
        """Disable measurements while a run is trained: each would slow the other down."""
        self._training = training
        self._update_pages()

    def disable(self, reason: str) -> None:
        """Start no measurement, for this reason; an empty one ends that."""
        self._closed = reason
        self._update_pages()

    def stop(self) -> None:
        for page in self.pages:
            page.stop()

    def create_parts(self) -> Generator[None]:
        """Race and profile side by side; the comparisons are folded."""
        from gui.devices.benchmark_page import BenchmarkPage
        from gui.devices.profile_page import ProfilePage
        from gui.devices.race_page import RacePage

        tr = self.tr
        self.machine = make.label(name="devicesMachine", role="title")
        self.race = RacePage(self._inputs)
        yield
        self.comparisons = BenchmarkPage(self._inputs)
        yield
        self.profile = ProfilePage(self._inputs)
        yield
        self.pages = self.race, self.profile, self.comparisons
        for page in self.pages:
            page.busy_changed.connect(self._on_busy)
        tip = tr("The measurements of five published works, repeated on this machine.")
        self.more = named(
            LinkButton(tr("More: published comparisons"), self.comparisons),
            "devicesMore",
            tip=tip,
        )
        computer = QWidget()
        about = make.label(tr("This computer"), role="muted")
        make.column(about, self.machine, owner=computer, spacing=4)
        self._beside = make.row((self.race, 2), (self.profile, 1), spacing=12)
        content = QWidget()
        machine = Card(computer, name="devicesComputer")
        make.column(
            machine,
            self._beside,
            self._make_exercises(),
            self.more,
            self.comparisons,
            None,
            owner=content,
            spacing=SPACING,
        )
        make.column(scroll_area(content), owner=self)
        self._inputs[2].chosen.connect(self._show_machine)
        self._show_machine()
        self.fit()
        theme().changed.connect(self.fit)
        self._update_pages()

    def _make_exercises(self) -> Card:
        """Offer exercises of the Workshop to begin with."""
        tr = self.tr
        offers = (
            ("09-coalescing", tr("Look"), tr("Step by step: which thread reads which number.")),
            ("06-shared-memory", tr("Repair"), tr("A kernel has a race: the check says where.")),
            ("01-map", tr("Write"), tr("Begin with a few lines: what one thread does.")),
        )
        cards = make.row(spacing=12)
        for name, title, sentence in offers:
            path = RESOURCES / "workshop" / name / "lab.md"
            card = PictureCard(f"exercises/{name}", title, sentence)
            named(card, f"exercise{name}", title, tr("Open this exercise of the Workshop."))
            card.clicked.connect(make.ignoring_arguments(partial(self.lab_asked.emit, path)))
            cards.addWidget(card, 1)
        exercises = QWidget()
        heading = make.label(tr("What a graphics card does otherwise"), role="heading")
        about = make.label(
            tr("It has thousands of small threads. Write for them yourself: no card is needed."),
            role="muted",
        )
        make.column(heading, about, cards, owner=exercises, spacing=SPACING)
        return Card(exercises, name="devicesExercises")

    def _show_machine(self) -> None:
        """Say in a sentence with what this computer can train."""
        known = self._inputs[2].known()
        cards = [
            info.hardware or device_title(info.name)
            for info in known
            if info.available and not is_cpu_device(info.name)
        ]
        cores = processor_count()
        text = self.tr("{processor} with {n} cores; {cards}.", None, cores)
        none = self.tr("no graphics card")
        self.machine.setText(
            text.format(processor=processor_name(), n=count(cores), cards=", ".join(cards) or none)
        )

    def fit(self) -> None:
        """Put the profile below the race where there is no room beside it."""
        # The tab may be resized before its parts are made.
        if self.pages:
            is_wide = self.width() >= theme().px(_LEAST_BESIDE)
            way = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
            self._beside.setDirection(way)

    def _on_busy(self) -> None:
        self._update_pages()
        self.title_changed.emit()
        self.busy_changed.emit(self.busy)

    def _update_pages(self) -> None:
        for page in self.pages:
            reason = self._closed
            if any(other.runner.busy for other in self.pages if other is not page):
                reason = self.tr("Another measurement is running: stop it first, or wait for it.")
            if self._training:
                reason = self.tr(
                    "A run is in progress: stop it first, because each would slow the other down."
                )
            page.disable(reason)
