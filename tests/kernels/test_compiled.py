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


def empty(path):
    path.write_bytes(b"")


def half(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def other_bytes(path):
    path.write_bytes(b"nothing that was compiled")


def one_bit(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(bytes(data))


def folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", [empty, half, other_bytes, one_bit, folder])
def test_damaged_files_are_compiled_anew(python, tmp_path, damage, suffix):
    kept = tmp_path / "kept"
    python(USE.format("float32"), kept)
    (file,) = kept.rglob(f"*{suffix}")
    damage(file)
    assert python(USE.format("float32"), kept) == "10.0"
    if damage is empty:
        hits = "import numpy, loop; loop.total(numpy.arange(5, dtype=numpy.float32)); "
        assert python(hits + "print(sum(loop.total.stats.cache_hits.values()))", kept) == "1"


def test_exchanged_files_are_compiled_anew(python, tmp_path):
    kept = tmp_path / "kept"
    python(USE.format("float32"), kept)
    (first,) = kept.rglob("*.nbc")
    python(USE.format("int16"), kept)
    (second,) = set(kept.rglob("*.nbc")) - {first}
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    assert python(USE.format("float32"), kept) == "10.0"
    assert python(USE.format("int16"), kept) == "10"


def test_a_change_in_another_file_of_kernels_is_seen(python, tmp_path):
    """A compiled loop contains the functions of other files that it calls."""
    kept = tmp_path / "kept"
    python(USE.format("float32"), kept)
    hits = "import numpy, loop; loop.total(numpy.arange(5, dtype=numpy.float32)); "
    hits += "print(sum(loop.total.stats.cache_hits.values()))"
    assert python(hits, kept) == "1"
    assert python("import kernels.compiled as c; c._sources = lambda: 'changed'; " + hits, kept) == "0"
