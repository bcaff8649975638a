"""The marks of a class: its table on a small screen, what it calls a run, and the sheet of one
person.
"""

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from core.labs.answers import Answers
from core.labs.grading import Grades, Marked
from core.labs.package import lessons, open_lab
from core.labs.trial import DataSets
from gui.labs.dialogs import GradeDialog, PersonDialog
from gui.preferences import Preferences
from tests.core.labs.sample import played, write_sample

SMALL_SCREEN = 1366  # pixels


@pytest.fixture
def parent(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def grades(tmp_path):
    """A person who has done the sample, whose run has two configurations."""
    lab = open_lab(write_sample(tmp_path / "sample"))
    data = DataSets(lab.folder)
    return Grades(lab, (Marked("Ada.json", played(lab, data, "Ada")),), data)


def marked(grades, parent):
    dialog = GradeDialog(grades, Preferences(), parent)
    dialog.show()
    dialog.resize(SMALL_SCREEN - 40, 640)  # the screen of the tests is smaller
    return dialog


@pytest.mark.parametrize("lesson", [lesson for _, lesson in lessons()], ids=str)
def test_the_table_of_each_lesson_fits_a_small_screen(lesson, parent, qtbot):
    lab = open_lab(lesson)
    dialog = marked(
        Grades(lab, (Marked("Ada.json", Answers(lab, "Ada")),), DataSets(lab.folder)), parent
    )
    qtbot.waitUntil(dialog.table.isVisible)
    qtbot.waitUntil(lambda: dialog.table.horizontalScrollBar().maximum() == 0)
    shown = [
        place
        for place in range(len(dialog.model.columns))
        if not dialog.table.isColumnHidden(place)
    ]
    assert len(shown) == 2 + len(lab.parts.exercises)  # nothing was run again, and nothing is odd


def test_configurations_of_a_run_are_no_attempts(grades, parent, qtbot):
    dialog = marked(grades, parent)
    qtbot.waitUntil(dialog.table.isVisible)
    (row,) = dialog.model.records
    place = [part.id for part in grades.lab.parts.exercises].index("rates")
    assert "(rate 0.05)" in row.cells[place]
    assert "attempt" not in row.cells[place]
    qtbot.waitUntil(lambda: dialog.table.horizontalScrollBar().maximum() == 0)


def test_the_sheet_of_a_person_speaks_of_the_person_not_to_the_reader(grades, parent):
    dialog = PersonDialog(grades.marked[0], parent)
    texts = [shown.text() for shown in dialog.findChildren(QLabel)]
    assert "Expected “0.0001”; it is “0.05”." in texts
    assert not [text for text in texts if "You " in text or "Your " in text]
