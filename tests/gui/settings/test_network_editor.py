"""The network editor: text, table of layers and form of one layer follow each other."""

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.network.layers import KINDS
from core.network.layers.batch_norm import BatchNorm
from core.network.layers.convolution import Convolution
from core.network.layers.dense import Dense
from core.network.layers.dropout import Dropout
from core.network.layers.max_pool import MaxPool
from core.network.losses import find_loss
from gui.settings.network_editor import ACTIVATION, LAYER, MULTIPLY_ADDS, OUTPUT, PARAMETERS, NetworkEditor


@pytest.fixture
def editor(qtbot):
    editor = NetworkEditor()
    qtbot.addWidget(editor)
    editor.edit.setText("784-128-10")
    editor.show()
    return editor


def table(editor):
    model = editor.model
    return [[model.index(r, c).data() for c in range(model.columnCount())] for r in range(model.rowCount())]


def test_one_unit_and_one_map_are_named_in_the_singular(editor):
    editor.edit.setText("1C3-1N-10N")
    assert [row[LAYER] for row in table(editor)] == ["1 map 3×3", "1 unit", "10 units"]


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
    editor.edit.setText(text)
    assert editor.network is None
    assert words in editor.error.text()
    assert editor.error.isVisible()
    editor.edit.setText("784-20-10")
    assert not editor.error.isVisible()
    assert editor.network is not None


def test_layers_are_added_moved_and_removed(editor):
    editor.table.selectRow(0)
    press(editor, "add")
    assert editor.edit.text() == "784-128-64-10"
    press(editor, "up")
    assert editor.edit.text() == "784-64-128-10"
    press(editor, "down")
    assert editor.edit.text() == "784-128-64-10"
    press(editor, "remove")
    assert editor.edit.text() == "784-128-10"


def test_the_keyboard_adds_and_removes(editor):
    editor.table.selectRow(0)
    editor.table.setFocus()
    QTest.keyClick(editor.table, Qt.Key.Key_Insert)
    assert editor.edit.text() == "784-128-64-10"
    QTest.keyClick(editor.table, Qt.Key.Key_Delete)
    assert editor.edit.text() == "784-128-10"


def test_the_output_layer_stays(editor):
    editor.table.selectRow(1)
    assert not editor.buttons["remove"].isEnabled()
    assert not editor.model.flags(editor.model.index(1, LAYER)) & Qt.ItemFlag.ItemIsEditable


def test_a_layer_is_changed_in_the_table(editor):
    model = editor.model
    model.setData(model.index(0, LAYER), "200")
    assert editor.edit.text() == "784-200-10"
    model.setData(model.index(0, ACTIVATION), "tanh")
    assert editor.edit.text() == "200N:tanh-10N"
    model.setData(model.index(0, LAYER), "50")
    assert editor.edit.text() == "50N:tanh-10N"
    model.setData(model.index(0, ACTIVATION), "")
    assert editor.edit.text() == "784-50-10"


def test_a_wrong_size_in_the_table_shows_an_error_and_changes_nothing(editor):
    editor.model.setData(editor.model.index(0, LAYER), "many")
    assert editor.edit.text() == "784-128-10"
    assert "many" in editor.error.text()


def test_the_output_follows_the_loss(editor):
    editor.set_activation("sigmoid", find_loss("cross-entropy", "classes"))
    assert [row[ACTIVATION] for row in table(editor)] == ["sigmoid", "softmax"]
    editor.set_activation("sigmoid", find_loss("squared-error", "classes"))
    assert [row[ACTIVATION] for row in table(editor)] == ["sigmoid", "sigmoid"]


def test_other_kinds_of_layers_come_from_the_menu(editor):
    kinds = editor.buttons["add"].menu().actions()
    kinds[1].trigger()
    assert editor.edit.text() == "16C5-128N-10N"
    editor.table.selectRow(0)
    kinds[2].trigger()
    editor.table.selectRow(1)
    kinds[3].trigger()
    assert editor.edit.text() == "16C5-MP2-D25-128N-10N"
    rows = table(editor)
    assert [row[OUTPUT] for row in rows] == ["28×28×16", "14×14×16", "14×14×16", "128", "10"]
    assert [row[MULTIPLY_ADDS] for row in rows] == ["314 k", "0", "0", "401 k", "1,280"]


def test_a_convolution_after_a_dense_layer_is_refused_with_its_name(editor):
    editor.table.selectRow(0)
    editor.buttons["add"].menu().actions()[1].trigger()
    assert editor.edit.text() == "784-128-10"
    assert "16C5 needs an image" in editor.error.text()


