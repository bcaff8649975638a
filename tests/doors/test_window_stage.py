"""The picture and the answer belong to one network, whatever is clicked on: by mouse and keys."""

import random

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.inference.model_file import bundled_model
from core.network.initialization import initial_parameters
from gui.drawing.panel import DrawingPanel
from gui.drawing.recognizer import Recognizer
from gui.stage.read_by import REST_MILLISECONDS
from gui.window.main_window import MainWindow
from tests.gui.hand import draw
from tests.gui.person import choose, part
from tests.limits import LONG

LEFT = Qt.MouseButton.LeftButton
KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Return,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Insert,
    Qt.Key.Key_Space,
    Qt.Key.Key_R,
    Qt.Key.Key_F8,
)


def open_and_draw(window: MainWindow, qtbot, digit: str = "3") -> DrawingPanel:
    """The first minute: a digit is drawn, and read by the built-in network."""
    window.resize(1280, 720)
    draw(part(window, "canvas"), digit)
    panel = window.drawing
    qtbot.waitUntil(lambda: panel.stage.accessibleDescription().startswith(digit), timeout=LONG)
    settle(panel, qtbot)
    return panel


def settle(panel: DrawingPanel, qtbot) -> None:
    qtbot.waitUntil(lambda: not panel.stage.is_waiting, timeout=LONG)


def agrees(window: MainWindow) -> bool:
    """Whether the layers, the answers, and the network under Read by are of one network."""
    model, name = window.model_selector.current()
    content = window.drawing.stage.picture.content
    assert model is not None
    assert content is not None
    is_named = window.drawing.read_by.name == name
    return is_named and content.network == model.network and content.classes == model.classes


def click_unit(panel: DrawingPanel, position: int, unit: int) -> None:
    tile = panel.stage.picture.layout.blocks[position].tiles[unit]
    QTest.mouseClick(panel.stage, LEFT, pos=tile.center())


def click_layer(panel: DrawingPanel, index: int) -> None:
    """Click on a layer of Yours, whose words become buttons by a touch."""
    if part(panel, "yoursWords").isVisible():
        QTest.mouseClick(part(panel, "yoursWords"), LEFT)
    QTest.mouseClick(panel.yours.chips[index], LEFT)


def test_a_click_on_any_filter_leaves_the_picture(window, qtbot):
    panel = open_and_draw(window, qtbot)
    before = panel.stage.picture.drawing
    settings = part(window, "networkEdit").text()
    for position in (0, 2, 4):
        for unit in (0, 11):
            click_unit(panel, position, unit)
            number = before.content.columns[position].shown[unit] + 1
            assert f" {number} of " in window.page.ask.heading.text()
            QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
            assert not window.page.ask.isVisible()
    assert panel.stage.picture.drawing is before
    assert panel.stage.picture.layer == -1
    assert part(window, "networkEdit").text() == settings
    assert agrees(window)


def test_nothing_that_is_done_on_the_stage_takes_the_picture_away(window, qtbot):
    panel = open_and_draw(window, qtbot)
    dice = random.Random(7)
    places = panel.stage, panel.yours, panel.read_by, window.settings
    for _ in range(200):
        if dice.random() < 0.6:
            place = dice.choice(places)
            point = QPoint(dice.randrange(place.width()), dice.randrange(place.height()))
            widget = place.childAt(point) or place
            if place.isVisible() and widget not in (*panel.tools.children(),):
                QTest.mouseClick(widget, LEFT, pos=widget.mapFrom(place, point))
        else:
            focus = QApplication.focusWidget() or panel.stage
            is_here = panel.isAncestorOf(focus) or window.page.band.isAncestorOf(focus)
            QTest.keyClick(focus if is_here else panel.stage, dice.choice(KEYS))
        model, _ = window.model_selector.current()
        if panel.stage.picture.content.network != model.network:  # another one was let read
            settle(panel, qtbot)
        assert panel.stage.picture.content.network == model.network
    settle(panel, qtbot)
    assert agrees(window)


