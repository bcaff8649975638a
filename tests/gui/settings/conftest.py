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
    panel.resize(316, 600)  # as in the drawer
    panel.show()
    qtbot.addWidget(panel.line)  # the window places it above the stage
    panel.line.show()
    return panel
