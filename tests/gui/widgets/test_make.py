"""One call makes a widget with its name, text, tooltip, key, accessible name and slot."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from gui.labs.texts import LabText
from gui.widgets import make
from gui.widgets.basics import PrimaryButton, key_text
from gui.widgets.messages import note, set_message


@pytest.fixture
def page(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    return page


def spoken(widget):
    """The name that a screen reader says."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


@pytest.mark.parametrize("kind", [PrimaryButton, QToolButton])
def test_a_button_says_its_name_and_its_key_and_calls_its_slot(page, kind):
    calls = []
    button = make.button(
        "&Run", "runButton", "Start it.", lambda: calls.append(1), key="Ctrl+R", kind=kind
    )
    make.column(button, owner=page)
    button.click()
    assert calls == [1]
    assert button.objectName() == "runButton"
    assert isinstance(button, kind)
    assert spoken(button) == "Run"
    assert button.toolTip() == f"Start it ({key_text('Ctrl+R')})."
    button.setText("Stop")
    assert spoken(button) == "Stop"


def test_return_in_a_dialog_clicks_no_button_by_itself(page):
    assert not make.button("Run", "runButton").autoDefault()


def test_a_button_with_a_menu_opens_it_and_can_be_reached_by_the_tab_key(page):
    menu = QMenu(page)
    button = make.menu_button(
        "Keep as", "keepButton", "Keep the drawing.", menu, title="Keep the drawing"
    )
    assert button.menu() is menu
    assert button.focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert spoken(button) == "Keep the drawing"


def test_an_action_has_its_keys_and_is_offered_by_its_widget(page, qtbot):
    calls = []
    action = make.action(
        page, "&Undo", "undo", lambda: calls.append(1), keys=["Ctrl+Z", "Alt+Z"], tip="Back."
    )
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    QTest.keyClick(page, Qt.Key.Key_Z, Qt.KeyboardModifier.AltModifier)
    assert calls == [1]
    assert action in page.actions()
    assert action.toolTip() == f"Back ({key_text('Ctrl+Z')})."


def test_a_combo_box_calls_its_slot_on_a_choice_and_not_when_it_is_filled(page):
    chosen = []
    box = make.combo(
        "kind", "Kind", "Which.", [("a", "A"), ("b", "B", "The second.")], chosen.append
    )
    assert box.accessibleName() == "Kind"
    assert box.itemData(1, Qt.ItemDataRole.ToolTipRole) == "The second."
    box.choose("b")
    assert chosen == [1]
    make.fill(box, [("x", "X"), ("b", "B")])
    assert box.currentData() == "b"
    make.fill(box, [("x", "X"), ("y", "Y")])
    assert box.currentData() == "x"
    assert chosen == [1]


def test_numbers_and_texts_have_their_limits_names_and_slots(page):
    heard = []
    spin = make.spin("count", "Co&unt", "How many.", 2, 9, 5, heard.append)
    slider = make.slider("width", "Width", "How wide.", 0, 3, heard.append)
    edit = make.edit("name", "Name", "What it is called.", heard.append, placeholder="none")
    assert (spin.value(), make.spin("least", "Least", "", 2, 9).value()) == (5, 2)
    spin.setValue(100)
    slider.setValue(2)
    edit.setText("second")
    assert heard == [9, 2, "second"]
    assert [spoken(widget) for widget in (spin, slider, edit)] == ["Count", "Width", "Name"]
    assert edit.placeholderText() == "none"


def test_a_check_box_says_what_it_becomes(page):
    heard = []
    box = make.check("&Raw", "rawBox", "As it is.", heard.append)
    assert isinstance(box, QCheckBox)
    box.click()
    box.click()
    assert heard == [True, False]
    assert spoken(box) == "Raw"


def test_parts_are_laid_out_in_order_with_their_stretch_and_space(page, qtbot):
    first, second, third = QLabel("1"), QLabel("2"), QLabel("3")
    make.column(make.row(first, 20, (second, 1), third), None, owner=page, spacing=4)
    page.resize(400, 200)
    page.show()
    assert second.x() - first.geometry().right() >= 20
    assert second.width() > 3 * third.width()
    assert first.y() < 50


def test_no_line_breaks_before_a_percent_sign(qtbot):
    message = note()
    set_message(message, "The network reads 92 % of the digits.")
    qtbot.addWidget(message)
    assert "92\N{NO-BREAK SPACE}%" in message.text()
    lab = LabText("At least **92 %** of the digits.", None)
    qtbot.addWidget(lab)
    assert "92\N{NO-BREAK SPACE}%" in lab.document().toRawText()


def test_widgets_that_expand_share_a_line_up_to_their_greatest_width(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    wide, narrow = QWidget(page), QWidget(page)
    for widget, most in ((narrow, 120), (wide, 1000)):
        widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        widget.setMinimumSize(100, 20)
        widget.setMaximumWidth(most)
    page.setLayout(make.FlowLayout(narrow, wide, spacing=10))
    page.resize(400, 40)
    page.show()
    assert (narrow.width(), wide.width()) == (120, 270)
