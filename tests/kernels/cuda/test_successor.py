"""The kernels with numba-cuda-mlir, the successor of numba-cuda, which is asked for by a variable of the environment.

Each test starts a child process: a process has one compiler. docs/cuda.md tells what the successor does differently.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.cuda.installed import COMPILER, SUCCESSOR

ROOT = Path(__file__).parents[3]

LINES = """
from tests.kernels.cuda.kernel_list import iter_ptx, kernels
for kernel in kernels():
    if kernel.name in ("tiny", "product-tn-narrow"):
        [(_, ptx)] = iter_ptx(kernel, [(8, 6)])
        print(kernel.name, "\t.loc" in ptx, "toolkit.py" in ptx, "product.py" in ptx)
"""


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


def test_a_compiler_that_is_asked_for_and_missing_is_told():
    """Without `site` no package is found."""
    program = "from kernels.cuda.installed import missing_package; print(*missing_package())"
    done = run("-S", "-c", program, DIGITLAB_CUDA_COMPILER=SUCCESSOR)
    assert "numba-cuda-mlir is not installed" in done.stdout, done.stderr


@pytest.mark.parametrize("compiler", [COMPILER, SUCCESSOR])
def test_lines_of_the_source_are_in_the_code_if_asked_for(compiler):
    skip_without(compiler)
    with_lines = run("-c", LINES, DIGITLAB_CUDA_COMPILER=compiler, DIGITLAB_CUDA_LINES="1")
    assert with_lines.stdout.split("\n")[:2] == [
        "product-tn-narrow True False True",
        "tiny True True False",
    ], with_lines.stdout + with_lines.stderr
    without = run("-c", LINES, DIGITLAB_CUDA_COMPILER=compiler, DIGITLAB_CUDA_LINES="0")
    assert "True" not in without.stdout


@pytest.mark.slow
def test_every_kernel_compiles_with_the_successor():
    skip_without(SUCCESSOR)
    pytest_options = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = run(*pytest_options, "tests/kernels/cuda/test_ptx.py", DIGITLAB_CUDA_COMPILER=SUCCESSOR)
    assert done.returncode == 0, done.stdout
