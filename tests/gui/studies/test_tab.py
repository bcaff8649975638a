"""The Studies tab: what a user does with studies."""

import csv
import io

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton

from core.runs.library import RunLibrary
from core.studies import executor, study
from core.studies.spec import parse_study
from gui.widgets.basics import lay_out_now
from gui.widgets.theme import theme
from gui.window.main_window import MainWindow
from kernels.errors import DeviceError
from kernels.installation import install_command
from tests.gui.person import LONG, choose, drop, ended, part, rect_in, train_for_long

pytest.importorskip("optuna")


def show_studies(window):
    window.tabs.setCurrentWidget(window.studies)
    return window.studies


def vary_rate(page, *rates):
    """Let the study vary the learning rate only."""
    page.editor.rows[0].values_edit.setText(", ".join(map(str, rates)))


def train(page, qtbot):
    page.start_button.click()
    assert page.busy
    qtbot.waitUntil(lambda: not page.busy, timeout=LONG)


def column(page, heading):
    """The texts of a column, as the table shows them."""
    model = page.table.model()
    return [model.index(row, headings(page).index(heading)).data() for row in range(model.rowCount())]


def headings(page):
    model = page.table.model()
    return [model.headerData(k, Qt.Orientation.Horizontal) for k in range(model.columnCount())]


def show_page(page, name):
    """Choose a page of the comparison by its attribute."""
    page.comparison.show_page(getattr(page.comparison, name))


def said(part):
    return part.banner.text.accessibleName()


def test_a_study_trains_all_values_and_shows_them(window, qtbot):
    page = show_studies(window)
    assert "784-32-10" in page.editor.base_note.text()
    vary_rate(page, 0.001, 0.1, 0.3)
    assert page.editor.count_note.text().startswith("Runs: 3")
    train(page, qtbot)
    assert column(page, "State") == ["done"] * 3
    losses = [float(text) for text in column(page, "Validation")]
    assert losses == sorted(losses)
    assert sorted(column(page, "Learning rate")) == ["0.001", "0.1", "0.3"]
    assert column(page, "Learning rate")[2] == "0.001"
    assert [text.startswith("◆") for text in column(page, "Run")] == [True, False, False]
    assert f"rate {column(page, 'Learning rate')[0]}: validation loss" in page.best_note.text()
    assert all("%" in text for text in column(page, "Test"))
    best = column(page, "Learning rate")[int(np.argmin(losses))]
    assert f"The best run: rate {best};" in said(page)
    # The curves of all runs, then those of the selected one.
    curves = page.comparison.curves
    assert [len(item.getData()[0]) for item in curves._items] == [2, 2, 2]
    page.table.selectRow(2)
    assert curves.plot.labels.texts == ["rate 0.001"]
    page.table.sortByColumn(headings(page).index("Validation"), Qt.SortOrder.AscendingOrder)
    assert column(page, "Validation") == sorted(column(page, "Validation"), key=float)
    show_page(page, "importance")
    assert page.comparison.importance.table.record_model.records[0].texts[0] == "Learning rate"
    assert "all 3 combinations" in page.comparison.importance.message.text()
    runs = {entry.id: entry.info for entry in RunLibrary().entries()}
    assert {runs[run.id].plan.settings.learning_rate for run in page.model.records} == {0.001, 0.1, 0.3}
    assert all(info.study == "study 1" and info.plan.settings.validation for info in runs.values())
    assert not page.start_button.isEnabled()


def test_the_training_tab_shows_the_study_that_is_trained(window, qtbot):
    page = show_studies(window)
    vary_rate(page, 0.001, 0.1, 0.3)
    page.start_button.click()
    qtbot.waitUntil(lambda: any(run.has_ended for run in page.model.records), timeout=LONG)
    window.tabs.setCurrentWidget(window.page)
    assert "Learning rate compared" in window.training.run_line.text()
    assert "Training study 1: " in window.training.conclusion.text.text()
    part(window, "conclusionStop").click()
    qtbot.waitUntil(lambda: not page.busy, timeout=LONG)
    qtbot.waitUntil(lambda: not window.findChildren(QPushButton, "conclusionStop"))
    show_studies(window)
    page.start_button.click()
    qtbot.waitUntil(lambda: "learns best" in window.training.conclusion.text.text(), timeout=LONG)
    assert sorted(window.training.accuracy_plot.labels.texts) == ["rate 0.001", "rate 0.1", "rate 0.3"]


