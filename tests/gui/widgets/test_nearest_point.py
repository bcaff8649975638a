"""A plot names the point under the pointer."""

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from gui.widgets.plots.plot import NEAR, Plot, nearest_point_text


@pytest.fixture
def plot(qtbot):
    plot = Plot("test", "Test")
    qtbot.addWidget(plot)
    plot.plot([1, 2, 3], [10, 1000, 20], name="speed")
    plot.plot([1, 2, 3], [300, 300, 300])
    plot.resize(500, 400)
    plot.show()
    return plot


def on_screen(plot, x, y):
    return plot.plotItem.vb.mapViewToScene(QPointF(x, y))


def test_the_nearest_point_is_named_with_its_values(plot):
    plot.setRange(xRange=(0, 4), yRange=(0, 1100), padding=0)
    place = on_screen(plot, 2, 1000)
    assert (
        nearest_point_text(plot.plotItem, plot.drawn(), place + QPointF(5, 5)) == "speed: 2; 1,000"
    )
    assert nearest_point_text(plot.plotItem, plot.drawn(), place - QPointF(0, 2 * NEAR)) == ""


def test_the_tooltip_shows_it(plot):
    plot.setRange(xRange=(0, 4), yRange=(0, 1100), padding=0)
    place = plot.mapFromScene(on_screen(plot, 1, 10))
    event = QHelpEvent(QEvent.Type.ToolTip, place, plot.viewport().mapToGlobal(place))
    QApplication.sendEvent(plot.viewport(), event)
    assert QToolTip.text() == "speed: 1; 10"
