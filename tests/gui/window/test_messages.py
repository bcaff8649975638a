"""Messages appear in one place, and cover neither what a run has given nor the buttons of a page."""

import pytest
from PySide6.QtWidgets import QAbstractButton

from gui.widgets.banner import Banner
from tests.gui.person import rect_in


@pytest.fixture
def trained(window):
    """The window after a run of many epochs."""
    from core.training.records import Epoch

    window.training.epochs.add(
        [Epoch(k, k, float(k), 1.0, 0.1, 0.9, 0.1, 0.9, None, 1000.0, 0.1) for k in range(1, 30)]
    )
    return window


@pytest.mark.parametrize("size", [(1240, 690), (800, 600), (640, 340)])
def test_a_message_hides_no_row_of_the_epochs_and_moves_no_plot(trained, qtbot, size):
    trained.resize(*size)
    qtbot.wait(0)
    heights = trained.training.splitter.sizes()
    trained.banner.show_text("All epochs are done.", "good")
    table = trained.training.table
    if size[1] > 400:
        qtbot.waitUntil(lambda: rect_in(table, trained).bottom() < rect_in(trained.banner, trained).top())
    assert trained.training.splitter.sizes() == heights
    last = table.model().index(28, 0)
    qtbot.waitUntil(lambda: table.viewport().rect().contains(table.visualRect(last)))
    trained.banner.hide()
    qtbot.waitUntil(
        lambda: rect_in(table, trained).bottom() > rect_in(trained.training, trained).bottom() - 4
    )


def test_a_message_hides_no_button_of_a_page_and_no_result(trained):
    for index in range(trained.tabs.count()):
        trained.tabs.setCurrentIndex(index)
        trained.banner.show_text("All epochs are done.", "good")
        covered = rect_in(trained.banner, trained)
        for button in trained.tabs.currentWidget().findChildren(QAbstractButton):
            if button.isVisible() and not trained.banner.isAncestorOf(button):
                assert not covered.intersects(rect_in(button, trained)), button.objectName()
    assert not covered.intersects(rect_in(trained.results.summary, trained))


def test_all_tabs_show_their_messages_in_the_same_place(window):
    while window.studies.create_next():
        pass
    for part in (window.results, window.runs, window.studies):
        assert part.banner is window.banner
    over_pages = [banner for banner in window.findChildren(Banner) if banner.parent() is window.tabs]
    assert over_pages == [window.banner]
