"""The settings panel with small data."""

import pytest

from core.data.dataset_cache import DatasetCache
from core.training.run_settings import RunSettings
from gui.settings.panel import SettingsPanel


@pytest.fixture
def panel(qtbot, small_mnist):
    panel = SettingsPanel(DatasetCache())
    qtbot.addWidget(panel)
    panel.show_run(RunSettings(), "")
    panel.data.choose("mnist")
    panel.resize(1248, 204)  # as in the band
    panel.show()
    for part in (panel.line, panel.network_place):  # which the window places elsewhere
        qtbot.addWidget(part)
        part.show()
    return panel
