"""What a person gives away, and opens: by mouse, with the files that it makes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest

from tests.gui.conftest import bars, write_idx
from tests.gui.person import choose_files, choose_simple_run, ended, part, saved
from tests.limits import LONG


def press(window, name):
    widget = part(window, name)
    assert widget.isVisible(), name
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


@pytest.fixture
def folder(window, tmp_path):
    """The folder that was used last."""
    window.preferences.save_folder(tmp_path / "any")
    return tmp_path


def test_a_page_to_draw_on_is_out_in_two_actions_and_opens(window, qtbot, folder, monkeypatch):
    window.resize(1400, 900)  # in a small window What next? is folded away
    choose_simple_run(window)
    press(window, "trainButton")
    qtbot.waitUntil(lambda: window.session.active, timeout=LONG)
    qtbot.waitUntil(ended(window), timeout=LONG)
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    qtbot.waitUntil(lambda: part(window, "conclusionShare").isVisible(), timeout=LONG)
    press(window, "conclusionShare")
    assert part(window, "share-page").isChecked()
    press(window, "shareSave")
    qtbot.waitUntil(saved(window), timeout=LONG)
    page = folder / "32 units.html"
    assert "<canvas" in page.read_text("utf-8")
    press(window, "savedOpen")
    press(window, "showFolder")
    assert opened == [str(page), str(folder)]

    # The browser shows a page that is opened here.
    choose_files(page)
    QTest.keyClick(part(window, "savedDialog"), Qt.Key.Key_Escape)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(window.banner.action_button.isVisible)
    QTest.mouseClick(window.banner.action_button, Qt.MouseButton.LeftButton)
    assert opened[-1] == str(page)


def test_a_folder_is_opened_as_what_it_holds(window, qtbot, tmp_path):
    data = tmp_path / "digits"
    for name, images, seed in (("train", 60, 1), ("t10k", 20, 2)):
        write_idx(data, *bars(images, seed), name)
    choose_files(data)
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_F, modifiers)
    qtbot.waitUntil(lambda: window.settings.data.source() == str(data))
