"""Exported files show the whole plots and tables, under the chosen name."""

import re
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QImage

from core.inference.model_file import load_model
from gui.widgets.plots.plot import EXPORTED
from tests.gui.person import choose_files, ended, part, saved, share, shared
from tests.limits import LONG


@pytest.fixture
def trained(window, qtbot):
    """The window after a run."""
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    return window


def pixels(image):
    """(height, width, 4) uint8."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    # A copy, because the memory is freed with `image`.
    return (
        np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()
    )


@pytest.mark.parametrize("tab", ["page", "measuring"])
def test_a_picture_shows_the_plot_completely(trained, tmp_path, tab):
    trained.tabs.setCurrentWidget(getattr(trained, tab))
    path = tmp_path / "run.png"
    share(trained, "curves", path)
    found = pixels(QImage(str(path)))
    plots = [part(trained, "accuracyPlot")]
    title = 2 * trained.training.fontMetrics().height()  # the run's name over its plots
    sizes = [plot.size().expandedTo(EXPORTED) for plot in plots]
    assert found.shape[:2] == (
        2 * (title + sum(size.height() for size in sizes)),
        2 * sizes[0].width(),
    )
    top = 2 * title
    for size in sizes:
        picture = found[top : top + 2 * size.height()]
        top += 2 * size.height()
        # The legend is at the right, the ticks' numbers are at the left, the axis of epochs is at
        # the bottom.
        height, width = picture.shape[:2]
        for corner in (
            picture[:, : width // 8],
            picture[:, -width // 4 :],
            picture[-height // 5 :],
        ):
            assert (corner != corner[0, 0]).any(axis=-1).sum() > 100


def test_an_svg_file_contains_text(trained, tmp_path):
    path = tmp_path / "run.svg"
    share(trained, "curves", path, ".svg")
    drawn = path.read_text()
    words = {word.strip() for word in re.findall(r">([^<>]+)</text>", drawn)}
    assert {"accuracy, %", "epoch", "training", "test", "100"} <= words
    # All is drawn at one scale: an axis at three quarters would tell other numbers.
    assert "matrix(0.75,0,0,0.75" not in drawn


def test_the_table_of_epochs_is_exported(trained, tmp_path):
    path = tmp_path / "run.csv"
    share(trained, "table", path)
    assert saved(trained)()
    lines = path.read_text().splitlines()
    assert lines[0].startswith("epoch,train_loss")
    assert len(lines) == 3


def test_a_name_without_a_known_suffix_gets_one(trained, tmp_path):
    path = tmp_path / "my.v1"
    choose_files(path)
    trained.saving.save_as()
    saved = path.with_name("my.v1.safetensors")
    assert load_model(saved).data == "mnist"
    assert "my.v1.safetensors" in trained.banner.text.accessibleName()
    share(trained, "curves", tmp_path / "plots.of.today")
    assert path.with_name("plots.of.today.png").is_file()
    assert "plots.of.today.png" in part(trained, "savedWhere").text().replace("\u200b", "")


def test_files_are_saved_in_documents_first_and_then_in_the_last_folder(trained, tmp_path):
    dialog = shared(trained, "table")
    documents = Path(
        QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    )
    first = documents if documents.is_dir() else Path.home()
    assert dialog.destination.path.parent == first
    dialog.reject()
    trained.saving.save_to(tmp_path / "mine.safetensors")
    dialog = shared(trained, "table")
    assert dialog.destination.path.parent == tmp_path
    # Nothing that is there is written over: the next one gets another name.
    dialog.save.click()
    (first,) = tmp_path.glob("*.csv")
    again = shared(trained, "table")
    assert again.destination.path.name == f"{first.stem} 2.csv"
