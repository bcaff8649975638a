"""The tab Compare: what a user does with earlier runs."""

import csv
import io
import json
import shutil
from contextlib import closing
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.data.sources import load_dataset
from core.network.notation import parse
from core.runs.library import RunLibrary, read_limit
from core.runs.plan import RunContext, RunPlan
from core.runs.recorder import RunRecorder
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from gui.runs.dialogs import ContinueDialog, LimitDialog
from gui.runs.run_table import NAME
from gui.widgets.tables import RECORD_ROLE
from gui.window.main_window import MainWindow
from kernels.registry import open_device
from tests.gui.conftest import write_small_mnist
from tests.gui.hand import draw
from tests.gui.person import choose, ended, part, saved, share, train_for_long
from tests.limits import LONG


def show_runs(window, qtbot, count):
    """Open the tab, and wait until it lists this number of runs."""
    window.tabs.setCurrentWidget(window.compare)
    qtbot.waitUntil(lambda: len(window.compare.model.entries) == count, timeout=LONG)
    return window.compare


def select(tab, qtbot, *rows):
    """Select rows of the table, and wait for their curves."""
    ids = [tab.table.filter.index(row, NAME).data(RECORD_ROLE).id for row in rows]
    tab.table.clearSelection()
    with qtbot.waitSignal(tab.comparison.shown, timeout=LONG):
        tab.table.select_rows(ids)
    return tab.table.chosen()


@pytest.fixture(scope="session")
def two_runs(tmp_path_factory):
    """A folder with two runs on the test's data, with different rates."""
    folder = tmp_path_factory.mktemp("runs")
    write_small_mnist(folder / "data" / "mnist")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIGITLAB_DATA", str(folder / "data"))
        dataset = load_dataset("mnist")
    for rate in (0.1, 0.3):
        settings = RunSettings(network="784-32-10", learning_rate=rate, epochs=2)
        network = parse(settings.network, dataset.input_shape, dataset.outputs)
        recorder = RunRecorder(folder / "runs" / f"run-{rate}")
        with closing(open_device("vectorized")) as device:
            context = RunContext(RunPlan(settings, "mnist", "vectorized"), dataset, network)
            assert list(recorder.iter_recorded(context, iter_training(settings, dataset, device)))
    return folder / "runs"


@pytest.fixture
def trained(two_runs, home, request):
    """The window, with two runs in the library."""
    shutil.copytree(two_runs, home / "data" / "runs")
    return request.getfixturevalue("window")


def test_a_run_is_a_row_also_after_a_restart(trained, qtbot):
    part(trained, "epochsBox").setValue(2)
    part(trained, "trainButton").click()
    qtbot.waitUntil(ended(trained), timeout=LONG)
    tab = show_runs(trained, qtbot, 3)
    texts = [
        [tab.model.data(tab.model.index(row, column)) for column in range(tab.model.columnCount())]
        for row in range(3)
    ]
    assert all("32 units" in row and "done" in row and "2" in row for row in texts)
    headings = [
        tab.model.headerData(c, Qt.Orientation.Horizontal) for c in range(tab.model.columnCount())
    ]
    rate = headings.index("Learning rate")
    assert {"0.1", "0.3"} <= {row[rate] for row in texts}
    assert "Runs: 3" in tab.commands.limit_action.toolTip()
    trained.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    show_runs(again, qtbot, 3)
    again.close()


