"""Saves the settings and the layout of the window, and restores them at the next start."""

from typing import Any

from PySide6.QtWidgets import QMainWindow, QSplitter

from core.files.log import logger
from core.training.presets import find_preset
from core.training.run_settings import RunSettings
from gui.preferences import Preferences
from gui.settings.panel import CUSTOM, SettingsPanel
from gui.widgets.basics import resize_on_screen
from kernels.registry import is_device_name

_SIZE = (1240, 690)
_SPLITTERS = ("columns", "rows")


def panel_values(panel: SettingsPanel) -> dict[str, Any]:
    """The values of the panel for `restore_panel`; without the run if it is not valid."""
    return {
        "run": panel.plan.settings.as_dict() if panel.plan else None,
        "preset": panel.preset_box.currentData(),
        "data": panel.data.source(),
        "device": panel.device_box.currentData(),
        "more": panel.more_button.isChecked(),
    }


def restore_panel(panel: SettingsPanel, values: dict[str, Any]) -> None:
    """Show saved values in the panel; values that cannot be used are replaced by those of the default preset."""
    default = find_preset("default")
    run, preset = default.settings, default.name
    try:
        if values.get("run") is not None:
            run, preset = RunSettings.from_dict(values["run"]), str(values.get("preset", CUSTOM))
    except Exception as error:  # the file may hold anything
        logger.info("the saved settings cannot be used: %s", error)
    source = values.get("data")
    panel.restore(source if isinstance(source, str) else "", run, preset)
    device = str(values.get("device", "auto"))
    if panel.device_box.findData(device) < 0 and is_device_name(device):
        # One of several cards: they are listed when they have been probed.
        panel.device_box.addItem(device, device)
    panel.device_box.setCurrentIndex(max(panel.device_box.findData(device), 0))
    panel.more_button.setChecked(values.get("more") is True)


def save_layout(preferences: Preferences, window: QMainWindow, *splitters: QSplitter) -> None:
    """Keep the place of the window and the widths in the `splitters`, in this order."""
    names = zip(_SPLITTERS, splitters, strict=True)
    preferences.save_layout(
        window=window.saveGeometry(), **{name: splitter.saveState() for name, splitter in names}
    )


def restore_layout(preferences: Preferences, window: QMainWindow, *splitters: QSplitter) -> None:
    """Give the window and the splitters the sizes that they had when the window was closed, if they are known."""
    resize_on_screen(window, *_SIZE)
    restorers = (window.restoreGeometry, *(splitter.restoreState for splitter in splitters))
    for name, restore in zip(("window", *_SPLITTERS), restorers, strict=True):
        state = preferences.layout(name)
        if state is not None:
            restore(state)
