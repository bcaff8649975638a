from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontInfo, QWheelEvent
from PySide6.QtWidgets import QApplication

from core.runs.plan import RunPlan
from core.training.records import Finished, RateChange, StepsDone, best_epoch
from core.training.run_settings import RunSettings
from gui.background.task_runner import TICK_MILLISECONDS
from gui.text import percent
from gui.training.session import steps_together
from gui.training.shown import changes_text
from gui.training.tab import TrainingTab
from gui.widgets.plots.end_labels import by_column
from gui.widgets.theme import DARK, LIGHT, theme
from gui.window.main_window import MainWindow
from tests.gui.person import choose, ended, part
from tests.gui.training.test_epoch_table import done
from tests.limits import LONG

IMAGES, BATCH = 10_000, 100


def steps(epoch, first, last, loss=1.0, accuracy=0.5, rate=0.1):
    """The record of steps `first` to `last` - 1 of an epoch of 100 steps."""
    metrics = np.tile([BATCH, BATCH * loss, BATCH * accuracy], (last - first, 1))
    return StepsDone(
        step=(epoch - 1) * 100 + last,
        epoch=epoch,
        position=last * BATCH,
        images=IMAGES,
        loss=loss,
        score=accuracy,
        learning_rate=rate,
        seconds=1.0,
        images_per_second=1.0,
        step_metrics=metrics,
        checkpoint=None,
    )


@pytest.fixture
def tab(qtbot):
    tab = TrainingTab()
    qtbot.addWidget(tab)
    tab.resize(600, 600)
    tab.show()
    tab.plots.show_plots("loss")
    return tab


def start(tab, kind="classes", rate=0.1, epochs=10):
    plan = RunPlan(RunSettings(learning_rate=rate, epochs=epochs), "builtin")
    tab.start_run(SimpleNamespace(dataset=SimpleNamespace(kind=kind), plan=plan, run_id=""))


def run(tab, epochs, loss, accuracy):
    """A run of which every step of an epoch has the same loss and accuracy."""
    start(tab)
    for epoch in range(1, epochs + 1):
        tab.add_records([steps(epoch, 0, 100, loss(epoch), accuracy(epoch))])
        tab.add_records([done(epoch, test_loss=2 * loss(epoch), test_score=accuracy(epoch) - 0.01)])
    tab.end_run()


def y_range(plot):
    return plot.viewRange()[1]


def legend(plot):
    return plot.labels.texts


def test_a_single_step_is_visible_while_the_run_is_paused(tab):
    start(tab)
    tab.add_records([steps(1, 0, 50)])
    tab.add_records([steps(1, 50, 51, loss=7.0)])
    tab.set_paused(True)
    raw = tab.plots.loss_plot.run.lines["raw"]
    assert (raw.x[-1], raw.y[-1]) == (pytest.approx(0.51), pytest.approx(7.0))


def test_the_axis_begins_under_the_lowest_test_value_and_a_press_shows_it_from_0(tab):
    tab.plots.show_plots("accuracy")
    start(tab)
    tab.add_records([steps(1, 0, 100, 1.0, 0.7)])
    low, high = y_range(tab.plots.accuracy_plot)
    assert low <= 0
    tab.add_records([done(1, test_loss=2.0, test_score=0.823)])
    tab.end_run()
    low, high = y_range(tab.plots.accuracy_plot)
    assert low == 80
    assert 100 <= high < 101
    other = tab.plots.zoom.buttons[1]
    assert other.isVisible()
    other.click()
    assert y_range(tab.plots.accuracy_plot)[0] <= 0
    other.click()
    assert y_range(tab.plots.accuracy_plot)[0] == 80
    tab.plots.show_plots("loss")
    assert not other.isVisible()


def test_ticks_are_at_whole_epochs_and_at_100_percent(tab):
    run(tab, 3, lambda epoch: 1 / epoch, lambda epoch: 0.2 * epoch)
    for plot in (tab.plots.loss_plot, tab.plots.accuracy_plot):
        axis = plot.getAxis("bottom")
        ((_, ticks),) = axis.tickValues(*plot.viewRange()[0], 500)
        assert list(ticks)[:4] == [0, 1, 2, 3]
    ((_, ticks),) = tab.plots.accuracy_plot.getAxis("left").tickValues(
        *y_range(tab.plots.accuracy_plot), 150
    )
    assert list(ticks) == [0, 25, 50, 75, 100]


