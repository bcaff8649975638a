"""What the next start of the window restores: settings, drawing, size and place."""

from functools import partial
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QMainWindow, QSplitter

from core.files.log import logger
from core.training.presets import find_preset
from core.training.run_settings import RunSettings
from gui.drawing.panel import DrawingPanel
from gui.preferences import Preferences
from gui.settings.panel import SettingsPanel
from gui.settings.preset_box import CUSTOM
from gui.widgets.basics import resize_on_screen
from kernels.registry import is_device_name

# What the settings in one line, the network and the lessons below it need.
_LEAST = QSize(1280, 720)
_SCREEN_SHARE = 0.8  # of a screen on which that is more than the least
_WHOLE_WIDTH = 1920  # pixels: a screen of this width or less is filled at the first start


def settings_values(panel: SettingsPanel) -> dict[str, Any]:
    """The values of the settings that `restore_settings` shows again."""
    return {
        "run": panel.plan.settings.as_dict() if panel.plan else None,  # None: not valid
        "preset": panel.preset_box.currentData() or panel.preset_box.base,
        "data": panel.data.source(),
        "device": panel.device_box.currentData(),
        "more": panel.more_button.isChecked(),
    }


def restore_settings(panel: SettingsPanel, values: dict[str, Any]) -> None:
    """Show saved settings; those that cannot be used are replaced by those of the default preset."""
    default = find_preset("default")
    run = default.settings
    preset = default.name
    try:
        if values.get("run") is not None:
            run = RunSettings.from_dict(values["run"])
            preset = str(values.get("preset", CUSTOM))
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


def restore_drawing(drawing: DrawingPanel, preferences: Preferences) -> None:
    """Show the last drawing, and from now on keep each change of it, also if the program is killed."""

    def keep_drawing() -> None:
        preferences.drawing = drawing.drawing_text()

    drawing.set_wide(preferences.wide_canvas)
    drawing.undo_stack.clear()
    drawing.canvas.document.was_changed = False
    drawing.restore(preferences.drawing)
    drawing.undo_stack.indexChanged.connect(keep_drawing)
    drawing.wide_changed.connect(partial(setattr, preferences, "wide_canvas"))


def restore_layout(window: QMainWindow, rows: QSplitter, preferences: Preferences) -> None:
    """Take the size and the place of the last start, or a part of the screen. rows: the plots, one below the other."""
    size = (window.screen().availableSize() * _SCREEN_SHARE).expandedTo(_LEAST)
    resize_on_screen(window, size.width(), size.height())
    for name, restore in (("window", window.restoreGeometry), ("rows", rows.restoreState)):
        state = preferences.layout(name)
        if state is not None:
            restore(state)


def show_window(window: QMainWindow, preferences: Preferences) -> None:
    """Show the window as it was at its last end. At the first start it fills the screen, unless that is very large."""
    is_whole = window.screen().availableSize().width() <= _WHOLE_WIDTH
    if is_whole and preferences.layout("window") is None:
        window.showMaximized()
    else:
        window.show()


def save_layout(window: QMainWindow, rows: QSplitter, preferences: Preferences) -> None:
    """Keep size and place for `restore_layout`."""
    preferences.save_layout(window=window.saveGeometry(), rows=rows.saveState())
