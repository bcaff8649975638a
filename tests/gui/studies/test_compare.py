"""Several values of a setting, trained side by side."""

from PySide6.QtWidgets import QDialog, QPushButton

from tests.gui.person import part
from tests.limits import LONG


def dialog_for(window, name="learning_rate"):
    window.study_actions.ask(name)
    return window.findChildren(QDialog, "compareDialog")[-1]


def test_variants_learn_side_by_side_and_one_sentence_says_which_is_best(window, qtbot):
    window.resize(1280, 860)  # stage and plot have room below each other
    dialog = dialog_for(window)
    dialog.editor.rows[0].values_edit.setText("0.00001, 0.1, 30")
    dialog.start.click()
    trained = []  # how many epochs each run had, at each time that one was shown

    def note(records):
        shown = [show.args[1] for show in records if show.func == window.studies._show]
        trained.extend([len(run.epochs) for run in runs] for runs in shown)

    window.studies.runner.records.connect(note)
    qtbot.waitUntil(lambda: "best" in window.training.conclusion.text.text(), timeout=LONG)
    assert [1, 1, 1] in trained  # no run waited for the end of another one
    text = window.training.conclusion.text.text()
    assert text.startswith("After epoch 2: rate 0.1 learns best: ")
    assert "rate 30 is too large: it learns nothing" in text
    assert "rate 0.00001 is too slow: " in text
    assert sorted(window.training.plots.accuracy_plot.labels.texts) == [
        "rate 0.00001",
        "rate 0.1",
        "rate 30",
    ]
    # The settings get the value, and nothing else.
    before = window.settings.plan.settings
    window.settings.fields["learning_rate"].show_value(0.5)
    part(window, "conclusionUse").click()
    assert window.settings.plan.settings == before
    # The next run has the plot for itself.
    part(window, "trainButton").click()
    qtbot.waitUntil(
        lambda: not window.session.active and window.training.result.score.text() != "",
        timeout=LONG,
    )
    labels = window.training.plots.accuracy_plot.labels
    qtbot.waitUntil(lambda: labels.texts == ["training", "test"], timeout=LONG)
    has_none = ", 0 wrong" in window.training.conclusion.text.text()
    assert bool(window.findChildren(QPushButton, "conclusionResults")) != has_none


def test_repetitions_give_a_mean_and_a_band(window, qtbot):
    dialog = dialog_for(window)
    dialog.editor.rows[0].values_edit.setText("0.1")
    dialog.editor.repeats.setValue(2)
    dialog.start.click()
    qtbot.waitUntil(lambda: " to " in window.training.conclusion.text.text(), timeout=LONG)
    (curve,) = window.training.plots.accuracy_plot.others.shown
    for (epoch, mean), (at, low, high) in zip(curve.points, curve.band, strict=True):
        assert epoch == at
        assert low <= mean <= high
    assert " to " in window.training.conclusion.text.text()
