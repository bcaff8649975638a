"""The network as a text: what is wrong in it, how it is read, and what it costs."""

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest

from core.network.losses import find_loss
from gui.settings.network_editor import NetworkEditor


@pytest.fixture
def editor(qtbot):
    editor = NetworkEditor()
    qtbot.addWidget(editor)
    editor.edit.setText("784-128-10")
    editor.show()
    return editor


def test_it_says_what_the_network_costs(editor):
    editor.edit.clear()
    QTest.keyClicks(editor.edit, "784-300-100-10")
    assert "266,610" in editor.summary.text()


def test_the_activation_of_the_answers_follows_the_loss(editor):
    editor.set_activation("sigmoid", find_loss("cross-entropy", "classes"))
    assert editor.default_activations() == ("sigmoid", "softmax")
    editor.set_activation("sigmoid", find_loss("squared-error", "classes"))
    assert editor.default_activations() == ("sigmoid", "sigmoid")


def test_batch_normalization_takes_the_activation_of_the_layer_before_it(editor):
    editor.edit.setText("8C5-MP2-BN-10N")
    assert editor.default_activations()[2] == "linear"


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
        (
            "3C5 - MP3 - 4C11:valid - 10N",
            "4C11:valid",
            "4C11:valid: a 11x11 kernel is larger than its 9x9",
        ),
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
    read = editor.network
    QTest.keyClick(editor.edit, Qt.Key.Key_Return)
    assert editor.edit.text() == complete
    assert editor.network == read
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
