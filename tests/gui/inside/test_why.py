"""The page Why in the real window."""

import numpy as np
import pytest

from tests.core.inspection.numpy_network import forward
from tests.gui.inside.conftest import choose_example, open_page
from tests.gui.person import choose, part
from tests.limits import LONG


@pytest.fixture
def page(trained, qtbot):
    page = open_page(trained, "whyPage")
    choose_example(trained, qtbot, 14)
    qtbot.waitUntil(lambda: page._shown is not None and not trained._live.busy, timeout=LONG)
    return page


def scores(tab):
    image = tab.input.input()[0]
    return forward(tab._model, np.stack([image / 255, 0 * image]))[-1]


def test_integrated_gradients_add_up_to_the_score_of_the_answer(page, trained, qtbot):
    shown, blank = scores(trained)
    label = int(shown.argmax())
    assert f"{label} has a probability" in page.summary.text()
    relevance = page.grid.values[1]
    assert relevance.sum() == pytest.approx(shown[label] - blank[label], rel=0.05, abs=0.05)
    assert page.grid.legend._bound == page.grid.bound == pytest.approx(np.abs(relevance).max())
    image = trained.input.input()[0][:, :, 0]
    np.testing.assert_allclose(
        page.grid.values[0], image / image.max() * page.grid.bound, rtol=1e-4
    )
    assert "Integrated gradients" in page.method_text.text()


def test_two_digits_are_compared(page, trained, qtbot):
    shown, blank = scores(trained)
    choose(page.label_box, 4)
    choose(page.other_box, 9)
    qtbot.waitUntil(lambda: (page._shown.label, page._shown.other) == (4, 9), timeout=LONG)
    difference = (shown[4] - shown[9]) - (blank[4] - blank[9])
    assert page.grid.values[1].sum() == pytest.approx(difference, rel=0.05, abs=0.05)
    assert "4 (blue) or 9 (orange)" in page.grid.captions[1]
    page.label_box.setCurrentIndex(0)
    choose(page.other_box, -1)
    best = np.argsort(-shown)[:2]
    qtbot.waitUntil(lambda: (page._shown.label, page._shown.other) == tuple(best), timeout=LONG)


@pytest.mark.parametrize(
    ("method", "name"), [("occlusion", "Occlusion"), ("gradient", "Gradient times input")]
)
def test_each_method_is_named_and_explained(page, trained, qtbot, method, name):
    before = page.grid.values[1]
    choose(page.method_box, method)
    qtbot.waitUntil(lambda: not np.array_equal(page.grid.values[1], before), timeout=LONG)
    assert page.method_text.text().startswith(name)


def test_for_regression_the_page_says_that_it_is_for_images(inside, window, qtbot):
    choose(part(window, "presetBox"), "coursework")
    window.settings.data.side_box.setValue(30)
    part(window, "epochsBox").setValue(1)
    part(window, "trainButton").click()
    open_page(inside, "whyPage")
    qtbot.waitUntil(lambda: "classify images" in inside.message.text(), timeout=LONG)
