"""The program, or with DIGITLAB_DOORS_PYTHON the installed one, on an X server, by mouse and keys alone."""

import os
import subprocess
import sys
from time import monotonic, sleep

import pytest

from core.runs.plan import RunPlan, write_settings
from core.training.run_settings import RunSettings
from tests.doors.conftest import COMMAND
from tests.gui.conftest import write_small_mnist
from tests.gui.hand import DIGITS
from tests.limits import SECONDS

# The pixels within the canvas in which a digit is drawn; its place depends a little on the fonts.
LEFT = 60
TOP = 190
SIDE = 190

PRINT_CLIPBOARD = """
from PySide6.QtWidgets import QApplication
print(QApplication([]).clipboard().text())
"""


@pytest.fixture
def environment(screen, tmp_path):
    write_small_mnist(tmp_path / "data" / "mnist")
    changes = {"DISPLAY": screen, "QT_QPA_PLATFORM": "xcb", "DIGITLAB_DATA": str(tmp_path / "data")}
    return os.environ | changes


def test_the_window_reads_a_drawing_and_trains(environment, tmp_path, home, program):
    settings = RunSettings(network="784-16-10", epochs=1)
    write_settings(tmp_path / "settings.json", RunPlan(settings, data="mnist"))

    def use(*actions):
        subprocess.run(["xdotool", *map(str, actions)], env=environment, check=True)

    def wait_for(condition):
        end = monotonic() + SECONDS
        while not condition():
            assert child.poll() is None, "the program has ended"
            assert monotonic() < end, "nothing more came"
            sleep(0.2)

    def reads(digit):
        use("key", "ctrl+shift+c")
        copied = subprocess.check_output([sys.executable, "-c", PRINT_CLIPBOARD], env=environment)
        return copied.decode().strip() == digit

    with subprocess.Popen(
        [*COMMAND, "settings.json"],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            log = home / "data" / "digitlab.log"
            wait_for(lambda: log.exists() and "main loop reached" in log.read_text("utf-8"))
            use("search", "--sync", "--onlyvisible", "--name", "DigitLab", "windowfocus")
            points = [(LEFT + round(x * SIDE), TOP + round(y * SIDE)) for x, y in DIGITS["3"][0]]
            use("mousemove", *points[0], "mousedown", 1)
            use(*(word for point in points for word in ("mousemove", *point)))
            use("mouseup", 1)
            wait_for(lambda: reads("3"))
            use("key", "F5")
            wait_for(lambda: list(home.glob("data/runs/*/model.safetensors")))
            use("key", "ctrl+q")
            assert child.wait(SECONDS) == 0
            assert child.stderr.read() == ""
        finally:
            child.kill()
    (line,) = program("runs").stdout.splitlines()[1:]
    assert "784-16-10" in line
    assert "1/1" in line
