import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import Qt, QThread, QTimer
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QSpinBox, QWidget

from core.inference.model_file import load_model
from core.runs.library import saved_runs
from gui.background import task_runner
from gui.widgets.theme import DARK, LIGHT, theme
from gui.window.main_window import MainWindow
from gui.window.training_page import View
from tests.gui.hand import draw
from tests.gui.person import choose, ended, part, train_for_long, wait_for_ticks
from tests.limits import LONG

NAMES = {
    QComboBox: ("datasetBox", "presetBox", "activationBox", "lossBox", "optimizerBox", "deviceBox"),
    QLineEdit: ("networkEdit", "learningRateEdit"),
    QSpinBox: ("batchSizeBox", "epochsBox", "seedBox"),
    QAbstractButton: (
        "trainButton",
        "pauseButton",
        "stepButton",
        "stopButton",
        "clearButton",
        "undoButton",
    ),
    QWidget: ("lossPlot", "accuracyPlot", "canvas", "surfaceField"),
}


def test_every_named_part_is_there(window):
    for kind, names in NAMES.items():
        for name in names:
            assert window.findChild(kind, name) is part(window, name)


def test_a_run_trains_shows_its_epochs_and_can_be_repeated(window, qtbot):
    assert part(window, "trainButton").isEnabled()
    assert not part(window, "stopButton").isEnabled()
    part(window, "trainButton").click()
    assert not part(window, "trainButton").isEnabled()
    assert part(window, "stopButton").isEnabled()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert [epoch.epoch for epoch in window.training.epochs.records] == [1, 2]
    assert window.training.epochs.records[-1].test_score > 0.9
    assert list(part(window, "accuracyPlot").run.curves["test"].x) == [1, 2]
    assert not window.banner.isVisible()  # the result stands in the band
    assert "test images read right" in window.training.conclusion.text.text()
    assert not window.status.isVisible()  # the epoch stands beside the result
    assert "epoch 2 of 2" in window.training.result.epoch_line.text()
    assert part(window, "trainButton").isEnabled()
    first = part(window, "lossPlot").run.curves["test"].y.copy()
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert np.array_equal(part(window, "lossPlot").run.curves["test"].y, first)


def test_the_plots_show_all_of_a_run_until_the_person_zooms(window, qtbot):
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    (left, right), (low, high) = part(window, "accuracyPlot").viewRange()
    assert left <= 0
    assert right >= 2
    assert low < part(window, "accuracyPlot").run.curves["test"].y.min()
    assert high >= part(window, "accuracyPlot").run.curves["test"].y.max()
    part(window, "accuracyPlot").plotItem.vb.scaleBy((0.5, 0.5))
    part(window, "accuracyPlot").zoomed.emit()
    zoomed = part(window, "accuracyPlot").viewRange()
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert part(window, "accuracyPlot").viewRange() != zoomed  # a new run begins with all of it


def test_pause_suspends_the_run_and_a_second_press_continues_it(window, qtbot):
    train_for_long(window, qtbot)
    part(window, "pauseButton").click()
    assert part(window, "pauseButton").text() == "Resume"
    assert part(window, "stopButton").isEnabled()
    assert not part(window, "trainButton").isEnabled()
    qtbot.waitUntil(
        lambda: window.status.newest is not None and window.status.newest.checkpoint is not None
    )
    wait_for_ticks(window, qtbot, 3)
    held = len(part(window, "lossPlot").run.curves["train"])
    wait_for_ticks(window, qtbot, 5)
    assert len(part(window, "lossPlot").run.curves["train"]) == held
    part(window, "pauseButton").click()
    assert part(window, "pauseButton").text() == "Pause"
    qtbot.waitUntil(lambda: len(part(window, "lossPlot").run.curves["train"]) > held, timeout=LONG)


def step_at_once(window):
    """Without the stations of the step, which stand in the place of the plot."""
    button = part(window, "stepButton")
    modifiers = Qt.KeyboardModifier.ShiftModifier
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, modifiers)


def test_step_trains_on_one_batch_and_pauses(window, qtbot):
    window.resize(1280, 720)  # where the plot is shown
    window.training.plots.show_plots("loss")
    step_at_once(window)
    qtbot.waitUntil(lambda: len(part(window, "lossPlot").run.curves["train"]) == 1, timeout=LONG)
    assert window.status.newest.step == 1
    # A line of one point would not be seen.
    qtbot.waitUntil(lambda: part(window, "lossPlot").run.lines["raw"].has_marks, timeout=LONG)
    assert part(window, "pauseButton").text() == "Resume"
    step_at_once(window)
    qtbot.waitUntil(lambda: len(part(window, "lossPlot").run.curves["train"]) == 2, timeout=LONG)
    assert window.status.newest.step == 2
    qtbot.waitUntil(lambda: not part(window, "lossPlot").run.lines["raw"].has_marks, timeout=LONG)
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert part(window, "trainButton").isEnabled()


