"""The combo box shows what fits, and the whole text in its tooltip."""

import pytest

from gui.widgets.basics import SHORT_TEXT, QuietComboBox

LONG = "cuda: NVIDIA GeForce RTX 4090, 24.0 GB, compute capability 8.9, driver for CUDA 13.0"


@pytest.fixture
def box(qtbot):
    box = QuietComboBox()
    qtbot.addWidget(box)
    box.addItem(LONG)
    box.setToolTip("Where the network is trained.")
    box.resize(220, 28)
    return box


def test_a_long_text_ends_with_an_ellipsis(box):
    assert box.shown_text().endswith("…")
    assert LONG.startswith(box.shown_text()[:-1])


def test_the_closed_box_shows_the_short_text(box):
    box.setItemData(0, "cuda: RTX 4090", SHORT_TEXT)
    assert box.shown_text() == "cuda: RTX 4090"
    assert box.currentText() == LONG


def test_the_tooltip_begins_with_a_text_that_is_cut(box):
    assert box.full_tooltip() == f"{LONG}\nWhere the network is trained."
    box.resize(900, 28)
    assert box.full_tooltip() == "Where the network is trained."
