"""A drawn stroke passes few files of the program on its way from the canvas to the bars."""

import os
import sys
import threading
from pathlib import Path

from core.inference.model_file import bundled_model
from gui.drawing.panel import DrawingPanel
from gui.stage.read_by import REST_MILLISECONDS
from tests.gui.hand import drag
from tests.limits import LONG

ROOT = Path(__file__).resolve().parents[3]
MOST = 12
# The operators of the network that reads: which files they lie in depends on its layers and on the
# device.
OPERATORS = ("core/network/", "kernels/")
# Its timer collects garbage, and the application object gets events of its own: on a busy machine
# both happen while the drawing is read.
APPLICATION = "gui/window/application.py"


def test_a_stroke_passes_at_most_twelve_files_on_its_way_to_the_bars(qtbot, monkeypatch):
    panel = DrawingPanel(bundled_model())
    qtbot.addWidget(panel)
    panel.resize(1248, 356)
    shown = []
    passed = set()
    show = panel.stage.scene.show_reading

    def arrive(reading):
        passed.add(show.__func__.__code__.co_filename)
        shown.append(reading.probabilities if reading else None)
        _profile(None)

    def note(frame, event, argument):
        if not _is_import(frame):
            passed.add(frame.f_code.co_filename)

    monkeypatch.setattr(panel.stage.scene, "show_reading", arrive)
    drag(panel.canvas, [(0.5, 0.2), (0.5, 0.8)])  # compiles
    qtbot.waitUntil(lambda: bool(shown) and shown[-1] is not None, timeout=LONG)
    panel.undo_action.trigger()
    qtbot.waitUntil(lambda: shown[-1] is None, timeout=LONG)
    qtbot.wait(2 * REST_MILLISECONDS)  # the networks below the answer follow
    passed.clear()
    _profile(note)
    try:
        drag(panel.canvas, [(0.52, 0.2), (0.5, 0.5), (0.48, 0.8)])
        qtbot.waitUntil(lambda: shown[-1] is not None, timeout=LONG)
    finally:
        _profile(None)
    panel.hide()
    names = {Path(name).relative_to(ROOT).as_posix() for name in passed if _is_ours(name)}
    way = {name for name in names - {APPLICATION} if not name.startswith(OPERATORS)}
    assert {"gui/drawing/canvas.py", "core/inference/engine.py", "gui/stage/scene.py"} <= way
    assert len(way) <= MOST, sorted(way)


def _is_import(frame):
    """Whether it runs because a module is imported for the first time, which is no part of the
    way.
    """
    while frame is not None:
        if "importlib._bootstrap" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def _is_ours(name):
    return name.startswith(
        tuple(f"{ROOT / folder}{os.sep}" for folder in ("gui", "core", "kernels"))
    )


def _profile(function):
    """Call `function` at each call of every thread from now on."""
    threading.setprofile(function)
    sys.setprofile(function)
