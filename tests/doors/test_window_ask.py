"""How a unit gets its value, asked by mouse and keys: every number is the network's own."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.inference.engine import Engine
from core.labs.package import lessons
from core.network.parameters import views
from gui.stage.sheet import value_text
from tests.doors.test_window_stage import LEFT, click_unit, open_and_draw, settle
from tests.doors.test_window_training import shorten
from tests.gui.conftest import write_small_mnist
from tests.gui.hand import draw
from tests.gui.person import ended, part
from tests.limits import LONG

FILTERS, POOLED, UNITS, ANSWERS = 2, 3, 4, 5  # columns of the built-in network


@pytest.fixture
def asked(window, qtbot):
    """(panel, page): a 3 is drawn, and read by the built-in network."""
    return open_and_draw(window, qtbot), window.page.ask


def outputs(panel):
    """The network's input and the outputs of all layers for it, computed again."""
    content = panel.stage.picture.content
    x = content.values[0]
    return [x, *(output[0] for output in Engine(content.model).outputs(x[None]))]


def fragments(view):
    """The parts of the text of a sheet."""
    document = view.document()
    block = document.begin()
    while block.isValid():
        place = block.begin()
        while not place.atEnd():
            yield place.fragment()
            place += 1
        block = block.next()


def said(view):
    """What is written on a sheet, with the tooltips of its images."""
    parts = [part.charFormat().toolTip() or part.text() for part in fragments(view)]
    return " ".join(" ".join(parts).replace("\N{OBJECT REPLACEMENT CHARACTER}", "").split())


def cursor_at(view, target):
    """A cursor before what asks for this target."""
    cursor = QTextCursor(view.document())
    part = next(part for part in fragments(view) if part.charFormat().anchorHref() == target)
    cursor.setPosition(part.position())
    return cursor


def place_of(view, target):
    """Where the image is that asks for this target."""
    cursor = cursor_at(view, target)
    after = QTextCursor(cursor)
    after.movePosition(QTextCursor.MoveOperation.Right)
    image = after.charFormat().toImageFormat()
    bottom = view.cursorRect(cursor).bottom() - view.fontMetrics().descent()
    left = view.cursorRect(cursor).left()
    return QRectF(left, bottom - image.height(), image.width(), image.height())


def test_a_lesson_has_its_plot_where_a_unit_was_asked(asked, window, qtbot):
    panel, page = asked
    click_unit(panel, FILTERS, 5)
    assert page.isVisible()
    window.lab_actions.open(lessons()[0][1])
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    QTest.mouseClick(part(window, "labNext"), LEFT)
    qtbot.waitUntil(part(window, "accuracyPlot").isVisible, timeout=LONG)
    assert not page.isVisible()


def test_a_click_on_a_map_shows_the_sum_of_its_strongest_pixel(asked):
    panel, page = asked
    click_unit(panel, FILTERS, 5)
    assert page.isVisible()
    content = panel.stage.picture.content
    unit = content.columns[FILTERS].shown[5]
    values = outputs(panel)
    output = values[3][..., unit]
    row, column = np.unravel_index(output.argmax(), output.shape)
    where = f"row {row + 1}, column {column + 1}"
    assert page.heading.text() == f"Filter {unit + 1} of 48"
    assert page.sentence.text().startswith(f"finds {value_text(output.max())} at {where}. ")
    params = views(content.network, content.model.parameters)[2]
    zeros = np.pad(values[2], ((2, 2), (2, 2), (0, 0)))
    patch = zeros[row : row + 5, column : column + 5]
    sums = (patch * params.weights[..., unit]).sum(axis=(0, 1))
    spoken = said(page.terms)
    strongest = int(np.abs(sums).argmax())
    assert f"map {strongest + 1}: {value_text(sums[strongest])}" in spoken
    assert f"together {value_text(sums.sum() + params.biases[unit])}" in spoken
    assert f"ReLU keeps it {value_text(output.max())}" in spoken


