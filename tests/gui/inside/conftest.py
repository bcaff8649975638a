"""The window with the Inside tab in front and a drawing on the canvas."""

import pytest

from tests.gui.person import ended, part
from tests.limits import LONG


@pytest.fixture
def inside(window, qtbot):
    """The Inside tab in front, with the program's own network."""
    qtbot.waitUntil(lambda: window.inside._model is not None, timeout=LONG)
    window.tabs.setCurrentWidget(window.inside)
    return window.inside


@pytest.fixture
def trained(inside, window, qtbot):
    """The Inside tab with a small network that has learned."""
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(lambda: inside._model.network.text == "784-32-10", timeout=LONG)
    return inside


def open_page(inside, name):
    names = [page.objectName() for page in inside.pages]
    inside.chooser.setCurrentIndex(names.index(name))
    return inside.page


def choose_example(inside, qtbot, index):
    """Show the network this test example; the data are read first."""
    inside.input.box.setCurrentIndex(1)
    qtbot.waitUntil(lambda: inside.input.number.maximum() > 0, timeout=LONG)
    inside.input.number.setValue(index)
