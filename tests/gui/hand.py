"""A hand that draws with the mouse: digits as polylines in a square of side 1."""

from math import cos, pi, sin

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest


def _arc(cx, cy, rx, ry, start, end, steps=24):
    angles = [(start + (end - start) * i / steps) * pi / 180 for i in range(steps + 1)]
    return [(cx + rx * cos(a), cy + ry * sin(a)) for a in angles]


DIGITS = {
    "0": [_arc(0.5, 0.5, 0.2, 0.32, -90, 270)],
    "1": [[(0.52, 0.18), (0.5, 0.5), (0.48, 0.82)]],
    "2": [[*_arc(0.5, 0.35, 0.18, 0.17, -170, 40), (0.32, 0.8), (0.72, 0.8)]],
    "3": [[*_arc(0.47, 0.33, 0.17, 0.15, -150, 90), *_arc(0.47, 0.65, 0.19, 0.16, -90, 150)]],
    "7": [[(0.27, 0.24), (0.5, 0.24), (0.7, 0.24), (0.58, 0.5), (0.44, 0.82)]],
}


def draw(canvas, digit, *, size=1.0, left=0.0, top=0.0, button=Qt.MouseButton.LeftButton):
    """Draw `digit` at `size` of the canvas's square, its box moved by `left` and `top` of the
    square.
    """
    for stroke in DIGITS[digit]:
        drag(canvas, [(left + x * size, top + y * size) for x, y in stroke], button)


def drag(canvas, places, button=Qt.MouseButton.LeftButton, release=True):
    points = [at(canvas, x, y) for x, y in places]
    QTest.mousePress(canvas, button, pos=points[0])
    for point in points[1:]:
        QTest.mouseMove(canvas, point)
    if release:
        QTest.mouseRelease(canvas, button, pos=points[-1])


def at(canvas, x, y):
    """The widget's place of (x, y) in the square of side 1."""
    side = min(canvas.width(), canvas.height())
    return QPoint(
        round((canvas.width() - side) / 2 + x * side),
        round((canvas.height() - side) / 2 + y * side),
    )
