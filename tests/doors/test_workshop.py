"""Kernels, as they are checked on the command line."""

from pathlib import Path

import pytest

EXERCISES = Path(__file__).resolve().parents[2] / "resources" / "workshop"


@pytest.mark.parametrize("name", ["09-coalescing", "10-banks"])
def test_a_transpose_by_shared_memory_passes(program, name):
    done = program("workshop", "check", EXERCISES / name / "solution.py", "--no-types")

    assert (done.returncode, done.stderr) == (0, "")
    assert "No fault on these 9 shapes." in done.stdout


def test_a_transpose_is_compared_with_numpys(program, tmp_path):
    (tmp_path / "turn.py").write_text(
        "from numba import cuda\n"
        "@cuda.jit\n"
        "def turn(out, a):\n"
        "    i, j = cuda.grid(2)\n"
        "    if i < out.shape[0] and j < out.shape[1]:\n"
        "        out[i, j] = a[j, i]\n"
    )
    launch = ("--args", "out: float32[m, n], a: float32[n, m]", "--grid", "(m + 3) // 4, (n + 3) // 4", "--block",
              "4, 4", "--sizes", "n=1,5,9 m=3,8")  # fmt: skip

    right = program("workshop", "check", "turn.py", *launch, "--expect", "out = a.T", "--no-types")
    assert (right.returncode, right.stderr) == (0, "")

    wrong = program("workshop", "check", "turn.py", *launch, "--expect", "out = a.T[::-1]", "--no-types")
    assert wrong.returncode == 1
    assert "line 6: wrong-result" in wrong.stdout