def test_a_stroke_is_drawn_while_a_page_is_open(window, qtbot):
    panel = open_and_draw(window, qtbot)
    canvas = part(window, "canvas")
    band = window.page.band
    heights = panel.height(), band.height()

    def open_layer():
        click_layer(panel, 2)

    def open_unit():
        click_unit(panel, 0, 0)

    def open_settings():
        QTest.keyClick(window, Qt.Key.Key_F8)

    strokes = []
    for open_page in (None, open_layer, open_unit, open_settings):
        if open_page is not None:
            open_page()
            assert band.page is not None
        part(window, "clearButton").click()
        draw(canvas, "7")
        assert (band.page is None) is (open_page is None)
        assert (panel.height(), band.height()) == heights
        strokes.append(canvas.document.ink.pixels().copy())
        settle(panel, qtbot)
        assert agrees(window)
    assert strokes[0].any()
    assert all((stroke == strokes[0]).all() for stroke in strokes)


def test_from_a_layer_to_its_settings_and_back_by_mouse_and_keys(window, qtbot):
    panel = open_and_draw(window, qtbot)
    band = window.page.band
    click_layer(panel, 2)
    maps = part(window, "layerMapsBox")
    assert maps.isVisible()
    maps.setFocus()
    maps.selectAll()
    QTest.keyClicks(maps, "32")
    assert panel.yours.chips[2].text() == "32 filters"
    assert part(window, "networkEdit").text() == "8C5-MP2-32C5-MP2-64N-10N"
    assert part(window, "presetBox").currentText().endswith("changed")
    QTest.keyClick(maps, Qt.Key.Key_Escape)
    assert band.page is None
    assert panel.yours.chips[2].hasFocus()
    QTest.keyClick(panel.yours.chips[2], Qt.Key.Key_Insert)
    assert part(window, "networkEdit").text() == "8C5-MP2-32C5-32C5-MP2-64N-10N"
    QTest.mouseClick(part(window, "yoursText"), LEFT)
    edit = part(window, "networkEdit")
    assert edit.hasFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "784-30-10")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert [chip.text() for chip in panel.yours.chips] == ["30 units", "10 answers"]
    settle(panel, qtbot)
    assert panel.stage.accessibleDescription().startswith("3")
    assert agrees(window)


def test_a_text_that_is_no_network_can_be_mended(window, qtbot):
    panel = open_and_draw(window, qtbot)
    edit = part(window, "networkEdit")
    QTest.mouseClick(part(window, "yoursWords"), LEFT)
    QTest.mouseClick(part(window, "yoursText"), LEFT)
    edit.selectAll()
    QTest.keyClicks(edit, "784--10")
    assert edit.isVisible()
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert not edit.isVisible()
    QTest.mouseClick(window.controls.obstacle_button, LEFT)
    assert edit.hasFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "784-30-10")
    assert panel.yours.chips[0].text() == "30 units"
    assert part(window, "trainButton").isEnabled()


def test_after_another_preset_and_another_reader_the_picture_is_that_of_the_reader(
    window, qtbot, tmp_path
):
    panel = open_and_draw(window, qtbot)
    choose(part(window, "presetBox"), "thesis")
    settle(panel, qtbot)
    assert agrees(window)
    assert panel.stage.accessibleDescription().startswith("3")
    assert [chip.text() for chip in panel.yours.chips] != ["8 filters", "half", "16 filters"]
    bundled_model("dense").save(tmp_path / "dense.safetensors")
    window.opening.open(tmp_path / "dense.safetensors")
    assert agrees(window)
    settle(panel, qtbot)
    assert panel.stage.picture.content.input is not None
    assert agrees(window)
    # By mouse and by its key, another network reads; each says what it reads.
    rows = panel.read_by.rows
    assert [row.reads for row in rows if row.isVisible()] == ["3", "3"]
    QTest.mouseClick(rows[0], LEFT)
    settle(panel, qtbot)
    assert agrees(window)
    assert panel.read_by.name == "came with DigitLab"
    QTest.keyClick(part(window, "canvas"), Qt.Key.Key_R)
    settle(panel, qtbot)
    assert agrees(window)
    assert panel.read_by.name == "dense.safetensors"


def test_a_row_says_what_is_read_no_sooner_than_the_first_answer(window, qtbot):
    window.resize(1280, 720)
    panel = window.drawing
    row = panel.read_by.rows[0]
    panel.stage.renderer.pause()  # the layers take long, as on a busy machine
    with qtbot.waitSignal(window.findChild(Recognizer).recognized, timeout=LONG):
        draw(part(window, "canvas"), "3")
    qtbot.wait(3 * REST_MILLISECONDS)
    assert (panel.stage.answers.answer.name, row.reads) == ("", "")
    panel.stage.renderer.resume()
    qtbot.waitUntil(lambda: row.reads == "3", timeout=LONG)
    assert panel.stage.answers.answer.name == "3"


