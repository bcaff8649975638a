"""The ladder and the whole bench `cuda` in Numba's simulator; and its kernels as a card would get
them.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is not installed: uv run --extra cuda pytest", allow_module_level=True)


@pytest.mark.parametrize(
    "chosen",
    [pytest.param("not slow", id="short"), pytest.param("slow", marks=pytest.mark.slow, id="long")],
)
def test_the_ladder_and_the_bench_in_the_simulator(chosen):
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", chosen,
               "tests/core/bench/ladder_simulated.py"]  # fmt: skip
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_kernel_of_the_ladder_is_compiled_for_cards():
    from core.bench.cuda import ladder_kernels
    from tests.kernels.cuda.kernel_list import kernels

    listed = {id(compilable.kernel) for compilable in kernels()}
    own = [
        value
        for value in vars(ladder_kernels).values()
        if hasattr(value, "py_func") and value.py_func.__module__ == ladder_kernels.__name__
    ]
    assert len(own) == 10
    assert {id(kernel) for kernel in own} <= listed
