"""The Devices tab, used as a person uses it."""

import re
import threading

import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from gui.log_axis import LogAxis, in_words, log_ticks
from gui.standings import seconds_left
from gui.words import count
from tests.gui.person import LONG, choose, train_for_long


@pytest.fixture
def tab(window, qtbot):
    qtbot.waitUntil(lambda: bool(window.devices.known()), timeout=LONG)
    window.tabs.setCurrentWidget(window.measuring)
    return window.measuring


def threads():
    """All but the canvas's own, which begins when it likes."""
    return {thread for thread in threading.enumerate() if thread.name != "reader"}


def measured(tab):
    return lambda: not tab.busy


def test_the_pages_are_made_when_the_tab_is_first_shown(window):
    assert not window.measuring.pages
    window.resize(1600, 700)
    window.tabs.setCurrentWidget(window.measuring)
    assert [window.measuring.chooser.tabText(k) for k in range(3)] == [
        "Race", "Comparisons", "Where the time goes",
    ]  # fmt: skip


def test_a_race_shows_both_curves_and_says_who_is_faster(window, tab, qtbot):
    race = tab.race
    assert race.subject.text().startswith("784-32-10 on MNIST")
    race.start_button.click()
    assert not race.start_button.isEnabled()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert list(race.plot.lanes) == ["sequential", "vectorized"]
    for row, lane in enumerate(race.plot.lanes.values()):
        assert list(lane.tested.curve.x) == [1, 2]
        assert len(lane.learning.curve) >= 2
        assert race.lanes.text(row, 1) == "100 %"
        assert float(race.lanes.text(row, 3).rstrip(" %")) > 50
    assert "images" not in race.banner.text.text()
    assert " as fast as " in race.banner.text.text()
    assert "a second" in race.banner.text.accessibleName()
    choose(race.axis_box, "epochs")
    assert list(race.plot.lanes["vectorized"].marks.getData()[0]) == [1, 2]
    choose(race.axis_box, "log-time")
    assert window.trainButton.isEnabled()


def test_a_race_can_be_stopped_and_leaves_no_thread_behind(window, tab, qtbot):
    before = threads()
    window.epochsBox.setValue(100_000)
    race = tab.race
    race.start_button.click()
    qtbot.waitUntil(lambda: len(race.standings) == 2, timeout=LONG)
    race.stop_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert race.banner.text.text().startswith("Stopped; so far: ")
    assert " as fast as " in race.banner.text.text()
    assert threads() <= before
    assert not race.stop_button.isEnabled()
    assert race.start_button.isEnabled()


def test_workers_race_once_a_group_has_batches_to_share_out(window, tab, qtbot):
    contestants = tab.race.contestants
    workers = [box for (_, number), box in contestants.boxes.items() if number > 1]
    if not workers:
        pytest.skip("one processor")
    assert not any(box.isEnabled() for box in workers)
    assert "“Group”" in contestants.hint.text()
    window.settings.fields["group"].show_value(2)
    assert contestants.boxes["vectorized", 2].isEnabled()
    assert not contestants.hint.isVisible()
    contestants.boxes["sequential", 1].setChecked(False)
    contestants.boxes["vectorized", 2].setChecked(True)
    tab.race.start_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert list(tab.race.plot.lanes) == ["vectorized", "vectorized, 2 workers"]


def test_keys_lead_everywhere(window, tab, qtbot):
    window.tabs.setCurrentIndex(0)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
    assert window.tabs.currentWidget() is tab
    tab.chooser.setFocus()
    QTest.keyClick(tab.chooser, Qt.Key.Key_Right)
    QTest.keyClick(tab.chooser, Qt.Key.Key_Right)
    assert tab.profile.isVisible()
    QTest.keyClick(tab.profile, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: tab.profile.stream.busy)
    assert "Ctrl+Return" in tab.profile.start_button.toolTip()
    qtbot.waitUntil(measured(tab), timeout=LONG)


def test_training_meanwhile_is_refused_with_a_button_that_is_gone_once_nothing_is_measured(
    window, tab, qtbot
):
    window.epochsBox.setValue(500)
    tab.race.start_button.click()
    window.start()
    assert not window.session.active
    window.banner.action_button.click()
    window.start()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert not window.banner.isVisible()


