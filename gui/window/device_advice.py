"""Shows once what would make a device available, for example that CUDA is not installed where there is a card."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from gui.preferences import Preferences
from gui.settings.device_picker import DevicePicker
from gui.widgets.banner import Banner


class DeviceAdvice(QObject):
    def __init__(self, devices: DevicePicker, preferences: Preferences, banner: Banner) -> None:
        super().__init__(devices)
        self._preferences, self._banner = preferences, banner
        devices.advised.connect(self._show)

    def _show(self, text: str, command: str) -> None:
        """Show `text`, unless it was shown before, with a button that copies `command`."""
        if self._preferences.shown_advice == text:
            return
        self._preferences.shown_advice = text
        self._banner.add(text, "info", "")
        if command:
            label = self.tr("Copy command")
            self._banner.offer(label, lambda: QGuiApplication.clipboard().setText(command))
