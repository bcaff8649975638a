"""Atomic changes conflict unless they commute, and those of one element are counted one after the other."""

import pytest

from tests.core.workshop.checking import check

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


COMPACT = """
from numba import cuda

@cuda.jit
def compact(out, count, a):
    i = cuda.grid(1)
    if i < a.size and a[i] > 0:
        place = cuda.atomic.add(count, 0, 1)
        out[place] = VALUE
"""
COMPACT_ARGS = "out: int32[n] = 0, count: int32[1] = 0, a: int32[n]"


def test_threads_take_places_in_a_list_by_the_value_of_an_atomic_addition():
    verdict = check(
        COMPACT.replace("VALUE", "1"), COMPACT_ARGS, "(n + 31) // 32", "32", "n=40,100", types=False, isolated=False,
        expect="count = np.sum(a > 0); out = (np.arange(a.size) < np.sum(a > 0)).astype(np.int32)",
    )  # fmt: skip
    assert verdict.passed, verdict.faults
    assert verdict.summary == "No fault on these 2 shapes, in 7 orders of the atomic operations."


def test_a_list_whose_order_is_taken_for_granted_is_wrong_in_another_order():
    verdict = check(
        COMPACT.replace("VALUE", "i"), COMPACT_ARGS, "1", "32", "n=32", types=False, isolated=False, seed=1,
        expect="count = np.sum(a > 0); out = np.concatenate((np.nonzero(a > 0)[0], np.zeros(a.size)))[:a.size]",
    )  # fmt: skip
    (fault,) = verdict.faults
    assert fault.kind == "wrong-result"
    assert "in another order of the atomic operations" in fault.text


def test_a_counter_that_is_no_atomic_loses_places():
    racing = COMPACT.replace(
        "cuda.atomic.add(count, 0, 1)", "count[0]\n        count[0] = place + 1"
    )
    verdict = check(
        racing.replace("VALUE", "i"), COMPACT_ARGS, "1", "32", "n=32", types=False, isolated=False
    )
    assert {fault.kind for fault in verdict.faults} >= {"race"}
    assert verdict.orders == 1


@pytest.mark.parametrize(
    "call",
    [
        "exch(a, 0, i + 1)",
        "sub(a, 0, 2)",
        "inc(a, 0, 4)",
        "dec(a, 0, 4)",
        "max(a, 0, i)",
        "or_(a, 0, 1 << i)",
        "xor(a, 0, 1 << i)",
    ],
)
def test_the_value_and_the_element_agree_with_one_lane_after_the_other(call):
    """What the lanes found, and what is left at the end, are the same numbers shifted by one turn."""
    head = "from numba import cuda\n@cuda.jit\ndef k(out, a):\n    i = cuda.grid(1)\n"
    source = f"{head}    out[i] = cuda.atomic.{call}\n"
    verdict = check(
        source, "out: int32[8], a: int32[1] = 3", "1", "8", trace=True, types=False, isolated=False
    )
    assert verdict.passed, verdict.faults
    arrays = {memory.name: memory.data for memory in verdict.trace.arrays}
    assert arrays["out"][0] == 3
    statement = source.replace("out[i] = cuda", "cuda")
    alone = check(
        statement,
        "out: int32[8] = 0, a: int32[1] = 3",
        "1",
        "8",
        trace=True,
        types=False,
        isolated=False,
    )
    if "exch" not in call:  # of which different operands are a race where no value is used
        assert {memory.name: memory.data for memory in alone.trace.arrays}["a"] == arrays["a"]


def test_a_loop_with_compare_and_swap_keeps_the_largest_square():
    source = """
from numba import cuda

@cuda.jit
def k(out, a):
    i = cuda.grid(1)
    if i < a.size:
        old = cuda.atomic.add(out, 0, 0)
        while old < a[i] * a[i]:
            seen = cuda.atomic.cas(out, 0, old, a[i] * a[i])
            if seen == old:
                break
            old = seen
"""
    args = "out: int64[1] = 0, a: int64[n]"
    expect = "out = np.max(a * a)"
    verdict = check(
        source, args, "(n + 31) // 32", "32", "n=5,70", expect=expect, types=True, isolated=False
    )
    assert verdict.passed, verdict.faults
    assert verdict.orders == 7


def test_compare_and_swap_needs_whole_numbers_and_four_values():
    def said(call, kind):
        source = f"from numba import cuda\n@cuda.jit\ndef k(out):\n    x = cuda.atomic.{call}\n"
        (fault, *_) = check(
            source, f"out: {kind}[1] = 0", "1", "8", types=False, isolated=False
        ).faults
        return fault.text

    assert "cuda.atomic.cas needs an array of whole numbers" in said(
        "cas(out, 0, 0.0, 1.0)", "float32"
    )
    assert "takes 4 values, not 3" in said("cas(out, 0, 1)", "int32")


def test_an_ordinary_access_beside_atomic_ones_whose_values_are_used_is_a_race():
    source = """
from numba import cuda

@cuda.jit
def k(out, a):
    i = cuda.grid(1)
    x = cuda.atomic.add(a, 0, 1)
    out[i] = a[0] + x
"""
    verdict = check(source, "out: int32[8], a: int32[1] = 0", "1", "8", types=False, isolated=False)
    assert "race" in {fault.kind for fault in verdict.faults}
