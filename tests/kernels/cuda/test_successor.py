"""The kernels with numba-cuda-mlir, the successor of numba-cuda, which is asked for by a variable
of the environment.

Each test starts a child process: a process has one compiler. docs/cuda.md tells what the successor
does differently.
"""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kernels.cuda.installed import (
    COMPILER,
    SUCCESSOR,
    has_compiler,
    missing_package,
    reason_and_advice,
)
from kernels.cuda.shipped import shipped_kernels

ROOT = Path(__file__).parents[3]

LINES = """
from tests.kernels.cuda.kernel_list import iter_ptx, kernels
sources = {"tiny": "toolkit.py", "product-tn-narrow": "product.py"}
for kernel in kernels():
    if kernel.name in sources:
        [(_, ptx)] = iter_ptx(kernel, [(8, 6)])
        print(kernel.name, "\t.loc" in ptx, sources[kernel.name] in ptx)
"""


# As the value of DIGITLAB_CUDA_COMPILER: none is asked for.
SHIPPED = "0"


def run(*arguments, **settings):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )


def skip_without(compiler):
    if importlib.util.find_spec(compiler) is None:
        pytest.skip(f"{compiler} is not installed: uv run --extra cuda --extra cuda-next pytest")


def skip_without_software_card():
    if shutil.which("gcc") is None or platform.machine() != "x86_64" or sys.platform != "linux":
        pytest.skip("the software card needs gcc and Linux on x86-64")


def test_a_compiler_that_is_asked_for_and_missing_is_told(monkeypatch, uninstall):
    monkeypatch.setenv("DIGITLAB_CUDA_COMPILER", SUCCESSOR)
    uninstall(SUCCESSOR)
    assert not has_compiler()
    reason, _ = reason_and_advice(missing_package())
    assert "the package numba-cuda-mlir is not installed" in reason
    assert "--extra cuda-next" in reason


@pytest.mark.parametrize("compiler", [COMPILER, SUCCESSOR])
def test_lines_of_the_source_are_in_the_code_if_asked_for(compiler):
    skip_without(compiler)
    with_lines = run("-c", LINES, DIGITLAB_CUDA_COMPILER=compiler, DIGITLAB_CUDA_LINES="1")
    assert with_lines.stdout.split("\n")[:2] == [
        "product-tn-narrow True True",
        "tiny True True",
    ], with_lines.stdout + with_lines.stderr
    without = run("-c", LINES, DIGITLAB_CUDA_COMPILER=compiler, DIGITLAB_CUDA_LINES="0")
    assert "True" not in without.stdout


@pytest.mark.slow
@pytest.mark.parametrize("other", [SUCCESSOR, SHIPPED])
def test_trainings_have_the_same_bits_however_kernels_are_compiled(other, tmp_path):
    skip_without(COMPILER)
    if other == SUCCESSOR:
        skip_without(SUCCESSOR)
    elif shipped_kernels() is None:
        pytest.skip("no kernels were compiled ahead from these sources: make kernels")
    skip_without_software_card()
    found = []
    for compiler in (COMPILER, other):
        file = tmp_path / f"{compiler}.npz"
        program = [
            "-m",
            "tests.card",
            "run",
            "-m",
            "tests.kernels.cuda.software_card_parameters",
            str(file),
        ]
        done = run(*program, DIGITLAB_CUDA_COMPILER=compiler)
        assert done.returncode == 0, done.stderr
        found.append(np.load(file))
    assert set(found[0]) == set(found[1])
    for name in found[0]:
        np.testing.assert_array_equal(found[0][name], found[1][name], err_msg=name)


@pytest.mark.slow
def test_every_kernel_compiles_with_the_successor():
    skip_without(SUCCESSOR)
    pytest_options = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = run(*pytest_options, "tests/kernels/cuda/test_ptx.py", DIGITLAB_CUDA_COMPILER=SUCCESSOR)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_the_workshops_kernels_compile_with_the_successor():
    skip_without(SUCCESSOR)
    done = run("-m", "tests.kernels.cuda.solutions", "compile", DIGITLAB_CUDA_COMPILER=SUCCESSOR)
    assert [line for line in done.stdout.splitlines() if not line.endswith(" right")] == [], (
        done.stderr
    )
    assert len(done.stdout.splitlines()) > 70


@pytest.mark.slow
def test_the_workshops_kernels_compute_the_same_with_both_compilers():
    skip_without(COMPILER)
    skip_without(SUCCESSOR)
    skip_without_software_card()
    found = {}
    for compiler in (COMPILER, SUCCESSOR):
        program = ["-m", "tests.card", "run", "-m", "tests.kernels.cuda.solutions", "run"]
        done = run(*program, DIGITLAB_CUDA_COMPILER=compiler)
        assert done.returncode == 0, done.stderr
        found[compiler] = done.stdout.splitlines()
    assert found[SUCCESSOR] == found[COMPILER]
    wrong = [line for line in found[SUCCESSOR] if "wrong" in line or "Error" in line]
    # Which element takes which place is left to chance there; the comparison does not know it.
    assert wrong == ["21-compaction-keep wrong: ['places']"]
    assert sum(line.endswith(" right") for line in found[SUCCESSOR]) > 50
