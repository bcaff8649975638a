"""Messages that parts of the window have for the user, shown in the banner."""

from PySide6.QtCore import QCoreApplication, QObject

from core.training.presets import Preset
from gui.background.task_runner import Failure
from gui.preferences import Preferences
from gui.settings.device_picker import DevicePicker
from gui.settings.panel import SettingsPanel
from gui.training.session import Session
from gui.widgets.banner import Banner


class Notices(QObject):
    """Shows each warning once, and each advice on devices once for all starts."""

    def __init__(
        self,
        session: Session,
        settings: SettingsPanel,
        devices: DevicePicker,
        preferences: Preferences,
        banner: Banner,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._banner = banner
        self._warnings: set[str] = set()  # shown since the start
        session.warned.connect(self._warn)
        settings.data.failed.connect(self._show_failure)
        settings.preset_replaced.connect(self._report_replaced_settings)
        devices.advised.connect(self._show_advice)
        preferences.failed.connect(self._report_unsaved_preferences)

    def _warn(self, failure: Failure) -> None:
        """Show each warning once, even if it comes after every run."""
        if failure.text not in self._warnings:
            self._warnings.add(failure.text)
            self._banner.append_text(failure.text, failure.tone, failure.details)

    def _show_failure(self, failure: Failure) -> None:
        self._banner.show_text(failure.text, "bad", failure.details)

    def _report_unsaved_preferences(self, reason: str) -> None:
        text = self.tr(
            "Settings, layout and drawing cannot be kept for the next start, because {path} cannot be written "
            "({reason}). It is tried again with each change."
        )
        self._warn(Failure(text.format(path=self._preferences.path, reason=reason), tone="info"))

    def _report_replaced_settings(self, preset: Preset) -> None:
        text = self.tr("The settings before were not for these data: those of “{preset}” are shown instead.")
        self._banner.show_text(text.format(preset=QCoreApplication.translate("Preset", preset.title)))

    def _show_advice(self, text: str) -> None:
        """Show what would make a device available, unless it was shown before."""
        if self._preferences.shown_advice != text:
            self._preferences.shown_advice = text
            self._banner.append_text(text, "info", "")
