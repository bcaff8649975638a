"""Training, comparing and looking at runs, by mouse and keyboard, on a small folder in the format
of MNIST.
"""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton

from gui.runs.run_table import NAME
from gui.text import percent
from gui.widgets.plots.series import run_series
from gui.window.application import CrashDialog, show_crashes
from gui.window.main_window import MainWindow
from tests.gui.conftest import write_small_mnist
from tests.gui.hand import draw
from tests.gui.person import choose, ended, part
from tests.limits import LONG


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
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, CrashDialog) and each.isVisible()
    ]


def shorten(window):
    """One epoch of a small network: a comparison takes seconds."""
    choose(part(window, "datasetBox"), "mnist")
    write(part(window, "networkEdit"), "784-16-10")
    part(window, "epochsBox").setValue(1)


def compare(window, qtbot):
    """Compare three learning rates, and wait for the sentence."""
    QTest.keyClick(
        window,
        Qt.Key.Key_V,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    dialog = window.findChildren(QDialog, "compareDialog")[-1]
    click(dialog.start)
    qtbot.waitUntil(lambda: bool(window.findChildren(QPushButton, "conclusionUse")), timeout=LONG)


def test_a_first_run_shows_at_once_what_it_prepares_and_can_be_stopped(drawn_digits, window, qtbot):
    """The program draws its 60,000 digits at the first start, which takes seconds."""
    drawn_digits.unlink()
    window.resize(1280, 720)
    page = window.page
    qtbot.waitUntil(page.welcome.isVisible, timeout=LONG)
    click(part(window, "trainButton"))
    bar = part(window, "progressBar")
    qtbot.waitUntil(lambda: bar.isVisible() and bar.maximum() > 0 and bar.value() > 0, timeout=LONG)
    assert part(window, "epochLabel").text() == "preparing the data…"
    assert (
        window.training.curves.both[0].hint.toPlainText()
        == "The curve begins here, as soon as the run is prepared."
    )
    click(part(window, "stopButton"))
    qtbot.waitUntil(lambda: not window.session.active, timeout=LONG)
    qtbot.waitUntil(page.welcome.isVisible, timeout=LONG)


def test_the_result_before_steps_back_at_the_click_on_train(data, window, qtbot):
    window.resize(1280, 720)
    shorten(window)
    click(part(window, "trainButton"))
    training = window.training
    qtbot.waitUntil(
        lambda: not window.session.active and training.conclusion.has_links, timeout=LONG
    )
    assert "of 200 test images read right" in said(window)
    assert training.result.score.text().endswith("%")
    click(part(window, "trainButton"))
    assert said(window) == ""
    assert not training.result.score.text()
    assert not training.conclusion.has_links
    qtbot.waitUntil(
        lambda: not window.session.active and training.conclusion.has_links, timeout=LONG
    )


def test_the_list_of_presets_says_what_your_run_of_one_has_reached(data, window, qtbot):
    box = part(window, "presetBox")
    choose(window.settings.data.box, "mnist")
    choose(box, "dense")
    click(part(window, "trainButton"))
    qtbot.waitUntil(ended(window), timeout=LONG)
    QTest.keyClick(box, Qt.Key.Key_F4)

    def rows():
        return {
            entry.text().partition("\t")[0]: (entry.text(), entry.defaultWidget().text())
            for entry in box.menu.actions()
            if "\t" in entry.text()
        }

    qtbot.waitUntil(lambda: "yours: " in rows()["Fully connected, Adam"][0], timeout=LONG)
    for each in rows()["Fully connected, Adam"]:
        assert f"yours: {percent(window.training.epochs.records[-1].test_score)}" in each
    for each in rows()["Learns by heart"]:
        assert "not trained yet" in each
    box.menu.close()


def test_a_new_comparison_after_one_gets_a_free_name(data, window, qtbot):
    shorten(window)
    with show_crashes(None):
        compare(window, qtbot)
        assert "learns best: " in said(window)
        click(part(window, "conclusionCompared"))
        page = window.compare
        qtbot.waitUntil(lambda: len(page.table.chosen()) == 3, timeout=LONG)
        click(page.new_button)
        dialog = window.findChildren(QDialog, "compareDialog")[-1]
        assert dialog.editor.name_edit.text() == "Learning rate (3 values) 2"
        assert dialog.editor.rows[0].values_edit.text() == "0.0003, 0.003, 0.03"
        write(dialog.editor.rows[0].values_edit, "0.2, 0.3")
        # A name that is taken is refused in words, below its field.
        write(dialog.editor.name_edit, "learning rate (3 values)")
        assert not dialog.start.isEnabled()
        assert "already: give this one another name." in dialog.editor.name_error.text()
        assert dialog.editor.name_error.isVisibleTo(dialog)
        write(dialog.editor.name_edit, "rates")
        click(dialog.start)
        qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
        QApplication.sendPostedEvents()
        assert crashes() == []
    assert [run.state for run in window.studies.runs] == ["epochs", "epochs"]


def test_the_best_value_of_a_comparison_is_in_use_after_three_actions(data, window, qtbot):
    """New comparison, Train side by side, Use: counted by mouse."""
    shorten(window)
    open_tab(window, window.compare)
    qtbot.waitUntil(lambda: window.compare.new_button.width() > 100, timeout=LONG)
    click(window.compare.new_button)
    dialog = window.findChildren(QDialog, "compareDialog")[-1]
    write(dialog.editor.rows[0].values_edit, "0.00001, 0.01")
    click(dialog.start)
    verdict = window.compare.verdict
    qtbot.waitUntil(
        lambda: verdict.main_button.isVisible() and not window.studies.busy, timeout=LONG
    )
    qtbot.waitUntil(lambda: verdict.title.text() == "Best: rate 0.01", timeout=LONG)
    click(verdict.main_button)
    assert window.tabs.currentWidget() is window.page
    assert part(window, "learningRateEdit").text() == "0.01"
    assert part(window, "presetBox").shown_text().endswith(", changed")
    for use in (part(window, "conclusionUse"), verdict.main_button):
        assert not use.isEnabled()
        assert use.toolTip() == "The settings under Training are those already."
    write(part(window, "learningRateEdit"), "0.02")
    assert verdict.main_button.isEnabled()


def open_tab(window, tab):
    bar = window.tabs.tabBar()
    index = window.tabs.indexOf(tab)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(index).center())
    assert window.tabs.currentWidget() is tab


