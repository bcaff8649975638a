"""Every benchmark measures what it says, on sizes small enough for a test; it can be stopped
between two rows.
"""

import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from core.bench import (
    NAMES,
    data_parallel,
    dense,
    epochs,
    find_bench,
    timing,
    torch_process,
    torch_script,
)
from core.bench.rows import Note, Options, Row
from core.bench.timing import noise_images, spread
from core.errors import InputError
from tests.core.bench.tiny import TINY
from tests.systems import require_posix

CPU = Options(TINY, devices=("sequential", "vectorized"))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("batch-size", "cuda")])
def test_rows_fill_the_columns_of_the_tables(name, monkeypatch):
    monkeypatch.setattr(epochs, "uncompiled_seconds", lambda table, images: 1.0)
    bench = find_bench(name)
    rows = [row for row in bench.iter_rows(CPU) if isinstance(row, Row)]
    assert rows
    for row in rows:
        assert row.values.keys() == dict(bench.table(row.table).columns).keys()
        assert any(isinstance(value, float) and value > 0 for value in row.values.values())


def test_batch_sizes_on_the_installed_data(monkeypatch):
    monkeypatch.setattr(timing, "load_digits", lambda: (noise_images(400), "On noise."))
    rows = [
        row for row in epochs.iter_batch_rows(CPU) if isinstance(row, Row) and row.table == "epoch"
    ]
    assert [row.values["batch_size"] for row in rows] == [100, 200]
    assert rows[0].values["published_seconds"] == 13


def test_published_accuracies_stand_beside_those_of_mnist_only(monkeypatch):
    monkeypatch.setattr(timing, "Epochs", lambda *_: FixedEpoch())
    for name, accuracy in (("mnist", 0.92), ("builtin", None)):
        data = replace(noise_images(400), name=name)
        monkeypatch.setattr(timing, "load_digits", lambda data=data: (data, ""))
        rows = [
            row
            for row in epochs.iter_batch_rows(CPU)
            if isinstance(row, Row) and row.table == "epoch"
        ]
        assert rows[0].values["batch_size"] == 100
        assert rows[0].values["published_accuracy"] == accuracy


def test_operators_are_compared_in_one_unit():
    rows = [row for row in find_bench("operators").iter_rows(CPU) if isinstance(row, Row)]
    assert {row.table for row in rows} == {"product", "addition"}
    for row in rows:
        size, seconds = row.values["size"], row.values["seconds"]
        operations = 2 * size**3 if row.table == "product" else size**2
        assert row.values["gigaflops"] == pytest.approx(operations / seconds / 1e9)
        assert find_bench("operators").table(row.table).heading("gigaflops") == "GFLOP a second"


def test_seconds_of_a_part_of_the_images_are_scaled_to_an_epoch(monkeypatch):
    monkeypatch.setattr(timing, "load_digits", lambda: (noise_images(800), "On noise."))
    monkeypatch.setattr(timing, "Epochs", lambda *_: FixedEpoch())
    rows = [
        row for row in epochs.iter_batch_rows(CPU) if isinstance(row, Row) and row.table == "epoch"
    ]
    assert rows[0].values["seconds"] == 2.0
    assert rows[0].values["published_accuracy"] is None


class FixedEpoch:
    ended = None

    def __call__(self):
        return 1.0

    def close(self):
        pass


def test_the_spread_is_half_the_distance_of_the_quartiles():
    assert spread([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(100 / 3)
    assert spread([2.0, 2.0, 2.0]) == 0
    assert spread([1.0, 2.0]) is None


def test_a_bench_stops_between_two_rows():
    before = set(threading.enumerate())
    rows = data_parallel.iter_rows(CPU)
    next(rows)
    rows.close()
    assert not set(threading.enumerate()) - before


def test_an_unknown_bench_is_refused_with_all_names():
    with pytest.raises(InputError, match="operators, batch-size"):
        find_bench("speed")


def test_uncompiled_loops_are_timed_in_a_separate_process():
    assert 0 < epochs.uncompiled_seconds("dense", 1) < 60


def test_without_pytorch_a_note_takes_its_place(monkeypatch):
    monkeypatch.setattr(torch_process, "interpreter", lambda *given: None)
    assert isinstance(next(dense.iter_rows(CPU)), Note)


def fake_python(folder, script):
    require_posix()
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_python_without_pytorch_is_refused_with_its_reason(tmp_path):
    fake = fake_python(tmp_path, "echo 'No module named torch' >&2\nexit 1")
    with pytest.raises(InputError, match="No module named torch"):
        next(dense.iter_rows(Options(TINY, torch_python=fake)))


@pytest.mark.parametrize("bench", [dense.BENCH, dense.CONVOLUTION])
def test_a_pytorch_that_ends_early_is_refused_with_its_last_message(tmp_path, bench):
    fake = fake_python(tmp_path, "echo 2.0\necho 'out of memory' >&2\nexit 1")
    with pytest.raises(InputError, match="out of memory"):
        list(bench.iter_rows(Options(TINY, torch_python=fake)))


def test_pytorchs_epochs_stand_beside_ours(tmp_path):
    fake = fake_python(tmp_path, "echo 2.0\nwhile read question; do echo 1000; done")
    rows = [row for row in dense.iter_rows(replace(CPU, torch_python=fake)) if isinstance(row, Row)]
    seconds = {row.values["contestant"]: row.values["seconds"] for row in rows}
    # JAX is asked of the same Python.
    assert seconds.keys() == {"vectorized", "PyTorch", "JAX, compiled epoch"}
    assert seconds["PyTorch"] == 1000
    assert rows[0].values["over_torch"] > 1


def test_seconds_to_95_stand_beside_the_published_ones(monkeypatch):
    monkeypatch.setattr(
        timing, "load_digits", lambda: (replace(noise_images(400), name="mnist"), "")
    )
    rows = [
        row.values
        for row in epochs.iter_batch_rows(CPU)
        if isinstance(row, Row) and row.table == "goal"
    ]
    assert rows[0]["device"] == "vectorized"
    assert rows[0]["seconds"] is None
    assert rows[0]["epochs"] == TINY.goal_epochs
    assert {row["published"] for row in rows[1:]} == {102.38, 32.3, 26.86}


def test_the_script_for_pytorch_imports_nothing_of_this_program():
    script = (
        "import sys; sys.path = [p for p in sys.path if 'site-packages' in p or 'lib' in p]; "
        "import runpy; "
    )
    script += f"runpy.run_path({torch_script.__file__!r})"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