def chips(tab):
    """The names and results of the runs before."""
    return [entry.text().split("   ")[:2] for entry in part(tab, "keptRuns").menu().actions()]


def test_the_runs_before_stay_visible_named_by_what_differs_until_they_are_removed(tab):
    tab.resize(1400, 600)
    tab.plots.show_plots("accuracy")
    for rate in (0.1, 0.2, 0.3, 0.4, 0.5):
        start(tab, rate=rate)
        for epoch in (1, 2):
            tab.add_records([steps(epoch, 0, 100), done(epoch, test_score=rate)])
        tab.end_run()
    assert chips(tab) == [["rate 0.2", "20.00 %"], ["rate 0.3", "30.00 %"], ["rate 0.4", "40.00 %"]]
    assert legend(tab.plots.accuracy_plot) == ["rate 0.5", "rate 0.2", "rate 0.3", "rate 0.4"]
    before = part(tab, "keptRuns")
    assert (before.text(), before.isVisible()) == ("3 before", True)
    before.menu().actions()[1].trigger()
    assert [name for name, _ in chips(tab)] == ["rate 0.2", "rate 0.4"]
    assert legend(tab.plots.accuracy_plot) == ["rate 0.5", "rate 0.2", "rate 0.4"]
    tab.clear()
    assert chips(tab) == legend(tab.plots.accuracy_plot) == []


def test_a_curve_that_ends_early_is_joined_with_its_name(tab):
    tab.plots.show_plots("accuracy")
    run(tab, 2, lambda epoch: 1.0, lambda epoch: 0.5)
    run(tab, 10, lambda epoch: 1.0, lambda epoch: 0.9)
    plot = tab.plots.accuracy_plot
    label = next(each for each in plot.labels._labels if each.x < 3)
    image = plot.grab().toImage()
    _, place = plot.labels._placing()
    x, y = (round(float(value)) for value in place(label.x, label.y))
    names = round(plot.labels._names_span()[0])
    left = plot.plotItem.mapToScene(QPointF(0, 0)).toPoint()
    colors = {
        image.pixelColor(k + left.x(), y + left.y() + d).rgb()
        for k in range(x + 20, names - 20)
        for d in (-1, 0, 1)
    }
    assert label.pen.color().rgb() in colors


def test_the_axis_ends_at_the_last_epoch_and_the_first_batches_do_not_rule_the_loss(tab):
    start(tab, epochs=4)
    assert tab.plots.loss_plot.viewRange()[0][1] == pytest.approx(4, rel=0.02)
    tab.add_records(
        [steps(1, 0, 2, loss=500.0), steps(1, 2, 100, loss=2.0), done(1, test_loss=2.0)]
    )
    tab.add_records([steps(2, 0, 100, loss=1.0), done(2, test_loss=1.0)])
    tab.end_run()
    assert tab.plots.loss_plot.viewRange()[0][1] == pytest.approx(2, rel=0.02)  # it was stopped
    assert y_range(tab.plots.loss_plot)[1] < 5
    assert "500" in tab.plots.loss_plot.shown_range.cut_text.toPlainText()


def test_one_plot_is_shown_and_the_table_by_its_command(tab):
    run(tab, 2, lambda epoch: 1 / epoch, lambda epoch: 0.9)
    for shown, visible in (("accuracy", (False, True)), ("loss", (True, False))):
        tab.plots.show_plots(shown)
        assert (tab.plots.loss_plot.isVisible(), tab.plots.accuracy_plot.isVisible()) == visible
        # The chosen switch names the values.
        assert not any(
            plot.plotItem.getAxis("left").labelText for plot in tab.curves.both if plot.isVisible()
        )
    assert not tab.plots.table.isVisible()
    tab.plots.table_action.trigger()
    assert tab.plots.table.isVisible()


def test_the_switch_names_the_score_of_a_regression_also_in_another_width(tab):
    start(tab, kind="values")
    tab.resize(tab.width() - 100, tab.height())
    QApplication.processEvents()
    assert tab.plots.chooser.tabText(0) == "R²"


def test_the_value_at_the_pointer_is_shown(tab):
    run(tab, 3, lambda epoch: 1 / epoch, lambda epoch: 0.9)
    tab.plots.loss_plot.pointed.emit(2.0, 1.0)
    text = tab.plots.readout.text()
    assert text.startswith("epoch 2")
    assert "test 1" in text
    tab.plots.accuracy_plot.pointed.emit(2.0, 1.0)
    assert "test 89 %" in tab.plots.readout.text()
    tab.plots.loss_plot.pointed.emit(float("nan"), 1.0)
    assert tab.plots.readout.text() == ""


