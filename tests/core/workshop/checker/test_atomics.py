"""Atomic changes conflict unless they commute, and those of one element are counted one after the other."""

import pytest

from core.workshop.check import check

FILE = """
from numba import cuda, uint32
@cuda.jit
def k(out, a):
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    {body}
"""


def verdict_of(body, *, grid="1", block="8", dtype="uint32", **options):
    text = FILE.format(body=body.replace("\n", "\n    "))
    args = f"out: {dtype}[4] = 0, a: {dtype}[64] < 50"
    return check(text, args, grid, block, types=False, isolated=False, seed=1, **options)


def found(verdict):
    return [(fault.kind, fault.line) for fault in verdict.faults]


@pytest.mark.parametrize(
    "body",
    [
        "cuda.atomic.add(out, 0, a[i])",
        "cuda.atomic.add(out, 0, a[i])\ncuda.atomic.sub(out, 0, 1)",
        "cuda.atomic.max(out, 0, a[i])",
        "cuda.atomic.min(out, 0, a[i])",
        "cuda.atomic.and_(out, 0, a[i])",
        "cuda.atomic.or_(out, 0, a[i])",
        "cuda.atomic.xor(out, 0, a[i])",
        "cuda.atomic.exch(out, 0, 7)",
        "cuda.atomic.exch(out, t % 4, t % 4)",
        "cuda.atomic.inc(out, 0, 5)",
        "cuda.atomic.inc(out, 0, 5)\ncuda.atomic.dec(out, 0, 5)",
        "cuda.atomic.add(out, 0, 1)\ncuda.atomic.max(out, 1, t)",
        "if t == 0:\n    cuda.atomic.exch(out, 0, 3)\ncuda.syncthreads()\ncuda.atomic.add(out, 0, 1)",
        "if t == 0:\n    cuda.atomic.exch(out, 0, 3)\n    cuda.atomic.add(out, 0, 1)\n    cuda.atomic.max(out, 0, 2)",
    ],
)
def test_changes_that_commute_are_no_race(body):
    assert found(verdict_of(body)) == []


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("cuda.atomic.exch(out, 0, i)", 7, "which is the last is not determined"),
        ("cuda.atomic.exch(out, 0, a[i])", 7, "both change out[0] with cuda.atomic.exch"),
        (
            "cuda.atomic.add(out, 0, a[i])\ncuda.atomic.max(out, 0, 3)",
            8,
            "with cuda.atomic.max at line 8, thread",
        ),
        (
            "cuda.atomic.max(out, 0, a[i])\ncuda.atomic.min(out, 0, 3)",
            8,
            "use one operation only, or put cuda.syncthreads() between them",
        ),
        ("cuda.atomic.or_(out, 0, a[i])\ncuda.atomic.and_(out, 0, 3)", 8, "use one operation only"),
        ("cuda.atomic.xor(out, 0, a[i])\ncuda.atomic.or_(out, 0, 3)", 8, "use one operation only"),
        ("cuda.atomic.inc(out, 0, t)", 7, "Their limits are different"),
        ("cuda.atomic.dec(out, 0, t)", 7, "Their limits are different"),
        ("cuda.atomic.inc(out, 0, 5)\ncuda.atomic.dec(out, 0, 6)", 8, "depends on their order"),
        ("cuda.atomic.inc(out, 0, 5)\ncuda.atomic.add(out, 0, 1)", 8, "depends on their order"),
        (
            "if t == 3:\n    cuda.atomic.exch(out, 0, 1)\nelse:\n    cuda.atomic.add(out, 0, 1)",
            10,
            "cuda.atomic.exch",
        ),
    ],
)
def test_changes_that_do_not_commute_are_a_race(body, line, words):
    verdict = verdict_of(body)
    assert found(verdict) == [("race", line)], verdict
    assert words in verdict.faults[0].text


def test_they_are_a_race_in_shared_memory_and_between_blocks_too():
    body = "s = cuda.shared.array(1, uint32)\nif t == 0:\n    s[0] = 0\ncuda.syncthreads()\n"
    assert found(verdict_of(body + "cuda.atomic.exch(s, 0, t)")) == [("race", 11)]
    body = "if t == 0:\n    cuda.atomic.exch(out, 0, cuda.blockIdx.x)"
    assert found(verdict_of(body, grid="3")) == [("block-race", 8)]
    body = "if cuda.blockIdx.x == 0:\n    cuda.atomic.add(out, 0, 1)\nelse:\n    cuda.atomic.min(out, 0, 1)"
    verdict = verdict_of(body, grid="2", block="1")
    assert found(verdict) == [("block-race", 10)]
    assert "separate them by two launches" in verdict.faults[0].text


@pytest.mark.parametrize(
    ("body", "block", "turns"),
    [
        ("cuda.atomic.add(out, 0, 1)", "32", 32),
        ("cuda.atomic.add(out, 0, 1)", "64", 32),  # of one warp
        ("cuda.atomic.add(out, t % 4, 1)", "32", 8),
        ("cuda.atomic.add(a, i, 1)", "32", 1),
        ("if t < 5:\n    cuda.atomic.add(out, 0, 1)", "32", 5),
        ("for j in range(3):\n    cuda.atomic.add(out, 0, 1)", "8", 8),
    ],
)
def test_changes_of_one_element_are_counted_one_after_the_other(body, block, turns):
    verdict = verdict_of(body, block=block)
    (count,) = [count for count in verdict.counts if count.access == "atomic"]
    assert count.atomic_turns == verdict.totals.atomic_turns == turns
    assert (f"{turns} changes of one element one after the other" in str(verdict)) == (turns > 1)


def test_not_a_number_is_not_the_largest_atomically():
    verdict = verdict_of("x = a[i]\nif t == 0:\n    x = x / 0 - x / 0\ncuda.atomic.max(out, 0, x)", dtype="float32",
                         expect="out = np.where(np.arange(4) == 0, np.max(a[1:8]), 0)")  # fmt: skip
    assert verdict.passed, verdict
