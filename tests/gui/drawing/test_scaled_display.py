"""Displays scaled by a fraction, as 125 % on Windows and many Linux desktops."""

from itertools import product

import pytest
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QWidget

from gui.drawing.canvas import Canvas
from gui.drawing.document import Document
from gui.drawing.surface import SurfaceField
from gui.stage.stage import Stage

WINDOW, SIDE = 140, 100


@pytest.mark.parametrize("kind", ["canvas", "surface"])
def test_all_four_sides_of_the_border_are_painted(qtbot, kind):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(WINDOW, WINDOW)
    widget = Canvas(Document(window)) if kind == "canvas" else SurfaceField(Stage())
    widget.setParent(window)
    widget.setVisible(True)
    border = widget.palette().color(QPalette.ColorRole.Mid)
    paper = widget.palette().color(QPalette.ColorRole.Base)

    def is_like(color):
        """Whether it is more of the border than of the paper: round corners are smoothed."""
        return 0 < color.lightness() < (border.lightness() + paper.lightness()) / 2

    for scale, offset in product((1, 1.25, 1.5, 1.75, 2), (8, 9, 10, 11)):
        widget.setGeometry(offset, offset, SIDE, SIDE)
        image = QImage(round(WINDOW * scale), round(WINDOW * scale), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(scale)
        image.fill(0)
        window.render(image)
        quarter = round((offset + SIDE / 4) * scale)  # away from the canvas's text
        last = image.width() - 1
        lines = {
            "left": [(at, quarter) for at in range(quarter)],
            "top": [(quarter, at) for at in range(quarter)],
            "right": [(last - at, quarter) for at in range(quarter)],
            "bottom": [(quarter, last - at) for at in range(quarter)],
        }
        missing = [
            side
            for side, line in lines.items()
            if not any(is_like(image.pixelColor(*at)) for at in line)
        ]
        assert missing == [], f"scale {scale}, offset {offset}"
