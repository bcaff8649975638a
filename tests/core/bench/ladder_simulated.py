"""The thesis's ladder and the whole bench `cuda` in Numba's simulator, at sizes of a few numbers.

Not collected by itself; test_cuda_ladder.py runs it in a process that has NUMBA_ENABLE_CUDASIM set.
"""

import json
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from core.bench import torch_process
from core.bench.cuda import bench, ladder, operators, trainings
from core.bench.cuda.context import Context, OutOfTime, Scale
from core.bench.cuda.ladder import CAPTURED, KERNEL, LAUNCHES, NEVER, NUMBA, PINNED
from core.bench.cuda.ladder_step import seconds_on_card, trace_step, variant_of
from core.bench.rows import Note, Options, Row
from core.progress import Cancelled
from kernels.cuda.device import Cuda
from kernels.cuda.operators import product
from kernels.cuda.operators.tiles import Plan, slices
from main import main
from tests.kernels.cuda.simulated import TINY, blobs
from tests.systems import require_posix

VARIANTS = (NUMBA, KERNEL, NEVER, PINNED, LAUNCHES, CAPTURED)
EACH_VARIANT = [pytest.param(name, marks=[] if name == CAPTURED else pytest.mark.slow) for name in VARIANTS]
SCALE = Scale(
    sizes=(3, 5), large=4, copied_bytes=64, hidden=4, batch=10, large_batch=20, batches=(10, 35), cnn="2C3-MP2-3N-3N",
    epochs=1, rounds=1, images=20, repeats=1, checked_steps=2, blocks=(3,), variant_seconds=0.0, operator_seconds=0.0,
    time=1000.0,
)  # fmt: skip
OPTIONS = Options(block=2)


@pytest.fixture(autouse=True)
def tiny_tiles(monkeypatch):
    """Each thread of the simulator is a Python thread: the tiles that cards use are too many."""
    monkeypatch.setattr(product, "plan", lambda m, n, k, cores: Plan(TINY, slices(TINY, m, n, k, cores)))
    monkeypatch.setattr(torch_process, "interpreter", lambda given: None)
    monkeypatch.setattr(trainings, "noise_images", lambda images, seed: blobs())
    monkeypatch.setattr(bench, "FULL", SCALE)
    monkeypatch.setattr(bench, "load_digits", lambda: (blobs(), "On blobs."))


def context(**changed):
    return Context(OPTIONS, SCALE, blobs(), **changed)


@pytest.mark.parametrize("name", EACH_VARIANT)
def test_every_ladder_step_computes_the_same_as_the_cpu(name):
    row = ladder._measure(context(), name, 10, 2, {}, None)
    assert row.values["difference"] < 1e-4
    assert row.values["seconds"] > 0


@pytest.mark.parametrize("name", EACH_VARIANT)
def test_a_ladder_step_wraps_around_at_the_end_of_the_epoch(name):
    with variant_of(context(), name, 10, 3) as variant:
        start = variant.parameters()
        variant.run(7)
        variant.synchronize()
        assert not np.array_equal(variant.parameters(), start)
        assert np.isfinite(variant.parameters()).all()


