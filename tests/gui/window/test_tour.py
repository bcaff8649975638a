"""The tour: shown at the first start only, skipped with one click, shown again from the Help menu."""

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt

from gui.window.main_window import MainWindow
from gui.window.room import View
from gui.window.tour import _TAIL as TAIL
from gui.window.tour import Tour, place_note
from tests.gui.person import part


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


def test_it_is_shown_at_the_first_start_only(window, qtbot):
    window.show_tour_once()
    assert len(tours(window)) == 1
    qtbot.mouseClick(tours(window)[0].skip_button, Qt.MouseButton.LeftButton)
    assert not tours(window)
    window.show_tour_once()
    assert not tours(window)


def test_it_has_four_notes_that_do_not_cover_their_widgets(window, qtbot):
    window.show_tour()
    tour = tours(window)[0]
    titles = []
    while tours(window):
        step = tour._steps[tour._position]
        target = QRect(step.widget.mapTo(window, QPoint()), step.widget.size())
        small = target.width() < 500
        note = tour.geometry().adjusted(TAIL, TAIL, -TAIL, -TAIL)
        assert not (small and note.intersects(target)), step.title
        assert window.rect().contains(tour.geometry())
        titles.append(step.title)
        qtbot.mouseClick(tour.next_button, Qt.MouseButton.LeftButton)
    assert len(titles) == 4


def test_in_a_small_window_it_shows_the_side_of_each_note(window, qtbot):
    def is_small():
        window.resize(640, 320)
        return window.width() == 640

    qtbot.waitUntil(is_small)
    window.show_tour()
    tour = tours(window)[0]
    while tours(window):
        step = tour._steps[tour._position]
        assert step.widget.isVisible(), step.title
        qtbot.waitUntil(lambda: window.rect().contains(tour.geometry()))
        assert (window.width(), window.height()) == (640, 320)
        qtbot.mouseClick(tour.next_button, Qt.MouseButton.LeftButton)


def test_its_frame_follows_the_canvas_when_the_window_is_enlarged(window, qtbot):
    window.show_tour()
    canvas = part(window, "canvas")
    before = canvas.height()
    window.resize(1500, 900)
    qtbot.waitUntil(lambda: canvas.height() > before)

    def surrounded():
        target = QRect(canvas.mapTo(window, QPoint()), canvas.size())
        return tours(window)[0]._highlight.target.contains(target)

    qtbot.waitUntil(surrounded)


def test_the_help_menu_restarts_it(window):
    window.show_tour()
    help_menu = window.menuBar().actions()[-1].menu()
    next(action for action in help_menu.actions() if "Tour" in action.text()).trigger()
    assert len(tours(window)) == 1


def test_the_window_can_be_used_while_it_is_shown(window, qtbot):
    window.show_tour()
    assert not tours(window)[0].isModal()
    assert window.focusWidget() not in tours(window)[0].findChildren(type(part(window, "trainButton")))
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: window.rect().contains(tours(window)[0].geometry()))


def test_escape_closes_it_wherever_the_focus_is(window, qtbot):
    window.show_tour()
    part(window, "networkEdit").setFocus()
    qtbot.keyClick(part(window, "networkEdit"), Qt.Key.Key_Escape)
    assert not tours(window)


def test_it_skips_to_the_curves_when_training_starts(window, qtbot):
    window.show_tour()
    tour = tours(window)[0]
    part(window, "datasetBox").choose("mnist")
    window.run_actions.start()
    qtbot.waitUntil(lambda: tour._position == 3, timeout=60_000)
    assert tour._steps[3].widget is window.training


def test_it_makes_the_widgets_it_explains_visible(window):
    window.page.show_view(View.CURVE)
    window.tabs.setCurrentWidget(window.measuring)
    window.show_tour()
    for step in tours(window)[0]._steps:
        assert step.widget.isVisible()


def test_a_lab_ends_it(window, qtbot):
    window.show_tour()
    part(window, "lessonCard01").click()
    qtbot.waitUntil(window.labs.isVisible, timeout=60_000)
    assert not tours(window)
    window.labs.close_lab()


def test_return_goes_on(window, qtbot):
    window.show_tour()
    tour = tours(window)[0]
    for _ in range(3):
        qtbot.keyClick(part(window, "networkEdit"), Qt.Key.Key_Return)
    assert tour._position == 3
    qtbot.keyClick(window, Qt.Key.Key_Return)
    assert not tours(window)


def test_its_frame_is_hidden_with_its_widget(window, qtbot):
    window.show_tour()
    highlight = tours(window)[0]._highlight
    window.page.show_view(View.CURVE)
    qtbot.waitUntil(lambda: not highlight.isVisible())
    window.page.show_view(View.NETWORK)
    qtbot.waitUntil(highlight.isVisible)


@pytest.mark.parametrize(
    ("target", "tail"),
    [((400, 20, 100, 40), (449, 59)), ((400, 600, 100, 40), (449, 600)), ((10, 20, 300, 660), (309, 349))],
    ids=["below", "above", "beside"],
)
def test_a_note_is_beside_its_widget_with_its_tail_at_it(target, tail):
    room, widget = QRect(0, 0, 1280, 720), QRect(*target)
    note, end = place_note(QSize(320, 180), widget, room)
    assert end.toTuple() == tail
    assert room.contains(note)
    assert not note.intersects(widget)