def train(window, qtbot):
    click(part(window, "trainButton"))
    qtbot.waitUntil(lambda: not window.session.active and bool(said(window)), timeout=LONG)


def said(window):
    """The sentence below the plot, with plain spaces."""
    return window.training.conclusion.text.text().replace("\N{NO-BREAK SPACE}", " ")


def test_the_first_minutes_and_the_day_after(data, window, qtbot):
    shorten(window)
    canvas = part(window, "canvas")
    draw(canvas, "3")
    train(window, qtbot)
    assert "of 200 test images read right" in said(window)

    # One setting is changed: the run before stays beside the new one, and is named by the
    # difference.
    write(part(window, "learningRateEdit"), "0.0001")
    first_color = window.training.plots.accuracy_plot.run.series
    train(window, qtbot)
    batches = window.training.plots.accuracy_plot.run.curves["train"]
    assert "less than the run before (rate 0.003)." in said(window)
    assert "0.003" in part(window, "keptRuns").menu().actions()[0].text()

    open_tab(window, window.results)
    qtbot.waitUntil(lambda: "200 test images" in window.results.summary.text(), timeout=LONG)

    # A run has one color: while it trains, as the run before, and in Compare.
    colors = [
        window.training._earlier.runs[0].series,
        window.training.plots.accuracy_plot.run.series,
    ]
    open_tab(window, window.compare)
    qtbot.waitUntil(lambda: len(window.compare.model.entries) == 2, timeout=LONG)
    assert colors == [
        run_series(entry.id)
        for entry in sorted(window.compare.model.entries, key=lambda entry: entry.id)
    ]
    assert colors[0] == first_color != colors[1]

    # A run has one name everywhere; a double click opens it where it is seen, and one's settings
    # can be had back.
    table, name = window.compare.table, "Adam 0.003, 16 units"
    first = next(
        each for each in window.compare.model.entries if each.title == "Adam 0.003, 784-16-10"
    )
    table.select_rows([first.id])
    place = table.visualRect(table.currentIndex().siblingAtColumn(NAME)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.tabs.currentWidget() is window.page
    assert (
        window.banner.text.text()
        == f"{name} reads your drawings now; its settings are shown above."
    )
    assert window.model_selector.current()[1] == name
    assert part(window, "learningRateEdit").text() == "0.003"
    click(window.banner.action_button)
    assert part(window, "learningRateEdit").text() == "0.0001"
    window.close()

    # The day after: curves, results, filters and drawing of the last run.
    again = MainWindow()
    qtbot.addWidget(again)
    again.resize(1400, 900)  # in a small window What next? is folded away
    again.show()
    qtbot.waitUntil(lambda: bool(again.training.result.run_line.text()), timeout=LONG)
    assert "Adam 0.0001" in again.training.result.run_line.text()
    run = again.training.plots.accuracy_plot.run
    assert len(run.curves["test"]) == 1
    assert len(batches) > 20
    assert run.curves["train"].y.tolist() == pytest.approx(batches.y.tolist(), abs=1e-4)
    assert said(again).endswith("of the test images read right.")
    assert part(again, "conclusionAsk").isVisible()  # it leads on as on the day before
    open_tab(again, again.results)
    qtbot.waitUntil(lambda: "200 test images" in again.results.summary.text(), timeout=LONG)
    assert again.drawing.drawing_text()
    again.close()


def test_result_sentence_and_button_of_a_replay_speak_of_one_epoch(data, window, qtbot):
    shorten(window)
    part(window, "epochsBox").setValue(3)
    write(part(window, "learningRateEdit"), "0.0005")
    train(window, qtbot)
    training = window.training
    first, *_, last = training.epochs.records
    slider = part(window, "replaySlider")
    ended = training.conclusion.text.text()
    wrong = round((1 - first.test_score) * 200)
    assert wrong != round((1 - last.test_score) * 200)
    window.tabs.setCurrentWidget(window.page)
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)  # the random start, of which nothing is known
    assert not training.conclusion.isVisible()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert training.result.score.text() in said(window)
    assert said(window).startswith("After epoch 1: ")
    assert f"{wrong} wrong" in said(window)
    assert str(wrong) in part(window, "conclusionResults").text()
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert training.conclusion.text.text() == ended


