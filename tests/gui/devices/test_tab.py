"""The Devices tab, used as a person uses it."""

import threading

import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from core.bench.output import processor_name
from core.labs.package import lessons
from core.measure.profile import OperatorTime, Profile
from gui.text import seconds_left
from kernels.host import processor_count
from tests.gui.person import part, train_for_long
from tests.limits import LONG


def threads():
    """All threads of Python but the canvas's, which starts at any time.

    A thread of Qt that uses `threading` gets an object there that Python keeps after its end;
    `busy` tells of these.
    """
    return {
        thread
        for thread in threading.enumerate()
        if thread.name != "reader" and not isinstance(thread, threading._DummyThread)
    }


def measured(tab):
    return lambda: not tab.busy


def test_the_pages_are_created_when_the_tab_is_first_shown(window):
    assert not window.measuring.pages
    window.resize(1600, 700)
    window.tabs.setCurrentWidget(window.measuring)
    assert len(window.measuring.pages) == 3


def test_race_and_profile_are_side_by_side_and_the_comparisons_are_folded(window, tab, qtbot):
    window.resize(1600, 700)
    qtbot.waitUntil(lambda: tab.profile.isVisible() and tab.width() > 1200, timeout=LONG)
    assert not tab.comparisons.isVisible()
    assert tab.profile.y() == tab.race.y()
    assert tab.race.width() > tab.profile.width()
    QTest.mouseClick(tab.more, Qt.MouseButton.LeftButton)
    assert tab.comparisons.isVisible()


@pytest.mark.parametrize("name", ["09-coalescing", "06-shared-memory", "01-map"])
def test_a_card_opens_its_exercise_in_the_workshop(window, tab, qtbot, name):
    part(window, f"exercise{name}").click()
    qtbot.waitUntil(window.workshop.isVisible, timeout=LONG)
    assert window.labs.path.parent.name == name


def test_a_sentence_says_what_this_computer_is(tab):
    said = tab.machine.text()
    assert processor_name() in said
    assert f"with {processor_count()} core" in said
    cards = [info for info in tab._inputs[2].known() if info.available and info.hardware]
    assert ("no graphics card" in said) == (not cards)


def test_a_race_shows_both_bars_and_names_the_faster_device(window, tab, qtbot):
    race = tab.race
    assert race.subject.text().startswith("32 units on MNIST")
    race.start_button.click()
    assert not race.start_button.isEnabled()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert [row.texts[0] for row in race.lanes.record_model.records] == ["plain loops", "processor"]
    for row in race.lanes.record_model.records:
        assert row.texts[1] == "100 %"
        assert row.fraction == 1
        assert float(row.texts[3].rstrip(" %")) > 50
    # A sentence follows if other programs were busy.
    assert "images a second)." in race.banner.text.text()
    assert " as fast as " in race.banner.text.text()
    assert "a second" in race.banner.text.accessibleName()
    assert part(window, "trainButton").isEnabled()


def test_a_race_can_be_stopped_and_leaves_no_thread_behind(window, tab, qtbot):
    before = threads()
    part(window, "epochsBox").setValue(100_000)
    race = tab.race
    race.start_button.click()
    qtbot.waitUntil(lambda: len(race.progress) == 2, timeout=LONG)
    race.stop_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert race.banner.text.text().startswith("Stopped; so far: ")
    assert " as fast as " in race.banner.text.text()
    assert threads() <= before
    assert not race.stop_button.isEnabled()
    assert race.start_button.isEnabled()


def test_workers_can_race_when_a_group_has_several_batches(window, tab, qtbot):
    contestants = tab.race.contestants
    workers = [box for (_, number), box in contestants.boxes.items() if number > 1]
    if not workers:
        pytest.skip("one processor")
    assert not any(box.isEnabled() for box in workers)
    assert "“Batches per update”" in contestants.hint.text()
    window.settings.fields["group"].show_value(2)
    assert contestants.boxes["vectorized", 2].isEnabled()
    assert not contestants.hint.isVisible()
    contestants.boxes["sequential", 1].setChecked(False)
    contestants.boxes["vectorized", 2].setChecked(True)
    tab.race.start_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert list(tab.race.progress) == ["processor", "processor, 2 workers"]


def test_every_page_is_reached_and_started_by_keys(window, tab, qtbot):
    window.tabs.setCurrentIndex(0)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    key = Qt.Key(Qt.Key.Key_1.value + window.tabs.indexOf(tab))
    QTest.keyClick(window, key, Qt.KeyboardModifier.AltModifier)
    assert window.tabs.currentWidget() is tab
    tab.profile.box.setFocus()
    QTest.keyClick(tab.profile.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: tab.profile.runner.busy)
    assert "Ctrl+Return" in tab.profile.start_button.toolTip()
    qtbot.waitUntil(measured(tab), timeout=LONG)


def test_training_is_refused_during_a_measurement_with_a_button_that_stops_it(window, tab, qtbot):
    part(window, "epochsBox").setValue(500)
    tab.race.start_button.click()
    window.run_actions.start()
    assert not window.session.active
    window.banner.action_button.click()
    window.run_actions.start()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert not window.banner.isVisible()


