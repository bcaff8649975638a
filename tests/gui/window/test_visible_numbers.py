"""Every number that the window shows is written in one form: see gui/text.py."""

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLabel,
    QTabBar,
    QWidget,
)

from tests.gui.hand import draw
from tests.gui.person import ended, part
from tests.limits import LONG

# What no number may look like. A hyphen is a minus sign where nothing, a space or a bracket is
# before it.
WRONG = {
    "an exponent of Python": re.compile(r"\d[eE][+-]\d"),
    "a hyphen for a minus sign": re.compile(r"(?:^|[\s(=×:])-\d"),
    "a percent sign without a space": re.compile(r"\d%"),
    "thousands that are not separated": re.compile(r"(?<![\d.,·/\w-])\d{5,}(?![\d.]*-|\w)"),
    "too many decimals": re.compile(r"\d\.\d{7,}"),
}


def texts(widget):
    """(what shows it, text) for all that `widget` shows now, with its tooltip."""
    name = widget.objectName() or type(widget).__name__
    yield name, widget.toolTip()
    yield name, widget.accessibleDescription()
    if isinstance(widget, QLabel | QAbstractButton):
        yield name, widget.text()
    elif isinstance(widget, QComboBox):
        yield name, widget.currentText()
    elif isinstance(widget, QTabBar):
        yield from ((name, widget.tabText(index)) for index in range(widget.count()))
    elif isinstance(widget, QAbstractItemView) and widget.model():
        model = widget.model()
        for column in range(model.columnCount()):
            yield name, str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        for row in range(min(model.rowCount(), 50)):
            for column in range(model.columnCount()):
                for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                    yield name, str(model.index(row, column).data(role) or "")


def wrong_numbers(window):
    visible = [widget for widget in window.findChildren(QWidget) if widget.isVisible()]
    return {
        (name, problem, text)
        for widget in visible
        for name, text in texts(widget)
        for problem, pattern in WRONG.items()
        if pattern.search(text) and "/" not in text  # paths of files
    }


def test_the_patterns_find_wrong_numbers_and_leave_other_texts():
    bad = ("2.5e-07", "R² -0.3", "99%", "12345 images", "0.00000012")
    good = (
        "2.5·10⁻⁷",
        "R² \N{MINUS SIGN}0.3",
        "99 %",
        "12,345 images",
        "784-32-10",
        "32C5-MP2-10N",
        "20261122-132929",
    )
    assert all(any(pattern.search(text) for pattern in WRONG.values()) for text in bad)
    assert not any(pattern.search(text) for text in good for pattern in WRONG.values())


def test_all_tabs_show_numbers_in_one_form(window, qtbot):
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    draw(part(window, "canvas"), "3", size=0.9)
    qtbot.waitUntil(
        lambda: window.drawing.stage.answers.answer.probabilities is not None, timeout=LONG
    )
    wrong = set()
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        chooser = getattr(window.tabs.currentWidget(), "chooser", None)
        for page in range(chooser.count() if isinstance(chooser, QTabBar) else 1):
            if isinstance(chooser, QTabBar):
                chooser.setCurrentIndex(page)
            wrong |= wrong_numbers(window)
    assert wrong == set()
