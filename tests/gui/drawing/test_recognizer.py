"""What the recognizer does before there is a drawing."""

import threading

from core.data.strokes import rendering
from core.inference.model_file import bundled_model
from gui.drawing.recognizer import Recognizer, Request
from tests.gui.person import LONG


def test_strokes_are_rendered_in_the_background_before_the_first_drawing(qtbot, monkeypatch):
    render, threads = rendering.render, []

    def watched(*arguments):
        threads.append(threading.get_ident())
        return render(*arguments)

    monkeypatch.setattr(rendering, "render", watched)
    recognizer = Recognizer()
    with qtbot.waitSignal(recognizer.recognized, timeout=LONG):
        recognizer.submit(Request(bundled_model()))
    recognizer.close()
    assert threads
    assert threading.get_ident() not in threads
