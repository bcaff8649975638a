"""The real program, started by `main([])` in a process of its own with a window that is not shown
on a screen.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.limits import SECONDS

ROOT = Path(__file__).resolve().parent.parent


has_window = pytest.mark.skipif(
    not all(map(find_spec, ("PySide6", "pyqtgraph"))), reason="the window needs PySide6"
)


@has_window
def test_the_program_trains_pauses_steps_stops_and_reads_a_drawing(tmp_path):
    from tests.gui.conftest import bars
    from tests.idx_files import write_idx

    write_idx(tmp_path / "data" / "mnist", *bars(3000, 1), "train")
    write_idx(tmp_path / "data" / "mnist", *bars(200, 2), "t10k")
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "DIGITLAB_DATA": str(tmp_path / "data"),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.drive_main"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["steps"] == sorted(set(report["steps"]))
    assert report["single_step"] == 1
    assert "Stopped" in report["message"]
    assert report["can_train_again"]
    assert report["read"]
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "home" / "data" / "runs").glob("*/model.safetensors"))


@has_window
@pytest.mark.slow
def test_the_self_test_reaches_its_end():
    done = subprocess.run(
        [sys.executable, "main.py", "--self-test"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "self-test passed"


@pytest.mark.parametrize("value", ["0", "many"])
def test_an_unusable_number_of_threads_is_left_out(value):
    """Numba's import would end in a traceback."""
    code = "import main, os; assert 'NUMBA_NUM_THREADS' not in os.environ"
    environment = {**os.environ, "NUMBA_NUM_THREADS": value}
    assert subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT).returncode == 0