def test_the_tooltip_of_a_point_names_its_curve(tab):
    run(tab, 3, lambda epoch: 1 / epoch, lambda epoch: 0.9)
    run(tab, 3, lambda epoch: 2 / epoch, lambda epoch: 0.9)
    for plot, shown in zip(tab.curves.both, ("loss", "accuracy"), strict=True):
        tab.plots.show_plots(shown)
        names = [name for name, _, _ in plot.drawn()]
        assert {"training", "test", "before"} < set(names)
        assert all(names)


def test_a_run_has_one_hue(tab):
    """Training thin and light, test thick, validation dotted."""
    run(tab, 3, lambda epoch: 1 / epoch, lambda epoch: 1 - 0.2 / epoch)
    lines = tab.plots.accuracy_plot.run.lines
    hues = [lines[name].pen.color().hue() for name in ("train", "test", "validation")]
    assert max(hues) - min(hues) <= 2
    assert lines["train"].pen.width() < lines["test"].pen.width()
    assert lines["train"].pen.color().lightness() > lines["test"].pen.color().lightness()


def test_the_validation_loss_has_a_curve(tab):
    start(tab)
    tab.add_records([steps(1, 0, 100), done(1, validation_loss=0.75)])
    tab.end_run()
    assert legend(tab.plots.loss_plot) == ["training", "test", "validation"]
    assert tab.plots.loss_plot.run.lines["validation"].y.tolist() == [0.75]


def best_marks(tab):
    """Where the best epoch is marked in the plots, and the first cells of the table."""
    marks = []
    for plot, shown in zip(tab.curves.both, ("loss", "accuracy"), strict=True):
        tab.plots.show_plots(shown)
        marks.append(
            [each.tolist() for each in (plot.run.lines["best"].x, plot.run.lines["best"].y)]
        )
    return marks, [
        tab.epochs.data(tab.epochs.index(row, 0)) for row in range(tab.epochs.rowCount())
    ]


def test_the_best_epoch_is_marked_in_the_plots_and_in_the_table(tab):
    start(tab)
    for epoch, score in ((1, 0.8), (2, 0.9), (3, 0.85)):
        tab.add_records([done(epoch, test_loss=1 - score, test_score=score)])
    tab.end_run()
    marks, cells = best_marks(tab)
    np.testing.assert_allclose(marks[0], [[2], [0.1]])
    np.testing.assert_allclose(marks[1], [[2], [90]])
    assert cells == ["1", "◆ 2", "3"]
    start(tab)
    for epoch, loss in ((1, 0.5), (2, 0.25), (3, 0.3)):
        tab.add_records([done(epoch, validation_loss=loss, test_score=0.1 * epoch)])
    tab.end_run()
    marks, cells = best_marks(tab)
    assert marks[0] == [[2], [0.25]]
    assert cells == ["1", "◆ 2", "3"]
    start(tab)
    assert best_marks(tab)[1] == []


def luminance(color):
    channels = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


@pytest.mark.parametrize("colors", [LIGHT, DARK])
def test_the_run_before_has_a_contrast_of_three_to_one(colors):
    low, high = sorted(map(luminance, (colors.previous, colors.base)))
    assert (high + 0.05) / (low + 0.05) >= 3


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_the_curve_that_is_not_smoothed_can_be_seen_on_a_projector(tab, choice):
    theme().choose(choice)
    try:
        color = tab.plots.accuracy_plot.run.lines["raw"].pen.color().name()
        low, high = sorted(map(luminance, (color, theme().colors.base)))
        assert (high + 0.05) / (low + 0.05) >= 2.2
    finally:
        theme().choose("light")


def test_the_plots_are_redrawn_at_least_eight_times_a_second(tab, monkeypatch):
    now, drawn = [tab.curves._next_draw], []
    monkeypatch.setattr("gui.training.curves.time.monotonic", lambda: now[0])

    def on_drawn(until):
        now[0] += 0.008  # which drawing takes
        drawn.append(now[0])

    tab.curves.drawn.connect(on_drawn)
    start(tab)
    drawn.clear()
    end = now[0] + 5
    while now[0] < end:
        now[0] += TICK_MILLISECONDS / 1000
        tab.add_records([steps(1, 0, 1)])
        tab.update_if_due()
    assert len(drawn) >= 8 * 5