@pytest.mark.slow
def test_the_whole_bench_at_a_tiny_scale(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(bench, "MAX_SECONDS", float("inf"))
    monkeypatch.chdir(tmp_path)
    assert main(["bench", "cuda", "--block", "2"]) == 0
    said = capfd.readouterr().out
    assert "Targets for a card of the H100's class" in said
    assert said.splitlines()[-1].startswith("The results are in digitlab-bench: ")
    found = json.loads((tmp_path / "digitlab-bench" / "cuda.json").read_text(encoding="utf-8"))
    assert not [text for text in found["remarks"] if "not measured further" in text or "cut short" in text]
    assert "On blobs." in found["remarks"]
    assert found["card"]["name"] == "CUDA simulator"
    tables = {table.name: table for table in bench.BENCH.tables}
    assert found["tables"].keys() == tables.keys()
    for name, table in tables.items():
        for row in found["tables"][name]["rows"]:
            assert row.keys() == dict(table.columns).keys()
        if table.chart:
            assert (tmp_path / "digitlab-bench" / f"cuda-{name}.png").exists()
    met = {row["target"]: row["met"] for row in found["tables"]["targets"]["rows"]}
    assert met["test accuracy, card less CPU"] == "yes"
    assert met["epoch, over PyTorch eager"] == "not measured"


def answer_by_rote(monkeypatch, python, answers):
    """Put a script that answers so in the place of the Python that has PyTorch."""
    python.write_text(f"#!/bin/sh\necho '0.0 on a card'\n{answers}")
    python.chmod(0o755)
    monkeypatch.setattr(torch_process, "interpreter", lambda given: python)


def test_pytorchs_answers_become_rows_and_targets(tmp_path, monkeypatch):
    """By a PyTorch that answers by rote, and cannot capture with TF32."""
    require_posix()
    answer_by_rote(
        monkeypatch,
        tmp_path / "python",
        'while read line; do case "$line" in\n'
        "*'graph 1'*) echo '! RuntimeError: no capture';;\n*) echo 1000;;\nesac; done\n",
    )
    shared = context()
    found = list(trainings.iter_contest(shared))
    epochs = [one.values["contestant"] for one in found if isinstance(one, Row) and one.table == "epoch"]
    assert epochs == ["this program", "PyTorch eager", "PyTorch eager, TF32", "PyTorch graph"]
    assert any("PyTorch graph, TF32: not measured" in one.text for one in found if isinstance(one, Note))
    assert sum(isinstance(one, Row) and one.table == "ceilings" for one in found) == 2
    met = {row.values["target"]: row.values["met"] for row in bench.iter_targets(shared)}
    assert met["epoch, over PyTorch eager"] == met["epoch, over PyTorch graph"] == "yes"
    assert met["epoch, over PyTorch graph, TF32"] == "not measured"


def test_a_pytorch_that_ends_between_two_epochs_ends_only_its_own_measurements(tmp_path, monkeypatch):
    """It answers two products and the first epoch of each kind, then no more."""
    require_posix()
    answer_by_rote(
        monkeypatch,
        tmp_path / "python",
        "for i in 1 2 3 4 5 6; do read line; echo 1000; done\necho 'killed' >&2\n",
    )
    found = list(trainings.iter_contest(context()))
    epochs = [one.values["contestant"] for one in found if isinstance(one, Row) and one.table == "epoch"]
    assert epochs == ["this program"]
    assert (
        sum("left out. PyTorch did not answer (killed)" in one.text for one in found if isinstance(one, Note))
        >= 1
    )


def test_the_timeline_has_each_launch_once():
    spans = [row.values for row in ladder.iter_timeline(context()) if isinstance(row, Row)]
    assert all(0 <= span["start"] <= span["end"] for span in spans)
    names = [span["kernel"] for span in spans]
    assert names.count("product nt") == 1 + 2
    assert {"feed forward", "copy inputs", "dense", "squared error classes", "sgd", "advance"} <= set(names)


def test_a_traced_device_computes_as_ever():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    with closing(Cuda()) as device:
        there, out = device.upload(x), device.empty((2, 2))
        ones = device.upload(np.ones((3, 2), np.float32))
        spans = trace_step(device, lambda: device.dot(there, ones, out), lambda: "dot")
        assert seconds_on_card(device, lambda: device.dot(there, ones, out)) > 0
        np.testing.assert_array_equal(device.download(out), x @ np.ones((3, 2)))
    assert len(spans) == 1


def test_a_section_without_time_is_cut_short_and_the_rest_goes_on():
    shared = context(deadline=0.0)
    with pytest.raises(OutOfTime):
        list(operators.iter_operators(shared))


def test_a_failed_ladder_step_shows_its_reason_and_the_others_run(monkeypatch):
    def fail_once(context, name, batch, block, trained, first):
        if name == NUMBA:
            raise RuntimeError("transpose is gone")
        return Row("ladder", {"variant": name, "seconds": 1.0})

    monkeypatch.setattr(ladder, "_measure", fail_once)
    found = list(ladder.iter_ladder(context()))
    assert Note(f"{NUMBA}: not measured further (RuntimeError: transpose is gone)") in found
    assert {one.values["variant"] for one in found if isinstance(one, Row)} == set(VARIANTS) - {NUMBA}


def test_the_bench_can_be_cancelled_within_a_section():
    def enough():
        raise Cancelled

    with pytest.raises(Cancelled):
        list(bench.iter_rows(replace(OPTIONS, check=enough)))


def test_a_section_that_fails_leaves_its_reason(monkeypatch):
    def fail(context):
        yield Note("begun")
        raise ValueError("no such kernel\nmore lines")

    sections = (("ladder", 5, fail), ("targets", 5, bench.iter_targets))
    monkeypatch.setattr(bench, "SECTIONS", sections)
    found = list(bench.iter_rows(OPTIONS))
    assert Note("ladder: not measured further (ValueError: no such kernel)") in found
    assert any(isinstance(one, Row) and one.table == "targets" for one in found)
