"""What a screen reader and the keyboard find: a walk over all widgets, the end of an epoch, plots
in words.
"""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QSlider,
    QTabBar,
    QToolButton,
    QWidget,
)

from gui.drawing.canvas import Canvas
from gui.training import progress as status_bar
from gui.widgets.plots.plot import Plot
from tests.gui.person import choose_simple_run, part
from tests.limits import LONG

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QSlider,
    QTabBar,
    Plot,
    Canvas,
)


def controls(window):
    """The controls that are shown, without those that Qt makes inside of others."""
    inner = (QTabBar, QAbstractSpinBox, QComboBox, QHeaderView, QAbstractItemView)
    for widget in window.findChildren(QWidget):
        is_shown = (
            isinstance(widget, CONTROLS)
            and not isinstance(widget, QHeaderView)
            and widget.isVisible()
        )
        if (
            is_shown
            and not isinstance(widget.parent(), inner)
            and "ComboBox" not in type(widget.parent()).__name__
        ):
            yield widget


def test_every_control_has_a_name_and_is_reached_by_the_keyboard(window):
    window.resize(1280, 720)
    nameless, unreachable = [], []
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        for widget in controls(window):
            where = f"{window.tabs.tabText(index)}: {type(widget).__name__} {widget.objectName()}"
            interface = QAccessible.queryAccessibleInterface(widget)
            if not interface.text(QAccessible.Text.Name):
                nameless.append(where)
            has_key = (
                isinstance(widget, QToolButton) and widget.focusPolicy() == Qt.FocusPolicy.NoFocus
            )
            if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not (
                has_key and widget.shortcut()
            ):
                unreachable.append(where)
    assert nameless == []
    assert unreachable == []


def test_the_end_of_an_epoch_is_announced(window, qtbot, monkeypatch):
    said = []
    choose_simple_run(window)
    monkeypatch.setattr(status_bar, "announce", lambda widget, text: said.append(text))
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: bool(said), timeout=LONG)
    qtbot.waitUntil(lambda: not window.session.active, timeout=LONG)
    assert "test accuracy" in said[-1]
    assert "Epoch" in said[-1]


def test_a_plot_is_read_in_words_and_as_a_table(qtbot):
    plot = Plot("plot", "loss")
    qtbot.addWidget(plot)
    plot.plotItem.plot(np.array([1.0, 2.0]), np.array([0.5, 0.25]), name="test")
    plot.show()
    plot.setFocus()
    qtbot.waitUntil(plot.hasFocus)
    assert "test: 0.5 at 1, 0.25 at 2" in plot.accessibleDescription()
    QTest.keyClick(plot, Qt.Key.Key_Return)
    table = part(plot, "plotTable")
    assert table.model().rowCount() == 2
    assert table.model().index(1, 2).data() == "0.25"
