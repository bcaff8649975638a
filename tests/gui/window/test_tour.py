"""The tour shows itself once, is skipped with one press, and waits in the Help menu."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt

from gui.window.main_window import MainWindow
from gui.window.tour import Tour, show_at_first_start, show_tour


@pytest.fixture
def window(qtbot, small_mnist):
    made = MainWindow()
    qtbot.addWidget(made)
    made.resize(1280, 720)
    made.show()
    yield made
    made.close()


def tours(window):
    return [tour for tour in window.findChildren(Tour) if tour.isVisible()]


def test_it_comes_by_itself_only_the_first_time(window, qtbot):
    show_at_first_start(window)
    assert len(tours(window)) == 1
    qtbot.mouseClick(tours(window)[0].skip_button, Qt.MouseButton.LeftButton)
    assert not tours(window)
    show_at_first_start(window)
    assert not tours(window)


def test_it_leads_through_the_window_to_its_end_and_covers_no_part_it_names(window, qtbot):
    show_tour(window)
    tour = tours(window)[0]
    titles = []
    while tours(window):
        stop = tour._stops[tour._place]
        part = QRect(stop.part.mapTo(window, QPoint()), stop.part.size())
        small = part.width() < 500
        assert not (small and tour.geometry().intersects(part)), stop.title
        assert window.rect().contains(tour.geometry())
        titles.append(stop.title)
        qtbot.mouseClick(tour.next_button, Qt.MouseButton.LeftButton)
    assert len(titles) == 5


def test_it_is_found_again_and_starts_over(window):
    show_tour(window)
    help_menu = window.menuBar().actions()[-1].menu()
    next(action for action in help_menu.actions() if "Tour" in action.text()).trigger()
    assert len(tours(window)) == 1


def test_the_window_can_be_used_meanwhile(window, qtbot):
    show_tour(window)
    assert not tours(window)[0].isModal()
    assert window.focusWidget() not in tours(window)[0].findChildren(type(window.trainButton))
    window.resize(1100, 700)
    assert window.rect().contains(tours(window)[0].geometry())


def test_escape_ends_it_wherever_the_focus_is(window, qtbot):
    show_tour(window)
    window.networkEdit.setFocus()
    qtbot.keyClick(window.networkEdit, Qt.Key.Key_Escape)
    assert not tours(window)


def test_it_goes_on_to_the_curves_when_a_network_begins_to_learn(window, qtbot):
    show_tour(window)
    tour = tours(window)[0]
    window.datasetBox.choose("mnist")
    window.start()
    qtbot.waitUntil(lambda: tour._place == 3, timeout=60_000)
    assert tour._stops[3].part is window.training


def test_it_shows_the_parts_that_it_speaks_of(window):
    for switch in window.columns.switches:
        switch.setChecked(False)
    window.tabs.setCurrentWidget(window.measuring)
    show_tour(window)
    for stop in tours(window)[0]._stops:
        assert stop.part.isVisible()
