"""The columns of the window: the canvas is folded in a narrow window, and grows in a large one."""

import pytest
from PySide6.QtWidgets import QApplication

from gui.widgets.basics import PrimaryButton
from gui.window.main_splitter import MIN_MIDDLE, MIN_SETTINGS
from tests.gui.person import LONG, part


@pytest.fixture
def narrow(window):
    window.resize(1040, 640)
    return window


def test_the_canvas_is_hidden_on_the_devices_tab_of_a_narrow_window(narrow):
    assert part(narrow, "canvas").isVisible()
    narrow.tabs.setCurrentWidget(narrow.measuring)
    assert not part(narrow, "canvas").isVisible()
    assert not narrow.columns.switches[1].isChecked()
    narrow.tabs.setCurrentWidget(narrow.results)
    assert part(narrow, "canvas").isVisible()


def test_the_hidden_panel_is_shown_again_in_a_wide_window(narrow):
    narrow.tabs.setCurrentWidget(narrow.measuring)
    narrow.resize(1400, 700)
    assert part(narrow, "canvas").isVisible()
    narrow.resize(1040, 640)
    assert not part(narrow, "canvas").isVisible()
    narrow.reset_layout()
    assert not part(narrow, "canvas").isVisible()


def test_panels_that_the_user_shows_or_hides_stay_so(narrow):
    narrow.tabs.setCurrentWidget(narrow.measuring)
    narrow.columns.switches[1].trigger()
    assert part(narrow, "canvas").isVisible()
    narrow.tabs.setCurrentWidget(narrow.training)
    narrow.tabs.setCurrentWidget(narrow.measuring)
    assert part(narrow, "canvas").isVisible()
    narrow.columns.switches[1].trigger()
    narrow.tabs.setCurrentWidget(narrow.training)
    assert not part(narrow, "canvas").isVisible()


def test_a_window_closed_meanwhile_opens_with_its_canvas(narrow, qtbot):
    from gui.window.main_window import MainWindow

    narrow.tabs.setCurrentWidget(narrow.measuring)
    narrow.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    again.resize(1040, 640)  # the screen of the tests is smaller, and so is the restored window
    assert part(again, "canvas").isVisible()
    assert part(again, "canvas").width() > 100


def test_a_small_window_has_room_for_the_curves_and_one_side(window):
    window.resize(800, 600)
    assert not part(window, "canvas").isVisible()
    assert window.training.width() >= 280
    window.columns.switches[1].trigger()
    assert part(window, "canvas").isVisible()
    assert not window.settings.isVisible()
    assert window.training.width() >= 280
    window.columns.switches[0].trigger()
    assert window.settings.isVisible()
    assert not part(window, "canvas").isVisible()


def test_at_twice_the_size_on_a_small_screen_the_curves_can_be_seen(window, qtbot):
    window.resize(640, 320)  # 360 less a title bar
    assert (window.width(), window.height()) == (640, 320)
    assert window.training.width() >= 240
    for plot in (part(window, "lossPlot"), part(window, "accuracyPlot")):
        qtbot.waitUntil(lambda plot=plot: plot.plotItem.vb.height() >= 36)


@pytest.mark.parametrize(
    ("width", "height", "side"), [(1280, 720, 320), (1920, 1080, 480), (2560, 1440, 640)]
)
def test_the_canvas_grows_with_the_window(window, qtbot, width, height, side):
    window.resize(width, height)
    canvas = part(window, "canvas")
    qtbot.waitUntil(lambda: min(canvas.width(), canvas.height()) >= side)
    assert part(window, "predictionLabel").height() >= 96


def test_devices_are_found_although_the_canvas_is_folded_away(window, qtbot):
    assert not part(window, "canvas").isVisible()  # the screen of the tests is 800 pixels wide
    qtbot.waitUntil(lambda: bool(window.devices.known()), timeout=LONG)


@pytest.mark.parametrize("width", [1024, 1240, 1500])
def test_a_window_that_is_enlarged_and_restored_has_the_columns_that_it_had(window, width):
    window.resize(width, 700)
    window.reset_layout()
    before = window.columns.sizes()
    window.resize(1920, 1000)
    assert window.columns.sizes() != before
    window.resize(width, 700)
    assert window.columns.sizes() == before


def test_no_column_falls_below_its_minimum_after_a_handle_was_moved(window):
    window.resize(1920, 1000)
    window.columns.setSizes([500, 800, 600])
    window.columns.splitterMoved.emit(1320, 2)
    window.resize(1040, 700)
    left, middle, right = window.columns.sizes()
    assert middle >= MIN_MIDDLE
    assert left >= MIN_SETTINGS
    assert right >= 240


def test_a_folded_column_is_named_with_its_key_and_comes_back(narrow, qtbot):
    narrow.tabs.setCurrentWidget(narrow.measuring)
    shown = part(narrow, "showCanvas")
    assert shown.isVisible()
    assert "F9" in shown.text()
    shown.click()
    assert part(narrow, "canvas").isVisible()
    assert not shown.isVisible()


def test_only_one_button_is_marked_as_the_main_one(window):
    for tab in (window.training, window.studies, window.measuring):
        window.tabs.setCurrentWidget(tab)
        marked = [b for b in window.findChildren(PrimaryButton) if b.isVisible() and b.is_main]
        assert len(marked) == 1


def test_a_wide_canvas_is_as_high_as_a_square_one_and_gives_the_room_back(window, qtbot):
    window.resize(1280, 720)
    canvas, sizes = part(window, "canvas"), window.columns.sizes()
    qtbot.waitUntil(lambda: canvas.height() > 250)
    height = canvas.height()
    part(window, "wideBox").click()
    qtbot.waitUntil(lambda: canvas.height() >= 0.9 * height and canvas.width() >= 1.8 * height)
    assert window.training.width() > sizes[1]  # the strip is below the tabs
    part(window, "wideBox").click()
    qtbot.waitUntil(lambda: canvas.height() == height)
    assert window.columns.sizes()[2] == sizes[2]


def test_the_canvas_grows_with_its_column(window, qtbot):
    window.resize(1280, 720)
    canvas = part(window, "canvas")
    left, middle, right = window.columns.sizes()
    qtbot.waitUntil(lambda: canvas.height() > 250)
    before = canvas.height()
    window.columns.setSizes([left, middle - 200, right + 200])
    qtbot.waitUntil(lambda: min(canvas.height(), canvas.width()) > before + 80)


def test_a_longer_title_leaves_room_for_all_tabs(window):
    window.resize(1240, 690)
    QApplication.processEvents()
    bar = window.tabs.tabBar()
    window.tabs.setTabText(window.tabs.indexOf(window.studies), "Studies: training")
    QApplication.processEvents()
    assert bar.tabRect(bar.count() - 1).right() <= bar.width()