def test_a_change_of_the_learning_rate_is_marked_at_its_epoch(tab):
    start(tab)
    tab.add_records([steps(1, 0, 40)])
    changed = replace(steps(1, 40, 60, rate=0.01), rate_change=RateChange(40, 0.01))
    tab.add_records([changed, steps(1, 60, 100, rate=0.01)])
    for plot in (tab.plots.loss_plot, tab.plots.accuracy_plot):
        (mark,) = plot.rates.lines
        assert mark.value() == pytest.approx(0.4)
        assert "0.01" in mark.label.toPlainText()
    start(tab)
    assert not tab.plots.loss_plot.rates.lines


def test_long_curves_are_drawn_with_at_most_two_points_for_a_pixel():
    x, y = np.linspace(10, 400, 9000), np.sin(np.arange(9000.0))
    drawn_x, drawn_y = by_column(x, y, spreads=True)
    assert len(drawn_x) < 2.1 * 391
    assert (drawn_y.min(), drawn_y.max()) == (y.min(), y.max())
    assert len(by_column(x, y, spreads=False)[0]) < 1.1 * 391
    part = (x >= 200) & (x < 300)  # a part that is painted again looks the same
    assert (
        by_column(x[part], y[part], spreads=True)[1].tolist()
        == drawn_y[(drawn_x >= 200) & (drawn_x < 300)].tolist()
    )


def test_of_curves_that_grow_only_the_end_is_painted_again(tab, monkeypatch):
    run(tab, 3, lambda epoch: 1 / epoch, lambda epoch: 0.5)
    start(tab)
    tab.add_records([steps(1, 0, 100), steps(2, 0, 50)])
    tab.plots.zoom.fit()
    plot = tab.plots.loss_plot
    painted = []
    monkeypatch.setattr(plot.labels, "update", lambda *parts: painted.extend(parts))
    tab.add_records([steps(2, 50, 52)])
    tab.plots.zoom.fit()
    (part,) = painted
    left = plot.labels._placing()[1](1.5, 0.0)[0]
    assert part.left() == pytest.approx(left, abs=10)
    before = plot.grab().toImage()
    monkeypatch.undo()
    plot.labels.update()
    assert plot.grab().toImage() == before


def test_the_hint_of_an_empty_plot_is_in_its_middle_after_a_run(tab):
    run(tab, 4, lambda epoch: 1 / epoch, lambda epoch: 0.5)
    tab.plots.zoom.fit()
    tab.clear()
    for plot in (tab.plots.loss_plot, tab.plots.accuracy_plot):
        left, right = plot.viewRange()[0]
        assert plot.hint.isVisible()
        assert plot.hint.pos().x() == pytest.approx((left + right) / 2)
        assert y_range(plot)[0] < plot.hint.pos().y() < y_range(plot)[1]


def test_a_rate_changed_during_the_run_is_no_change_since(tab):
    plan = RunPlan(RunSettings(learning_rate=0.1, epochs=10), "builtin")
    start(tab)
    tab.show_plan(replace(plan, settings=replace(plan.settings, learning_rate=0.3)), "classes")
    assert not tab.result.changed_note.isVisible()
    tab.add_records([Finished("completed", "", 0.2, 0.9, 1.0, None, None)])
    assert tab.result.changed_note.isVisible()


def test_the_plots_name_their_run_and_say_that_the_settings_have_changed(window, qtbot, tmp_path):
    window.resize(1280, 720)  # where stage and plot are both shown
    line = window.training.result.run_line
    assert line.text() == ""
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert line.text() == "32 units; SGD 0.1; MNIST; 2 epochs"
    part(window, "learningRateEdit").setText("0.3")
    assert line.text() == "32 units; SGD 0.1; MNIST; 2 epochs"
    assert window.training.result.changed_note.isVisible()
    part(window, "learningRateEdit").setText("0.1")
    assert not window.training.result.changed_note.isVisible()
    choose(part(window, "datasetBox"), "builtin")
    assert window.training.result.changed_note.isVisible()
    window.training.plots.export(tmp_path / "plots.svg", window.training.result.heading)
    assert "32 units; SGD 0.1; MNIST; 2 epochs" in (tmp_path / "plots.svg").read_text()


