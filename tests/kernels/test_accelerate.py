"""A BLAS like Apple's: threadpoolctl does not know it, and its products raise false warnings of
invalid numbers.

Warnings are errors in the tests, so a product outside `np.errstate` fails them.
"""

import ctypes
import os
import sys
from subprocess import run
from types import SimpleNamespace

import numpy as np
import pytest

from kernels import registry
from kernels.host import arithmetic, blas_libraries
from kernels.vectorized import native
from kernels.vectorized.device import Vectorized
from kernels.vectorized.instructions import CompiledStep
from main import main

RUN = (
    "--data",
    "rastrigin:20",
    "--preset",
    "coursework",
    "--network",
    "2-8-1",
    "--epochs",
    "1",
    "--group",
    "2",
)


@pytest.fixture
def fresh_search():
    for found in (native._find, arithmetic):
        found.cache_clear()
    yield
    for found in (native._find, arithmetic):
        found.cache_clear()


@pytest.fixture
def unknown_blas(monkeypatch, fresh_search):
    """No BLAS that threadpoolctl knows; `np.matmul` divides by zero beside its product."""
    matmul = np.matmul

    def noisy(*arguments, **named):
        np.divide(np.float32(1), np.float32(0))
        return matmul(*arguments, **named)

    monkeypatch.setattr("threadpoolctl.threadpool_info", list)
    monkeypatch.setattr(
        np, "show_config", lambda mode: {"Build Dependencies": {"blas": {"name": "accelerate"}}}
    )
    monkeypatch.setattr(np, "matmul", noisy)


def test_the_program_trains_tests_and_races_and_says_what_it_uses(unknown_blas, tmp_path, capfd):
    assert main(["devices"]) == 0
    (line,) = [
        line for line in capfd.readouterr().out.splitlines() if line.startswith("vectorized")
    ]
    assert f"BLAS: {arithmetic()}, steps: operator by operator" in line
    assert arithmetic().startswith("accelerate on ")
    model = str(tmp_path / "m.safetensors")
    assert main(["train", *RUN, "--workers", "2", "--device", "vectorized", "--save", model]) == 0
    assert (
        main(["evaluate", "--model", model, "--data", "rastrigin:20", "--device", "vectorized"])
        == 0
    )
    assert main(["race", *RUN, "--device", "vectorized", "--device", "sequential"]) == 0
    assert main(["profile", *RUN, "--device", "vectorized", "--steps", "2"]) == 0
    assert "encountered" not in capfd.readouterr().err


def test_apples_products_are_found_by_their_names(monkeypatch, fresh_search):
    # SciPy brings an OpenBLAS of its own, which may be loaded as well and counts with 32 bits.
    libraries = [ctypes.CDLL(known["filepath"]) for known in blas_libraries()]
    library = next((each for each in libraries if hasattr(each, "scipy_cblas_sgemm64_")), None)
    if library is None:
        pytest.skip("not NumPy's own OpenBLAS")
    functions = {
        f"cblas_{name}$NEWLAPACK$ILP64": getattr(library, f"scipy_cblas_{name}64_")
        for name in ("sgemm", "sgemv")
    }

    def load(path):
        assert "Accelerate" in path
        return SimpleNamespace(**functions)

    monkeypatch.setattr("threadpoolctl.threadpool_info", list)
    monkeypatch.setattr(native, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setattr(native.ctypes, "CDLL", load)
    device = Vectorized()
    x, out = np.ones((2, 3), np.float32), np.empty((2, 2), np.float32)

    def step():
        device.dense(x, np.ones((3, 2), np.float32), np.ones(2, np.float32), "linear", out)

    recorded = device.record(step)
    assert isinstance(recorded, CompiledStep)
    recorded()
    assert (out == 4).all()
    device.close()


def test_the_probe_tells_the_library_of_products(fresh_search):
    details = registry.probe("vectorized").details
    assert details["BLAS"]
    assert details["steps"] in ("one compiled call", "operator by operator")


def test_accelerate_is_limited_to_one_thread_before_it_is_loaded():
    code = (
        "import sys, os, main; assert 'numpy' not in sys.modules; "
        "print(os.environ['VECLIB_MAXIMUM_THREADS'])"
    )
    # With a code that is chosen, main.py does not load NumPy to choose one.
    environment = {**os.environ, "OPENBLAS_CORETYPE": "Haswell"}
    done = run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "1"
