"""The window's first minutes, by mouse."""

from tests.gui.hand import draw
from tests.gui.person import LONG, part


def test_a_drawing_is_read_without_any_training(window, qtbot):
    draw(part(window, "canvas"), "3")

    stage = window.drawing.stage
    qtbot.waitUntil(lambda: stage.accessibleDescription().startswith("3"), timeout=LONG)