def test_a_run_that_continues_shows_the_training_curve_from_its_first_epoch(tab):
    start(tab)
    epochs = [done(epoch, train_loss=2.0 - epoch / 10).numbers for epoch in (1, 2, 3)]
    tab.show_history(epochs, [])
    tab.add_records([steps(4, 0, 100, 1.0, 0.9)])
    curve = tab.plots.loss_plot.run.curves["train"]
    assert curve.x[:3].tolist() == [1, 2, 3]
    assert curve.y[:3].tolist() == [1.9, 1.8, 1.7]
    assert curve.x[-1] == 4
    assert len(tab.plots.accuracy_plot.run.curves["train"]) == len(curve)


def test_the_replay_moves_curves_reading_confusion_and_filters(window, qtbot):
    window.resize(1280, 720)  # where stage and plot are both shown
    part(window, "epochsBox").setValue(3)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    slider, plot = part(window, "replaySlider"), window.training.plots.accuracy_plot
    assert (slider.maximum(), slider.value()) == (3, 3)
    final = window.saving.model.parameters
    window.tabs.setCurrentWidget(window.results)
    qtbot.waitUntil(
        lambda: window.results.page.scores is not None and not window.results._runner.busy,
        timeout=LONG,
    )
    scores = window.results.page.scores
    slider.setValue(1)
    qtbot.waitUntil(lambda: window.results.page.scores is not scores, timeout=LONG)
    window.tabs.setCurrentWidget(window.page)
    assert plot.run.lines["test"].x.tolist() == [1]
    assert slider.isVisible()
    assert part(window, "plotEpoch").text().endswith("epoch 1 of 3")
    model, _ = window.model_selector.current()
    assert not np.array_equal(model.parameters, final)
    part(window, "conclusionAsk").click()
    assert window.ask.isVisible()
    window.page.band.close_page()
    slider.setValue(0)
    assert part(window, "replayEpoch").text() == "start"
    slider.setValue(3)
    window.tabs.setCurrentWidget(window.page)
    assert plot.run.lines["test"].x.tolist() == [1, 2, 3]
    assert np.array_equal(window.model_selector.current()[0].parameters, final)
    # A run that is opened from the library can be replayed, too.
    entry = window.compare.library.entries()[0]
    window.training.clear()
    assert not slider.isVisible()
    window.run_actions.open_run(entry)
    window.tabs.setCurrentWidget(window.page)
    assert (slider.maximum(), slider.isVisible()) == (3, True)


def test_slow_motion(window, qtbot):
    assert [steps_together(speed) for speed in (0, 1, 10, 100)] == [None, 1, 1, 5]
    choose(part(window, "speedBox"), 10)
    part(window, "epochsBox").setValue(1000)
    part(window, "trainButton").click()
    qtbot.waitUntil(
        lambda: window.status.newest is not None and window.status.newest.step > 2, timeout=LONG
    )
    assert window.status.newest.step < 20  # of 30 in an epoch
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)


def test_the_sentence_after_a_run_compares_and_its_buttons_lead_on(window, qtbot):
    for rate in ("0.1", "30"):
        part(window, "learningRateEdit").setText(rate)
        part(window, "trainButton").click()
        qtbot.waitUntil(ended(window), timeout=LONG)
    text = window.training.conclusion.text
    assert "test images read right" in text.text()
    assert "less than the run before (rate 0.1)" in text.text()
    qtbot.waitUntil(lambda: "Inside: " in text.text(), timeout=LONG)
    part(window, "conclusionResults").click()
    assert window.tabs.currentWidget() is window.results
    part(window, "conclusionCompare").click()
    assert part(window, "compareDialog").editor.rows[0].name == "learning_rate"
    part(window, "compareDialog").reject()


def wheel(plot, modifier):
    """Turn the wheel over the middle of a plot."""
    at = QPointF(plot.viewport().rect().center())
    event = QWheelEvent(
        at, QPointF(plot.viewport().mapToGlobal(at.toPoint())), QPoint(0, 0), QPoint(0, 120),
        Qt.MouseButton.NoButton, modifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plot.viewport(), event)


def test_the_wheel_zooms_with_ctrl_only_and_a_button_leads_back(tab):
    run(tab, 3, lambda epoch: 1 / epoch, lambda epoch: 0.9)
    before = tab.plots.loss_plot.viewRange()
    wheel(tab.plots.loss_plot, Qt.KeyboardModifier.NoModifier)
    assert tab.plots.loss_plot.viewRange() == before
    assert tab.plots.loss_plot.fit_button.isHidden()
    wheel(tab.plots.loss_plot, Qt.KeyboardModifier.ControlModifier)
    assert tab.plots.loss_plot.viewRange() != before
    assert tab.plots.loss_plot.fit_button.isVisible()
    tab.plots.loss_plot.fit_button.click()
    assert np.allclose(tab.plots.loss_plot.viewRange(), before)
    assert tab.plots.loss_plot.fit_button.isHidden()
    assert tab.plots.accuracy_plot.fit_button.isHidden()


