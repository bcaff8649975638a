"""Settings of a run that are shown in place of the user's."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from core.runs.plan import RunPlan
from gui.settings.panel import SettingsPanel
from gui.settings.preset_box import CUSTOM
from gui.training.session import Session
from gui.widgets.banner import Banner


class ReplacedSettings:
    """Shows the settings of a run, and lets a message of the banner offer those before."""

    def __init__(self, settings: SettingsPanel, session: Session, banner: Banner) -> None:
        self._settings = settings
        self._session = session
        self._banner = banner
        self._way_back: Callable[[], None] | None = None  # to the settings that were replaced

    def show(self, plan: RunPlan, *, keeps_preset: bool = False) -> None:
        """Show the settings of a run in place of the user's, who can have them back by `offer_back`.

        keeps_preset: they are the user's with changes, so the preset is named as before.
        """
        box = self._settings.preset_box
        preset = box.currentData() or box.base if keeps_preset else CUSTOM
        before = self._settings.plan
        back = self._settings.remember()
        self._settings.restore(plan.data, plan.settings, preset)
        self._way_back = None if before == self._settings.plan else back

    @property
    def has_way_back(self) -> bool:
        """Whether the user's settings were replaced, and have not been offered since."""
        return self._way_back is not None

    def offer_back(self, *, instead: bool = False) -> None:
        """Let the message offer the settings that were replaced. During a run they are locked: it is offered later."""
        if self._way_back and not self._session.active:
            text = QCoreApplication.translate("ReplacedSettings", "Back to my settings")
            self._banner.offer(text, self._way_back, instead=instead)
            self._way_back = None