def test_the_tab_key_leads_through_race_and_profile(window, tab, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    tab.race.start_button.setFocus()
    for _ in range(4):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        if window.focusWidget() is tab.profile.start_button:
            break
    assert window.focusWidget() is tab.profile.start_button


def test_a_race_that_cannot_start_gives_the_reason(window, tab):
    race = tab.race
    race.contestants.boxes["sequential", 1].setChecked(False)
    race.start_button.click()
    assert "at least two" in race.banner.text.text()
    part(window, "networkEdit").setText("784-nonsense")
    race.start_button.click()
    assert "marked in red" in race.banner.text.text() or "nonsense" in race.banner.text.text()
    assert not tab.busy


def test_an_error_in_the_background_is_shown(window, tab, qtbot, small_mnist):
    for path in small_mnist.iterdir():
        path.unlink()
    for page in (tab.race, tab.profile):
        page.start_button.click()
        qtbot.waitUntil(measured(tab), timeout=LONG)
        assert page.banner.isVisible()
        assert "has no IDX files" in page.banner.text.text()
        assert page.start_button.isEnabled()


def test_an_unavailable_device_has_the_reason_as_its_tooltip(window, tab):
    known = {info.name: info for info in window.devices.known()}
    box = tab.race.contestants.boxes["cuda", 1]
    assert box.isEnabled() == known["cuda"].available
    if not known["cuda"].available:
        assert box.toolTip() == known["cuda"].reason


def test_the_profile_lists_operators_by_their_share(window, tab, qtbot):
    page = tab.profile
    page.start_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    names = [
        page.table.record_model.records[row].texts[0]
        for row in range(page.table.model().rowCount())
    ]
    assert "Dense layers, forward" in names
    assert "Fetch the batch" in names
    shares = [
        float(page.table.record_model.records[row].texts[1].rstrip(" %"))
        for row in range(len(names))
    ]
    assert sum(shares) == pytest.approx(100, abs=1)
    assert shares == sorted(shares, reverse=True)
    assert page.verdict.text().startswith("A step takes ")
    assert "weight" in page.table.record_model.records[names.index("Dense layers, forward")].tip


def test_the_profile_says_how_much_of_the_paper_is_blank(tab):
    tab.profile._batch_size = 100
    longest = OperatorTime("dense", 2, 0.001, 1.0)
    tab.profile._show(Profile(1, 0.001, (longest,), skipped=0.809))
    assert tab.profile.verdict.text().endswith(
        "81\N{NO-BREAK SPACE}% of the pixels are blank: skipped."
    )


def test_nothing_can_be_measured_during_a_run(window, tab, qtbot):
    train_for_long(window, qtbot)
    for page in tab.pages:
        assert not page.start_button.isEnabled()
        assert "stop it first" in page.start_button.toolTip()
    part(window, "stopButton").click()
    qtbot.waitUntil(lambda: not window.session.active, timeout=LONG)
    assert all(page.start_button.isEnabled() for page in tab.pages)


def test_training_is_refused_during_a_measurement(window, tab, qtbot):
    part(window, "epochsBox").setValue(100_000)
    tab.race.start_button.click()
    assert window.tabs.tabText(window.tabs.indexOf(tab)) == "Devices: measuring"
    assert not tab.profile.start_button.isEnabled()
    assert "Another measurement" in tab.profile.start_button.toolTip()
    part(window, "trainButton").click()
    assert not window.session.active
    assert "being measured" in window.banner.text.text()
    window.banner.action_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert window.tabs.tabText(window.tabs.indexOf(tab)) == "Devices"
    part(window, "epochsBox").setValue(1)
    part(window, "trainButton").click()
    assert window.session.active
    qtbot.waitUntil(lambda: not window.session.active, timeout=LONG)


def test_closing_the_window_ends_the_race(window, tab, qtbot):
    before = threads()
    part(window, "epochsBox").setValue(100_000)
    tab.race.start_button.click()
    qtbot.waitUntil(lambda: bool(tab.race.progress), timeout=LONG)
    window.close()
    assert not tab.busy
    assert threads() <= before
    assert not [thread for thread in window.findChildren(QThread) if thread.isRunning()]


def test_a_tab_beside_a_lab_in_a_small_window_is_not_scrolled_sideways(window, tab, qtbot):
    window.resize(640, 640)
    _, speed = lessons()[-1]
    window.lab_actions.open(speed)
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    window.tabs.setCurrentWidget(tab)
    qtbot.waitUntil(lambda: tab.width() < 400, timeout=LONG)
    tab.more.click()
    for page in tab.pages:
        page.show_results()
        QApplication.processEvents()
        for inside in page.findChildren(QWidget):
            if inside.isVisibleTo(page) and inside.parentWidget() is page:
                assert inside.geometry().right() <= tab.width(), inside.objectName()
        assert tab.findChild(QScrollArea).horizontalScrollBar().maximum() == 0
    header = tab.race.lanes.horizontalHeader()
    for column in (1, 2, 3):
        assert header.sectionSize(column) >= header.sectionSizeHint(column) > 0


def test_the_remaining_time_is_computed_from_the_mean_speed():
    assert seconds_left(40.0, 0.25) == 120
    assert seconds_left(40.0, 1.0) == 0
    assert seconds_left(40.0, 0.0) is None