def test_asking_paints_the_layers_and_the_band_and_nothing_beside_them(asked, window):
    panel, page = asked
    click_unit(panel, UNITS, 8)
    QApplication.processEvents()
    painted = []

    class Painted(QObject):
        def eventFilter(self, widget, event):  # noqa: N802
            if event.type() == QEvent.Type.Paint:
                painted.append(widget)
            return False

    watch = Painted()
    for widget in (page.terms.viewport(), panel.stage, part(window, "trainButton"), panel.canvas):
        widget.installEventFilter(watch)
    click_unit(panel, UNITS, 9)  # its title and its sentence are longer
    for _ in range(5):  # widgets tell each other that they want another size
        QApplication.processEvents()
    assert set(painted) == {page.terms.viewport(), panel.stage}
    assert painted.count(page.terms.viewport()) == 1


def test_the_pixel_is_moved_by_the_pointer_and_by_keys(asked):
    panel, page = asked
    click_unit(panel, FILTERS, 5)
    values = outputs(panel)
    unit = panel.stage.picture.content.columns[FILTERS].shown[5]
    picture = place_of(page.terms, "place")
    cell = picture.width() / 14
    corner = picture.topLeft().toPoint() + QPoint(round(3.5 * cell), round(8.5 * cell))
    QTest.mouseClick(page.terms.viewport(), LEFT, pos=corner)
    assert f"finds {value_text(values[3][8, 3, unit])} at row 9, column 4" in page.sentence.text()
    panel.stage.setFocus()
    QTest.keyClick(panel.stage, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(panel.stage, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert f"finds {value_text(values[3][7, 4, unit])} at row 8, column 5" in page.sentence.text()


def test_a_click_on_a_unit_shows_its_strongest_maps_and_what_it_speaks_for(asked):
    panel, page = asked
    content = panel.stage.picture.content
    index = int(content.columns[UNITS].values.argmax())
    click_unit(panel, UNITS, index)
    unit = content.columns[UNITS].shown[index]
    values = outputs(panel)
    assert page.sentence.text() == f"is {value_text(values[5][unit])}: the strongest of its layer."
    layers = views(content.network, content.model.parameters)
    products = values[4].ravel() * layers[4].weights[:, unit]
    sums = products.reshape(-1, values[4].shape[2]).sum(axis=0)
    order = np.argsort(-np.abs(sums))
    spoken = said(page.terms)
    for source in order[:8]:
        assert f"map {source + 1}: {value_text(sums[source])}" in spoken
    assert f"{len(sums) - 8} others: {value_text(sums[order[8:]].sum())}" in spoken
    assert f"bias: {value_text(layers[4].biases[unit])}" in spoken
    adds = values[5][unit] * layers[5].weights[unit]
    for answer in range(10):
        assert f" {answer} {value_text(adds[answer])}" in spoken.replace("+", "")


def test_pooling_shows_its_window(asked):
    panel, page = asked
    click_unit(panel, POOLED, 2)
    unit = panel.stage.picture.content.columns[POOLED].shown[2]
    values = outputs(panel)
    output = values[4][..., unit]
    row, column = np.unravel_index(output.argmax(), output.shape)
    block = values[3][2 * row : 2 * row + 2, 2 * column : 2 * column + 2, unit]
    numbers = ", ".join(value_text(value) for value in block.ravel())
    assert f"what it sees: {numbers}" in said(page.terms)
    assert f"the largest of 4 {value_text(block.max())}" in said(page.terms)


def test_an_answer_is_asked_by_a_click_and_compared_by_a_key(asked, window, qtbot):
    panel, page = asked
    layout = panel.stage.picture.layout
    QTest.mouseClick(panel.stage, LEFT, pos=layout.answers.bar_at(3).center())
    values = outputs(panel)
    second = int(np.argsort(-values[-1])[1])
    assert page.heading.text() == f"Why 3 and not {second}?"
    QTest.keyClick(panel.stage, Qt.Key.Key_8)
    assert page.heading.text() == "Why 3 and not 8?"
    spoken = said(page.terms)
    left_over = float(values[-1][3] - values[-1][8])
    assert f"left over, for 3 +{value_text(left_over)}" in spoken
    content = panel.stage.picture.content
    weights = views(content.network, content.model.parameters)[-1].weights
    parts = values[5] * (weights[:, 3] - weights[:, 8])
    best = int(parts.argmax())
    assert f"{value_text(parts[best])} unit {best + 1}" in spoken
    assert f"all that speaks for 8 {value_text(parts[parts < 0].sum())}" in spoken
    pixels = "for 3, for 8, pixel by pixel"
    qtbot.waitUntil(lambda: pixels in said(page.terms), timeout=LONG)
    link = page.terms.cursorRect(cursor_at(page.terms, "other/5")).center()
    QTest.mouseClick(page.terms.viewport(), LEFT, pos=link + QPoint(3, 0))
    assert page.heading.text() == "Why 3 and not 5?"


def test_keys_go_through_layers_and_units_and_escape_leaves(asked):
    panel, page = asked
    stage = panel.stage
    stage.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(stage, key)
    assert page.isVisible()
    assert page.heading.text() == "Map 1 of 16"
    QTest.keyClick(stage, Qt.Key.Key_Down)
    assert page.heading.text() == "Map 2 of 16"
    QTest.keyClick(stage, Qt.Key.Key_Right)
    assert page.heading.text().startswith("Filter ")
    QTest.keyClick(stage, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert stage.picture.chosen is None


def test_a_new_stroke_keeps_the_choice_and_the_numbers_follow(asked, qtbot, window):
    panel, page = asked
    content = panel.stage.picture.content
    click_unit(panel, UNITS, int(content.columns[UNITS].values.argmin()))
    heading = page.heading.text()
    before = page.accessibleDescription()
    part(window, "clearButton").click()
    empty = "Draw, and it has a value"
    qtbot.waitUntil(lambda: page.sentence.text().startswith(empty), timeout=LONG)
    assert page.heading.text() == heading
    draw(part(window, "canvas"), "7")
    qtbot.waitUntil(lambda: panel.stage.accessibleDescription().startswith("7"), timeout=LONG)
    settle(panel, qtbot)
    assert page.isVisible()
    assert page.heading.text() == heading
    assert page.accessibleDescription() != before
    unit = panel.stage.picture.chosen.value.unit
    assert f"is {value_text(outputs(panel)[5][unit])}" in page.sentence.text()


def test_the_pointer_over_a_map_says_its_value_and_where_it_looks(asked, qtbot):
    panel, _ = asked
    stage = panel.stage
    tile = stage.picture.layout.blocks[0].tiles[2]
    QTest.mouseMove(stage, tile.center())
    qtbot.waitUntil(lambda: stage.picture.hovered is not None, timeout=LONG)
    value = stage.picture.hovered.value
    output = outputs(panel)[1][..., 2]
    assert value.y == pytest.approx(output.max(), abs=1e-4)
    assert output[value.row, value.column] == output.max()
    QTest.mouseMove(stage, QPoint(2, 2))
    qtbot.waitUntil(lambda: stage.picture.hovered is None, timeout=LONG)


def test_build_one_like_this_leads_to_the_settings_of_such_a_layer(asked, window):
    panel, page = asked
    click_unit(panel, FILTERS, 0)
    part(window, "askBuildButton").click()
    assert not page.isVisible()
    assert "48C5" in part(window, "networkEdit").text()
    assert part(window, "layerPageTitle").text() == "48 filters"


def test_in_general_there_are_the_test_images_that_excite_a_unit_most(
    tmp_path, monkeypatch, window, qtbot
):
    write_small_mnist(tmp_path / "data" / "mnist")
    monkeypatch.setenv("DIGITLAB_DATA", str(tmp_path / "data"))
    shorten(window)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    stage = window.drawing.stage
    qtbot.waitUntil(lambda: not stage.is_waiting, timeout=LONG)
    stage.ask(0, 2)
    window.ask.leaves.setCurrentIndex(1)
    strongest = "test image "
    found = window.ask.general
    qtbot.waitUntil(lambda: strongest in said(found), timeout=LONG)
    model = stage.picture.content.model
    unit = stage.picture.chosen.value.unit
    images = window.results._dataset.test.inputs
    outputs = Engine(model).layer_outputs(images, 0)[..., unit]
    best = int(outputs.reshape(len(images), -1).max(axis=1).argmax())
    assert f"test image {best + 1}: {value_text(outputs[best].max())}" in said(found)
    assert "at the start" in said(found)
    _, by_class = said(found).split("Strength by class")
    assert all(f" {digit} " in by_class for digit in range(10))
