"""The list of the kept drawings, and learning them."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest

from core.data import own_digits
from core.inference.model_file import bundled_model
from core.reading import own_models
from gui.own_digits.dialog import OwnDigitsDialog
from gui.preferences import documents_folder
from tests.gui.hand import draw
from tests.gui.person import answer_next, file_dialogs, part
from tests.limits import LONG


def keep(digit, count):
    ink = np.zeros((280, 280), np.uint8)
    ink[40:240, 130:150] = 255
    for _ in range(count):
        own_digits.save_drawing(ink, digit)


@pytest.fixture
def dialog(qtbot):
    keep(7, 3)
    keep(2, 1)
    dialog = OwnDigitsDialog(lambda: (bundled_model(), "came with DigitLab"))
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_the_drawings_are_listed_and_deleted(dialog, qtbot):
    drawings = dialog.list.record_model
    assert [drawings.index(row, 0).data() for row in range(4)] == ["2", "7", "7", "7"]
    assert not dialog.deleteButton.isEnabled()
    for row in (1, 2):
        dialog.list.selectionModel().select(
            drawings.index(row, 0), QItemSelectionModel.SelectionFlag.Select
        )
    QTest.keyClick(dialog.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: drawings.rowCount() == 2)  # the button is pressed for 0.1 s
    assert own_digits.counts() == (0, 0, 1, 0, 0, 0, 0, 1, 0, 0)
    assert dialog.countLabel.text().startswith("2 drawings")
    own_digits.delete(own_digits.drawings()[:1])
    dialog.reload()
    assert dialog.countLabel.text().startswith("1 drawing")


def test_the_dialog_has_a_button_that_closes_it(dialog):
    close = part(dialog, "dialogClose")
    assert not dialog.cancelButton.isVisible()
    QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


def test_files_are_saved_among_the_documents_at_first(dialog, monkeypatch, tmp_path):
    """The working folder may be the program's own."""
    monkeypatch.chdir(tmp_path)
    answer_next(dialog, text="Mia")
    dialog.saveButton.click()
    starts = [asked[1] for asked in file_dialogs.asked]
    assert starts == [str(Path(documents_folder()) / "my-digits.npz")]


def test_a_drawing_with_a_wrong_label_gets_another_one(dialog):
    assert not dialog.relabelButton.isEnabled()
    chosen = QItemSelectionModel.SelectionFlag.Select
    dialog.list.selectionModel().select(dialog.list.record_model.index(3, 0), chosen)
    dialog.relabelButton.menu().actions()[4].trigger()
    assert own_digits.counts() == (0, 0, 1, 0, 1, 0, 0, 2, 0, 0)
    assert [drawing.digit for drawing in own_digits.drawings()] == [2, 4, 7, 7]


def test_learning_asks_first(dialog):
    asked = answer_next(dialog, yes=False)
    dialog.learnButton.click()
    assert asked
    assert not dialog.cancelButton.isVisible()


def test_a_file_in_another_format_than_a_picture_is_listed_without_one(dialog):
    """Qt would read SVG and others by the content of the file, whatever its name."""
    path = own_digits.folder() / "2" / "00002.png"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" '
        'height="9"/></svg>'
    )
    dialog.reload()
    icons = [
        dialog.list.model().index(row, 0).data(Qt.ItemDataRole.DecorationRole) for row in range(3)
    ]
    assert [icon.isNull() for icon in icons] == [False, True, False]


def test_the_network_learns_the_drawings_and_the_learning_is_undone(
    drawn_digits, dialog, qtbot, small_mnist
):
    learned = []
    asked = answer_next(dialog)
    dialog.learned.connect(learned.append)
    dialog.learnButton.click()
    assert "learn 4 drawings: 1 of the digit 2, 3 of the digit 7?" in asked[0]
    assert dialog.cancelButton.isVisible()
    assert not dialog.learnButton.isEnabled()
    qtbot.waitUntil(lambda: bool(learned) and dialog.learnButton.isEnabled(), timeout=LONG)
    assert "of 4 before" in dialog.resultLabel.text()
    assert own_models.load_latest() is not None
    with qtbot.waitSignal(dialog.undone):
        dialog.undoButton.click()
    assert own_models.latest() is None
    assert not dialog.undoButton.isEnabled()


def test_learning_can_be_cancelled(dialog, qtbot, small_mnist):
    answer_next(dialog)
    dialog.learnButton.click()
    dialog.cancelButton.click()
    qtbot.waitUntil(dialog.learnButton.isEnabled, timeout=LONG)
    assert "Cancelled" in dialog.resultLabel.text()
    assert own_models.latest() is None


def test_a_key_keeps_the_drawing_and_the_window_reads_with_the_new_network(window, qtbot):
    draw(part(window, "canvas"), "7")
    QTest.keyClick(part(window, "canvas"), Qt.Key.Key_4)
    assert own_digits.counts()[4] == 1
    assert window.drawing._document.is_empty
    QTest.keyClick(part(window, "canvas"), Qt.Key.Key_4)
    assert own_digits.counts()[4] == 1
    qtbot.waitUntil(lambda: window.saving.model is not None, timeout=LONG)
    before = window.drawing._model
    own_models.save(bundled_model())
    window.own_digits.learned.emit(own_models.load_latest())
    assert window.drawing.read_by.name == "Network with my digits"
    window.own_digits.open_list()
    assert window.own_digits.undoButton.isEnabled()
    window.own_digits.undoButton.click()
    assert window.drawing.read_by.name == "came with DigitLab"
    assert window.drawing._model is before
