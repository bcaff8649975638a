"""The stage as a person meets it: what it shows and says of the network that reads."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from core.inference.model_file import Model, bundled_model
from core.inspection.stage_content import MAX_ITEMS, MAX_LINKS
from core.network.notation import parse
from core.reading.reader import Reading
from gui.stage.stage import Stage
from gui.stage.wires import wires_into
from gui.widgets.theme import theme
from tests.limits import LONG

CLASSES = tuple("0123456789")


def made(text, *, shape=(28, 28, 1), outputs=10, kind="classes", seed=1):
    """A model with random weights."""
    network = parse(text, shape, outputs)
    rng = np.random.default_rng(seed)
    parameters = (0.1 * rng.standard_normal(network.parameter_count)).astype(np.float32)
    parameters[network.trained_count :] = np.abs(parameters[network.trained_count :]) + 0.1
    loss = "cross-entropy" if kind == "classes" else "squared-error"
    return Model(network, "relu", loss, kind, CLASSES if kind == "classes" else (), parameters)


def three():
    """uint8 (28, 28): something like a 3."""
    image = np.zeros((28, 28), np.uint8)
    for row in (5, 13, 21):
        image[row : row + 3, 9:19] = 255
    image[5:24, 17:20] = 255
    return image


def reading(model, image=None, *, rejected=False):
    shares = np.full(len(model.classes), 0.01, np.float32)
    return Reading(three() if image is None else image, shares, model.classes, rejected=rejected)


@pytest.fixture
def stage(qtbot):
    stage = Stage(moves=False)
    qtbot.addWidget(stage)
    stage.resize(1248, 356)
    stage.show()
    return stage


def show(stage, qtbot, model, image=None, **words):
    """Show the model and the image."""
    stage.scene.set_model(model)
    if image is not None:
        stage.scene.show_reading(reading(model, image, **words))
    settled(stage, qtbot)


def settled(stage, qtbot):
    qtbot.waitUntil(lambda: not stage.is_waiting, timeout=LONG)


def place(stage, position, unit=0):
    block = stage.picture.layout.blocks[position]
    return block.tiles[unit].center() if block.tiles else block.area.center()


def texts(stage):
    item = QAccessible.queryAccessibleInterface(stage)
    return [item.child(k).text(QAccessible.Text.Name) for k in range(item.childCount())]


def test_each_layer_is_said_with_its_strongest_unit(stage, qtbot):
    show(stage, qtbot, made("4C5-MP2-20N-10N"))
    assert texts(stage)[0] == "Layer 1 of 4, 4 filters 5 × 5, 28 × 28 each"
    stage.scene.show_reading(reading(made("4C5-MP2-20N-10N")))
    settled(stage, qtbot)
    column = stage.picture.content.columns[2]
    best = int(column.values.argmax())
    said = texts(stage)[2]
    assert said.startswith(f"Layer 3 of 4, 20 units; strongest: unit {best + 1}, ")
    units = QAccessible.queryAccessibleInterface(stage).child(2)
    assert units.childCount() == 20
    assert units.child(best).text(QAccessible.Text.Name).startswith(f"unit {best + 1}: ")


def test_the_pointer_is_told_what_is_there(stage, qtbot):
    show(stage, qtbot, made("4C5-MP2-20N-10N"), three())
    assert stage.tip_at(place(stage, 0, 2)).startswith("filter 3: up to ")
    assert stage.tip_at(place(stage, 1, 2)).startswith("map 3: up to ")
    assert stage.tip_at(place(stage, 2, 7)).startswith("unit 8: ")
    assert stage.tip_at(QPoint(2, 2)) == ""


def test_the_keys_go_through_layers_and_units(stage, qtbot):
    show(stage, qtbot, made("784-20-12-10"), three())
    strongest = int(stage.picture.content.columns[0].values.argmax())
    for key, wanted in (
        (Qt.Key.Key_Right, (0, -1)),
        (Qt.Key.Key_Right, (1, -1)),
        (Qt.Key.Key_Down, (1, 0)),
        (Qt.Key.Key_Down, (1, 1)),
        (Qt.Key.Key_Up, (1, 0)),
        (Qt.Key.Key_Left, (0, strongest)),
        (Qt.Key.Key_Left, (0, strongest)),
        (Qt.Key.Key_Escape, (-1, -1)),
    ):
        QTest.keyClick(stage, key)
        assert (stage.picture.layer, stage.picture.unit) == wanted


def test_the_answer_of_a_drawing_and_of_none(stage, qtbot):
    model = bundled_model("dense")
    show(stage, qtbot, model)
    assert stage.answers.answer.name == ""
    assert stage.answers.answer.sentence == "no drawing yet"
    stage.scene.show_reading(reading(model))
    settled(stage, qtbot)
    answer = stage.answers.answer
    assert answer.name == "3"
    assert answer.row == 3
    assert stage.accessibleDescription() == answer.text
    stage.scene.show_reading(reading(model, rejected=True))
    settled(stage, qtbot)
    assert stage.answers.answer.sentence == "no digit"
    assert stage.answers.answer.row == -1
    stage.scene.show_reading(None)
    settled(stage, qtbot)
    assert stage.answers.answer.sentence == "no drawing yet"


def test_while_another_network_reads_a_drawing_the_stage_does_not_say_that_there_is_none(
    stage, qtbot
):
    show(stage, qtbot, bundled_model("dense"), three())
    stage.scene.set_model(made("784-20-10"))
    assert stage.answers.answer.sentence == "reading…"
    settled(stage, qtbot)
    assert stage.answers.answer.sentence not in ("reading…", "no drawing yet")


def test_a_regression_gives_a_number(stage, qtbot):
    model = made("2-16-1", shape=(2,), outputs=1, kind="regression")
    show(stage, qtbot, model)
    stage.scene.show_point(np.array([0.5, -1.0], np.float32), truth=2.5)
    settled(stage, qtbot)
    answer = stage.answers.answer
    assert answer.is_value
    assert answer.details == "true: 2.5"


def test_a_stroke_keeps_its_units_while_the_network_learns(stage, qtbot):
    show(stage, qtbot, made("784-200-10"), three())
    chosen = stage.picture.content.chosen
    stage.scene.set_model(made("784-200-10", seed=2), training=True)
    settled(stage, qtbot)
    assert stage.picture.content.chosen == chosen
    stage.scene.begin_stroke()
    stage.scene.show_reading(reading(made("784-200-10"), three().T.copy()))
    settled(stage, qtbot)
    assert stage.picture.content.chosen != chosen


def test_connections_are_drawn_again_only_when_they_have_changed(stage, qtbot):
    model = made("784-20-12-10")
    show(stage, qtbot, model, three())
    before = stage.picture.drawing
    nearly = replace(model, parameters=model.parameters * np.float32(1.0001))
    stage.scene.set_model(nearly, training=True)
    settled(stage, qtbot)
    after = stage.picture.drawing
    assert after is not before
    assert all(old is new for old, new in zip(before.gaps, after.gaps, strict=True))


def test_nothing_is_computed_while_it_is_hidden(stage, qtbot):
    show(stage, qtbot, made("784-20-10"))
    stage.hide()
    stage.scene.show_reading(reading(made("784-20-10")))
    assert not stage.is_waiting
    assert stage.picture.content.input is None
    stage.show()
    settled(stage, qtbot)
    assert stage.picture.content.input is not None


@pytest.mark.parametrize("look", [("dark", False, 160), ("dark", True, 200)])
def test_it_is_painted_in_every_look(stage, qtbot, look):
    choice, contrast, size = look
    theme().choose("light", high_contrast=False, text_size=100)
    show(stage, qtbot, made("4C5-BN-MP2-D25-20N-10N"), three())
    before = stage.grab().toImage()
    theme().choose(choice, high_contrast=contrast, text_size=size)
    try:
        assert stage.grab().toImage() != before
    finally:
        theme().choose("light", high_contrast=False, text_size=100)
    theme().choose("system")


def test_a_new_stroke_flows_in_layer_by_layer(qtbot):
    stage = Stage(moves=True)
    qtbot.addWidget(stage)
    stage.resize(1248, 356)
    stage.show()
    model = made("784-20-12-10")
    show(stage, qtbot, model, three())
    revealed = []
    reveal = stage.picture.reveal
    stage.picture.reveal = lambda position: (revealed.append(position), reveal(position))
    stage.scene.begin_stroke()
    with qtbot.waitSignal(stage.shown, timeout=LONG):
        stage.scene.show_reading(reading(model, three().T.copy()))
    assert revealed == [0, 1, 2]


def test_a_moment_of_the_training_is_named_and_left(stage, qtbot):
    show(stage, qtbot, made("784-20-10"), three())
    stage.parts.show_moment("epoch 2 of 4")
    assert stage.parts.moment.isVisible()
    assert stage.parts.moment_label.text() == "epoch 2 of 4"
    assert stage.rect().contains(stage.parts.moment.geometry())
    with qtbot.waitSignal(stage.parts.end_requested):
        stage.parts.moment.findChild(QPushButton, "stageEndButton").click()
    stage.parts.show_moment("")
    assert not stage.parts.moment.isVisible()


def shares(best, share, second=0):
    """float32 (10,) with `share` for the class `best`, and the rest for `second` and the others."""
    values = np.full(10, (1 - share) * 0.2 / 8, np.float32)
    values[second], values[best] = (1 - share) * 0.8, share
    return values


def test_only_the_first_answer_waits_for_its_layers(stage, qtbot):
    show(stage, qtbot, made("784-20-10"))
    stage.scene.show_reading(Reading(three(), shares(5, 0.98), CLASSES))
    assert stage.answers.answer.name == ""
    settled(stage, qtbot)
    stage.scene.show_reading(Reading(three(), shares(3, 0.98), CLASSES))
    assert stage.is_waiting
    assert stage.answers.answer.name == "3"
    assert stage.accessibleDescription() == "3, surely a 3, 98.0 %"
    settled(stage, qtbot)


def accented(stage):
    """Pixels of the accent among the bars."""
    image = stage.grab().toImage()
    accent = QColor(theme().colors.accent)
    places = stage.picture.layout.answers
    columns = range(places.bar.left(), places.bar.right())
    return sum(image.pixelColor(x, y) == accent for x in columns for y in places.rows)


def test_bars_of_no_answer_are_all_gray(stage, qtbot):
    model = bundled_model("dense")
    show(stage, qtbot, model)
    stage.scene.show_reading(Reading(three(), shares(3, 0.98), CLASSES))
    settled(stage, qtbot)
    assert accented(stage) > 20
    show(stage, qtbot, model, three(), rejected=True)
    assert accented(stage) == 0


def test_a_screen_reader_hears_every_probability(stage, qtbot):
    show(stage, qtbot, bundled_model("dense"), three())
    answers = QAccessible.queryAccessibleInterface(stage).child(
        len(stage.picture.content.columns) - 1
    )
    said = [answers.child(k).text(QAccessible.Text.Name) for k in range(answers.childCount())]
    assert [text.split(":")[0] for text in said] == list(CLASSES)
    assert all(text.endswith(" %") for text in said)


def test_of_many_classes_the_most_probable_ones_are_shown(stage, qtbot):
    model = replace(made("784-20-26", outputs=26), classes=tuple("abcdefghijklmnopqrstuvwxyz"))
    show(stage, qtbot, model, three())
    shown = stage.picture.content.columns[-1].shown
    assert len(shown) == 10
    assert set(shown) == set(
        np.argsort(-stage.picture.content.answers, kind="stable")[:10].tolist()
    )
    assert texts(stage)[-1].startswith("Layer 2 of 2, 26 answers, 10 are shown")


@pytest.mark.parametrize(
    ("text", "count"),
    [("784-512-10", 512), ("32C5-MP2-64C5-MP2-512N-10N", 64), ("784-2000-10", 1024)],
)
def test_all_units_are_shown_on_request(stage, qtbot, text, count):
    show(stage, qtbot, made(text), three())
    few = max(len(column.shown) for column in stage.picture.content.columns)
    stage.scene.show_all_units(True)
    settled(stage, qtbot)
    columns = stage.picture.content.columns
    assert max(len(column.shown) for column in columns) >= count > few // 2
    assert sum(len(column.shown) for column in columns) <= 4000
    for block, column in zip(stage.picture.layout.blocks[:-1], columns[:-1], strict=True):
        assert len(block.tiles) == len(column.shown)
    stage.scene.show_all_units(False)
    settled(stage, qtbot)
    assert max(len(column.shown) for column in stage.picture.content.columns) == few


@pytest.mark.parametrize("all_units", [False, True])
@pytest.mark.parametrize(
    "text",
    ["784-10", "784-512-10", "784-1000-1000-1000-1000-1000-10", "8C5-MP2-16C5-MP2-64N-10N",
     "32C5-MP2-64C5-MP2-512N-10N", "784-64-48-48-32-32-32-24-10", "-".join(["784", *["300"] * 19, "10"])],
)  # fmt: skip
@pytest.mark.parametrize("has_input", [False, True])
def test_never_more_items_and_connections_than_can_be_painted(
    stage, qtbot, text, all_units, has_input
):
    stage.scene.show_all_units(all_units)
    show(stage, qtbot, made(text), three() if has_input else None)
    content = stage.picture.content
    assert sum(len(column.shown) for column in content.columns) <= MAX_ITEMS
    drawing = stage.picture.drawing
    wires = 0
    for position, links in enumerate(content.links):
        if links is not None:
            wires += len(wires_into(drawing.layout, content, position, drawing.tone))
    assert 0 < wires <= MAX_LINKS


def test_fewer_connections_at_rest_than_with_a_drawing(stage, qtbot):
    model = made("8C5-MP2-16C5-MP2-64N-10N")
    counts = []
    for image in (None, three()):
        show(stage, qtbot, model, image)
        drawing = stage.picture.drawing
        counts.append(len(wires_into(drawing.layout, stage.picture.content, 2, drawing.tone)))
    assert counts[0] < counts[1] <= 32


def test_nothing_moves_with_reduced_motion(stage, qtbot, monkeypatch):
    stage = Stage()
    qtbot.addWidget(stage)
    stage.resize(1248, 356)
    stage.show()
    monkeypatch.setattr("gui.stage.stage.motion_wanted", lambda: False)
    model = bundled_model("dense")
    show(stage, qtbot, model, three())
    stage.scene.begin_stroke()
    stage.scene.show_reading(Reading(three(), shares(8, 0.9, 3), CLASSES))
    qtbot.waitUntil(lambda: not stage.renderer.is_waiting, timeout=LONG)
    assert not stage.flow.is_flowing
