"""Shows the settings of an opened model in the settings panel."""

from core.errors import InputError
from core.inference.model_file import Model
from core.training.run_settings import RunSettings
from gui.settings.dataset_picker import DatasetPicker
from gui.settings.panel import SettingsPanel
from gui.widgets.banner import Banner


def show_settings_of(model: Model, panel: SettingsPanel, banner: Banner) -> None:
    """Show the network and settings of `model` if they fit the chosen data; else say that others are shown.

    The settings before can be brought back by a button in the banner.
    """
    before, preset = panel.plan, panel.preset_box.currentData()
    try:
        run = (
            model.settings()
            if model.run
            else (before.settings if before else RunSettings()).change(
                network=model.network.text, activation=model.activation, loss=model.loss
            )
        )
    except InputError:
        run = None
    if run is None or not _fits(model, panel.data):
        banner.add(panel.tr("The settings at the left are not those of this model."), "info", "")
        return
    if before and run == before.settings:
        return
    panel.show_run(run)
    banner.add(panel.tr("Its network and settings are shown at the left."), "info", "")
    if before:
        banner.offer(
            panel.tr("Back to my settings"), lambda: panel.restore(before.data, before.settings, preset)
        )


def _fits(model: Model, data: DatasetPicker) -> bool:
    """Whether the model has learned from data like the chosen ones, as far as is known before they are loaded."""
    network = model.network
    return (model.kind, network.input_shape, network.outputs) == (data.kind(), *data.shape())
