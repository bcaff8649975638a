"""The tab Training as a whole: how few controls there are at first, and what folds and unfolds."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QSlider,
    QTabBar,
    QTabWidget,
    QWidget,
)

from gui.widgets.card import PictureCard
from gui.widgets.theme import theme
from gui.window.training_page import View
from tests.gui.person import choose, part
from tests.gui.stage.test_stage import made
from tests.limits import LONG

CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QSlider)
MOST_CONTROLS = 25


def visible_controls(window):
    """Every control that is seen, be it enabled or not: menus, tabs, fields, buttons, and all else
    that keys or a click reach, such as canvas and stage.

    Only what is inside a field counts with it. The layers of the stage are no widgets.
    """
    found = []
    for widget in window.findChildren(QWidget):
        part_of_other = isinstance(widget.parentWidget(), (QAbstractSpinBox, QComboBox, QTabBar))
        is_control = isinstance(widget, CONTROLS) or widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if isinstance(widget, (QTabBar, QTabWidget)):
            is_control = False  # its tabs are
        if widget.isVisible() and is_control and not part_of_other:
            found.append(widget.objectName() or type(widget).__name__)
        elif isinstance(widget, QTabBar) and widget.isVisible():
            found += [
                widget.tabText(index)
                for index in range(widget.count())
                if widget.isTabVisible(index)
            ]
    found += [action.text() for action in window.menuBar().actions()]
    return found


def test_there_are_few_controls_at_the_first_start(window):
    window.resize(1280, 720)
    window.show()
    found = visible_controls(window)
    assert {"canvas", "stage", "yoursWords", "trainButton", "Training"} <= {*found}
    assert len(found) <= MOST_CONTROLS, found


def test_tab_goes_from_the_stage_to_the_readers_yours_and_the_band(window, qtbot):
    window.show()
    qtbot.waitUntil(window.drawing.stage.isVisible, timeout=LONG)
    window.drawing.stage.setFocus()
    names = []
    while not names or not names[-1].startswith("lesson"):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        names.append(QApplication.focusWidget().objectName())
    chips = len(window.drawing.yours.chips)
    assert names[:-1] == ["readerRow", "yoursLook", "yoursText", *["layerChip"] * chips]
    assert part(window, "yoursWords").isVisible()  # one control again
    qtbot.waitUntil(lambda: window.drawing.stage.picture.content is not None, timeout=LONG)
    window.drawing.read_by.rows[0].setFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert window.drawing.stage.picture.layer == -1  # the row keeps its keys


def test_the_settings_that_the_program_is_for_are_always_in_sight(window):
    window.resize(1280, 720)
    window.show()
    settings = window.settings
    editors = [settings.data.box, settings.preset_box]
    names = ("activation", "learning_rate", "batch_size", "epochs")
    editors += [settings.fields[name].editor for name in names]
    assert all(editor.isVisible() for editor in editors)


def test_larger_text_takes_nothing_from_the_canvas(window, qtbot):
    window.resize(1280, 720)
    window.show()
    window.page.show_view(View.NETWORK)
    canvas = part(window, "canvas")
    window.model_selector.show(made("784-32-10"))
    qtbot.waitUntil(lambda: canvas.height() > 300, timeout=LONG)
    usual = canvas.height()
    epochs = window.settings.fields["epochs"].editor
    for size in (120, 140, 160, 180, 200):
        theme().choose("light", text_size=size)
        QApplication.sendPostedEvents()
        qtbot.waitUntil(lambda: canvas.height() == usual, timeout=LONG)
    assert not epochs.isVisible()  # it is on the page, because the line has one row
    window.settings.more_button.setChecked(True)
    assert epochs.isVisible()
    theme().choose("light", text_size=100)
    window.settings.more_button.setChecked(False)
    QApplication.sendPostedEvents()
    assert epochs.isVisible()


def test_a_view_that_has_no_room_for_both_offers_the_other_one(window, qtbot):
    window.resize(1280, 720)
    window.show()
    offer = part(window, "foldedButton")
    assert not offer.isVisible()
    theme().choose("light", text_size=160)
    qtbot.waitUntil(offer.isVisible, timeout=LONG)
    assert window.page.stage.isVisible()
    assert "lessons" in offer.text()
    assert "F9, 2" in offer.toolTip()
    QTest.mouseClick(offer, Qt.MouseButton.LeftButton)
    assert window.page.band.isVisible()
    assert window.page.view is View.CURVE
    assert not offer.isVisible()


def test_data_that_are_not_drawn_say_so_before_the_first_run(window, qtbot):
    window.show()
    qtbot.waitUntil(part(window, "trainButton").isEnabled, timeout=LONG)
    choose(part(window, "datasetBox"), "rastrigin")
    stage = window.drawing.stage
    qtbot.waitUntil(
        lambda: "The chosen data are not drawn." in stage.answers.answer.sentence, timeout=LONG
    )
    choose(part(window, "datasetBox"), "builtin")
    qtbot.waitUntil(lambda: "The chosen data" not in stage.answers.answer.sentence, timeout=LONG)


def test_all_settings_unfold_and_fold_by_mouse_and_key(window):
    window.show()
    button, optimizer = window.settings.more_button, window.settings.fields["optimizer"].editor
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert optimizer.isVisible()
    QTest.keyClick(optimizer, Qt.Key.Key_Escape)
    assert not optimizer.isVisible()


def test_network_curve_or_both_are_shown(window):
    window.resize(1280, 720)
    window.show()
    page = window.page
    for view, shows in (
        (View.NETWORK, (True, False)),
        (View.CURVE, (False, True)),
        (View.BOTH, (True, True)),
    ):
        page.show_view(view)
        assert (page.stage.isVisible(), page.band.isVisible()) == shows


def test_a_lesson_of_the_first_page_opens_beside_a_large_plot(window, qtbot):
    window.resize(1280, 720)
    window.show()
    card = window.findChild(QAbstractButton, "lessonCard01")
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    assert window.page.band.isVisible()
    assert not window.page.stage.isVisible()
    window.labs.close_lab()
    assert window.page.stage.isVisible()


def test_no_text_of_a_lesson_lies_over_another_in_a_narrow_window(window, qtbot):
    window.show()
    window.page.show_view(View.CURVE)
    cards = window.findChildren(PictureCard)
    assert len(cards) == 3
    texts = [text for card in cards for text in card.findChildren(QLabel)]

    def all_have_room():
        shown = [text for text in texts if text.isVisible()]
        return all(text.height() >= text.heightForWidth(text.width()) for text in shown)

    for presses in (0, 6):
        for _ in range(presses):
            QTest.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
        for size in ((1280, 720), (1000, 600), (800, 600)):
            window.resize(*size)
            QApplication.processEvents()
            # A card that has become narrower shows less of itself, and its texts are placed anew.
            qtbot.waitUntil(all_have_room, timeout=LONG)


def test_the_workshop_and_the_devices_are_one_step_away(window):
    window.show()
    for tab in (window.measuring, window.workshop):
        assert not window.tabs.isTabVisible(window.tabs.indexOf(tab))
        window.tabs.setCurrentWidget(tab)
        assert window.tabs.isTabVisible(window.tabs.indexOf(tab))
        assert tab.isVisible()


def test_no_view_opens_a_window_of_its_own(window):
    for view in View:
        window.page.show_view(view)
        others = [
            w.objectName()
            for w in QApplication.topLevelWidgets()
            if w.isVisible() and w is not window
        ]
        assert others == []


def test_the_first_text_speaks_of_drawings_only_where_the_data_are_drawn(window):
    window.show()
    choose(part(window, "presetBox"), "coursework")
    assert part(window, "welcomeTitle").text() == "Train it"
    assert "digits" not in part(window, "welcomeText").text()
    choose(part(window, "presetBox"), "default")
    assert "draw, and it reads" in part(window, "welcomeText").text()
