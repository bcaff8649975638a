"""The bench `cuda` in Numba's simulator, at sizes of a few numbers.

Not collected by itself; test_cuda_ladder.py runs it in a process that has NUMBA_ENABLE_CUDASIM set.
"""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.bench.cuda import ladder
from core.bench.cuda.ladder import CAPTURED, KERNEL, LAUNCHES, NAIVE, NEVER, NUMBA, PINNED
from core.bench.cuda.ladder_step import open_variant
from core.bench.rows import Note, Options, Row, Sizes
from core.commands import bench
from core.progress import Cancelled
from kernels.cuda.operators import product
from kernels.cuda.operators.tiles import plan
from main import main
from tests.kernels.cuda.simulated import TINY, blobs

VARIANTS = (NUMBA, KERNEL, NEVER, PINNED, LAUNCHES, CAPTURED)
EACH_VARIANT = [
    pytest.param(name, marks=[] if name == CAPTURED else pytest.mark.slow) for name in VARIANTS
]
SIZES = Sizes(ladder_batches=(10, 20), ladder_blocks=(2, 3), ladder_hidden=4, variant_seconds=0.0)
OPTIONS = Options(SIZES)


@pytest.fixture(autouse=True)
def tiny_tiles(monkeypatch):
    """Each thread of the simulator is a Python thread: the tiles that cards use are too many."""
    monkeypatch.setattr(product, "plan", lambda m, n, k, card, _: plan(m, n, k, card, TINY))
    monkeypatch.setattr(ladder, "load_digits", lambda: (blobs(), "On blobs."))


def settings():
    return ladder.thesis_run(OPTIONS, blobs(), 10)


@pytest.mark.parametrize("name", EACH_VARIANT)
def test_every_ladder_step_computes_the_same_as_the_cpu(name):
    row = ladder.measure(name, settings(), blobs(), 2, {}, None, 0.0)
    assert row.values["difference"] < 1e-4
    assert row.values["seconds"] > 0


@pytest.mark.parametrize("name", EACH_VARIANT)
def test_a_ladder_step_wraps_around_at_the_end_of_the_epoch(name):
    with open_variant(
        settings(), blobs(), 3, NAIVE.get(name), name == PINNED, name == CAPTURED
    ) as variant:
        start = variant.parameters()
        variant.run(7)
        variant.synchronize()
        assert not np.array_equal(variant.parameters(), start)
        assert np.isfinite(variant.parameters()).all()


@pytest.mark.slow
def test_the_whole_bench_at_a_tiny_scale(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(bench, "FULL", SIZES)
    assert main(["bench", "cuda", "--out", str(tmp_path)]) == 0
    assert "The thesis" not in capfd.readouterr().err
    found = json.loads((tmp_path / "cuda.json").read_text(encoding="utf-8"))
    assert not [text for text in found["remarks"] if "not measured further" in text]
    assert "On blobs." in found["remarks"]
    assert found["card"]["name"] == "CUDA simulator"
    tables = {table.name: table for table in ladder.BENCH.tables}
    assert found["tables"].keys() == tables.keys()
    for name, table in tables.items():
        for row in found["tables"][name]["rows"]:
            assert row.keys() == dict(table.columns).keys()
        assert (tmp_path / f"cuda-{name}.csv").exists()


def test_a_failed_ladder_step_shows_its_reason_and_the_others_run(monkeypatch):
    def fail_once(name, *others):
        if name == NUMBA:
            raise RuntimeError("transpose is gone")
        return Row("ladder", {"variant": name, "seconds": 1.0})

    monkeypatch.setattr(ladder, "measure", fail_once)
    found = list(ladder.iter_ladder(OPTIONS, blobs()))
    assert Note(f"{NUMBA}: not measured further (RuntimeError: transpose is gone)") in found
    assert {one.values["variant"] for one in found if isinstance(one, Row)} == set(VARIANTS) - {
        NUMBA
    }


def test_the_bench_can_be_cancelled():
    def enough():
        raise Cancelled

    with pytest.raises(Cancelled):
        list(ladder.iter_rows(replace(OPTIONS, check=enough)))
