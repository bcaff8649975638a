"""The network of the settings, changed by mouse and keys in its words below the picture, and on the
page of a layer.
"""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from core.errors import InputError
from core.network.layers.batch_norm import BatchNorm
from core.network.layers.convolution import Convolution
from core.network.layers.dense import Dense
from core.network.layers.dropout import Dropout
from core.network.layers.max_pool import MaxPool
from core.network.notation import parse
from gui.stage.layer_page import LayerPage
from gui.stage.stage import Stage
from gui.stage.yours import Yours
from gui.widgets.band import Band
from gui.widgets.make import column
from tests.gui.person import part
from tests.gui.stage.test_stage import made, settled, three

LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier


class Page(QWidget):
    """The stage with the row below it, as in the window, and what was said."""

    def __init__(self):
        super().__init__()
        self.stage = Stage(moves=False)
        self.yours = Yours()
        self.band = Band(QWidget())
        self.layer = LayerPage(self.yours, QWidget())
        self.band.add_page(self.layer)
        self.yours.layer_asked.connect(self._show)
        column((self.stage, 2), (self.band, 1), owner=self)
        self.stage.parts.place(yours=self.yours)
        self.edits = self.yours.edits
        self.found = []
        self.refused = []
        self.edits.edited.connect(self.found.append)
        self.edits.refused.connect(self.refused.append)

    def _show(self):
        self.band.show_page(self.layer)
        self.layer.form.take_focus()

    def text(self):
        return self.edits.network.text

    def key(self, position, key, modifiers=Qt.KeyboardModifier.NoModifier):
        self.yours.chips[position].setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(self.yours.chips[position], key, modifiers)

    def open(self, position):
        self.band.close_page()
        QTest.mouseClick(self.yours.chips[position], LEFT)
        assert self.layer.isVisible()
        return self.layer


@pytest.fixture
def page(qtbot):
    page = Page()
    qtbot.addWidget(page)
    page.resize(1248, 700)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.stage.scene.set_model(made("4C5-MP2-20N-10N"))
    page.stage.scene.show_point(three())
    settled(page.stage, qtbot)
    return page


def show(page, text, **words):
    page.edits.show_network(parse(text, (28, 28, 1), 10), **words)
    QApplication.processEvents()
    part(page, "yoursWords").setFocus()  # as Tab does


def choose(box, data):
    assert box.choose(data)


def test_layers_are_added_moved_and_removed_by_keys_and_undone(page):
    show(page, "784-20-12-10")
    page.key(0, Qt.Key.Key_Right, ALT)
    page.key(1, Qt.Key.Key_Delete)
    page.key(0, Qt.Key.Key_Insert)
    assert page.found == ["784-12-20-10", "784-12-10", "784-12-12-10"]
    assert page.layer.isVisible()
    page.band.close_page()
    for wanted in ("784-12-10", "784-12-20-10", "784-20-12-10"):
        page.edits.undo_stack.undo()
        assert page.found[-1] == wanted
        assert [chip.text() for chip in page.yours.chips][-1] == "10 answers"


def test_the_keys_go_from_layer_to_layer(page):
    show(page, "784-20-12-10")
    page.yours.chips[0].setFocus(Qt.FocusReason.TabFocusReason)
    for wanted in (1, 2):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
        assert page.yours.chips[wanted].hasFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert page.layer.heading.text() == "10 answers"
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not page.layer.isVisible()
    assert page.yours.chips[2].hasFocus()


def test_the_last_layer_stays(page):
    show(page, "784-20-10")
    page.key(1, Qt.Key.Key_Delete)
    page.key(1, Qt.Key.Key_Left, ALT)
    page.key(0, Qt.Key.Key_Right, ALT)
    assert page.found == []


def test_a_plus_between_two_layers_inserts_one_there(page):
    show(page, "784-20-12-10")
    QTest.mouseClick(page.yours.plus[1], LEFT)
    assert page.found == ["784-20-20-12-10"]
    assert page.layer.heading.text() == "20 units"


