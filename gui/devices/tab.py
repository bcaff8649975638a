"""The Devices tab: race, comparisons and profile; one measurement at a time."""

from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from gui.devices.measurement_page import Inputs
from gui.widgets import make
from gui.widgets.basics import insert_in_tab_order, scroll_area
from gui.widgets.messages import note, set_message
from gui.widgets.tab import PageChooser, Tab

if TYPE_CHECKING:
    from gui.devices.measurement_page import MeasurementPage


class DevicesTab(Tab):
    """Its pages are created after the start, so that the window starts sooner.

    `operator_asked(name, title)`: show how an operator is computed.
    """

    busy_changed = Signal(bool)
    operator_asked = Signal(str, str)

    def __init__(self, inputs: Inputs) -> None:
        super().__init__()
        self.setObjectName("devicesTab")
        self._inputs = inputs
        self._training = False
        self._closed = ""
        self.pages: tuple[MeasurementPage, ...] = ()
        self.chooser = PageChooser("devicesChooser", self.tr("What to measure"))
        self.stack = QStackedWidget()
        self.setContentsMargins(0, 8, 0, 0)
        self.machine = note(name="devicesMachine")
        self.machine.setContentsMargins(0, 6, 0, 0)
        make.column(self.chooser, self.machine, (self.stack, 1), owner=self, spacing=0)
        self.chooser.currentChanged.connect(self.stack.setCurrentIndex)

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
        from core.bench.output import machine_name
        from gui.devices.benchmark_page import BenchmarkPage
        from gui.devices.profile_page import ProfilePage
        from gui.devices.race_page import RacePage

        set_message(self.machine, self.tr("This machine: {name}.").format(name=machine_name()))
        self.race = RacePage(self._inputs)
        yield
        self.comparisons = BenchmarkPage(self._inputs)
        yield
        self.profile = ProfilePage(self._inputs)
        yield
        self.pages = self.race, self.comparisons, self.profile
        self.profile.operator_asked.connect(self.operator_asked)
        texts = (
            (self.tr("Race"), self.tr("Race"),
             self.tr("Which device learns fastest: the same run on several, side by side.")),
            (self.tr("Comparisons"), self.tr("Compare"),
             self.tr("The measurements of five published works, repeated on this machine.")),
            (self.tr("Where the time goes"), self.tr("Time"),
             self.tr("Where the time goes: which operators a step of training spends it in.")),
        )  # fmt: skip
        for page, (title, short, tip) in zip(self.pages, texts, strict=True):
            page.busy_changed.connect(self._on_busy)
            self.stack.addWidget(scroll_area(page))
            self.chooser.add_page(title, tip, short)
            yield
        for page in reversed(self.pages):
            insert_in_tab_order(self.chooser, page)
        self._update_pages()

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
