"""Comparisons of several values: what a user does with them in the tab Compare."""

import csv
import io
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from core.runs.library import RunLibrary
from core.studies import study, training
from core.studies.spec import parse_study
from gui.runs import tab
from gui.window.main_window import MainWindow
from kernels.errors import DeviceError
from tests.gui.person import drop, ended, part, share, shared, train_for_long
from tests.limits import LONG

NAME = "Learning rate (3 values)"


def dialog_for(window, setting="learning_rate"):
    window.study_actions.ask(setting)
    return window.findChildren(QDialog, "compareDialog")[-1]


def begin(window, *rates, repeats=1):
    """Show the tab Compare, and begin to compare these learning rates."""
    window.tabs.setCurrentWidget(window.compare)
    dialog = dialog_for(window)
    dialog.editor.rows[0].values_edit.setText(", ".join(map(str, rates)))
    dialog.editor.repeats.setValue(repeats)
    name = dialog.editor.name_edit.text()
    dialog.start.click()
    assert window.studies.busy
    return name


def compare(window, qtbot, *rates, repeats=1):
    """Compare these rates, and wait until their runs are listed."""
    name = begin(window, *rates, repeats=repeats)
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    runs = len(rates) * repeats
    qtbot.waitUntil(lambda: len(chosen(window)) == runs and all_done(window), timeout=LONG)
    return name


def chosen(window):
    return window.compare.table.chosen()


def all_done(window):
    return all(entry.info.has_ended for entry in chosen(window))


def with_epochs(window):
    """The runs that have come to the end of an epoch."""
    return [run for run in window.studies.runs if run.epochs]


def shown(window):
    """The texts of the rows that are listed: name, and what differs."""
    model = window.compare.table.filter
    return [
        (model.index(row, 0).data(), model.index(row, 2).data()) for row in range(model.rowCount())
    ]


def runs_shown(window):
    return [run for group in window.compare.comparison.groups for run in group.runs]


def said(window):
    return window.banner.text.accessibleName()


def test_a_comparison_is_a_group_of_ordinary_runs_with_a_verdict(window, qtbot):
    name = compare(window, qtbot, 0.00001, 0.1, 30)
    assert name == NAME
    assert shown(window) == [
        (NAME, "Learning rate: 3 values"),
        ("rate 0.00001", "rate 0.00001"),
        ("rate 0.1", "rate 0.1"),
        ("rate 30", "rate 30"),
    ]
    verdict = window.compare.verdict
    qtbot.waitUntil(lambda: verdict.title.text() == "Best: rate 0.1", timeout=LONG)
    assert "% on the test set." in verdict.text.text()
    assert verdict.main_button.text() == "Use rate 0.1"
    assert sorted(window.compare.comparison.plot.labels.texts) == [
        "rate 0.00001",
        "rate 0.1",
        "rate 30",
    ]
    infos = [entry.info for entry in RunLibrary().entries()]
    assert {info.plan.settings.learning_rate for info in infos} == {0.00001, 0.1, 30}
    assert all(info.study == NAME and info.plan.settings.validation for info in infos)

    # Two more actions: use the best value, and train with it.
    part(window, "learningRateEdit").setText("0.5")
    verdict.main_button.click()
    assert window.tabs.currentWidget() is window.page
    assert part(window, "learningRateEdit").text() == "0.1"
    assert "Changed under Training, for all later runs, too: learning rate 0.1." in said(window)
    window.banner.action_button.click()
    assert part(window, "learningRateEdit").text() == "0.5"