def test_runs_are_sorted_and_filtered(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    last = [each.heading for each in tab.model.columns].index("Learning rate")
    tab.table.sortByColumn(last, Qt.SortOrder.AscendingOrder)
    assert [tab.table.filter.index(row, last).data() for row in range(2)] == ["0.1", "0.3"]
    tab.table.sortByColumn(last, Qt.SortOrder.DescendingOrder)
    assert tab.table.filter.index(0, last).data() == "0.3"
    tab.filter_edit.setText("784-32 0.3")
    assert tab.table.filter.rowCount() == 1
    tab.filter_edit.setText("nothing of that kind")
    assert tab.table.filter.rowCount() == 0


def test_nothing_is_done_with_a_run_that_the_filter_hides(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    select(tab, qtbot, 0)
    assert part(trained, "verdictMain").isVisible()
    tab.filter_edit.setText("nothing of that kind")
    assert tab.table.chosen() == []
    assert not tab.commands.open_action.isEnabled()
    assert not part(trained, "verdictMain").isVisible()


def test_a_run_is_named_and_starred(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    entry = select(tab, qtbot, 0)[0]
    assert tab.model.setData(
        tab.table.filter.mapToSource(tab.table.filter.index(0, NAME)), " wide "
    )
    tab.commands.star_action.trigger()
    qtbot.waitUntil(lambda: tab.table.filter.index(0, NAME).data() == "★ wide", timeout=LONG)
    label = RunLibrary().find(entry.id).label
    assert (label.name, label.starred) == ("wide", True)
    assert [selected.id for selected in tab.table.chosen()] == [entry.id]
    tab.table.setFocus()
    QTest.keyClick(tab.table, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: tab.table.filter.index(0, NAME).data() == "wide", timeout=LONG)


def test_deleted_runs_come_back(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    select(tab, qtbot, 0)
    tab.table.setFocus()
    QTest.keyClick(tab.table, Qt.Key.Key_Delete)
    show_runs(trained, qtbot, 1)
    assert tab.banner.action_button.isVisible()
    tab.banner.action_button.click()
    show_runs(trained, qtbot, 2)
    select(tab, qtbot, 0, 1)
    tab.commands.delete_selected()
    show_runs(trained, qtbot, 0)
    assert not RunLibrary().entries()
    tab.commands.undo_delete()
    show_runs(trained, qtbot, 2)


def test_undo_brings_a_deleted_run_back_and_leaves_the_drawing_behind(trained, qtbot):
    trained.activateWindow()
    draw(trained.drawing.canvas, "1")
    drawn = trained.drawing.canvas.document.drawing
    tab = show_runs(trained, qtbot, 2)
    assert not trained.drawing.undo_action.isEnabled()
    select(tab, qtbot, 0)
    assert not tab.commands.undo_action.isEnabled()
    tab.table.setFocus()
    QTest.keyClick(tab.table, Qt.Key.Key_Delete)
    show_runs(trained, qtbot, 1)
    assert tab.banner.isVisible()
    assert tab.commands.undo_action.isEnabled()
    QTest.keyClick(tab.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    show_runs(trained, qtbot, 2)
    assert not tab.banner.isVisible()
    assert not tab.commands.undo_action.isEnabled()
    assert trained.drawing.canvas.document.drawing == drawn
    trained.tabs.setCurrentIndex(0)
    assert trained.drawing.undo_action.isEnabled()


def test_a_run_continues_for_more_epochs_in_its_folder(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    entry = select(tab, qtbot, 0)[0]
    tab.commands.continue_action.trigger()
    dialog = trained.findChild(ContinueDialog)
    shown = [dialog.device.itemText(index).partition(":")[0] for index in range(3)]
    assert shown == ["automatic", "plain loops", "processor"]
    assert dialog.start_button.isEnabled()
    assert dialog.branch_note.text() == ""
    dialog.epochs.setValue(2)
    assert "has ended" in dialog.problem.text()
    assert not dialog.start_button.isEnabled()
    dialog.epochs.setValue(3)
    dialog.start_button.click()
    qtbot.waitUntil(lambda: trained.session.active, timeout=LONG)
    qtbot.waitUntil(ended(trained), timeout=LONG)
    assert [row.epoch for row in trained.training.epochs.records] == [1, 2, 3]
    again = RunLibrary().find(entry.id)
    assert (again.summary.last.epoch, again.info.state) == (3, "epochs")
    show_runs(trained, qtbot, 2)


def test_a_run_continues_from_its_best_epoch_with_another_rate_as_a_branch(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    entry = select(tab, qtbot, 0)[0]
    tab.commands.continue_action.trigger()
    dialog = trained.findChild(ContinueDialog)
    dialog.best.setChecked(True)
    dialog.rate.setText("0,01")
    assert "branch" in dialog.branch_note.text()
    dialog.start_button.click()
    qtbot.waitUntil(lambda: trained.session.active, timeout=LONG)
    qtbot.waitUntil(ended(trained), timeout=LONG)
    show_runs(trained, qtbot, 3)
    branch = RunLibrary().find("last")
    assert branch.info.parent.run_id == entry.id
    assert branch.info.plan.settings.learning_rate == 0.01
    assert part(trained, "learningRateEdit").text() == "0.01"


def test_a_schedule_goes_on_or_begins_anew_where_a_run_continues(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    path = select(tab, qtbot, 0)[0].path / "run.json"
    values = json.loads(path.read_text())
    values["run"] |= {"schedule": "cosine", "learning_rate": 0.1, "decay": 0.01}
    path.write_text(json.dumps(values))
    dialog = ContinueDialog(RunLibrary().find(path.parent.name), [("auto", "auto")], trained)
    dialog.epochs.setValue(5)
    # The schedule is at its end, where nothing is learned: a new one is proposed.
    assert dialog.branch_note.text() == "Learning rate: 0.1 in epoch 3, 0.0258 in epoch 5."
    choose(dialog.schedule, "finish")
    assert dialog.branch_note.text() == "Learning rate: 0.001 in epoch 3, 0.001 in epoch 5."
    choose(dialog.schedule, "restart")
    plan, start = dialog.outcome
    assert (plan.settings.schedule_epochs, start.branch) == ("0:2, 2:3", False)


def test_the_settings_of_a_run_come_back_with_the_rates_that_were_typed(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    entry = select(tab, qtbot, 0)[0]
    path = entry.path / "run.json"
    values = json.loads(path.read_text())
    values["rate_changes"] = [{"step": 7, "learning_rate": 0.02}]
    path.write_text(json.dumps(values))
    tab.refresh()
    qtbot.waitUntil(lambda: any(each.info.rate_changes for each in tab.model.entries), timeout=LONG)
    part(trained, "networkEdit").setText("784-16-10")
    part(trained, "learningRateEdit").setText("0.5")
    tab.commands.settings_action.trigger()
    settings = trained.settings.plan.settings
    assert settings == entry.info.plan.settings.change(rate_changes="7:0.02")
    assert part(trained, "datasetBox").currentData() == "mnist"


def test_selected_runs_are_compared(trained, qtbot, tmp_path):
    trained.resize(1500, 800)
    tab = show_runs(trained, qtbot, 2)
    names = [entry.title for entry in sorted(tab.model.entries, key=lambda e: e.id)]
    assert names == ["SGD 0.1, 784-32-10", "SGD 0.3, 784-32-10"]
    select(tab, qtbot, 0, 1)
    page = tab.comparison
    assert sorted(page.plot.labels.texts) == ["rate 0.1", "rate 0.3"]
    assert [x.tolist() for _, x, _ in page.plot.drawn()] == [[1, 2], [1, 2]]
    assert page.plot.viewRange()[0] == pytest.approx([0, 2], abs=0.03)
    tab.comparison.write_curves(tmp_path / "runs.svg")
    assert (
        "test accuracy: 784-32-10, MNIST, SGD, batch 100, epochs 2"
        in (tmp_path / "runs.svg").read_text()
    )
    page.quantity_box.choose("validation_loss")
    assert page.plot.labels.texts == []
    assert page.plot.hint.isVisible()
    page.quantity_box.choose("train_loss")
    first = [row.train_loss for row in page.entries[0].folder.read_history(9)]
    np.testing.assert_allclose(page.plot.drawn()[0][2], first)


def test_the_run_of_a_study_names_its_study(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    path = tab.model.entries[0].path / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"study": "rates of a class"}))
    tab.refresh()
    tab.filter_edit.setText("rates class")
    # Its row, and that of the study around it.
    qtbot.waitUntil(lambda: tab.table.filter.rowCount() == 2, timeout=LONG)


def test_a_comparison_that_is_not_listed_yet_is_chosen_once_it_is(trained, qtbot):
    """So that it can be stopped, whatever was chosen meanwhile."""
    tell = partial(trained.studies.progressed.emit, "rates of a class")  # as it does twice a second
    tab = show_runs(trained, qtbot, 2)
    select(tab, qtbot, 0)
    with qtbot.waitSignal(tab._runner.ended, timeout=LONG):
        tell("Reading the data…", 0, 0)
    assert not tab.table.selected()
    assert trained.banner.isHidden()  # nothing is missing: the comparison has only just begun
    run = select(tab, qtbot, 0)[0]
    with qtbot.waitSignal(tab._runner.ended, timeout=LONG):
        tab.refresh()
    path = run.path / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"study": "rates of a class"}))
    tab.refresh()
    qtbot.waitUntil(lambda: tab.chosen_study == "rates of a class", timeout=LONG)
    assert [row.id for row in tab.table.selected()] == ["study rates of a class"]
    tell("0 of 2 runs have ended.", 0, 2)
    assert part(trained, "studyStop").isVisible()


def test_a_run_that_is_trained_is_not_deleted(trained, qtbot):
    train_for_long(trained, qtbot)
    tab = show_runs(trained, qtbot, 3)
    training = next(entry for entry in tab.model.entries if entry.is_training())
    with qtbot.waitSignal(tab.comparison.shown, timeout=LONG):
        tab.table.select_rows([training.id])
    assert not tab.commands.continue_action.isEnabled()
    tab.commands.delete_action.trigger()
    assert "stop it first" in tab.banner.text.accessibleName()
    part(trained, "stopButton").click()
    qtbot.waitUntil(ended(trained), timeout=LONG)
    show_runs(trained, qtbot, 3)


def open_share(tab, window):
    """Press Share… of the tab; returns its dialog."""
    QTest.mouseClick(tab.share_button, Qt.MouseButton.LeftButton)
    return next(each for each in window.findChildren(QWidget, "shareDialog") if each.isVisible())


@pytest.mark.parametrize(("what", "kind", "name", "content"), [
    ("curves", ".png", "rate 0.1, rate 0.3 curves.png", b"PNG"),
    ("curves", ".svg", "rate 0.1, rate 0.3 curves.svg", b"<svg"),
    ("table", ".csv", "rate 0.1, rate 0.3 curves.csv", b"run,legend,epoch,"),
    ("runs", ".csv", "rate 0.1, rate 0.3 runs.csv", b"run,name,state,"),
    ("report", ".html", "rate 0.1, rate 0.3.html", b"<!DOCTYPE html>"),
])  # fmt: skip
def test_what_is_chosen_of_a_comparison_is_shared(
    trained, qtbot, tmp_path, what, kind, name, content
):
    trained.preferences.save_folder(tmp_path / "any")
    tab = show_runs(trained, qtbot, 2)
    tab.table.sortByColumn(
        [each.heading for each in tab.model.columns].index("Learning rate"),
        Qt.SortOrder.AscendingOrder,
    )
    select(tab, qtbot, 0, 1)
    dialog = open_share(tab, trained)
    assert part(dialog, "share-curves").isChecked()
    part(dialog, f"share-{what}").click()
    choose(part(dialog, "shareFormat"), kind)
    QTest.mouseClick(part(dialog, "shareSave"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(saved(trained), timeout=LONG)
    path = tmp_path / name
    assert content in path.read_bytes()[:400]
    if kind == ".csv":
        rows = list(csv.DictReader(io.StringIO(path.read_text())))
        assert len(rows) == {"table": 4, "runs": 2}[what]
        assert {row["run"] for row in rows} == {entry.id for entry in tab.model.entries}


def test_another_name_changes_nothing_of_what_is_written(trained, qtbot, tmp_path):
    tab = show_runs(trained, qtbot, 2)
    select(tab, qtbot, 0, 1)
    for what, rows in (("table", 4), ("runs", 2)):
        path = tmp_path / f"{what}.csv"
        share(trained, what, path)
        assert len(list(csv.DictReader(io.StringIO(path.read_text())))) == rows


def test_what_has_no_content_cannot_be_shared_and_says_why(window, qtbot):
    tab = show_runs(window, qtbot, 0)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(
        window,
        Qt.Key.Key_X,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    dialog = next(each for each in window.findChildren(QWidget, "shareDialog") if each.isVisible())
    for what in ("curves", "table", "runs", "report"):
        assert part(dialog, f"share-{what}").toolTip() == "Choose runs in the list first."
    assert not part(dialog, "shareSave").isEnabled()
    assert not tab.share_button.isEnabled()


def test_a_run_without_an_epoch_has_no_table_of_epochs(trained, qtbot):
    for entry in RunLibrary().entries():
        (entry.path / "history.csv").unlink()
    tab = show_runs(trained, qtbot, 2)
    select(tab, qtbot, 0, 1)
    dialog = open_share(tab, trained)
    for what in ("curves", "table"):
        assert not part(dialog, f"share-{what}").isEnabled()
        assert part(dialog, f"share-{what}").toolTip() == "No epoch of these runs has ended yet."
    assert part(dialog, "share-runs").isEnabled()


def test_the_limit_moves_old_runs_to_the_trash_but_no_starred_one(trained, qtbot):
    tab = show_runs(trained, qtbot, 2)
    tab.commands.limit_action.trigger()
    dialog = trained.findChild(LimitDialog)
    assert dialog.box.value() * 1_000_000 == read_limit(tab.library)
    dialog.box.setValue(2)
    dialog.accept()
    assert read_limit(RunLibrary()) == 2_000_000
    qtbot.waitUntil(lambda: "of at most 2 MB" in tab.commands.limit_action.toolTip(), timeout=LONG)
    # Both are small enough.
    assert len(tab.model.entries) == 2


def test_settings_are_saved_and_opened_as_a_file(window, qtbot, tmp_path):
    path = tmp_path / "class.json"
    settings = window.settings.plan.settings
    share(window, "settings", path)
    part(window, "networkEdit").setText("784-99-10")
    window.opening.open(path)
    assert window.settings.plan.settings == settings
    assert "class.json" in window.banner.text.accessibleName()
    path.write_text('{"format": "digitlab-settings", "run": {"epochs": "many"}}')
    window.opening.open(path)
    assert "whole number" in window.banner.text.accessibleName()
    path.write_text("[]")
    window.opening.open(path)
    assert "cannot be read as settings" in window.banner.text.accessibleName()


def test_runs_made_by_hand_say_what_differs_and_their_button_is_whole(trained, qtbot):
    trained.resize(1366, 768)
    trained.show()
    part(trained, "networkEdit").setText("784-24-10")
    choose(part(trained, "optimizerBox"), "momentum")
    part(trained, "epochsBox").setValue(3)
    part(trained, "trainButton").click()
    qtbot.waitUntil(lambda: trained.session.active, timeout=LONG)
    qtbot.waitUntil(ended(trained), timeout=LONG)
    tab = show_runs(trained, qtbot, 3)
    entries = select(tab, qtbot, 0, 1)
    assert {entry.info.network for entry in entries} == {"784-24-10", "784-32-10"}

    def differences():
        column = [shown.heading for shown in tab.model.columns].index("What differs")
        rows = range(tab.table.filter.rowCount())
        return [tab.table.filter.index(row, column).data() for row in rows]

    newest, earlier, other = differences()
    assert "momentum" in newest.lower()
    assert "sgd" in earlier.lower()
    assert other == ""  # it is not chosen
    button = tab.verdict.main_button
    qtbot.waitUntil(button.isVisible, timeout=LONG)
    assert button.fontMetrics().horizontalAdvance(button.text()) < button.width()
    # Those that differ in the rate alone.
    select(tab, qtbot, 1, 2)
    assert sorted(differences()) == ["", "rate 0.1", "rate 0.3"]
    qtbot.waitUntil(lambda: button.text() in ("Use rate 0.1", "Use rate 0.3"), timeout=LONG)