def test_a_convolution_is_changed_in_the_table(editor):
    editor.edit.setText("32C5-MP2-10N")
    model = editor.model
    model.setData(model.index(0, LAYER), "8C3:valid:s2")
    assert editor.edit.text() == "8C3:valid:s2-MP2-10N"
    model.setData(model.index(0, ACTIVATION), "tanh")
    assert editor.edit.text() == "8C3:tanh:valid:s2-MP2-10N"


def underlined(editor):
    """The parts of the text that were marked last."""
    return [editor.edit.text()[start : start + length] for start, length in editor.marks[-1]]


@pytest.fixture
def marks(editor):
    """Follows what the line edit is told to underline."""
    editor.marks = []

    class Watch(QObject):
        def eventFilter(self, watched, event):  # noqa: N802 - Qt's name
            if event.type() == QEvent.Type.InputMethod:
                at = watched.cursorPosition()
                editor.marks.append([(at + part.start, part.length) for part in event.attributes()])
            return False

    editor.edit.installEventFilter(Watch(editor))


@pytest.mark.parametrize(
    ("text", "part", "words"),
    [
        ("32C5-MP2-MP3-MP3-MP2-10N", "MP2", "MP2: pooling 2x2 of a 1x1 input"),
        ("3C5-64N-32C5-10N", "32C5", "32C5 needs an image"),
        ("3C5 - MP3 - 4C11:valid - 10N", "4C11:valid", "4C11:valid: a 11x11 kernel is larger than its 9x9"),
        ("8C5-9N", "9N", "must be dense with 10 units"),
        ("8C5 - warp - 10N", "warp", "character 7"),
    ],
)
def test_an_impossible_layer_is_named_and_its_place_underlined(editor, marks, text, part, words):
    editor.edit.clear()
    QTest.keyClicks(editor.edit, text)
    assert editor.edit.text() == text
    assert words in editor.error.text()
    assert underlined(editor) == [part]
    editor.edit.setText("784-128-10")
    assert underlined(editor) == []


def test_a_wrong_text_disables_the_last_correct_table(editor):
    editor.edit.setText("8C5-MP2-10N")
    rows = table(editor)
    editor.edit.setText("8C5-MP2-10N-")
    editor.set_activation("relu", find_loss("cross-entropy", "classes"))
    assert table(editor) == rows
    assert not editor.table.isEnabled()
    editor.edit.setText("8C5-MP2-10N")
    assert editor.table.isEnabled()


def choose(box, data):
    box.setCurrentIndex(box.findData(data))


def test_the_chosen_layer_is_changed_in_the_form(editor):
    editor.edit.setText("32C5-MP2-D50-64N-10N")
    form = editor.form
    assert not form.isVisible()
    editor.table.selectRow(0)
    form.boxes["maps"].setValue(8)
    choose(form.boxes["size"], 3)
    choose(form.boxes["padding"], "valid")
    choose(form.boxes["stride"], 2)
    choose(form.boxes["activation"], "tanh")
    assert editor.edit.text() == "8C3:tanh:valid:s2-MP2-D50-64N-10N"
    editor.table.selectRow(1)
    choose(form.boxes["block"], 3)
    editor.table.selectRow(2)
    form.boxes["percent"].setValue(20)
    editor.table.selectRow(3)
    form.boxes["units"].setValue(100)
    assert editor.edit.text() == "8C3:tanh:valid:s2-MP3-D20-100N-10N"
    editor.table.selectRow(4)
    assert not form.boxes["units"].isEnabled()
    assert not form.kind.isEnabled()
    assert form.boxes["activation"].currentText().startswith("softmax")


def test_a_layers_kind_is_changed_in_the_form(editor):
    editor.table.selectRow(0)
    choose(editor.form.kind, Convolution)
    assert editor.edit.text() == "16C5-10N"
    assert editor.form.boxes["maps"].isVisible()
    assert "units" not in editor.form.boxes
    choose(editor.form.kind, Dropout)
    assert editor.edit.text() == "D25-10N"
    choose(editor.form.kind, Dense)
    assert editor.edit.text() == "784-64-10"


