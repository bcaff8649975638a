"""Every bench measures what it says, on sizes small enough for a test; it can be stopped between two rows."""

import subprocess
import sys
import threading

import numpy as np
import pytest

from core.bench import (
    augmentation,
    batch_size,
    convolution,
    data_parallel,
    dense,
    devices,
    operators,
    torch_process,
)
from core.bench.catalogue import NAMES, find_bench
from core.bench.data_parallel import NumpyLoop
from core.bench.rows import Note, Options, Row
from core.data.functions import load_function
from core.errors import InputError
from core.network.notation import parse
from core.training.presets import find_preset
from core.training.records import TrainingControl
from core.training.trainer import Trainer, epoch_order
from kernels.registry import open_device

CPU = Options(quick=True, devices=("sequential", "vectorized"))


@pytest.fixture
def tiny(monkeypatch):
    """All benches at toy sizes."""
    monkeypatch.setattr(operators, "QUICK_SIZES", (4, 8))
    monkeypatch.setattr(batch_size, "QUICK_SIZES", (100, 200))
    monkeypatch.setattr(batch_size, "QUICK_IMAGES", 400)
    monkeypatch.setattr(data_parallel, "QUICK_SIDES", (20,))
    monkeypatch.setattr(data_parallel, "QUICK_GROUPS", ((2, 2),))
    monkeypatch.setattr(data_parallel, "QUICK_POINTS", 1)
    monkeypatch.setattr(data_parallel, "load_function", lambda name: load_function("rastrigin:20"))
    monkeypatch.setattr(devices, "_images", lambda table, name, quick: {"dense": 100, "cnn": 2}[table])
    monkeypatch.setattr(devices, "_uncompiled", lambda table, images: 1.0)
    monkeypatch.setattr(augmentation, "NETWORKS", {"784-4-10": (200, 200)})
    monkeypatch.setattr(dense, "QUICK_GROWTH", (200, 300))
    monkeypatch.setattr(dense, "QUICK", (200, 2))


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DIGITLAB_HOME", str(tmp_path))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("batch-size", "cuda")])
def test_rows_fill_the_tables_columns(tiny, name):
    bench = find_bench(name)
    rows = [row for row in bench.iter_rows(CPU) if isinstance(row, Row)]
    assert rows
    for row in rows:
        assert row.values.keys() == dict(bench.table(row.table).columns).keys()
        assert any(isinstance(value, float) and value > 0 for value in row.values.values())


def test_batch_sizes_on_the_data_that_are_here(tiny, monkeypatch):
    monkeypatch.setattr(batch_size, "_data", lambda quick: (dense.noise_images(300), 1.0))
    rows = [row for row in batch_size.iter_rows(CPU) if isinstance(row, Row)]
    assert [row.values["batch_size"] for row in rows] == [100, 200]
    assert rows[0].values["published_seconds"] == 13


def test_a_bench_stops_between_two_rows(tiny):
    before = set(threading.enumerate())
    rows = data_parallel.iter_rows(CPU)
    next(rows)
    rows.close()
    assert not set(threading.enumerate()) - before


def test_an_unknown_bench_is_refused_with_their_names():
    with pytest.raises(InputError, match="operators, batch-size"):
        find_bench("speed")


def test_plain_python_loops_are_timed_in_a_process_of_their_own():
    assert 0 < devices._uncompiled("dense", 1) < 60


def test_without_pytorch_a_sentence_takes_its_place(tiny, monkeypatch):
    monkeypatch.setattr(torch_process, "interpreter", lambda given: None)
    assert isinstance(next(dense.iter_rows(CPU)), Note)


def test_a_python_without_pytorch_is_refused_with_its_reason(tiny, tmp_path):
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\necho 'No module named torch' >&2\nexit 1\n")
    fake.chmod(0o755)
    with pytest.raises(InputError, match="No module named torch"):
        next(dense.iter_rows(Options(quick=True, torch_python=fake)))


@pytest.mark.parametrize("bench", [dense, convolution])
def test_a_pytorch_that_ends_early_is_refused_with_its_last_words(tiny, tmp_path, bench):
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\necho 2.0\necho 'out of memory' >&2\nexit 1\n")
    fake.chmod(0o755)
    with pytest.raises(InputError, match="out of memory"):
        list(bench.iter_rows(Options(quick=True, torch_python=fake)))


def test_the_numpy_loop_learns_by_the_same_method():
    """Same start and same order: after an epoch the yardstick stands where training stands."""
    data = load_function("rastrigin:60")
    run = find_preset("coursework").run
    loop = NumpyLoop(run, data.train)
    device = open_device("vectorized")
    trainer = Trainer(run, parse(run.network, (2,), 1), data, device, None)
    loop._rng = type("Order", (), {"permutation": lambda self, n: epoch_order(run.seed, 0, n)})()
    loop()
    trainer.begin_epoch(TrainingControl())
    while not trainer.epoch_complete():
        trainer.run_chunk(TrainingControl())
    found = trainer.checkpoint().parameters
    trainer.close()
    theirs = np.concatenate([w.ravel() for w, _ in loop._layers] + [b.ravel() for _, b in loop._layers])
    np.testing.assert_allclose(found, theirs, rtol=1e-3, atol=1e-3)


def test_torchs_script_needs_nothing_of_ours():
    script = (
        "import sys; sys.path = [p for p in sys.path if 'site-packages' in p or 'lib' in p]; import runpy; "
    )
    script += f"runpy.run_path({dense.__file__.replace('dense.py', 'torch_epoch.py')!r})"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
