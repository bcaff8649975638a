import pytest
from PySide6.QtWidgets import QLabel

from core.data.dataset_cache import DatasetCache
from core.training.run_settings import RunSettings
from gui.settings.fields import STRONG
from gui.settings.panel import SettingsPanel
from kernels.augmentation import AugmentationParams


@pytest.fixture
def panel(qtbot):
    panel = SettingsPanel(DatasetCache())
    qtbot.addWidget(panel)
    panel.show_run(RunSettings(), "")
    panel.data.choose("builtin")
    panel.show()
    return panel


def test_quick_choices_fill_the_fields_and_the_run(panel):
    panel.augmentation.choose(STRONG)
    assert panel.plan.settings.augmentation == STRONG
    assert panel.fields["elastic"].raw() == "1"
    panel.augmentation.choose(AugmentationParams())
    assert not any(panel.plan.settings.augmentation)


def test_each_amount_says_its_unit(panel):
    panel.leaves.setCurrentIndex(1)
    for name, unit in (
        ("shift", "pixels"), ("rotation", "degrees"), ("scale", "of size"), ("shear", "pixels/pixel"),
        ("elastic", "pixels"), ("thickness", "of contrast"),
    ):  # fmt: skip
        field = panel.fields[name]
        assert [text.text() for text in field.findChildren(QLabel) if text.isVisible()] == [unit]
    assert panel.fields["rotation"].editor.accessibleName() == "Rotation, degrees"
