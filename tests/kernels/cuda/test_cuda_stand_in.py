"""The PTX emulator (`tools/card`): part of the tests that need a card, trainings, and faults that it has to find."""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is not installed: uv run --extra cuda pytest", allow_module_level=True)
if shutil.which("gcc") is None or platform.machine() != "x86_64" or sys.platform != "linux":
    pytest.skip("the PTX emulator needs gcc and Linux on x86-64", allow_module_level=True)


PYTEST = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
STEPS_AND_OPERATORS = "captured_step or (real_size and (63x or 55x10 or 909 or 7x15x))"


@pytest.mark.parametrize(
    "command",
    [
        [*PYTEST, "tests/kernels/cuda/stand_in_faults.py"],
        [*PYTEST, "tests/kernels/cuda/stand_in_driver.py"],
        pytest.param([*PYTEST, "tests/kernels/cuda/stand_in_training.py"], marks=pytest.mark.slow),
        pytest.param(["-m", "tools.card", "-q", "-x", "-k", STEPS_AND_OPERATORS], marks=pytest.mark.slow),
    ],
    ids=["faults-are-found", "use-of-the-driver", "trainings", "operators-and-a-captured-step"],
)
def test_the_cuda_tests_with_a_stand_in_for_the_driver(command):
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " skipped" not in done.stdout