def test_a_comparison_under_training_is_shared_with_all_its_epochs(window, qtbot, tmp_path):
    window.preferences.save_folder(tmp_path / "any")
    name = compare(window, qtbot, 0.1, 0.3)
    runs = {entry.id for entry in RunLibrary().entries()}
    # Under Training, and in the tab Compare, where the comparison is chosen.
    for place in (window.page, window.compare):
        window.tabs.setCurrentWidget(place)
        qtbot.waitUntil(
            lambda: sum(bool(run.epochs) for run in runs_shown(window)) == 2, timeout=LONG
        )
        dialog = shared(window, "curves")
        assert part(dialog, "dialogTitle").text() == f"Share “{name}”"
        assert f"{name} curves.png" in part(dialog, "destinationText").text().replace("\u200b", "")
        dialog.reject()
        path = tmp_path / f"{place.objectName()}.csv"
        share(window, "table", path)
        rows = list(csv.DictReader(io.StringIO(path.read_text())))
        assert {row["run"] for row in rows} == runs
        assert {row["legend"] for row in rows} == {"rate 0.1", "rate 0.3"}
        assert len(rows) == 2 * len({row["epoch"] for row in rows})


def test_repetitions_are_folded_and_can_be_unfolded_by_key_and_mouse(window, qtbot):
    compare(window, qtbot, 0.1, 0.3, repeats=2)
    assert [name for name, _ in shown(window)] == [
        "Learning rate (2 values)",
        "rate 0.1",
        "rate 0.3",
    ]
    table = window.compare.table
    table.setCurrentIndex(table.filter.index(1, 0))
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Right)
    assert [name for name, _ in shown(window)][1:4] == ["rate 0.1", "start 1", "start 2"]
    arrow = table.visualRect(table.filter.index(0, 0)).topLeft()
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, pos=arrow + arrow.__class__(8, 12)
    )
    assert [name for name, _ in shown(window)] == ["Learning rate (2 values)"]


def test_the_bands_of_repetitions_reach_from_the_lowest_to_the_highest(window, qtbot):
    compare(window, qtbot, 0.1, 0.3, repeats=2)
    compared = window.compare.comparison
    qtbot.waitUntil(lambda: [len(group.runs) for group in compared.groups] == [2, 2], timeout=LONG)
    qtbot.waitUntil(lambda: all(len(run.epochs) == 2 for run in runs_shown(window)), timeout=LONG)
    (first, _) = compared.groups
    scores = np.array([[epoch.test_score for epoch in run.epochs] for run in first.runs])
    line = compared.plot.labels.lines[-2]
    np.testing.assert_allclose(line.y, 100 * scores.mean(axis=0))
    (_, lowest), (_, highest) = line.band
    np.testing.assert_allclose(lowest, 100 * scores.min(axis=0))
    np.testing.assert_allclose(highest, 100 * scores.max(axis=0))
    qtbot.waitUntil(lambda: "2 runs" in window.compare.verdict.bands.text(), timeout=LONG)


