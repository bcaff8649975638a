"""The canvas of the real window on an X server, which sends it the moves of the mouse."""

import os
import signal
import subprocess
import sys

from tests.doors.conftest import ROOT
from tests.gui.hand import DIGITS

# Prints the place of the canvas on the screen, and the number of points of each finished stroke.
WINDOW = """
import sys
from PySide6.QtCore import QPoint, QTimer
from gui.window.application import run_window

def drive(window):
    panel = window.drawing
    window.move(0, 0)
    window.resize(1280, 720)

    def place():
        corner = panel.canvas.mapToGlobal(QPoint(0, 0))
        print(corner.x(), corner.y(), panel.canvas.width(), panel.canvas.height(), flush=True)

    def count_points():
        print(len(panel._document.strokes()[-1].points), flush=True)

    panel.undo_stack.indexChanged.connect(count_points)
    panel.ready.connect(lambda: QTimer.singleShot(500, place))

sys.exit(run_window(["digitlab"], drive))
"""


def test_a_stroke_keeps_all_its_points_while_the_window_is_busy(screen):
    """The X server keeps the moves of the mouse that the window does not take at once."""
    environment = dict(os.environ, DISPLAY=screen, QT_QPA_PLATFORM="xcb")
    command = [sys.executable, "-c", WINDOW]

    def mouse(*actions):
        subprocess.run(["xdotool", *map(str, actions)], env=environment, check=True)

    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as child:
        try:
            left, top, width, height = map(int, child.stdout.readline().split())
            side = min(width, height)
            left += (width - side) // 2
            top += (height - side) // 2
            points = [(left + round(x * side), top + round(y * side)) for x, y in DIGITS["3"][0]]
            mouse("mousemove", *points[0], "mousedown", 1)
            child.send_signal(signal.SIGSTOP)
            mouse(
                *(word for point in points[1:] for word in ("mousemove", *point, "sleep", "0.007"))
            )
            child.send_signal(signal.SIGCONT)
            mouse("mouseup", 1)
            assert int(child.stdout.readline()) >= len(set(points))
        finally:
            child.send_signal(signal.SIGCONT)
            child.terminate()
