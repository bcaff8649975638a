"""The dialog of a new comparison: what it offers, and what it refuses."""

import pytest
from PySide6.QtWidgets import QDialog, QLineEdit
from shiboken6 import isValid

from core.runs.library import RunLibrary
from core.studies import study
from core.studies.spec import parse_study, read_study
from tests.gui.person import choose, choose_files, part
from tests.limits import LONG


@pytest.fixture
def dialog(window):
    window.study_actions.ask("learning_rate")
    dialog = window.findChildren(QDialog, "compareDialog")[-1]
    yield dialog
    if isValid(dialog):
        dialog.reject()


def problem(dialog):
    """What is said to be wrong, at the row or below the form, and the command that is named."""
    commands = [edit.text() for edit in dialog.findChildren(QLineEdit, "command")]
    return " ".join(
        [*(row.error.text() for row in dialog.editor.rows), dialog.problem.text(), *commands]
    ).strip()


def test_it_offers_values_around_the_present_one(window, dialog):
    (row,) = dialog.editor.rows
    assert row.values_edit.text() == "0.01, 0.1, 1"
    assert dialog.editor.count_note.text().startswith("3 runs;")
    assert "32 units" in dialog.sentence.text()
    row.setting_box.choose("optimizer")
    assert row.values_edit.text().startswith("sgd, ")
    assert dialog.start.isEnabled()


def test_repetitions_are_further_runs(dialog):
    dialog.editor.repeats.setValue(5)
    assert dialog.editor.count_note.text().startswith("15 runs;")
    assert dialog.spec().vary["seed"] == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("", "at least one value"),
        ("0.1, many", "must be a number"),
        ("0.1, -1", "must be more than 0"),
        ("9" * 400, "must be a finite number"),
    ],
)
def test_what_is_wrong_with_the_form_is_said_once(dialog, values, message):
    dialog.editor.rows[0].values_edit.setText(values)
    assert message in dialog.editor.rows[0].error.text()
    assert dialog.problem.text() == ""
    assert not dialog.start.isEnabled()


def test_a_range_of_a_file_is_shown_as_its_values(dialog):
    row = dialog.editor.rows[0]
    row.show_given("learning_rate", {"from": 0.001, "to": 0.1, "log": True, "count": 3})
    assert row.values_edit.text() == "0.001, 0.01, 0.1"
    assert dialog.editor.count_note.text().startswith("3 runs;")


@pytest.mark.parametrize(
    ("setting", "values", "message"),
    [
        ("data", "784-32-10, builtin", "784-32-10 is no data set on this machine"),
        # Too long for a file.
        ("data", f"{'a' * 300}, builtin", "a is no data set on this machine"),
        ("network", "784-64-10, 784-10-5", "The last layer must have 10 units"),
        ("network", "784--10", "layer missing"),
        ("hidden_units", "16x", "Hidden units 16x: must be a whole number"),
    ],
)
def test_values_that_cannot_be_trained_are_refused_before_the_start(
    dialog, setting, values, message
):
    row = dialog.editor.rows[0]
    choose(row.setting_box, setting)
    row.values_edit.setText(values)
    assert message in row.error.text()
    assert not dialog.start.isEnabled()


def test_numbers_of_hidden_units_are_trained(window, dialog, qtbot):
    row = dialog.editor.rows[0]
    choose(row.setting_box, "hidden_units")
    row.values_edit.setText("4, 16")
    dialog.start.click()
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    units = {run.values["hidden_units"] for run in window.studies.runs}
    assert {entry.info.network for entry in RunLibrary().entries()} == {
        f"784-{n}-10" for n in units
    }


def test_a_second_setting_is_varied_in_all_combinations(dialog):
    dialog.editor.add_button.click()
    first, second = dialog.editor.rows
    choose(second.setting_box, "batch_size")
    second.values_edit.setText("50, 100")
    assert dialog.editor.count_note.text().startswith("6 runs;")
    assert dialog.editor.name_edit.text() == "Learning rate batch size"
    first.remove_button.click()
    assert [row.name for row in dialog.editor.rows] == ["batch_size"]
    assert not dialog.editor.rows[0].remove_button.isVisibleTo(dialog)


def test_a_name_that_is_taken_is_refused_below_its_field(dialog):
    study.Study(parse_study("[vary]\nseed = [1, 2]\n", "rates")).close()
    dialog.editor.name_edit.setText("Rates")
    assert "already: give this one another name." in dialog.editor.name_error.text()
    assert dialog.editor.name_error.isVisibleTo(dialog)
    assert not dialog.start.isEnabled()
    dialog.editor.name_edit.setText("rates 2")
    assert dialog.start.isEnabled()


def test_it_is_saved_as_a_file(dialog, tmp_path):
    path = tmp_path / "rates.toml"
    choose_files(path.with_suffix(""))
    dialog.save_button.click()
    assert read_study(path).vary["learning_rate"] == (0.01, 0.1, 1)


def test_that_it_is_saved_is_no_error_and_hides_nothing(dialog, qtbot, tmp_path):
    path = tmp_path / "rates.toml"
    choose_files(path)
    qtbot.waitUntil(dialog.isVisible)
    dialog.save_button.click()
    assert dialog.hint.text().replace("\u200b", "").startswith("Saved as ")
    assert dialog.hint.isVisible()
    assert not dialog.problem.isVisible()
    edit = dialog.editor.name_edit
    qtbot.waitUntil(lambda: not edit.visibleRegion().isEmpty())
    assert edit.visibleRegion().boundingRect().height() == edit.height()
    dialog.editor.repeats.setValue(2)
    assert not dialog.hint.isVisible()  # what is shown now is not saved


def test_a_study_of_a_file_says_why_it_cannot_be_changed(window, dialog, qtbot, tmp_path):
    path = tmp_path / "rates.toml"
    path.write_text(dialog.spec().text)
    dialog.reject()
    window.study_actions.open_study(path)
    opened = window.findChildren(QDialog, "compareDialog")[-1]
    qtbot.waitUntil(opened.isVisible)
    assert not opened.editor.isEnabled()
    assert opened.hint.isVisible()
    assert "edit the file" in opened.hint.text()
    opened.reject()


def test_wrong_settings_under_training_are_named(window):
    part(window, "networkEdit").setText("784--10")
    window.study_actions.ask("learning_rate")
    assert "Correct the settings under Training first." in window.banner.text.accessibleName()