def test_a_run_that_failed_is_tried_again(window, qtbot, monkeypatch):
    page = show_studies(window)
    vary_rate(page, 0.1, 0.3)
    iter_run = executor.iter_run

    def fail_at_03(plan, *arguments, **options):
        if plan.settings.learning_rate == 0.3:
            raise DeviceError("memory", "The card is in use.")
        return iter_run(plan, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(executor, "iter_run", fail_at_03)
        train(page, qtbot)
    assert column(page, "State") == ["done", "failed"]
    assert said(page) == "Failed runs: 1. Continue tries them again."
    train(page, qtbot)
    assert column(page, "State") == ["done"] * 2
    assert not page.start_button.isEnabled()


def test_parallel_coordinates_have_an_axis_for_each_setting_and_result(window, qtbot):
    page = show_studies(window)
    vary_rate(page, 0.001, 0.1)
    page.editor.add_button.click()
    choose(page.editor.rows[1].setting_box, "batch_size")
    page.editor.rows[1].values_edit.setText("50, 100")
    train(page, qtbot)
    show_page(page, "parallel")
    plot = page.comparison.parallel
    assert [axis.title for axis in plot.axes_shown] == [
        "Learning rate",
        "Batch size",
        "Validation loss",
        "Test",
    ]
    assert [text for _, text in plot.axes_shown[1].ticks] == ["50", "100"]
    assert plot.axes_shown[0].heights.tolist() == [0, 0, 1, 1]
    worst = max(page.model.records, key=lambda run: run.best.validation_loss)
    assert plot.run_at(2, 1).number == worst.number
    assert plot.run_at(2, -9) is None


def test_a_study_that_was_stopped_continues_after_a_restart(window, qtbot):
    page = show_studies(window)
    part(window, "epochsBox").setValue(40)
    vary_rate(page, 0.05, 0.1, 0.2)
    page.start_button.click()
    qtbot.waitUntil(lambda: column(page, "State")[:2] == ["done", "training"], timeout=LONG)
    qtbot.waitUntil(lambda: bool(page.model.records[1].epochs), timeout=LONG)
    assert "study 1: 1 of 3 runs have ended." in window.status.epoch.text()
    first = column(page, "Validation")[0]
    assert window.tabs.tabText(window.tabs.indexOf(window.compare)) == "Compare: training"
    page.stop_button.click()
    qtbot.waitUntil(lambda: not page.busy, timeout=LONG)
    assert "stopped" in said(page)
    assert "training" not in column(page, "State")
    window.close()

    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: "“study 1” was stopped" in said(again), timeout=LONG)
    again.banner.action_button.click()
    page = again.studies
    assert page.isVisible()
    qtbot.waitUntil(lambda: page.busy, timeout=LONG)
    assert page.start_button.text() == "Continue study"
    qtbot.waitUntil(lambda: not page.busy, timeout=LONG)
    assert first in column(page, "Validation")
    assert column(page, "State") == ["done"] * 3
    assert len(RunLibrary().entries()) == 3
    again.close()


def test_a_study_that_was_closed_between_two_runs_is_offered(window, qtbot, monkeypatch):
    page = show_studies(window)
    vary_rate(page, 0.1, 0.3)
    next_run = study.Study._next_run
    with monkeypatch.context() as patch:
        patch.setattr(
            study.Study, "_next_run", lambda self, left: None if self.runs else next_run(self, left)
        )
        train(page, qtbot)
    assert column(page, "State") == ["done"]
    window.close()

    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: "“study 1” was stopped" in said(again), timeout=LONG)
    again.banner.action_button.click()
    qtbot.waitUntil(lambda: column(again.studies, "State") == ["done"] * 2, timeout=LONG)
    qtbot.waitUntil(lambda: not again.studies.busy, timeout=LONG)
    assert again.studies.left() == ""
    again.close()


def test_a_double_click_shows_the_run_in_the_library(window, qtbot):
    page = show_studies(window)
    vary_rate(page, 0.1, 0.3)
    train(page, qtbot)
    rectangle = page.table.visualRect(page.table.model().index(1, 1))
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=rectangle.center())
    QTest.mouseDClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=rectangle.center())
    assert window.runs.isVisible()
    qtbot.waitUntil(lambda: len(window.runs.table.selected()) == 1, timeout=LONG)
    rate = float(column(page, "Learning rate")[1])
    assert window.runs.table.selected()[0].info.plan.settings.learning_rate == rate


