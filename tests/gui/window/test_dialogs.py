"""The manual and the About dialog, in their first size and on a small screen."""

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
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


def click_link(browser, text):
    """Click on the first link whose words begin so, after it was brought into sight."""
    found = browser.document().find(text)
    while not found.charFormat().isAnchor():
        found = browser.document().find(text, found)
        assert not found.isNull(), text
    found.setPosition(found.selectionStart() + 1)
    browser.setTextCursor(found)
    browser.ensureCursorVisible()
    QTest.mouseClick(
        browser.viewport(), Qt.MouseButton.LeftButton, pos=browser.cursorRect(found).center()
    )


def heading_at_top(browser):
    return browser.cursorForPosition(QPoint(20, 20)).block().text()


def test_a_link_leads_to_its_heading_and_to_a_document_of_another_folder(qtbot):
    manual = ManualWindow()
    qtbot.addWidget(manual)
    manual.show_document("manual.md")
    manual.show()
    browser = manual.browser
    click_link(browser, "Keys")
    assert heading_at_top(browser) == "Keys"
    manual.show_document("performance.md")
    click_link(browser, "cuda.md")
    assert "The device cuda" in browser.toPlainText()
    manual.show_document("digits.md")
    click_link(browser, "mnist.safetensors")
    assert "is missing" not in browser.toPlainText()
