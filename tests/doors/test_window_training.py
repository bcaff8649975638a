"""Training, comparing and looking at runs, by mouse and keyboard, on a small folder in the format of MNIST."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton

from gui.window.application import CrashDialog, show_crashes
from tests.gui.conftest import write_small_mnist
from tests.gui.person import LONG, choose, part

pytest.importorskip("optuna")


@pytest.fixture
def data(tmp_path, monkeypatch):
    """3,000 easy images in place of MNIST, so that an epoch takes no time."""
    write_small_mnist(tmp_path / "data" / "mnist")
    monkeypatch.setenv("DIGITLAB_DATA", str(tmp_path / "data"))


def click(widget):
    assert widget.isEnabled(), widget.objectName()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def write(field, text):
    """Type a text in place of that of a field."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def crashes():
    return [
        each for each in QApplication.topLevelWidgets() if isinstance(each, CrashDialog) and each.isVisible()
    ]


def shorten(window):
    """One epoch of a small network: a comparison takes seconds."""
    choose(part(window, "datasetBox"), "mnist")
    write(part(window, "networkEdit"), "784-16-10")
    part(window, "epochsBox").setValue(1)


def compare(window, qtbot):
    """Compare three learning rates, and wait for the sentence."""
    click(part(window, "compareButton"))
    dialog = window.findChildren(QDialog, "compareDialog")[-1]
    click(dialog.start)
    qtbot.waitUntil(lambda: bool(window.findChildren(QPushButton, "conclusionUse")), timeout=LONG)


def test_a_new_study_after_a_comparison_begins_with_a_free_name(data, window, qtbot):
    shorten(window)
    with show_crashes(None):
        compare(window, qtbot)
        click(part(window, "conclusionStudies"))
        page = window.studies
        qtbot.waitUntil(page.isVisible)
        choose(page.study_box, "")
        assert page.editor.name_edit.text() == "study 1"
        assert page.editor.rows[0].values_edit.text() == "0.0003, 0.003, 0.03"
        write(page.editor.rows[0].values_edit, "0.2, 0.3")
        # A name that is taken is refused in words, below its field.
        write(page.editor.name_edit, "Comparison 1")
        assert not page.start_button.isEnabled()
        assert "already: give this one another name." in page.editor.name_error.text()
        assert page.editor.name_error.isVisibleTo(page)
        write(page.editor.name_edit, "rates")
        click(page.start_button)
        qtbot.waitUntil(lambda: not page.busy, timeout=LONG)
        QApplication.sendPostedEvents()
        assert crashes() == []
    assert [run.state for run in page.model.records] == ["complete", "complete"]
