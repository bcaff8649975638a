"""Messages appear in one place, over menus and tabs, and cover no content."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication

from gui.widgets.banner import Banner
from tests.gui.hand import draw
from tests.gui.person import drop, ended, part, rect_in
from tests.limits import LONG


@pytest.fixture
def trained(window):
    """The window after a run of many epochs."""
    from core.training.records import Epoch

    window.training.epochs.add(
        [Epoch(k, k, float(k), 1.0, 0.1, 0.9, 0.1, 0.9, None, 1000.0, 0.1) for k in range(1, 30)]
    )
    return window


@pytest.mark.parametrize("size", [(1240, 690), (800, 600), (640, 340)])
def test_a_message_floats_over_the_menus_and_covers_and_moves_no_plot(trained, qtbot, size):
    trained.resize(*size)
    qtbot.wait(0)
    heights = trained.training.plots.splitter.sizes()
    trained.banner.show_text("All epochs are done.", "good")
    qtbot.wait(0)
    for index in range(trained.tabs.count()):
        trained.tabs.setCurrentIndex(index)
        trained.banner.show_text("All epochs are done.", "good")
        assert trained.rect().contains(rect_in(trained.banner, trained))
        for part_below in (
            *trained.training.curves.both,
            trained.training.plots.replay,
            trained.drawing.canvas,
        ):
            if part_below.isVisible():
                assert not rect_in(part_below, trained).intersects(rect_in(trained.banner, trained))
    assert trained.training.plots.splitter.sizes() == heights


def test_all_tabs_show_their_messages_in_the_same_place(window):
    assert window.compare.banner is window.banner
    over_pages = [banner for banner in window.findChildren(Banner) if banner.parent() is window]
    assert over_pages == [window.banner]


def test_a_network_that_learned_nothing_gets_the_finding_of_its_health(window, qtbot):
    part(window, "learningRateEdit").setText("100")
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(lambda: "are never active" in window.banner.text.text(), timeout=LONG)
    assert "on the test set" in window.banner.text.text()


def test_what_was_said_leaves_when_something_else_is_done(window, qtbot):
    for go_on in (
        lambda: qtbot.mouseClick(part(window, "canvas"), Qt.MouseButton.LeftButton),
        window.menuBar().actions()[0].menu().aboutToShow.emit,
        lambda: window.tabs.setCurrentWidget(window.compare),
    ):
        window.banner.show_text("Kept as a 7.")
        go_on()
        assert window.banner.isHidden()


def test_an_offer_goes_with_its_tab_and_an_error_stays(window):
    window.banner.show_text("The run is in the trash.")
    window.banner.offer("Undo", lambda: None)
    window.menuBar().actions()[0].menu().aboutToShow.emit()
    assert window.banner.isVisible()
    window.tabs.setCurrentWidget(window.compare)
    assert window.banner.isHidden()
    window.banner.show_text("The disk is full.", "bad")
    window.tabs.setCurrentWidget(window.results)
    assert window.banner.isVisible()


def test_the_error_of_one_file_leaves_when_another_is_opened(window, tmp_path):
    (tmp_path / "no.json").write_text("{")
    drop(window, tmp_path / "no.json")
    assert window.banner.isVisible()
    draw(window.drawing.canvas, "7")
    window.drawing.pictures.save_image(tmp_path / "seven.png")
    drop(window, tmp_path / "seven.png")
    assert window.banner.isHidden()


def test_a_tab_that_was_clicked_has_no_frame_after_a_dialog(window, qtbot):
    bar = window.tabs.tabBar()
    for tab in (2, 1):
        qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(tab).center())
    clicked = bar.grab().toImage()
    QApplication.sendEvent(
        bar, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.ActiveWindowFocusReason)
    )
    assert bar.grab().toImage() == clicked
    assert window.tabs.currentIndex() == 1
