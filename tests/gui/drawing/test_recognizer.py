"""What the recognizer does before there is a drawing, and what it gives to the network."""

from dataclasses import replace
from math import cos, sin
from threading import current_thread, main_thread

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.data.published import PUBLISHED
from core.drawing.ink import fill_frame
from core.drawing.rendering import paint_strokes
from core.drawing.strokes import PenStroke
from core.inference.model_file import bundled_model
from core.reading.reader import DrawingReader
from gui.background.task_runner import TaskRunner
from gui.drawing.recognizer import Recognizer, Request
from tests.gui.hand import drag
from tests.gui.person import part
from tests.limits import LONG


@pytest.mark.parametrize("drawn", [True, False])
def test_a_network_for_clothes_sees_them_as_fashion_mnist_does(qtbot, drawn):
    strokes = (
        (PenStroke(np.array([[60.0, 80.0], [200.0, 80.0], [200.0, 220.0]]), 20.0),)
        if drawn
        else None
    )
    ink = np.zeros((280, 280), np.uint8)
    ink[70:230, 50:210] = 200
    recognizer = Recognizer()
    model = replace(bundled_model(), classes=PUBLISHED["fashion"].classes)
    with qtbot.waitSignal(recognizer.recognized, timeout=LONG) as recognized:
        recognizer.submit(Request(model, ink, strokes=strokes))
    (reading,) = recognized.args
    shown = paint_strokes(strokes, ink.shape) if strokes else ink
    np.testing.assert_array_equal(reading.image, fill_frame(shown))
    assert reading.classes == PUBLISHED["fashion"].classes


def test_long_strokes_are_read_beside_the_window(window, qtbot, monkeypatch):
    """Each point is painted anew with each image that is read: a long stroke would block the pen."""
    threads = []

    def read(self, *given, **named):
        threads.append(current_thread() is main_thread())
        return original(self, *given, **named)

    original = DrawingReader.read
    monkeypatch.setattr(DrawingReader, "read", read)
    background = window.drawing.findChild(Recognizer).findChild(TaskRunner)
    with qtbot.waitSignal(window.drawing.ready, timeout=LONG):
        window.show()
    qtbot.waitUntil(lambda: not background.busy, timeout=LONG)  # it has loaded the reader's code
    canvas = part(window, "canvas")
    threads.clear()
    drag(canvas, [(0.5, 0.2), (0.5, 0.8)])
    qtbot.waitUntil(lambda: bool(threads), timeout=LONG)
    assert threads[-1] is True
    QTest.keyClick(canvas, Qt.Key.Key_Delete)
    QApplication.processEvents()
    threads.clear()
    # Narrow, so that it cannot be a number.
    ellipse = [(0.5 + 0.2 * cos(k / 20), 0.5 + 0.4 * sin(k / 20)) for k in range(700)]
    drag(canvas, ellipse)
    assert len(canvas.document.drawing.strokes[0].dots) > 300
    qtbot.waitUntil(lambda: not background.busy, timeout=LONG)
    assert threads[-1] is False