def test_batch_normalization_takes_the_activation_of_the_layer_before_it(editor):
    editor.edit.setText("8C5-MP2-32N-10N")
    editor.table.selectRow(2)
    kinds = editor.buttons["add"].menu().actions()
    kinds[KINDS.index(BatchNorm)].trigger()
    assert editor.edit.text() == "8C5-MP2-32N-BN-10N"
    column = [editor.model.index(row, ACTIVATION).data() for row in range(5)]
    assert column == ["ReLU", "", "", "ReLU", "softmax"]
    assert editor.model.index(3, PARAMETERS).data() == "64"
    editor.table.selectRow(3)
    choose(editor.form.boxes["activation"], "tanh")
    assert editor.edit.text() == "8C5-MP2-32N-BN:tanh-10N"
    editor.edit.setText("8C5-MP2-BN-10N")
    editor.table.selectRow(2)
    assert editor.form.boxes["activation"].currentText() == "linear (default)"


def test_an_impossible_change_in_the_form_is_reverted(editor):
    editor.edit.setText("8C5-64N-32N-10N")
    editor.table.selectRow(2)
    choose(editor.form.kind, MaxPool)
    assert editor.edit.text() == "8C5-64N-32N-10N"
    assert "MP2 needs an image" in editor.error.text()
    assert editor.form.kind.currentData() is Dense
    editor.form.boxes["units"].setValue(33)
    assert editor.edit.text() == "8C5-64N-33N-10N"
    assert not editor.error.isVisible()


def test_the_form_follows_the_text(editor):
    editor.table.selectRow(0)
    editor.edit.setText("784-77-10")
    assert editor.form.boxes["units"].value() == 77


@pytest.mark.parametrize(
    ("typed", "complete"),
    [
        ("128", "784-128-10"),
        (" 784 - 100 - 10 ", "784-100-10"),
        ("784-64n:tanh-10N", "64N:tanh-10N"),
    ],
)
def test_an_entered_text_is_completed_and_can_be_undone(editor, typed, complete):
    editor.edit.clear()
    QTest.keyClicks(editor.edit, typed)
    assert editor.edit.text() == typed
    read = table(editor)
    QTest.keyClick(editor.edit, Qt.Key.Key_Return)
    assert editor.edit.text() == complete
    assert table(editor) == read
    editor.edit.undo()
    assert editor.edit.text() == typed


def test_a_wrong_text_is_not_changed(editor):
    editor.edit.clear()
    QTest.keyClicks(editor.edit, "784--10")
    QTest.keyClick(editor.edit, Qt.Key.Key_Return)
    assert editor.edit.text() == "784--10"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("100-50-10", "784-100-50-10-10. For a complete network, begin it with 784."),
        ("784-100-10", ""), ("100-50", ""), ("10", ""), ("784", ""), ("784-64:tanh-10N", ""), ("784--11", ""),
    ],
)  # fmt: skip
def test_numbers_without_the_input_show_how_they_are_read(editor, text, words):
    editor.edit.clear()
    QTest.keyClicks(editor.edit, text)
    assert editor.reading.isVisible() == bool(words)
    assert editor.reading.text().endswith(words)


@pytest.mark.parametrize("text", ["784-100-11", "784 - 100", "784-10-5"])
def test_numbers_that_begin_with_the_input_end_with_the_outputs(editor, text):
    editor.edit.setText(text)
    assert editor.problem.startswith("The last layer must have 10 units")
    assert editor.network is None
    QTest.keyClick(editor.edit, Qt.Key.Key_Return)
    assert editor.edit.text() == text


def test_an_activation_that_the_loss_does_not_allow_is_shown_while_typing(editor, marks):
    editor.edit.clear()
    QTest.keyClicks(editor.edit, "64-10N:tanh")
    assert "takes no activation of its own" in editor.error.text()
    assert underlined(editor) == ["10N:tanh"]
    assert editor.network is None
    editor.set_activation("relu", find_loss("squared-error", "classes"))
    assert not editor.error.isVisible()
    assert editor.network is not None
    editor.set_activation("relu", find_loss("cross-entropy", "classes"))
    assert editor.error.isVisible()


def test_the_form_shows_one_widget_for_each_field_of_the_layer(editor):
    editor.edit.setText("8C3-MP2-10N")
    editor.table.selectRow(1)
    names = [box.objectName() for box in editor.form.findChildren(QWidget) if box.parent() is editor.form]
    assert len(names) == len(set(names))
    visible = {name for name in names if editor.form.findChild(QWidget, name).isVisible()}
    assert visible == {"layerKindBox", "layerBlockBox"}


def test_a_number_is_typed_in_the_form_without_losing_the_focus(editor):
    editor.table.selectRow(0)
    units = editor.form.boxes["units"]
    units.setFocus()
    units.selectAll()
    QTest.keyClicks(units, "205")
    assert editor.edit.text() == "784-205-10"
    assert units.hasFocus()
    assert units.isVisible()
