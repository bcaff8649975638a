"""Compiled loops that are kept on disk: damaged files, changed sources, two programs at the same
time.
"""

import importlib
import importlib.util
import inspect
import pkgutil
import shutil
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import kernels
from kernels import compiled

LOOP = """
from kernels.compiled import compiled

@compiled
def total(x):
    s = x[0] * 0
    for i in range(x.size):
        s += x[i]
    return s
"""


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Adds the numbers 0 .. 4 of a type as a program does that has just started and keeps its loops
    in `folder`.

    Returns the sum and the number of loops that came from the folder.
    """
    (tmp_path / "loop.py").write_text(LOOP)

    def start(kind: str, folder: Path, program: Path = tmp_path) -> tuple[float, int]:
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
        spec = importlib.util.spec_from_file_location("loop", program / "loop.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        result = module.total(np.arange(5, dtype=kind))
        return float(result), sum(module.total.stats.cache_hits.values())

    return start


def test_a_cached_function_is_not_loaded_for_other_types(start, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    start("float32", one)
    start("int16", other)
    # As if both had been the last to write: the index from one, the loops from both.
    (kept,) = (path for path in one.iterdir() if path.is_dir())
    for path in (other / kept.name).glob("*.nbc"):
        path.rename(kept / path.name)
    assert start("float32", one) == (10.0, 1)
    assert start("int16", one) == (10.0, 0)


def test_a_packaged_program_finds_its_loops_when_its_place_has_changed(start, tmp_path, frozen):
    (tmp_path / "mounted").mkdir()
    shutil.copy2(tmp_path / "loop.py", tmp_path / "mounted")
    assert start("float32", tmp_path / "kept") == (10.0, 0)
    assert start("float32", tmp_path / "kept", tmp_path / "mounted") == (10.0, 1)


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
def test_a_damaged_file_is_compiled_anew_and_replaced(start, tmp_path, damage, suffix):
    kept = tmp_path / "kept"
    start("float32", kept)
    (file,) = kept.rglob(f"*{suffix}")
    damage(file)
    start("float32", kept)
    # A folder stays in the way of the file, and the loop is compiled at every start.
    assert start("float32", kept) == (10.0, damage is not folder)


def test_cache_files_of_another_function_are_compiled_again(start, tmp_path):
    kept = tmp_path / "kept"
    start("float32", kept)
    (first,) = kept.rglob("*.nbc")
    start("int16", kept)
    (second,) = set(kept.rglob("*.nbc")) - {first}
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    assert start("float32", kept) == (10.0, 0)
    assert start("int16", kept) == (10.0, 0)


def test_a_change_in_another_file_of_kernels_is_seen(start, tmp_path, monkeypatch):
    """A compiled loop contains the functions of other files that it calls."""
    start("float32", tmp_path / "kept")
    assert start("float32", tmp_path / "kept") == (10.0, 1)
    monkeypatch.setattr(compiled, "sources_state", lambda: "other sources")
    assert start("float32", tmp_path / "kept") == (10.0, 0)


def test_no_loop_is_a_generator():
    """Numba cannot call a generator that it has loaded: a program killed while it compiles would
    start no more.
    """
    loops = [
        (module.name, name, loop)
        for module in pkgutil.walk_packages(kernels.__path__, "kernels.")
        if not module.name.startswith("kernels.cuda")
        for name, loop in vars(importlib.import_module(module.name)).items()
        if isinstance(loop, Dispatcher)
    ]
    assert len(loops) > 20
    assert not [loop[:2] for loop in loops if inspect.isgeneratorfunction(loop[2].py_func)]


def test_a_loop_is_compiled_where_no_folder_can_be_written(monkeypatch):
    def refuse(cache, function):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(compiled._Cache, "__init__", refuse)
    twice = compiled.compiled(lambda x: 2 * x)
    assert twice(2) == 4
    assert not compiled.is_kept(twice)