def test_steps_go_through_the_end_of_the_run(window, qtbot):
    part(window, "batchSizeBox").setValue(3000)
    part(window, "epochsBox").setValue(1)
    part(window, "stepButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert len(window.training.epochs.records) == 1


def test_the_learning_rate_changes_while_it_runs(window, qtbot):
    train_for_long(window, qtbot)
    assert part(window, "learningRateEdit").isEnabled()
    part(window, "learningRateEdit").selectAll()
    QTest.keyClicks(part(window, "learningRateEdit"), "0,01")
    QTest.keyClick(part(window, "learningRateEdit"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.status.newest.learning_rate == 0.01, timeout=LONG)
    part(window, "learningRateEdit").setText("nonsense")
    assert window.settings.fields["learning_rate"].error.isVisible()
    part(window, "learningRateEdit").setText("0.02")
    qtbot.waitUntil(lambda: window.status.newest.learning_rate == 0.02, timeout=LONG)


def test_stop_ends_the_run_and_keeps_the_model(window, qtbot):
    train_for_long(window, qtbot)
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert "Stopped" in window.banner.text.text()
    folder = saved_runs()[0]
    assert folder.read_info().state == "stopped"
    assert load_model(folder.model_path).network.text == "784-32-10"


def test_stop_ends_a_paused_run(window, qtbot):
    train_for_long(window, qtbot)
    part(window, "pauseButton").click()
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert part(window, "pauseButton").text() == "Pause"


def test_closing_while_training_saves_the_model_without_a_question(window, qtbot):
    train_for_long(window, qtbot)
    qtbot.waitUntil(lambda: len(window.training.epochs.records) > 2, timeout=LONG)
    window.close()
    assert not window.session.active
    kept = load_model(saved_runs()[0].model_path)
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: again.saving.model is not None, timeout=LONG)
    assert np.array_equal(again.saving.model.parameters, kept.parameters)


def test_a_window_that_is_closed_at_once_starts_nothing(qtbot):
    window = MainWindow()
    window.show()
    window.close()
    with qtbot.waitCallback() as after_the_windows_timers:
        QTimer.singleShot(0, after_the_windows_timers)
    assert not task_runner._running


def test_no_thread_outlives_the_window(window, qtbot):
    """While a network learns, a picture of the preview is computed, devices are probed and runs are
    listed.
    """
    train_for_long(window, qtbot)
    window.settings.more_button.setChecked(True)
    window.devices.probe()
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)  # each begins what it shows
    draw(part(window, "canvas"), "7")
    assert len(task_runner._running) > 1
    window.close()
    draw(part(window, "canvas"), "7")
    window.devices.probe()
    with qtbot.waitCallback() as after_the_windows_timers:
        QTimer.singleShot(0, after_the_windows_timers)
    assert not task_runner._running


def test_leaving_the_network_field_completes_its_text(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    part(window, "networkEdit").setFocus()
    part(window, "networkEdit").selectAll()
    QTest.keyClicks(part(window, "networkEdit"), "100")
    QTest.keyClick(part(window, "networkEdit"), Qt.Key.Key_Tab)
    assert part(window, "networkEdit").text() == "784-100-10"
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Backtab)
    QTest.keyClick(part(window, "networkEdit"), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert part(window, "networkEdit").text() == "100"


def test_a_runs_numbers_go_when_other_data_are_chosen(window, qtbot):
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    choose(part(window, "datasetBox"), "builtin")
    assert window.status.epoch.text() == ""
    assert "Built-in digits" in window.status.toolTip()


@pytest.mark.parametrize(
    ("name", "text"), [("networkEdit", "784--10"), ("networkEdit", ""), ("learningRateEdit", "0")]
)
def test_a_wrong_field_disables_train(window, name, text):
    part(window, name).setText(text)
    assert not part(window, "trainButton").isEnabled()
    assert not part(window, "stepButton").isEnabled()
    QTest.keyClick(window, Qt.Key.Key_F5)
    assert not window.session.active


def test_missing_data_disable_train(window):
    choose(part(window, "datasetBox"), "fashion")
    assert not part(window, "trainButton").isEnabled()
    choose(part(window, "datasetBox"), "mnist")
    assert part(window, "trainButton").isEnabled()


def test_a_run_that_diverges_says_what_to_change(window, qtbot):
    choose(part(window, "lossBox"), "squared-error")
    choose(part(window, "activationBox"), "linear")
    part(window, "learningRateEdit").setText("1e6")
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert "learning rate" in window.banner.text.text()
    assert part(window, "trainButton").isEnabled()


def test_an_error_of_the_run_is_shown_and_the_window_stays_usable(window, qtbot, small_mnist):
    images = small_mnist / "train-images-idx3-ubyte"
    images.write_bytes(images.read_bytes()[:-1000])
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert "train-images" in window.banner.text.text()
    window.banner.copy_button.click()


def test_the_keys_of_the_menu_start_and_stop(window, qtbot):
    window.activateWindow()
    part(window, "epochsBox").setValue(100_000)
    window.controls.train.trigger()
    qtbot.waitUntil(lambda: window.session.active)
    assert not window.controls.train.isEnabled()
    window.controls.stop.trigger()
    qtbot.waitUntil(ended(window), timeout=LONG)


def test_every_page_follows_the_theme(window):
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)  # creates the pages of the tab
    for choice, colors in (("dark", DARK), ("light", LIGHT)):
        theme().choose(choice)
        for label in window.findChildren(QLabel):
            assert label.palette().window().color() == QColor(colors.window), label.text()


