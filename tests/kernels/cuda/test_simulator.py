"""Runs simulated.py in a process of its own: Numba's simulator has to be chosen before Numba is
imported.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "chosen",
    [pytest.param("not slow", id="short"), pytest.param("slow", marks=pytest.mark.slow, id="long")],
)
def test_kernels_in_the_simulator(chosen):
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed: uv run --extra cuda pytest")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", chosen,
               "tests/kernels/cuda/simulated.py"]  # fmt: skip
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
