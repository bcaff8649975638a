import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.layers_model import ACTIVATION, LAYER, MULTIPLY_ADDS, OUTPUT, PARAMETERS
from gui.network_editor import NetworkEditor


@pytest.fixture
def editor(qtbot):
    editor = NetworkEditor()
    qtbot.addWidget(editor)
    editor.set_text("784-128-10")
    editor.show()
    return editor


def table(editor):
    model = editor.model
    return [[model.index(r, c).data() for c in range(model.columnCount())] for r in range(model.rowCount())]


def press(editor, name):
    editor.buttons[name].click()


def test_the_table_follows_the_text(editor):
    editor.edit.clear()
    QTest.keyClicks(editor.edit, "784-300-100-10")
    rows = table(editor)
    assert [row[OUTPUT] for row in rows] == ["300", "100", "10"]
    assert [row[PARAMETERS] for row in rows] == ["236 k", "30.1 k", "1,010"]
    assert "266,610" in editor.summary.text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("784--10", "character 5"),
        ("0", "at least 1"),
        ("784-0-10", "character 5"),
        ("-5", "minus sign"),
        ("abc", "character 1"),
        ("", "empty"),
        ("784-1000000000-10", "memory"),
        ("784-64:warp-10N", "warp"),
    ],
)
def test_a_wrong_text_is_explained_beside_it(editor, text, words):
    editor.set_text(text)
    assert editor.network is None
    assert words in editor.error.text()
    assert editor.error.isVisible()
    editor.set_text("784-20-10")
    assert not editor.error.isVisible()
    assert editor.network is not None


def test_layers_are_added_moved_and_removed(editor):
    editor.table.selectRow(0)
    press(editor, "add")
    assert editor.text() == "784-128-64-10"
    press(editor, "up")
    assert editor.text() == "784-64-128-10"
    press(editor, "down")
    assert editor.text() == "784-128-64-10"
    press(editor, "remove")
    assert editor.text() == "784-128-10"


def test_the_keyboard_adds_and_removes(editor):
    editor.table.selectRow(0)
    editor.table.setFocus()
    QTest.keyClick(editor.table, Qt.Key.Key_Insert)
    assert editor.text() == "784-128-64-10"
    QTest.keyClick(editor.table, Qt.Key.Key_Delete)
    assert editor.text() == "784-128-10"


def test_the_output_layer_stays(editor):
    editor.table.selectRow(1)
    assert not editor.buttons["remove"].isEnabled()
    assert not editor.model.flags(editor.model.index(1, LAYER)) & Qt.ItemFlag.ItemIsEditable


def test_a_layer_is_changed_in_the_table(editor):
    model = editor.model
    model.setData(model.index(0, LAYER), "200")
    assert editor.text() == "784-200-10"
    model.setData(model.index(0, ACTIVATION), "tanh")
    assert editor.text() == "200N:tanh-10N"
    model.setData(model.index(0, LAYER), "50")
    assert editor.text() == "50N:tanh-10N"
    model.setData(model.index(0, ACTIVATION), "")
    assert editor.text() == "784-50-10"


def test_a_wrong_size_in_the_table_changes_nothing_and_says_why(editor):
    editor.model.setData(editor.model.index(0, LAYER), "many")
    assert editor.text() == "784-128-10"
    assert "many" in editor.error.text()


def test_the_output_follows_the_loss(editor):
    editor.set_activation("sigmoid", "cross-entropy")
    assert [row[ACTIVATION] for row in table(editor)] == ["sigmoid", "softmax"]
    editor.set_activation("sigmoid", "squared-error")
    assert [row[ACTIVATION] for row in table(editor)] == ["sigmoid", "sigmoid"]


def test_other_kinds_of_layers_come_from_the_menu(editor):
    kinds = editor.buttons["add"].menu().actions()
    kinds[1].trigger()
    assert editor.text() == "16C5-128N-10N"
    editor.table.selectRow(0)
    kinds[2].trigger()
    editor.table.selectRow(1)
    kinds[3].trigger()
    assert editor.text() == "16C5-MP2-D25-128N-10N"
    rows = table(editor)
    assert [row[OUTPUT] for row in rows] == ["28×28×16", "14×14×16", "14×14×16", "128", "10"]
    assert [row[MULTIPLY_ADDS] for row in rows] == ["314 k", "0", "0", "401 k", "1,280"]


def test_a_convolution_after_a_dense_layer_is_refused_with_its_name(editor):
    editor.table.selectRow(0)
    editor.buttons["add"].menu().actions()[1].trigger()
    assert editor.text() == "784-128-10"
    assert "16C5 needs an image" in editor.error.text()


def test_a_convolution_is_changed_in_the_table(editor):
    editor.set_text("32C5-MP2-10N")
    model = editor.model
    model.setData(model.index(0, LAYER), "8C3:valid:s2")
    assert editor.text() == "8C3:valid:s2-MP2-10N"
    model.setData(model.index(0, ACTIVATION), "tanh")
    assert editor.text() == "8C3:tanh:valid:s2-MP2-10N"
