"""What the recognizer does before there is a drawing, and what it gives to the network."""

from dataclasses import replace

import numpy as np
import pytest

from core.data.published import PUBLISHED
from core.drawing.ink import fill_frame
from core.drawing.rendering import paint_strokes
from core.drawing.strokes import PenStroke
from core.inference.model_file import bundled_model
from gui.drawing.recognizer import Recognizer, Request
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
