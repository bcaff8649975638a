"""The program, or with DIGITLAB_DOORS_PYTHON the installed one, on an X server, by mouse and keys alone;
and the frozen one with a graphics card.
"""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from core.runs.plan import RunPlan, write_settings
from core.training.run_settings import RunSettings
from tests.card.library import environment as with_card
from tests.doors.conftest import COMMAND
from tests.gui.conftest import write_small_mnist
from tests.gui.hand import DIGITS
from tests.limits import SECONDS

# The pixels within the canvas in which a digit is drawn; its place depends a little on the fonts.
LEFT = 60
TOP = 190
SIDE = 190

# The buttons Train, and Copy details of About.
TRAIN = (1172, 94)
COPY_DETAILS = (421, 369)

# A program of `make app`.
FROZEN = os.environ.get("DIGITLAB_DOORS_PROGRAM")

PRINT_CLIPBOARD = """
from PySide6.QtWidgets import QApplication
print(QApplication([]).clipboard().text())
"""


@pytest.fixture
def environment(screen, tmp_path):
    write_small_mnist(tmp_path / "data" / "mnist")
    changes = {"DISPLAY": screen, "QT_QPA_PLATFORM": "xcb", "DIGITLAB_DATA": str(tmp_path / "data")}
    return os.environ | changes


class Person:
    """Who uses the program `child` on the screen."""

    def __init__(self, environment, child):
        self.environment = environment
        self.child = child

    def use(self, *actions):
        subprocess.run(["xdotool", *map(str, actions)], env=self.environment, check=True)

    def wait_for(self, condition):
        end = monotonic() + SECONDS
        while not condition():
            assert self.child.poll() is None, "the program has ended"
            assert monotonic() < end, "nothing more came"
            sleep(0.2)

    def open_window(self, home):
        log = home / "data" / "digitlab.log"
        self.wait_for(lambda: log.exists() and "main loop reached" in log.read_text("utf-8"))
        self.use("search", "--sync", "--onlyvisible", "--name", "DigitLab", "windowfocus")

    def clipboard(self):
        command = [sys.executable, "-c", PRINT_CLIPBOARD]
        return subprocess.check_output(command, env=self.environment, text=True).strip()


def test_the_window_reads_a_drawing_and_trains(environment, tmp_path, home, program):
    settings = RunSettings(network="784-16-10", epochs=1)
    write_settings(tmp_path / "settings.json", RunPlan(settings, data="mnist"))

    with subprocess.Popen(
        [*COMMAND, "settings.json"],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        person = Person(environment, child)

        def reads(digit):
            person.use("key", "ctrl+shift+c")
            return person.clipboard() == digit

        try:
            person.open_window(home)
            points = [(LEFT + round(x * SIDE), TOP + round(y * SIDE)) for x, y in DIGITS["3"][0]]
            person.use("mousemove", *points[0], "mousedown", 1)
            person.use(*(word for point in points for word in ("mousemove", *point)))
            person.use("mouseup", 1)
            person.wait_for(lambda: reads("3"))
            person.use("key", "F5")
            person.wait_for(lambda: list(home.glob("data/runs/*/model.safetensors")))
            person.use("key", "ctrl+q")
            assert child.wait(SECONDS) == 0
            assert child.stderr.read() == ""
        finally:
            child.kill()
    (line,) = program("runs").stdout.splitlines()[1:]
    assert "784-16-10" in line
    assert "1/1" in line


@pytest.mark.skipif(FROZEN is None, reason="DIGITLAB_DOORS_PROGRAM names no frozen program")
def test_the_frozen_program_trains_on_a_card_by_a_click(environment, tmp_path, home):
    """The software card (`tests/card`) takes the place of NVIDIA's driver."""
    settings = RunSettings(network="784-16-10", epochs=3, learning_rate=0.01)
    write_settings(tmp_path / "settings.json", RunPlan(settings, data="mnist"))
    environment |= {"LD_LIBRARY_PATH": with_card()["LD_LIBRARY_PATH"]}

    def finished():
        files = home.glob("data/runs/*/run.json")
        return [
            info for file in files if (info := json.loads(file.read_text()))["state"] == "epochs"
        ]

    with subprocess.Popen([FROZEN, "settings.json"], cwd=tmp_path, env=environment) as child:
        person = Person(environment, child)

        def says_the_card():
            person.use("mousemove", *COPY_DETAILS, "click", 1)
            return "\ncuda: Software card" in person.clipboard()

        try:
            person.open_window(home)
            person.use("mousemove", *TRAIN, "click", 1)
            person.wait_for(finished)
            libraries = Path(f"/proc/{child.pid}/maps").read_text()
            person.use("key", "alt+h")
            person.use("key", "a")
            person.wait_for(says_the_card)
        finally:
            child.kill()
    (info,) = finished()
    assert info["device"] == "cuda"
    with next(home.glob("data/runs/*/history.csv")).open(newline="") as file:
        scores = [float(row["train_score"]) for row in csv.DictReader(file)]
    assert len(scores) == 3
    assert scores[0] < scores[1] < scores[2]
    assert "libcuda.so.1" in libraries
    assert not [name for name in ("nvvm", "nvrtc", "numba_cuda") if name in libraries]
