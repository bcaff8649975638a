"""Compiled loops that are kept on disk, when two programs start at the same time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

LOOP = """
from kernels.compiled import compiled

@compiled
def total(x):
    s = x[0] * 0
    for i in range(x.size):
        s += x[i]
    return s
"""
USE = "import numpy, loop; print(loop.total(numpy.arange(5, dtype=numpy.{})))"


@pytest.fixture
def python(tmp_path):
    """Runs a line of Python in a process of its own that keeps its loops in the folder it names."""
    (tmp_path / "loop.py").write_text(LOOP)

    def run(line: str, kept: Path) -> str:
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)]), "NUMBA_CACHE_DIR": str(kept)
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", line], env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


def test_no_process_takes_what_another_kept_for_other_types(python, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    python(USE.format("float32"), one)
    python(USE.format("int16"), other)
    # As if both had been the last to write: the index from one, the loops from both.
    (kept,) = (path for path in one.iterdir() if path.is_dir())
    for path in (other / kept.name).glob("*.nbc"):
        path.rename(kept / path.name)
    assert python(USE.format("float32"), one) == "10.0"
    assert python(USE.format("int16"), one) == "10"