def test_the_training_tab_shows_the_comparison_that_is_trained(window, qtbot):
    part(window, "epochsBox").setValue(40)
    begin(window, 0.001, 0.1, 0.3)
    qtbot.waitUntil(lambda: any(run.epochs for run in window.studies.runs), timeout=LONG)
    window.tabs.setCurrentWidget(window.page)
    assert "Learning rate compared" in window.training.result.run_line.text()
    assert f"Training {NAME}: " in window.training.conclusion.text.text()
    # Nothing but Stop could be next: it stands in place of Train, and the plot has the room.
    assert not window.training.conclusion.has_links
    assert not part(window, "trainButton").isVisible()
    bar = window.compare.verdict.bar  # moves with each epoch, not only with each run
    qtbot.waitUntil(lambda: bar.maximum() == 3 * 40 and bar.value() > 0, timeout=LONG)
    stop = part(window, "stopButton")
    assert stop.toolTip().startswith("Stop the comparison")
    QTest.mouseClick(stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    assert part(window, "trainButton").isVisible()
    assert not stop.isVisible()
    window.compare.commands.continue_study_asked.emit(NAME)
    qtbot.waitUntil(lambda: "learns best" in window.training.conclusion.text.text(), timeout=LONG)
    labels = window.training.plots.accuracy_plot.labels
    qtbot.waitUntil(
        lambda: sorted(labels.texts) == ["rate 0.001", "rate 0.1", "rate 0.3"], timeout=LONG
    )


def test_a_run_that_failed_is_tried_again(window, qtbot, monkeypatch):
    fail = training.iter_run

    def fail_at_03(plan, *arguments, **options):
        if plan.settings.learning_rate == 0.3:
            raise DeviceError("memory", "The card is in use.")
        return fail(plan, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(training, "iter_run", fail_at_03)
        name = begin(window, 0.1, 0.3)
        qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    assert (
        said(window)
        == "Failed runs: 1 (The card is in use). Under Compare, Continue tries them again."
    )
    window.studies.continue_study(name)
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    assert [run.state for run in window.studies.runs] == ["epochs", "epochs"]


def test_a_comparison_that_was_stopped_continues_after_a_restart(window, qtbot):
    part(window, "epochsBox").setValue(400)
    name = begin(window, 0.05, 0.1)
    qtbot.waitUntil(lambda: len(with_epochs(window)) == 2, timeout=LONG)
    status = window.status.epoch
    qtbot.waitUntil(lambda: "of 2 runs have ended." in status.text(), timeout=LONG)
    assert status.fontMetrics().horizontalAdvance(status.text()) <= status.width()
    assert window.tabs.tabText(window.tabs.indexOf(window.compare)) == "Compare: training"
    stop = window.compare.verdict.stop_button

    def offers_stop():
        compare = window.compare
        listed = [row.id for row in compare.model.records]
        chosen = [row.id for row in compare.table.selected()]
        assert stop.isVisible(), (compare.isVisible(), compare.chosen_study, chosen, listed)

    qtbot.waitUntil(offers_stop, timeout=LONG)
    stop.click()
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    assert "was stopped" in said(window)
    window.close()

    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: f"“{name}” was stopped" in said(again), timeout=LONG)
    again.banner.action_button.click()
    assert again.compare.isVisible()
    qtbot.waitUntil(lambda: again.studies.busy and len(again.studies.runs) == 2, timeout=LONG)
    again.studies.stop()
    qtbot.waitUntil(lambda: not again.studies.busy, timeout=LONG)
    assert len(RunLibrary().entries()) == 2
    again.close()


def test_a_comparison_can_be_stopped_before_its_runs_are_listed(window, qtbot, monkeypatch):
    is_listed = Event()
    contents = tab._contents

    def later(library):
        is_listed.wait()
        return contents(library)

    monkeypatch.setattr(tab, "_contents", later)
    try:
        part(window, "epochsBox").setValue(400)
        begin(window, 0.05, 0.1)
        verdict = window.compare.verdict
        assert verdict.stop_button.isVisible()
        assert verdict.title.text() == "Comparing…"
        qtbot.waitUntil(lambda: len(with_epochs(window)) == 2, timeout=LONG)
        qtbot.waitUntil(
            lambda: "of 2 runs have ended." in verdict.progress_note.text(), timeout=LONG
        )
        verdict.stop_button.click()
        qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    finally:
        is_listed.set()  # else the window would wait for the list when it closes
    qtbot.waitUntil(lambda: len(chosen(window)) == 2, timeout=LONG)
    assert not verdict.stop_button.isVisible()


def test_a_comparison_a_run_and_a_measurement_exclude_each_other(window, qtbot):
    train_for_long(window, qtbot)
    window.tabs.setCurrentWidget(window.compare)
    assert not window.compare.new_button.isEnabled()
    window.study_actions.ask("learning_rate")
    assert "one thing is trained at a time" in said(window)
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    part(window, "epochsBox").setValue(200)
    begin(window, 0.1)
    assert not part(window, "trainButton").isEnabled()
    assert "being compared" in part(window, "obstacleText").text()
    window.run_actions.start()
    assert not window.session.active
    assert "Several values are being compared" in said(window)
    window.study_actions.ask("learning_rate")
    assert "Several values are being compared" in said(window)
    window.tabs.setCurrentWidget(window.measuring)
    assert not window.measuring.race.start_button.isEnabled()
    window.studies.say_busy()
    window.banner.action_button.click()
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    assert window.measuring.race.reason.text() == ""


def test_a_deleted_comparison_comes_back_with_its_runs_also_after_a_restart(window, qtbot):
    name = compare(window, qtbot, 0.1, 0.3)
    before = shown(window)
    window.compare.commands.delete_action.trigger()
    assert f"“{name}” and its runs are in the trash." in said(window)
    qtbot.waitUntil(lambda: shown(window) == [], timeout=LONG)
    window.banner.action_button.click()
    qtbot.waitUntil(lambda: shown(window) == before, timeout=LONG)
    window.compare.commands.delete_action.trigger()
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    again.tabs.setCurrentWidget(again.compare)
    again.study_actions.undo_delete()
    qtbot.waitUntil(lambda: shown(again) == before, timeout=LONG)
    again.study_actions.undo_delete()
    assert said(again) == "The trash is empty."
    again.close()


def test_runs_keep_their_color_and_leave_no_row_when_all_are_deleted(window, qtbot):
    name = compare(window, qtbot, 0.1, 0.3)
    tab = window.compare
    others = window.training.plots.accuracy_plot.others.shown
    qtbot.waitUntil(lambda: len(tab.model._series) == 2, timeout=LONG)
    listed = {row.title: tab.model._series_of(row) for row in tab.model.records if row.entry}
    assert {curve.name: curve.series for curve in others} == listed
    assert len(set(listed.values())) == 2
    tab.table.select_rows([entry.id for entry in chosen(window)])
    tab.commands.delete_action.trigger()
    qtbot.waitUntil(lambda: not any(row.study == name for row in tab.model.records), timeout=LONG)
    tab.commands.undo_action.trigger()
    qtbot.waitUntil(lambda: any(row.study == name for row in tab.model.records), timeout=LONG)


def test_a_comparison_that_never_began_is_listed_and_can_be_deleted(window, qtbot):
    study.Study(parse_study("[vary]\nseed = [1, 2]\n", "empty")).close()
    window.tabs.setCurrentWidget(window.compare)
    qtbot.waitUntil(lambda: [name for name, _ in shown(window)] == ["empty"], timeout=LONG)
    window.compare.table.select_rows(["study empty"])
    assert window.compare.commands.continue_action.isEnabled()
    window.compare.commands.delete_action.trigger()
    qtbot.waitUntil(lambda: shown(window) == [], timeout=LONG)


def test_a_file_of_a_study_is_opened_by_a_drop(window, qtbot, tmp_path):
    path = tmp_path / "rates.toml"
    path.write_text(
        'data = "mnist"\n[settings]\nnetwork = "784-16-10"\nepochs = 2\n[vary]\nlearning_rate = '
        "[0.1, 0.2]\n"
    )
    drop(window, path)
    dialog = window.findChildren(QDialog, "compareDialog")[-1]
    assert dialog.editor.name_edit.text() == "rates"
    assert "16 units" in dialog.sentence.text()
    assert not dialog.editor.isEnabled()
    assert dialog.start.isEnabled()
    dialog.start.click()
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    assert {entry.info.network for entry in RunLibrary().entries()} == {"784-16-10"}
    path.write_text("[vary")
    drop(window, path)
    assert "no TOML file" in said(window)


def test_a_comparison_is_used_for_a_new_one(window, qtbot):
    name = compare(window, qtbot, 0.1, 0.3)
    part(window, "networkEdit").setText("784-99-10")
    window.compare.commands.copy_action.trigger()
    assert "Changed under Training, for all later runs, too: network 32 units" in said(window)
    dialog = window.findChildren(QDialog, "compareDialog")[-1]
    assert dialog.editor.rows[0].values_edit.text() == "0.1, 0.3"
    assert dialog.editor.name_edit.text() == f"{name} 2"
    dialog.reject()


@pytest.mark.parametrize("size", [(800, 600), (1280, 720)])
def test_the_tab_fits_the_window(window, qtbot, size):
    window.resize(*size)
    window.tabs.setCurrentWidget(window.compare)
    assert (window.width(), window.height()) == size

    def fits(button):
        return window.rect().contains(button.mapTo(window, button.rect().bottomRight()))

    compared = window.compare
    buttons = (compared.new_button, compared.share_button, compared.comparison.more_button)
    qtbot.waitUntil(lambda: all(map(fits, buttons)), timeout=LONG)
