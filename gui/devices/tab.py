"""The Devices tab: which device is faster, by how much, and where the time goes; one measurement at a time."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout

from core.data.dataset_cache import DatasetCache
from gui.settings.device_picker import DeviceList
from gui.settings.panel import SettingsPanel
from gui.widgets.basics import insert_in_tab_order, named, scroll_area
from gui.widgets.colours import LIGHT, Colours
from gui.widgets.tab import Tab

if TYPE_CHECKING:
    from gui.devices.measurement_page import MeasuringPage


class DevicesTab(Tab):
    """Its pages are made when it is first shown, so that the window does not start later for them."""

    busy_changed = Signal(bool)
    wants_room = True  # tables and charts, for which the canvas makes way in a narrow window

    def __init__(self, settings: SettingsPanel, dataset_cache: DatasetCache, devices: DeviceList) -> None:
        super().__init__()
        self.setObjectName("devicesTab")
        self._settings, self._dataset_cache, self._devices = settings, dataset_cache, devices
        self._colours: Colours = LIGHT
        self._training = False
        self.pages: tuple[MeasuringPage, ...] = ()
        self.chooser = named(QTabBar(), "devicesChooser")
        self.chooser.setAccessibleName(self.tr("What to measure"))
        self.chooser.setDrawBase(False)
        self.chooser.setExpanding(False)
        self.chooser.setMinimumWidth(60)
        self.chooser.setElideMode(Qt.TextElideMode.ElideRight)
        self.chooser.setUsesScrollButtons(False)
        self._titles: tuple[tuple[str, str], ...] = ()
        self.stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.chooser)
        column.addWidget(self.stack, 1)
        self.chooser.currentChanged.connect(self.stack.setCurrentIndex)

    def title(self) -> str:
        return self.tr("Devices: measuring") if self.busy else self.tr("Devices")

    @property
    def busy(self) -> bool:
        """Whether something is measured now, so that training would falsify it."""
        return any(page.runner.busy for page in self.pages)

    def set_training(self, training: bool) -> None:
        """While a run is under way nothing can be measured: each would falsify the other."""
        self._training = training
        self._share_out()

    def stop(self) -> None:
        for page in self.pages:
            page.stop()

    def close_background(self) -> None:
        """Stop what is measured, and wait for its thread."""
        for page in self.pages:
            page.close_background()

    def apply_theme(self, colours: Colours) -> None:
        self._colours = colours
        c = colours
        self.chooser.setStyleSheet(
            f"QTabBar::tab {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line};"
            " padding: 5px 14px; margin-right: 6px; border-radius: 4px; }"
            f"QTabBar::tab:hover {{ border-color: {c.accent}; }}"
            f"QTabBar::tab:selected {{ background: {c.info_back}; border-color: {c.accent}; }}"
            f"QTabBar::tab:selected:focus {{ border: 2px solid {c.accent}; padding: 4px 13px; }}"
        )
        for page in self.pages:
            page.apply_theme(colours)

    def showEvent(self, event: QShowEvent) -> None:
        if not self.pages:
            self._make_pages()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name_pages()

    def _make_pages(self) -> None:
        from gui.devices.benchmark_page import ComparisonsPage
        from gui.devices.profile_page import ProfilePage
        from gui.devices.race_page import RacePage

        self.race = RacePage(self._settings, self._dataset_cache, self._devices)
        self.comparisons = ComparisonsPage(self._devices)
        self.profile = ProfilePage(self._settings, self._dataset_cache, self._devices)
        self.pages = (self.race, self.comparisons, self.profile)
        self._titles = (
            (self.tr("Race"), self.tr("Race")),
            (self.tr("Comparisons"), self.tr("Compare")),
            (self.tr("Where the time goes"), self.tr("Time")),
        )
        tips = (
            self.tr("Which device learns fastest: the same run on several, side by side."),
            self.tr("What five published works measured, measured on this machine."),
            self.tr("Where the time goes: which operators a step of training spends it in."),
        )
        for page, (title, _), tip in zip(self.pages, self._titles, tips, strict=True):
            page.apply_theme(self._colours)
            page.busy_changed.connect(self._on_busy)
            self.stack.addWidget(scroll_area(page))
            place = self.chooser.addTab(title)
            self.chooser.setTabToolTip(place, tip)
            self.chooser.setAccessibleTabName(place, title)
        for page in reversed(self.pages):
            insert_in_tab_order(self.chooser, page)
        self._name_pages()
        self._share_out()

    def _name_pages(self) -> None:
        """By their whole titles, or where these have no room by short ones."""
        for short in (0, 1):
            for place, titles in enumerate(self._titles):
                self.chooser.setTabText(place, titles[short])
            if self.chooser.sizeHint().width() <= self.width():
                return

    def _on_busy(self) -> None:
        self._share_out()
        self.title_changed.emit()
        self.busy_changed.emit(self.busy)

    def _share_out(self) -> None:
        for page in self.pages:
            others = any(other.runner.busy for other in self.pages if other is not page)
            if self._training:
                page.refuse(self.tr("A run is under way: stop it first, for each would slow the other down."))
            elif others:
                page.refuse(self.tr("Another measurement is under way: stop it first, or wait for it."))
            else:
                page.refuse("")
