import numpy as np
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel

from core.data import builtin
from core.data.dataset_cache import DatasetCache
from core.training.run_settings import RunSettings
from gui.settings.fields import COLUMNS, ROWS, STRONG
from gui.settings.panel import SettingsPanel
from kernels.augmentation import AugmentationParams
from tests.limits import LONG


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


def test_the_preview_shows_images_before_and_after_augmentation(panel, qtbot):
    section = panel.augmentation
    panel.leaves.setCurrentIndex(1)
    qtbot.waitUntil(lambda: section.preview.pixels is not None, timeout=LONG)
    still = section.preview.pixels
    np.testing.assert_array_equal(still[:28], still[28:56])
    drawn = builtin.draw(6, 1)[0].inputs
    np.testing.assert_array_equal(still[:28, :28], drawn[0, ..., 0])
    section.choose(STRONG)
    qtbot.waitUntil(lambda: not np.array_equal(section.preview.pixels, still), timeout=LONG)
    qtbot.waitUntil(lambda: not section.preview._runner.busy, timeout=LONG)
    changed = section.preview.pixels
    np.testing.assert_array_equal(changed[:28], still[:28])
    again = section.findChild(object, "againButton")
    again.click()
    qtbot.waitUntil(lambda: not np.array_equal(section.preview.pixels, changed), timeout=LONG)


def test_nothing_is_computed_while_the_other_leaf_is_shown(panel):
    panel.augmentation.choose(STRONG)
    assert not panel.augmentation.preview.findChild(QTimer).isActive()


def test_each_amount_says_its_unit(panel):
    panel.leaves.setCurrentIndex(1)
    for name, unit in (
        ("shift", "pixels"), ("rotation", "degrees"), ("scale", "of size"), ("shear", "pixels/pixel"),
        ("elastic", "pixels"), ("thickness", "of contrast"),
    ):  # fmt: skip
        field = panel.fields[name]
        assert [text.text() for text in field.findChildren(QLabel) if text.isVisible()] == [unit]
    assert panel.fields["rotation"].editor.accessibleName() == "Rotation, degrees"


def test_the_images_do_not_touch(panel):
    preview = panel.augmentation.preview
    panel.leaves.setCurrentIndex(1)
    assert preview.tile(0, 1).left() - preview.tile(0, 0).right() >= 2
    assert preview.tile(1, 0).top() - preview.tile(0, 0).bottom() >= 2
    assert preview.rect().contains(
        preview.tile(ROWS - 1, COLUMNS - 1).toAlignedRect().adjusted(0, 0, -1, -1)
    )


def test_points_have_no_preview_and_no_failure(panel, qtbot):
    failures = []
    panel.augmentation.preview._runner.ended.connect(failures.append)
    panel.augmentation.preview.show_for("rastrigin:10", STRONG)
    qtbot.waitUntil(lambda: failures == [None], timeout=LONG)
    assert panel.augmentation.preview.pixels is None
