"""The window's first minutes, by mouse."""

import json
import os
import subprocess
import sys

from tests.doors.conftest import ROOT
from tests.gui.hand import draw
from tests.gui.person import part
from tests.limits import LONG, SECONDS


def test_a_drawing_is_read_without_any_training(window, qtbot):
    draw(part(window, "canvas"), "3")

    stage = window.drawing.stage
    qtbot.waitUntil(lambda: stage.accessibleDescription().startswith("3"), timeout=LONG)


# The program with empty caches. It prints what was imported when the first digit was read, after another process has
# compiled, and after the pointer has come to Train.
FIRST_START = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from gui.window.application import run_window
from tests.gui.hand import draw
from tests.gui.person import part

seen = []

def note():
    maps = Path("/proc/self/maps")
    libraries = maps.read_text() if maps.exists() else ""
    seen.append([name for name in ("numba", "cuda.bindings") if name in sys.modules]
        + [name for name in ("libllvmlite", "libnv", "libcuda") if name in libraries])

def drive(window):
    draw(part(window, "canvas"), "3")
    stage = window.drawing.stage

    def look():
        if not seen and stage.accessibleDescription().startswith("3"):
            note()
            window.warm_up.begin()
        elif len(seen) == 1 and not window.warm_up.busy:
            note()
            window.controls.approached.emit()
        elif len(seen) == 2 and not window.warm_up.busy:
            note()
            window.close()

    clock = QTimer(window, interval=20)
    clock.timeout.connect(look)
    clock.start()

code = run_window(["digitlab"], drive)
print(json.dumps(seen))
sys.exit(code)
"""


def test_the_first_digit_is_read_before_anything_is_compiled(home, tmp_path):
    cache = tmp_path / "compiled"
    done = subprocess.run(
        [sys.executable, "-c", FIRST_START],
        cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    read, compiled, loaded = json.loads(done.stdout.splitlines()[-1])
    assert read == compiled == []
    assert "numba" in loaded
    assert list(cache.rglob("*.nbc"))


def test_what_compiles_ends_with_the_window(home):
    process = subprocess.Popen([sys.executable, str(ROOT / "main.py"), "--compile"], stdin=subprocess.PIPE)
    process.stdin.write(b'{"run": {}, "data": "builtin"}\n')
    process.stdin.close()
    assert process.wait(SECONDS) == 1