def test_no_page_becomes_the_owner_of_the_window(window):
    """PySide would declare objects of the window deleted together with the page, and end the
    program.
    """
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)  # creates the pages of the tab
    assert "parent" not in shiboken6.dump(window)


def test_the_chosen_theme_colors_the_plots_and_is_remembered(window, qtbot):
    choices = {action.text(): action for action in window.menuBar().actions()[2].menu().actions()}
    choices["Dar&k"].trigger()
    dark = window.palette().window().color().lightness()
    choices["Dar&k"].trigger()
    assert theme().choice == "system"
    assert dark < 100 < window.palette().window().color().lightness()
    choices["Dar&k"].trigger()
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    assert theme().choice == "dark"
    theme().choose("system")


def test_tab_goes_through_the_window_and_back_to_its_start(window):
    window.resize(1280, 720)  # room for the canvas
    window.settings.more_button.setChecked(True)
    part(window, "datasetBox").setFocus()
    seen = []
    while window.focusWidget() not in seen:
        seen.append(window.focusWidget())
        window.focusNextChild()
    assert window.focusWidget() is part(window, "datasetBox")
    names = [widget.objectName() for widget in seen]
    parts = [
        "presetBox",
        "deviceBox",
        "activationBox",
        "learningRateEdit",
        "epochsBox",
        "moreButton",
        "trainButton",
        "canvas",
        "stage",
        "readerRow",
        "lossBox",
        "optimizerBox",
        "seedBox",
    ]
    assert [name for name in names if name in parts] == parts


def test_all_settings_and_the_band_fold_on_a_small_screen(window, qtbot):
    window.resize(640, 520)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert window.settings.isVisible()
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert not window.settings.isVisible()
    assert part(window, "canvas").isVisible()
    assert not window.page.band.isVisible()
    window.page.show_view(View.CURVE)
    assert window.page.band.isVisible()
    window.page.show_view(View.BOTH)
    assert part(window, "canvas").isVisible()
    window.resize(1280, 720)
    assert window.page.band.isVisible()


def test_the_window_fits_a_small_screen(window):
    assert window.minimumSizeHint().width() <= 1280
    # 1920 by 1080 at 200 %, with a title bar and a task bar.
    assert window.minimumSizeHint().height() <= 460


def test_help_windows_open_beside_and_close(window):
    for action in window.menuBar().actions()[-1].menu().actions():
        if action.text() == "&About DigitLab…":
            action.trigger()
    for child in window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if child.isWindow() and child.isVisible():
            assert not child.isModal()
            child.close()


def test_the_first_records_are_shown_although_they_wait_for_the_window_together_with_the_preparation(
    window, qtbot
):
    part(window, "trainButton").click()
    thread = window.session._runner._thread
    while thread.isRunning():  # the window's event loop does not run meanwhile
        QThread.msleep(1)
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert [epoch.epoch for epoch in window.training.epochs.records] == [1, 2]
    assert part(window, "lossPlot").run.curves["train"].x[0] == pytest.approx(
        1 / 30
    )  # the first of an epoch's 30 batches


def test_own_digits_become_a_data_set_once_there_are_enough(window, qtbot):
    for _ in range(5):
        draw(part(window, "canvas"), "7")
        window.drawing.own_digits.actions()[7].trigger()
    assert part(window, "datasetBox").findData("mine") < 0
    draw(part(window, "canvas"), "7")
    window.drawing.own_digits.actions()[7].trigger()
    choose(part(window, "datasetBox"), "mine")
    assert window.settings.data.status.text().startswith("6 drawings of yours")
    part(window, "batchSizeBox").setValue(5)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert window.training.epochs.records[-1].test_score == 1
    draw(part(window, "canvas"), "2")
    window.drawing.own_digits.actions()[2].trigger()
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert len(window.dataset_cache.get("mine").train) == 6


def test_the_plots_are_named_after_the_kind_of_data(window):
    choose(part(window, "presetBox"), "coursework")
    assert part(window, "accuracyPlot").title == "R²"
    choose(part(window, "presetBox"), "default")
    assert part(window, "accuracyPlot").title == "accuracy, %"


def test_what_writes_a_file_to_share_is_called_share(window):
    shown = [button.text().replace("&", "") for button in window.findChildren(QAbstractButton)]
    assert "Share…" in shown
    assert not [text for text in shown if "Export" in text]