def test_a_study_a_run_and_a_measurement_exclude_each_other(window, qtbot):
    page = show_studies(window)
    train_for_long(window, qtbot)
    assert "one thing is trained at a time" in page.reason.text()
    assert not page.start_button.isEnabled()
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert page.reason.text() == ""
    page.start_button.click()
    assert not part(window, "trainButton").isEnabled()
    assert "A study is being trained" in part(window, "obstacleText").text()
    window.run_actions.start()
    assert not window.session.active
    assert "A study is being trained" in said(window)
    window.tabs.setCurrentWidget(window.measuring)
    assert not window.measuring.race.start_button.isEnabled()
    window.banner.action_button.click()
    qtbot.waitUntil(lambda: not page.busy, timeout=LONG)
    assert window.measuring.race.reason.text() == ""


def test_without_optuna_or_dask_a_sentence_names_the_command(window, monkeypatch):
    page = show_studies(window)
    monkeypatch.setattr(study, "find_spec", lambda name: None if name == "distributed" else object())
    page.address_edit.setText("tcp://127.0.0.1:8786")
    assert install_command("cluster") in page.reason.text()
    monkeypatch.setattr(study, "find_spec", lambda name: None)
    page.address_edit.setText("")
    assert install_command("study") in page.reason.text()
    assert not page.start_button.isEnabled()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("", "at least one value"),
        ("0.1, many", "must be a number"),
        ("0.1, -1", "must be more than 0"),
        ("9" * 400, "must be a finite number"),
    ],
)
def test_what_is_wrong_with_the_form_is_said(window, values, message):
    page = show_studies(window)
    page.editor.rows[0].values_edit.setText(values)
    assert message in page.reason.text()
    assert message in page.editor.rows[0].error.text()
    assert not page.start_button.isEnabled()
    page.editor.rows[0].remove_button.click()
    assert "varies nothing" in page.reason.text()


def test_a_range_needs_a_number_of_values_in_a_grid_only(window):
    page = show_studies(window)
    row = page.editor.rows[0]
    row.kind_box.choose("log")
    row.low_edit.setText("0.001")
    row.high_edit.setText("0.1")
    row.count_box.setValue(5)
    assert page.editor.count_note.text().startswith("Runs: 5")
    page.editor.sampler_box.choose("tpe")
    page.editor.runs_box.setValue(7)
    assert not row.count_box.isVisible()
    assert page.editor.count_note.text().startswith("Runs: 7")
    row.high_edit.setText("0.0001")
    assert "is no range" in page.reason.text()
    row.high_edit.clear()
    assert row.error.text() == "Write the smallest and the largest number of the range."


@pytest.mark.parametrize(
    ("setting", "values", "message"),
    [
        ("data", "784-32-10, builtin", "784-32-10 is no data set on this machine"),
        ("network", "784-64-10, 784-10-5", "The last layer must have 10 units"),
        ("network", "784--10", "layer missing"),
    ],
)
def test_values_that_cannot_be_trained_are_refused_before_the_start(window, setting, values, message):
    page = show_studies(window)
    row = page.editor.rows[0]
    choose(row.setting_box, setting)
    row.values_edit.setText(values)
    assert message in row.error.text()
    assert not page.start_button.isEnabled()


def test_the_units_of_the_hidden_layers_are_a_number_in_a_range(window, qtbot):
    page = show_studies(window)
    row = page.editor.rows[0]
    choose(row.setting_box, "hidden_units")
    row.values_edit.setText("16x")
    assert "Hidden units 16x: must be a whole number" in row.error.text()
    choose(row.kind_box, "range")
    row.low_edit.setText("4")
    row.high_edit.setText("16")
    page.editor.sampler_box.choose("tpe")
    page.editor.runs_box.setValue(2)
    train(page, qtbot)
    units = {int(text) for text in column(page, "Hidden units")}
    networks = {entry.info.network for entry in RunLibrary().entries()}
    assert networks == {f"784-{n}-10" for n in units}
    part(window, "networkEdit").setText("784-10")
    page.editor.show_spec(page.spec)
    page.use_as_new()
    part(window, "networkEdit").setText("784-10")
    assert "no hidden dense layer" in page.editor.rows[0].error.text()