@pytest.mark.parametrize("validation", [None, 0.3])
def test_the_best_epoch_is_named_by_what_it_is_best(tab, validation):
    start(tab)
    tab.add_records([steps(1, 0, 100), done(1, validation_loss=validation)])
    tab.end_run()
    texts = [plot.run.lines["best"].name for plot in (tab.plots.accuracy_plot, tab.plots.loss_plot)]
    assert texts == (
        ["best epoch", "highest accuracy"]
        if validation is None
        else ["lowest validation loss", "best epoch"]
    )


def test_the_first_epoch_does_not_rule_the_axis_of_losses(tab):
    start(tab)
    for epoch, loss in enumerate((2.0, 0.2, 0.1, 0.05), 1):
        tab.add_records([steps(epoch, 0, 100, loss), done(epoch, test_loss=0.2 + 0.02 * epoch)])
    tab.end_run()
    assert 0.28 < y_range(tab.plots.loss_plot)[1] < 0.5
    assert tab.plots.loss_plot.shown_range.cut_text.isVisible()


def test_a_changed_rate_is_part_of_the_name_of_the_run(tab):
    start(tab)
    change = replace(steps(2, 0, 100, rate=3.0), rate_change=RateChange(100, 3.0))
    tab.add_records([steps(1, 0, 100), done(1), change, done(2)])
    tab.end_run()
    assert "SGD 0.1, then 3, " in tab.result.run_line.text()
    assert changes_text(tab._run.changes) == "the rate was set to 3 in epoch 2"
    run(tab, 2, lambda epoch: 1.0, lambda epoch: 0.9)
    assert [name for name, _ in chips(tab)] == ["then 3"]


def test_repeated_runs_say_how_long_ago_they_were(tab):
    for _ in range(4):
        run(tab, 2, lambda epoch: 1 / epoch, lambda epoch: 0.9)
    names = [curve.name for curve in tab.plots.accuracy_plot.others.shown]
    assert names == ["3 runs before", "2 runs before", "before"]


def test_a_run_that_continues_does_not_stand_beside_itself(tab):
    run(tab, 2, lambda epoch: 1 / epoch, lambda epoch: 0.9)
    history = list(tab.epochs.records)
    start(tab, epochs=4)
    tab.show_history(history, [])
    assert tab._earlier.runs == []
    assert tab._run.continued == history[-1]


def test_the_names_of_curves_are_large_for_a_class(tab):
    run(tab, 2, lambda epoch: 1 / epoch, lambda epoch: 0.9)
    desk = tab.plots.accuracy_plot.labels.font
    theme().fit(1280)  # in a smaller window they are smaller
    theme().present(True)
    try:
        shown = tab.plots.accuracy_plot.labels.font
        # What the last row can read, also in a narrow plot.
        assert QFontInfo(shown).pixelSize() >= 36
        assert tab.result.run_line.text() == "128 units, SGD 0.1, Built-in digits"
    finally:
        theme().present(False)
    assert tab.plots.accuracy_plot.labels.font == desk


def test_result_and_sentence_are_of_the_epoch_that_a_run_with_patience_keeps(window, qtbot):
    part(window, "epochsBox").setValue(500)
    window.settings.fields["patience"].show_value(1)
    part(window, "learningRateEdit").setText("30")
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: window.session.active, timeout=LONG)
    qtbot.waitUntil(ended(window), timeout=LONG)
    records = window.training.epochs.records
    best = best_epoch(records)
    assert best is not records[-1]
    result, epoch = part(window, "plotResult").text(), part(window, "plotEpoch").text()
    assert result == percent(best.test_score)
    assert epoch == f"epoch {best.epoch}, kept as the best of {len(records)}"
    said = part(window, "conclusionText").text().replace("\N{NO-BREAK SPACE}", " ")
    assert said.startswith(
        f"Epoch {best.epoch} was the best one, so its network is kept: {result} of "
    )
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: bool(again.training.epochs.records), timeout=LONG)
    assert (part(again, "plotResult").text(), part(again, "plotEpoch").text()) == (result, epoch)
