"""The page of the band for networks of all kinds of layers, with and without an input."""

import numpy as np
import pytest

from core.data.dataset_cache import DatasetCache
from core.inference.engine import Engine
from core.inspection.units import Excitement
from gui.background.history import RunHistory
from gui.stage.ask import AskPage
from gui.stage.asked import items_of
from gui.stage.general import General, unit_key
from gui.stage.sheet import SheetView, value_text
from gui.stage.stage import Stage
from tests.core.inspection.numpy_network import make_model
from tests.gui.stage.test_stage import made, settled

NETWORKS = (
    "4C5-BN-MP2-6C3:valid-AP2-D50-9N-BN-10N",
    "784-20-12-10",
    "784-10",
    "20C3-MP2-100N-10N",
)


@pytest.fixture
def stage(qtbot):
    stage = Stage(moves=False)
    qtbot.addWidget(stage)
    stage.resize(1248, 356)
    stage.show()
    return stage


@pytest.fixture
def page(stage, qtbot):
    page = AskPage(stage, RunHistory(DatasetCache(), str))
    qtbot.addWidget(page)
    page.show()
    return page


@pytest.mark.parametrize("has_input", [True, False])
@pytest.mark.parametrize("text", NETWORKS)
def test_every_column_can_be_asked(stage, page, qtbot, text, has_input):
    model = made(text)
    stage.scene.set_model(model)
    x = np.random.default_rng(0).random((28, 28, 1), np.float32)
    stage.scene.show_point(x if has_input else None)
    settled(stage, qtbot)
    outputs = Engine(model).outputs(x[None])
    content = stage.picture.content
    for position in range(len(content.columns)):
        for index in range(0, len(items_of(content, position)), 5):
            stage.ask(position, index)
            value = stage.picture.chosen.value
            assert page.heading.text()
            assert page.terms.toPlainText()
            stage.grab()
            page.terms.grab()
            if not has_input:
                assert "Draw, and it has a value" in page.accessibleDescription()
                continue
            output = outputs[value.layer][0]
            y = (
                output[value.row, value.column, value.unit]
                if output.ndim == 3
                else output[value.unit]
            )
            if value.other >= 0:
                y -= output[value.other]
            assert value.y == pytest.approx(y, abs=1e-4)
            assert value_text(value.y) in page.accessibleDescription()


def test_a_regression_is_asked(stage, page, qtbot):
    model = make_model("2-6-4-1", (2,), 1, loss="squared-error", kind="regression")
    stage.scene.set_model(model)
    stage.scene.show_point(np.array([0.3, -0.7], np.float32))
    settled(stage, qtbot)
    for position in range(3):
        stage.ask(position)
        assert page.terms.toPlainText()
        page.terms.grab()
    assert page.heading.text() == "Value 1 of 1"
    assert value_text(float(stage.picture.content.answers[0])) in page.sentence.text()


def test_up_and_down_go_through_all_units_also_those_that_are_not_shown(stage, page, qtbot):
    stage.scene.set_model(made("784-100-10"))
    stage.scene.show_point(np.random.default_rng(0).random((28, 28, 1), np.float32))
    settled(stage, qtbot)
    shown = stage.picture.content.columns[0].shown
    missing = next(unit for unit in range(100) if unit not in shown)
    stage.ask(0, 0)
    stage._choose_number(0, missing)
    qtbot.waitUntil(lambda: page.heading.text() == f"Unit {missing + 1} of 100")
    assert stage.picture.chosen.value.unit == missing


def test_a_unit_that_no_test_image_excites_says_so(stage, page, qtbot):
    stage.scene.set_model(made("784-20-10"))
    stage.scene.show_point(np.ones((28, 28, 1), np.float32))
    settled(stage, qtbot)
    stage.ask(0, 0)
    silent = np.zeros(3, np.float32)
    found = Excitement(np.arange(3), silent, np.zeros((3, 2), int), silent)
    page.leaves.setCurrentIndex(1)
    page._on_records([General(unit_key(stage.picture.chosen), found=found, searched=3)])
    assert page.sentence.text() == "No test image excites it."


def test_a_sheet_is_written_when_it_is_seen(qtbot):
    written = []

    def write(sheet):
        written.append(sheet)
        return "text"

    view = SheetView("sheet", "Sheet")
    qtbot.addWidget(view)
    view.show_sheet(write)
    assert not written
    view.show()
    assert view.toPlainText() == "text"
    view.hide()
    view.show()
    assert len(written) == 1