def test_a_study_is_saved_opened_and_used_for_a_new_one(window, qtbot, tmp_path, monkeypatch):
    page = show_studies(window)
    vary_rate(page, 0.1, 0.3)
    path = tmp_path / "rates.toml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), ""))
    page.save_button.click()
    assert str(path) in said(page)
    part(window, "networkEdit").setText("784-99-10")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    page.open_button.click()
    assert page.study_box.currentText() == "study 1"
    assert "784-32-10" in page.editor.base_note.text()
    assert not page.editor.rows[0].values_edit.isEnabled()
    page.copy_button.click()
    assert "Changed under Training, for all later runs, too: network 784-32-10" in said(page)
    assert part(window, "networkEdit").text() == "784-32-10"
    assert page.editor.rows[0].values_edit.text() == "0.1, 0.3"
    assert page.editor.rows[0].values_edit.isEnabled()
    path.write_text("[vary")
    page.open_button.click()
    assert "no TOML file" in said(page)


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("s.csv", "results"),
        ("s.png", "curves"),
        ("s.svg", "parallel"),
        ("s.png", "importance"),
        ("s.svg", "results"),
        ("s.html", "curves"),
    ],
)
def test_the_table_and_the_plots_are_exported(window, qtbot, tmp_path, monkeypatch, name, view):
    page = show_studies(window)
    vary_rate(page, 0.1, 0.3)
    train(page, qtbot)
    path = tmp_path / name
    show_page(page, view)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    page.comparison.export_button.click()
    assert str(path) in said(page)
    content = path.read_bytes()
    if path.suffix != ".csv":
        assert {".png": b"PNG", ".svg": b"<svg", ".html": b"<!DOCTYPE html>"}[path.suffix] in content[:400]
        return
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert [row["learning_rate"] for row in rows] == ["0.1", "0.3"]
    assert [float(row["validation_loss"]) for row in rows] == [
        run.best.validation_loss for run in page.model.records
    ]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_tab_fits_a_small_window(window, qtbot, name):
    theme().choose(name)
    window.resize(800, 600)
    page = show_studies(window)
    assert (window.width(), window.height()) == (800, 600)

    def fits(button):
        return window.rect().contains(button.mapTo(window, button.rect().bottomRight()))

    buttons = (page.start_button, page.stop_button, page.comparison.export_button)
    qtbot.waitUntil(lambda: all(map(fits, buttons)), timeout=LONG)


def answer(monkeypatch, text):
    """Answer the next question of a message box by the button with this text."""

    def press(box):
        button = next(button for button in box.buttons() if button.text().replace("&", "") == text)
        box.show()
        button.click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", press)


@pytest.mark.parametrize(("button", "left"), [("Study and runs", 0), ("Study only", 2), ("Cancel", 2)])
def test_a_deleted_study_comes_back_with_its_runs(window, qtbot, monkeypatch, button, left):
    page = show_studies(window)
    assert not page.delete_button.isEnabled()
    vary_rate(page, 0.1, 0.3)
    train(page, qtbot)
    losses = column(page, "Validation")
    answer(monkeypatch, button)
    page.delete_button.click()
    assert len(RunLibrary().entries()) == left
    if button == "Cancel":
        assert column(page, "Validation") == losses
        return
    assert page.spec is None
    assert page.study_box.findData("study 1") < 0
    assert "in the trash" in said(page)
    page.banner.action_button.click()
    qtbot.waitUntil(lambda: column(page, "Validation") == losses, timeout=LONG)
    assert page.study_box.currentData() == "study 1"
    assert len(RunLibrary().entries()) == 2


def test_a_study_without_runs_can_be_deleted(window, qtbot, monkeypatch):
    study.Study(parse_study("[vary]\nseed = [1, 2]\n", "empty")).close()
    page = show_studies(window)
    choose(page.study_box, "empty")
    qtbot.waitUntil(lambda: page.delete_button.isEnabled(), timeout=LONG)
    answer(monkeypatch, "Study only")
    page.delete_button.click()
    assert page.study_box.findData("empty") < 0


def test_a_deleted_study_comes_back_after_a_restart(window, qtbot, monkeypatch):
    page = show_studies(window)
    vary_rate(page, 0.1)
    train(page, qtbot)
    answer(monkeypatch, "Study and runs")
    page.delete_button.click()
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    page = show_studies(again)
    page.undo_action.trigger()
    qtbot.waitUntil(lambda: column(page, "State") == ["done"], timeout=LONG)
    assert len(RunLibrary().entries()) == 1
    page.undo_action.trigger()
    assert "has no study" in said(page)
    again.close()


