"""The manual and the About dialog, in their first size and on a small screen."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea

from gui.window.help import AboutDialog, ManualWindow
from tests.gui.person import part


@pytest.fixture(params=[QSize(1280, 800), QSize(640, 360)], ids=["usual", "small"])
def screen(request, monkeypatch):
    monkeypatch.setattr(QScreen, "availableSize", lambda self: request.param)
    return request.param


def shown(qtbot, dialog, screen):
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.height() < screen.height()
    assert dialog.rect().contains(dialog.findChild(QPushButton, "dialogClose").geometry())
    return dialog


@pytest.mark.parametrize("name", ["manual.md", "lessons.md", "studies.md"])
def test_no_document_is_wider_than_the_window(qtbot, screen, name):
    window = shown(qtbot, ManualWindow(), screen)
    window.show_document(name)
    for width in (window.width(), 620):
        window.resize(width, window.height())
        # A long document is laid out in parts.
        qtbot.waitUntil(lambda: window.browser.horizontalScrollBar().maximum() == 0)


def test_the_licenses_are_folded_away_and_can_be_read(qtbot, screen):
    dialog = shown(qtbot, AboutDialog([]), screen)
    licenses = part(dialog, "aboutLicenses")
    assert not licenses.isVisible()
    if screen.height() > 700:
        assert dialog.findChild(QScrollArea).verticalScrollBar().maximum() == 0
    for fold in ("aboutVersions", "aboutOthers"):
        QTest.mouseClick(part(dialog, fold), Qt.MouseButton.LeftButton)
    assert "NumPy" in licenses.text()
    texts = dialog.findChildren(QLabel)
    qtbot.waitUntil(
        lambda: all(text.height() >= text.heightForWidth(text.width()) for text in texts)
    )