def test_runs_of_different_length_are_compared_at_an_epoch_that_all_have(data, window, qtbot):
    shorten(window)
    write(part(window, "learningRateEdit"), "0.0001")
    for epochs in (2, 3, 4):
        part(window, "epochsBox").setValue(epochs)
        train(window, qtbot)
    open_tab(window, window.compare)
    table, verdict = window.compare.table, window.compare.verdict
    qtbot.waitUntil(lambda: len(window.compare.model.entries) == 3, timeout=LONG)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: verdict.title.text().startswith("Best: "), timeout=LONG)
    texts = [
        label.text().replace("\N{NO-BREAK SPACE}", " ") for label in verdict.findChildren(QLabel)
    ]
    assert verdict.text.text().replace("\N{NO-BREAK SPACE}", " ").startswith("After epoch 2: ")
    assert any(text.startswith("The highest so far: epochs 4, ") for text in texts), texts
    assert not any("stopped" in text.lower() for text in texts)


def slow_down(window):
    """An epoch takes so long that it can be stopped."""
    shorten(window)
    write(part(window, "networkEdit"), "784-1500-1500-10")
    part(window, "batchSizeBox").setValue(20)


def test_the_curve_of_a_run_that_is_stopped_in_its_first_epoch(data, window, qtbot):
    window.resize(1400, 900)
    slow_down(window)
    part(window, "epochsBox").setValue(4)
    curves = window.training.curves
    plot = curves.accuracy_plot
    ends = set()
    curves.drawn.connect(lambda until: until and ends.add(round(plot.viewRange()[0][1], 2)))
    click(part(window, "trainButton"))
    qtbot.waitUntil(lambda: curves.until > 0.03, timeout=LONG)
    click(part(window, "stopButton"))
    qtbot.waitUntil(lambda: not window.session.active, timeout=LONG)
    # The axis ends at a tenth of the epoch or at its end, and the curve at its last whole bin.
    assert ends <= {0.1, 1.01, 4.04}
    curve = plot.run.curves["train"]
    assert len(curve) > 5
    assert list(plot.run.lines["raw"].x) == list(curve.x)


def test_a_comparison_has_curves_before_its_first_epoch(data, window, qtbot):
    slow_down(window)
    plot = window.training.curves.accuracy_plot
    seen = []

    def look(spec, runs, active):
        points = [len(line.x) for line in plot.others.lines]
        if runs and not any(run.epochs for run in runs) and any(points):
            seen.append(window.training.conclusion.text.text())

    window.studies.trained.connect(look)
    QTest.keyClick(
        window,
        Qt.Key.Key_V,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    click(window.findChildren(QDialog, "compareDialog")[-1].start)
    qtbot.waitUntil(lambda: bool(seen), timeout=LONG)
    assert "in the first epoch the curves are of training" in seen[-1]
    window.studies.stop()
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