def test_name_picture_and_answer_change_together_when_a_run_begins(window, qtbot):
    panel = open_and_draw(window, qtbot)
    part(window, "networkEdit").setText("784-77-10")
    part(window, "epochsBox").setValue(1)
    seen = set()

    def has_ended():
        layers = len(panel.stage.picture.content.network.layers)
        seen.add((window.drawing.read_by.name, layers))
        return not window.session.active

    part(window, "trainButton").click()
    assert not panel.yours.chips[0].isVisible()
    qtbot.waitUntil(has_ended, timeout=LONG)
    assert ("came with DigitLab", 6) in seen
    assert seen <= {("came with DigitLab", 6), ("Network in training", 2), ("Last run", 2)}
    settle(panel, qtbot)
    assert agrees(window)
    assert part(window, "yoursWords").isVisible()


def test_yours_reads_with_its_first_weights_until_it_is_trained(window, qtbot):
    panel = open_and_draw(window, qtbot)
    part(window, "networkEdit").setText("784-77-10")
    part(window, "epochsBox").setValue(1)
    QTest.mouseClick(part(window, "yoursWords"), LEFT)
    QTest.mouseClick(part(window, "yoursLook"), LEFT)
    settle(panel, qtbot)
    assert panel.read_by.name == "Yours, untrained"
    assert agrees(window)
    model, _ = window.model_selector.current()
    first = initial_parameters(model.network, "he", model.run_settings["seed"])
    assert np.array_equal(model.parameters, first)
    part(window, "networkEdit").setText("784-20-10")  # it is still that of the settings
    settle(panel, qtbot)
    assert panel.stage.picture.content.network.text == "784-20-10"
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: not window.session.active, timeout=LONG)
    settle(panel, qtbot)
    assert [reader.name for reader in panel.read_by.readers] == ["came with DigitLab", "Last run"]
    assert agrees(window)
    panel.read_by.rows[0].click()
    assert panel.read_by.name == "came with DigitLab"
    part(window, "yoursWords").click()
    QTest.mouseClick(part(window, "yoursLook"), LEFT)
    assert panel.read_by.name == "Last run"


def test_after_a_lab_the_picture_is_that_of_the_reader(window, qtbot):
    panel = open_and_draw(window, qtbot)
    part(window, "lessonCard01").click()
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    part(window, "networkEdit").setText("784-64-10")
    window.labs.close_lab()
    qtbot.waitUntil(panel.stage.isVisible, timeout=LONG)
    settle(panel, qtbot)
    assert agrees(window)
    assert panel.stage.accessibleDescription().startswith("3")


def test_presets_and_all_settings_are_reached_by_mouse_and_keys(window, qtbot):
    panel = open_and_draw(window, qtbot)
    before = panel.height(), window.page.band.height()
    box = part(window, "presetBox")
    QTest.keyClick(box, Qt.Key.Key_F4)
    qtbot.waitUntil(box.menu.isVisible)
    for _ in range(2):
        QTest.keyClick(box.menu, Qt.Key.Key_Down)
    QTest.keyClick(box.menu, Qt.Key.Key_Return)
    assert [chip.text() for chip in panel.yours.chips] == ["128 units", "10 answers"]
    QTest.mouseClick(box, LEFT)
    qtbot.waitUntil(box.menu.isVisible)
    QTest.keyClick(box.menu, Qt.Key.Key_Up)  # the last entry: the published networks
    QTest.keyClick(box.menu, Qt.Key.Key_Right)
    QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Return)
    assert box.currentData() == "lecture"
    assert [chip.text() for chip in panel.yours.chips] == ["30 units", "10 answers"]
    more = part(window, "moreButton")
    for open_page in (
        lambda: QTest.keyClick(window, Qt.Key.Key_F8),
        lambda: QTest.mouseClick(more, LEFT),
    ):
        open_page()
        loss = part(window, "lossBox")
        assert loss.isVisible()
        assert (panel.height(), window.page.band.height()) == before
        QTest.keyClick(loss, Qt.Key.Key_Escape)
        assert not loss.isVisible()
        assert not more.isChecked()
    settle(panel, qtbot)
    assert agrees(window)