def test_a_file_of_a_study_is_opened_by_a_drop(window, tmp_path):
    path = tmp_path / "rates.toml"
    path.write_text('[settings]\nnetwork = "784-16-10"\n[vary]\nlearning_rate = [0.1, 0.2]\n')
    drop(window, path)
    assert window.studies.isVisible()
    page = window.studies
    assert page.study_box.currentText() == "rates"
    assert "784-16-10" in page.editor.base_note.text()
    assert page.start_button.isEnabled()
    show_page(page, "importance")
    assert "12 runs" in page.comparison.importance.message.text()


def test_a_study_that_never_began_can_be_taken_off_the_list(window, qtbot, tmp_path):
    page = show_studies(window)
    path = tmp_path / "rates.toml"
    path.write_text("[vary]\nlearning_rate = [0.1, 0.2]\n")
    page.open_study(path)
    assert page.study_box.currentText() == page.editor.name_edit.text() == "rates"
    page.delete_button.click()
    assert page.study_box.currentText() == "New study"
    assert page.study_box.findData("rates") < 0
    window.banner.action_button.click()
    assert page.study_box.currentText() == page.editor.name_edit.text() == "rates"


def test_a_new_study_suggests_values_around_the_settings_at_the_left(window, qtbot):
    page = show_studies(window)
    (row,) = page.editor.rows
    assert row.values_edit.text() == "0.01, 0.1, 1"
    part(window, "learningRateEdit").setText("0.003")
    assert row.values_edit.text() == "0.0003, 0.003, 0.03"
    # Rates act by factors: their range is logarithmic first, and begins around the present value.
    assert [row.kind_box.itemData(k) for k in range(3)] == ["log", "list", "range"]
    choose(row.kind_box, "log")
    assert (row.low_edit.text(), row.high_edit.text()) == ("0.0003", "0.03")
    choose(row.setting_box, "epochs")
    assert row.kind_box.itemData(0) == "list"
    # What the user has typed stays.
    choose(row.setting_box, "learning_rate")
    row.values_edit.setText("0.5")
    part(window, "learningRateEdit").setText("0.1")
    assert row.values_edit.text() == "0.5"


def test_compare_during_a_study_says_what_is_in_the_way(window, qtbot):
    page = show_studies(window)
    part(window, "epochsBox").setValue(200)
    vary_rate(page, 0.1)
    page.start_button.click()
    page.ask_compare("learning_rate")
    assert "A study is being trained" in said(page)
    window.banner.action_button.click()
    qtbot.waitUntil(lambda: not page.busy, timeout=LONG)


def test_around_the_largest_rate_there_is_no_larger_one(window, qtbot):
    part(window, "learningRateEdit").setText("1e308")
    page = show_studies(window)
    assert len(page.editor.rows[0].values_edit.text().split(", ")) == 2
    page.editor.add_button.click()
    assert len(page.editor.rows) == 2


@pytest.mark.parametrize(
    ("row", "name"), [("0.1, x", "rates"), ("", "rates"), ("0.1", "Old"), ("0.1", "a/b")]
)
def test_nothing_moves_when_the_form_is_wrong(window, qtbot, monkeypatch, row, name):
    """A click that follows would miss what has moved."""
    monkeypatch.setattr("gui.studies.form.study_names", lambda: ["old"])
    page = show_studies(window)

    def places():
        lay_out_now()
        shown = [
            page.editor.rows[0],
            page.editor.add_button,
            page.editor.name_edit,
            part(window, "studyCluster"),
        ]
        return [rect_in(widget, window).top() for widget in (*shown, page.start_button, page.stop_button)]

    qtbot.waitUntil(lambda: page.editor.rows[0].height() < 100)  # it is laid out
    before = places()
    page.editor.rows[0].values_edit.setText(row)
    page.editor.name_edit.setText(name)
    assert places() == pytest.approx(before, abs=1)  # fonts have heights between whole pixels
    assert not page.start_button.isEnabled()


def test_how_far_a_study_is_stands_above_its_bar(window, qtbot):
    page = show_studies(window)
    part(window, "epochsBox").setValue(200)
    vary_rate(page, 0.1, 0.2)
    page.start_button.click()
    qtbot.waitUntil(lambda: page.progress_note.text() == "0 of 2 runs have ended.", timeout=LONG)
    assert page.progress_note.isVisible()
    page.stop()
    qtbot.waitUntil(lambda: not page.busy, timeout=LONG)
    assert page.progress_note.isHidden()
    assert said(page) == "The study was stopped: Continue trains what is left."
