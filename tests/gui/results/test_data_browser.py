"""The data browser: what it shows of a data set, and what a double click does."""

import numpy as np
import pytest

from core.data.dataset_cache import DatasetCache
from core.data.formats import class_digits
from core.data.formats.class_digits import WrittenDigits
from core.runs.plan import RunPlan
from core.training.run_settings import RunSettings
from gui.results.data_browser import MOST_AUGMENTED, DataBrowser
from tests.gui.person import choose, choose_files, drop, part
from tests.limits import LONG


@pytest.fixture
def browser(window, small_mnist, qtbot):
    plan = RunPlan(RunSettings(batch_size=32, rotation=30, shift=3), "mnist")
    made = DataBrowser(plan, DatasetCache(), window)
    made.show()
    qtbot.waitUntil(lambda: bool(len(made.list.record_model.records)), timeout=LONG)
    return made


def test_images_are_chosen_by_split_and_class(browser):
    assert len(browser.list.record_model.records) == 3000
    choose(browser.split, "test")
    assert len(browser.list.record_model.records) == 200
    choose(browser.classes, 3)
    assert {browser._caption(index) for index in browser.list.record_model.records} == {"3"}


def test_augmented_images_differ_from_the_raw_ones(browser, qtbot):
    raw = browser._image(0)
    browser.augmented.click()
    qtbot.waitUntil(lambda: bool(browser._changed), timeout=LONG)
    assert len(browser.list.record_model.records) == MOST_AUGMENTED
    assert not np.array_equal(browser._image(0), raw)


def test_the_test_images_are_shown_though_others_are_still_being_augmented(browser, qtbot):
    browser.augmented.click()
    assert max(browser.list.record_model.records) >= 200  # more than there are test images
    choose(browser.split, "test")
    qtbot.waitUntil(lambda: not browser._runner.busy, timeout=LONG)
    qtbot.wait(0)
    assert list(browser.list.record_model.records) == list(range(200))
    assert not browser._changed


def test_a_double_click_puts_the_image_on_the_canvas(browser):
    opened = []
    browser.open_image.connect(lambda path: opened.append(path.endswith(".png")))
    browser.list.doubleClicked.emit(browser.list.model().index(5, 0))
    assert opened == [True]


def test_dropped_files_of_writers_become_a_class(window, tmp_path, qtbot):
    for seed, name in enumerate(("ann", "ben", "cem")):
        images = np.random.default_rng(seed).integers(0, 256, (12, 28, 28)).astype(np.uint8)
        digits = WrittenDigits(
            images, np.arange(12, dtype=np.uint8) % 10, np.zeros(12, np.int32), (name,)
        )
        class_digits.save(digits, tmp_path / f"{name}.npz")
    out = tmp_path / "class.npz"
    choose_files(out)
    drop(window, *(tmp_path / f"{name}.npz" for name in ("ann", "ben", "cem")))
    qtbot.waitUntil(lambda: window.settings.data.source() == str(out), timeout=LONG)
    assert class_digits.read(out).names == ("ann", "ben", "cem")
    window.show_data()
    browser = window.findChild(DataBrowser)
    qtbot.waitUntil(lambda: bool(len(browser.list.record_model.records)), timeout=LONG)
    choose(browser.writers, 0)
    assert len(browser.list.record_model.records) == 12
    assert "ann" in browser._tip(browser.list.record_model.records[0])
    assert part(window, "dataWriter").isVisible()


def test_the_digits_of_one_writer_can_be_looked_at(window, tmp_path, qtbot):
    images = np.random.default_rng(1).integers(0, 256, (12, 28, 28)).astype(np.uint8)
    digits = WrittenDigits(
        images, np.arange(12, dtype=np.uint8) % 10, np.zeros(12, np.int32), ("ann",)
    )
    class_digits.save(digits, tmp_path / "ann.npz")
    before = window.settings.data.source()
    drop(window, tmp_path / "ann.npz")
    qtbot.waitUntil(lambda: window.findChild(DataBrowser) is not None, timeout=LONG)
    browser = window.findChild(DataBrowser)
    qtbot.waitUntil(lambda: len(browser.list.record_model.records) == 12, timeout=LONG)
    assert "one writer" in window.banner.text.text()
    assert window.settings.data.source() == before
