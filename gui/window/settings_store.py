"""What stands in the settings' fields, from one start of the program to the next."""

from typing import Any

from core.errors import InputError
from core.training.presets import find_preset
from core.training.run import Run
from gui.settings.panel import CUSTOM, SettingsPanel


def remember(panel: SettingsPanel) -> dict[str, Any]:
    """The settings, as far as they are right, to be given to `restore` at the next start."""
    run = panel.run()
    return {
        "run": run.as_dict() if run else None,
        "preset": panel.preset_box.currentData(),
        "data": panel.data.source(),
        "device": panel.device_box.currentData(),
        "more": panel.more_button.isChecked(),
    }


def restore(panel: SettingsPanel, values: dict[str, Any]) -> None:
    """Fill the panel with what was remembered, or with the first preset; what no longer fits is left out."""
    first = find_preset("default")
    run, preset = first.run, first.name
    try:
        if isinstance(values.get("run"), dict):
            run, preset = Run.from_dict(values["run"]), str(values.get("preset", CUSTOM))
    except (InputError, TypeError):
        pass
    source = values.get("data")
    if isinstance(source, str) and source:
        # First, because a preset is one for its data only. A path's are read later, and the network waits for them.
        panel.data.choose(source)
    panel.show_run(run, preset)
    panel.device_box.setCurrentIndex(max(panel.device_box.findData(values.get("device", "auto")), 0))
    panel.more_button.setChecked(bool(values.get("more")))
