"""What the window says about devices: advice on what to install, and a chosen card that comes
back.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from gui.window.application import clean_clipboard
from gui.window.main_window import MainWindow
from tests.gui.person import part

COMMAND = "uv run --extra cuda main.py"
ADVICE = f"This computer has an NVIDIA graphics card, but numba-cuda is missing. Use `{COMMAND}`."


def test_advice_is_shown_once_with_a_button_that_copies_the_command(window, qtbot):
    window.banner.hide()
    window.devices.advised.emit(ADVICE)
    assert window.banner.isVisible()
    assert COMMAND in window.banner.text.accessibleName()
    part(window.banner, "copyCommand").click()
    assert QGuiApplication.clipboard().text() == COMMAND
    window.banner.hide()
    window.devices.advised.emit(ADVICE)
    assert not window.banner.isVisible()


def test_what_is_copied_of_a_message_has_no_invisible_characters(window):
    clipboard = QGuiApplication.clipboard()
    clipboard.dataChanged.connect(clean_clipboard)
    path = "/home/ann/" + "n" * 60
    window.banner.show_text(path)
    label = window.banner.text
    assert "\u200b" in label.text()
    label.setFocus()
    label.setSelection(0, len(label.text()))
    QTest.keyClick(label, "c", Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == path
    clipboard.dataChanged.disconnect(clean_clipboard)


def test_a_later_start_does_not_show_it_again(window, qtbot):
    window.devices.advised.emit(ADVICE)
    window.close()
    later = MainWindow()
    qtbot.addWidget(later)
    later.devices.advised.emit(ADVICE)
    assert later.banner.isHidden()


def test_the_second_of_several_cards_comes_back_at_the_next_start(window, qtbot):
    window.settings.device_box.addItem("cuda:1", "cuda:1")
    window.settings.device_box.setCurrentIndex(window.settings.device_box.findData("cuda:1"))
    window.close()
    later = MainWindow()
    qtbot.addWidget(later)
    assert later.devices.choice() == "cuda:1"


def test_a_step_that_is_not_captured_is_said_during_the_run(window):
    text = "The graphics driver could not capture the training step as a graph."
    window.devices.show_running("vectorized")
    window.session.device_noticed.emit(text)
    assert "slower than usual" in window.status.toolTip()
    assert text in window.status.toolTip()