def test_a_layer_is_dragged_to_another_place(page):
    show(page, "784-20-12-10")
    chip, other = page.yours.chips[:2]
    way = other.geometry().right() - chip.geometry().center().x() + 4
    for way_of_try, wanted in ((8, []), (way, ["784-12-20-10"])):
        QTest.mousePress(chip, LEFT, pos=QPoint(5, 5))
        for _ in range(4):
            QTest.mouseMove(chip, QPoint(5 + way_of_try // 4, 5))
        QTest.mouseRelease(chip, LEFT, pos=QPoint(5, 5))
        QApplication.processEvents()
        assert page.found == wanted
    assert [each.text() for each in page.yours.chips] == ["12 units", "20 units", "10 answers"]


def test_the_page_changes_its_layer(page):
    show(page, "4C5-MP2-20N-10N")
    layer = page.open(0)
    assert layer.heading.text() == "4 filters"
    assert "5 × 5 places of the image" in layer.sentence.text()
    assert "weights and biases: <b>104</b> of 16,014" in layer.costs.text()
    assert "multiplications of an image: <b>78,400</b> of 94,280" in layer.costs.text()
    layer.form.boxes["maps"].setValue(6)
    assert page.found == ["6C5-MP2-20N-10N"]
    assert layer.heading.text() == "6 filters"
    layer.remove.click()
    assert page.found[-1] == "MP2-20N-10N"
    assert layer.heading.text() == "half"


def test_the_page_moves_its_layer_and_follows_it(page):
    show(page, "784-20-12-10")
    layer = page.open(0)
    assert page.yours.chips[0].isChecked()
    assert not layer.left.isEnabled()
    layer.right.click()
    assert page.text() == "784-12-20-10"
    assert layer.heading.text() == "20 units"
    assert page.yours.chips[1].isChecked()
    assert not layer.right.isEnabled()
    page.key(1, Qt.Key.Key_Left, ALT)
    assert layer.heading.text() == "20 units"
    assert page.yours.chips[0].isChecked()


def test_tab_goes_through_the_fields_of_the_page_as_they_stand(page):
    show(page, "8C5-MP2-10N")
    form = page.open(0).form
    assert form.kind.hasFocus()
    for field in form.boxes.values():
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert field.hasFocus()


def test_every_value_of_a_layer_is_changed_on_its_page(page):
    show(page, "32C5-MP2-D50-64N-10N")
    form = page.open(0).form
    form.boxes["maps"].setValue(8)
    choose(form.boxes["size"], (3, 5))
    choose(form.boxes["padding"], "beside")
    choose(form.boxes["stride"], 2)
    choose(form.boxes["activation"], "tanh")
    assert page.text() == "8C3x5:tanh:beside:s2-MP2-D50-64N-10N"
    choose(page.open(1).form.boxes["block"], (2, 1))
    page.open(2).form.boxes["percent"].setValue(20)
    page.open(3).form.boxes["units"].setValue(100)
    assert page.text() == "8C3x5:tanh:beside:s2-MP2x1-D20-100N-10N"
    form = page.open(4).form
    assert not form.boxes["units"].isEnabled()
    assert not form.kind.isEnabled()


def test_a_layer_is_added_and_made_another_kind_in_three_actions(page):
    show(page, "784-128-10")
    QTest.mouseClick(page.yours.plus[0], LEFT)  # 1: its page opens
    kinds = page.layer.form.kind
    choose(kinds, Convolution)  # 2 and 3: the list, an item of it
    assert page.text() == "16C5-128N-10N"
    choose(kinds, Dropout)
    assert page.text() == "D25-128N-10N"
    choose(kinds, BatchNorm)
    assert page.text() == "BN-128N-10N"


def test_the_page_names_the_activations_of_the_run(page):
    show(page, "784-20-10", default_activations=("sigmoid", "softmax"))
    assert page.open(0).form.boxes["activation"].currentText() == "sigmoid (default)"
    assert page.open(1).form.boxes["activation"].currentText() == "softmax (default)"


def test_an_impossible_change_on_a_page_is_reverted(page):
    show(page, "8C5-64N-32N-10N")
    layer = page.open(2)
    choose(layer.form.kind, MaxPool)
    assert "MP2 needs an image" in layer.problem.text()
    assert layer.form.kind.currentData() is Dense
    units = layer.form.boxes["units"]
    units.setFocus()
    units.selectAll()
    QTest.keyClicks(units, "205")
    assert page.text() == "8C5-64N-205N-10N"
    assert units.hasFocus()
    assert layer.problem.isHidden()


def test_what_cannot_be_is_refused_with_a_sentence(page):
    def check(network):
        if network.layers[-1].activation:
            raise InputError("takes no activation of its own")

    show(page, "4C5-MP2-20N-10N")
    page.edits.check = check
    choose(page.open(3).form.boxes["activation"], "tanh")
    assert "takes no activation" in page.layer.problem.text()
    page.band.close_page()
    page.key(2, Qt.Key.Key_Left, ALT)
    assert page.found == []
    assert "needs an image" in page.refused[-1]
    assert page.text() == "4C5-MP2-20N-10N"


def test_many_layers_are_numbers_that_scroll(page):
    show(page, "-".join(["784", *["30"] * 40, "10"]))
    assert page.yours.chips[0].text() == "30"
    page.key(38, Qt.Key.Key_Right)
    seen = page.yours.chips[39].visibleRegion().boundingRect()
    assert seen.width() > 10


@pytest.mark.parametrize(
    ("text", "layer", "wanted"),
    [("784-30-10", 2, "784-30-20-10"), ("784-30-10", 0, "4C5-30N-10N"), ("784-10", 2, "784-20-10"),
     ("8C3-MP2-10N", 0, "8C3-4C5-MP2-10N")],
)  # fmt: skip
def test_one_like_a_layer_that_is_shown_is_built(page, text, layer, wanted):
    show(page, text)
    page.yours.build(page.stage.picture.content.network.layers[layer])
    assert page.text() == wanted
    assert page.layer.isVisible()