def test_the_tab_key_leads_from_the_choice_of_a_page_into_it(window, tab, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    tab.chooser.setFocus()
    for _ in range(3):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        if window.focusWidget() in tab.race.findChildren(QWidget):
            break
    assert window.focusWidget() in tab.race.findChildren(QWidget)


def test_what_cannot_race_is_said_in_words(window, tab):
    race = tab.race
    race.contestants.boxes["sequential", 1].setChecked(False)
    race.start_button.click()
    assert "at least two" in race.banner.text.text()
    window.networkEdit.setText("784-nonsense")
    race.start_button.click()
    assert "marked in red" in race.banner.text.text() or "nonsense" in race.banner.text.text()
    assert not tab.busy


def test_what_fails_in_the_background_is_said_in_words(window, tab, qtbot, small_mnist):
    for path in small_mnist.iterdir():
        path.unlink()
    for page in (tab.race, tab.profile):
        tab.chooser.setCurrentIndex(tab.pages.index(page))
        page.start_button.click()
        qtbot.waitUntil(measured(tab), timeout=LONG)
        assert page.banner.isVisible()
        assert "is empty" in page.banner.text.text()
        assert page.start_button.isEnabled()


def test_a_device_that_is_not_here_says_why(window, tab):
    known = {info.name: info for info in window.devices.known()}
    box = tab.race.contestants.boxes["cuda", 1]
    assert box.isEnabled() == known["cuda"].available
    if not known["cuda"].available:
        assert box.toolTip() == known["cuda"].reason


def test_a_comparison_is_stopped_and_exported(window, tab, qtbot, tmp_path, monkeypatch):
    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    assert not page.export_button.isEnabled()
    choose(page.box, "operators")
    assert "half a minute" in page.about.text()
    page.start_button.click()
    qtbot.waitUntil(lambda: len(page.rows) >= 4, timeout=LONG)
    page.stop_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert page.banner.text.text().startswith("Stopped")
    assert page.chart.isVisible()
    assert {"sequential", "vectorized"} <= set(page.chart.series)
    assert page.table.rowCount() == sum(row.table == page.rows[-1].table for row in page.rows)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    page.export_button.click()
    qtbot.waitUntil(lambda: page.banner.text.text().startswith("Written"), timeout=LONG)
    assert (tmp_path / "operators-product.csv").read_text().startswith("device,size,seconds")
    assert (tmp_path / "operators-product.png").stat().st_size > 1000


def test_published_figures_stand_beside_ours(tab):
    from core.bench.catalogue import find_bench
    from core.bench.rows import Row

    page = tab.comparisons
    tab.chooser.setCurrentIndex(1)
    bench = find_bench("data-parallel")
    rows = [
        Row("points", {"points": n, "workers": 2, "speed_up": s, "published": p})
        for n, s, p in ((2500, 1.5, 0.374), (10000, 1.6, 0.902))
    ]
    page.take([bench, *rows])
    assert page.chart.series["measured here"] == [(2500, 1.5), (10000, 1.6)]
    assert page.chart.series["published"] == [(2500, 0.374), (10000, 0.902)]
    page.take([
        Row("groups", {"workers": "2", "group": g, "speed_up": 1.5, "published": 1.1}) for g in (2, 4)
    ])  # fmt: skip
    assert page.table_box.currentData() == "groups"
    assert set(page.chart.series) == {"2 workers", "published"}
    page.take([Row("groups", {"workers": "4", "group": 8, "speed_up": 1.9, "published": 1.3})])
    assert set(page.chart.series) == {
        "2 workers", "4 workers", "2 workers, published", "4 workers, published",
    }  # fmt: skip


def test_a_work_is_named_in_words_wherever_its_figures_stand():
    from core.bench.catalogue import NAMES, find_bench

    for table in (table for name in NAMES for table in find_bench(name).tables):
        for text in (table.title, *dict(table.columns).values()):
            assert not re.search(r"\b[TULCB]\b", text), text


def test_bars_stand_for_names(tab):
    from core.bench.catalogue import find_bench
    from core.bench.rows import Row

    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    page.take([find_bench("devices"), *(
        Row("dense", {"device": name, "images_per_second": speed})
        for name, speed in (("sequential", 1234.5), ("vectorized", 56789.0))
    )])  # fmt: skip
    assert page.chart.series == {"sequential": [(0, 1234.5)], "vectorized": [(1, 56789.0)]}
    assert page.table.item(1, 1).text() == count(56789)


def test_the_page_alone_scrolls_and_the_table_shows_every_row_in_readable_figures(tab):
    from core.bench.catalogue import find_bench
    from core.bench.rows import Row

    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    page.take([find_bench("operators"), *(
        Row("product", {"device": "sequential", "size": 2**k, "seconds": 1.482e-6 * 8**k, "speed_up": 0.0531})
        for k in range(12)
    )])  # fmt: skip
    QApplication.processEvents()
    assert page.table.item(0, 2).text() == "1.48 µs"
    assert page.table.item(0, 4).text() == "1/19"
    assert "slower" in page.table.item(0, 4).toolTip()
    assert page.table.verticalScrollBar().maximum() == 0
    area = tab.stack.currentWidget()
    page.table.setFocus()
    page.table.setCurrentCell(11, 0)
    last = page.table.visualRect(page.table.model().index(11, 0))
    seen = page.table.viewport().mapTo(area.viewport(), last.center())
    assert area.viewport().rect().contains(seen)


def test_another_column_can_be_charted_beside_its_own_published_figures(tab):
    from core.bench.catalogue import find_bench
    from core.bench.rows import Row

    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    page.take([find_bench("devices"), *(
        Row("dense", {"device": name, "images_per_second": speed, "over_sequential": over,
                      "published_sequential": figure})
        for name, speed, over, figure in (("sequential", 10.0, 1.0, None), ("vectorized", 90.0, 9.0, 77.0))
    )])  # fmt: skip
    choose(page.quantity_box, "over_sequential")
    page.quantity_box.activated.emit(page.quantity_box.currentIndex())
    assert page.chart.series["vectorized"] == [(1, 9)]
    assert page.chart.series["published"] == [(1, 77)]


def test_a_timeline_has_a_lane_for_each_stream_and_a_name_for_each_colour(tab):
    from core.bench.rows import Bench, Chart, Row, Table

    columns = (("kernel", "kernel"), ("stream", "stream"), ("start", "begins, µs"), ("end", "ends, µs"))
    table = Table("step", "A step", columns, Chart("start", "stream", ("kernel",), until="end"))
    rows = [
        Row("step", {"kernel": kernel, "stream": stream, "start": start, "end": start + 5.0})
        for kernel, stream, start in (("copy", 1, 0.0), ("dense", 2, 3.0), ("copy", 1, 8.0))
    ]
    tab.chooser.setCurrentIndex(1)
    tab.comparisons.take([Bench("timeline", "Timeline", (table,), lambda options: iter(rows)), *rows])
    assert tab.comparisons.chart.series == {"copy": [(0, 5), (8, 13)], "dense": [(3, 8)]}
    assert len(tab.comparisons.chart.legend.items) == 2


def test_a_long_measurement_ends_within(tab, qtbot):
    tab.chooser.setCurrentIndex(1)
    page = tab.comparisons
    choose(page.box, "data-parallel")
    choose(page.size_box, "full")
    page.start_button.click()
    qtbot.waitUntil(lambda: page.bench is not None, timeout=LONG)
    page.stop_button.click()
    qtbot.waitUntil(measured(tab), timeout=10_000)
    assert page.banner.text.text().startswith("Stopped")


def test_where_the_time_goes(window, tab, qtbot):
    tab.chooser.setCurrentIndex(2)
    page = tab.profile
    page.start_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    names = [page.table.text(row, 0) for row in range(page.table.rowCount())]
    assert "Dense layers, forward" in names
    assert "Fetch the batch" in names
    shares = [float(page.table.text(row, 1).rstrip(" %")) for row in range(len(names))]
    assert sum(shares) == pytest.approx(100, abs=1)
    assert shares == sorted(shares, reverse=True)
    assert page.verdict.text().startswith("A step takes ")
    assert "weight" in page.table.item(names.index("Dense layers, forward"), 0).toolTip()


def test_nothing_is_measured_while_a_run_is_under_way(window, tab, qtbot):
    train_for_long(window, qtbot)
    for page in tab.pages:
        assert not page.start_button.isEnabled()
        assert "stop it first" in page.start_button.toolTip()
    window.stopButton.click()
    qtbot.waitUntil(lambda: not window.session.active, timeout=LONG)
    assert all(page.start_button.isEnabled() for page in tab.pages)


def test_training_waits_for_the_measurement_and_says_so(window, tab, qtbot):
    window.epochsBox.setValue(100_000)
    tab.race.start_button.click()
    assert window.tabs.tabText(window.tabs.indexOf(tab)) == "Devices: measuring"
    assert not tab.profile.start_button.isEnabled()
    assert "Another measurement" in tab.profile.start_button.toolTip()
    window.trainButton.click()
    assert not window.session.active
    assert "being measured" in window.banner.text.text()
    window.banner.action_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert window.tabs.tabText(window.tabs.indexOf(tab)) == "Devices"
    window.epochsBox.setValue(1)
    window.trainButton.click()
    assert window.session.active
    qtbot.waitUntil(lambda: not window.session.active, timeout=LONG)


def test_closing_the_window_ends_the_race(window, tab, qtbot):
    before = threads()
    window.epochsBox.setValue(100_000)
    tab.race.start_button.click()
    qtbot.waitUntil(lambda: bool(tab.race.standings), timeout=LONG)
    window.close()
    assert not tab.busy
    assert threads() <= before
    assert not [thread for thread in window.findChildren(QThread) if thread.isRunning()]


@pytest.mark.parametrize(
    ("low", "high", "most", "words"),
    [
        (1, 2.1, 5, ["10", "20", "50", "100"]),
        (-6, -1.5, 5, ["10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"]),
        (-3, 1, 5, ["0.001", "0.01", "0.1", "1", "10"]),
        (2, 3.5, 4, ["100", "300", "1,000", "3,000"]),
        (2, 6, 5, ["100", "1 k", "10 k", "100 k", "1 M"]),
    ],
)
def test_logarithmic_ticks_are_numbers_that_people_write_all_in_one_style(low, high, most, words):
    assert in_words(log_ticks(low, high, most)) == words


def test_an_axis_of_times_has_their_units(qapp):
    axis = LogAxis("left")
    axis.timed = True
    assert axis.logTickStrings([-6, -4, -2, 0], 1, 1) == ["1 µs", "100 µs", "10 ms", "1 s"]
    assert axis.tickStrings([0, 0.5, 1], 1, 0.5) == ["0 s", "0.5 s", "1 s"]


def test_a_narrow_tab_is_not_scrolled_sideways(window, tab):
    window.resize(960, 640)
    window.columns.switches[1].trigger()  # with the canvas beside it
    window.columns.setSizes([440, 260, 260])
    assert tab.width() < 300
    chooser = tab.chooser
    assert [chooser.tabText(k) for k in range(3)] == ["Race", "Compare", "Time"]
    assert all(chooser.rect().contains(chooser.tabRect(k)) for k in range(3))
    assert "time goes" in chooser.tabToolTip(2)
    for place, page in enumerate(tab.pages):
        chooser.setCurrentIndex(place)
        QApplication.processEvents()
        for inside in page.findChildren(QWidget):
            if inside.isVisibleTo(page) and inside.parentWidget() is page:
                assert inside.geometry().right() <= tab.width(), inside.objectName()
        assert tab.stack.currentWidget().horizontalScrollBar().maximum() == 0
    header = tab.race.lanes.horizontalHeader()
    for column in (1, 2, 3):
        assert header.sectionSize(column) >= header.sectionSizeHint(column) > 0
    assert tab.race.lanes.isColumnHidden(4)


def test_a_race_says_how_long_it_will_take_yet(window, tab, qtbot):
    window.epochsBox.setValue(100_000)
    race = tab.race
    race.start_button.click()
    qtbot.waitUntil(lambda: race.left.isVisible(), timeout=LONG)
    assert re.fullmatch(r"about (\d+:)?\d+:\d\d left", race.left.text())
    race.stop_button.click()
    qtbot.waitUntil(measured(tab), timeout=LONG)
    assert not race.left.isVisible()


def test_the_time_left_is_what_the_rest_of_the_way_takes_at_the_same_speed():
    from core.race import Contestant, Standing

    standing = Standing(Contestant("sequential"), 60_000, 40.0, None, None)
    assert seconds_left(standing, 0.25) == 120
    assert seconds_left(standing, 1.0) == 0
    assert seconds_left(standing, 0.0) is None
