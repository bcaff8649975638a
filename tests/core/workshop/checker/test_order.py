"""A launch with a race, run again the other way round; and the variables of its threads. Numbers worked out by hand."""

import numpy as np
import pytest

from tests.core.workshop.checking import check

HEAD = """
from numba import cuda, float32, int32

@cuda.jit(device=True)
def doubled(value):
    twice = value * 2
    return twice

@cuda.jit
def kernel(out, a):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
"""
ARGS = "out: float32[n] = 0, a: float32[n] = 1"


def trace_of(body, *, block="8", grid="1", sizes="n=8", args=ARGS):
    source = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    verdict = check(
        source, args, grid, block, sizes, types=False, trace=True, isolated=False, seed=1
    )
    return verdict.trace


def array(trace, name):
    return next(each for each in trace.arrays if each.name == name).data


def test_a_read_before_the_write_finds_what_was_there():
    trace = trace_of("s[t] = a[i] + t\nout[i] = s[7 - t]")
    (conflict,) = trace.conflicts
    assert (conflict.kind, conflict.lanes, conflict.element) == ("race", (0, 7), 0)
    assert [trace.events[step].kind for step in conflict.events] == ["write", "read"]
    assert array(trace, "out").tolist() == [8, 7, 6, 5, 4, 3, 2, 1]
    other = trace.other_order
    assert array(other, "out").tolist() == [8, 7, 6, 5, 4, 3, 2, 0]
    (turned,) = other.conflicts
    assert turned.lanes == (7, 0)
    assert [other.events[step].kind for step in turned.events] == ["read", "write"]


def test_a_race_within_a_warp_comes_out_the_other_way():
    trace = trace_of("s[t] = t + 1\nout[i] = s[t ^ 1]", block="32", sizes="n=32")
    assert array(trace, "out")[:2].tolist() == [2, 1]
    first, second = trace.conflicts[0].lanes
    changed = np.flatnonzero(array(trace, "out") != array(trace.other_order, "out"))
    assert changed.tolist() == [second]
    assert abs(first - second) == 1


def test_an_update_of_two_threads_is_lost():
    """All read 0 at one step and write 1: one addition is left. A thread that is ahead makes it two."""
    trace = trace_of("out[0] += a[i]")
    assert array(trace, "out")[0] == 1
    assert array(trace.other_order, "out")[0] == 2


def test_blocks_that_meet_at_an_element():
    """In the order shown thread 0 reads what thread 8 has written; held up, thread 8 writes over its result."""
    body = "for k in range(t + cuda.blockIdx.x * 8, 16, 8):\n    value = a[k]\n    a[k] = value * 3"
    trace = trace_of(body, grid="2", sizes="n=16")
    assert [each.kind for each in trace.conflicts] == ["block-race"]
    assert array(trace, "a")[8] == 9
    assert array(trace.other_order, "a")[8] == 3


@pytest.mark.parametrize(
    "wait",
    [
        "cuda.syncthreads()",
        "cuda.syncwarp()",
        "x = cuda.syncthreads_count(1)",
    ],
)
def test_threads_wait_for_each_other_in_both_orders(wait):
    loop = f"for k in range(3):\n    s[t] = t + k\n    {wait}\n    out[i] += s[(t + 1) % 32]\n"
    body = loop + "s[t + 1] = a[i]\nout[i] += s[t]"
    trace = trace_of(body, block="32", sizes="n=32")
    other = trace.other_order
    assert other.complete
    assert [event.kind for event in other.events].count("barrier") == (
        3 if "threads" in wait else 0
    )
    for name in ("out", "a"):
        one, two = (array(each, name) for each in (trace, other))
        assert (one != two).sum() <= 2  # the thread that is alone, and its neighbor


def test_the_value_of_a_shuffle_comes_from_both_groups():
    body = "x = cuda.shfl_sync(0xffffffff, t * 10, 31 - t)\ns[t] = t\nout[i] = s[31 - t] + x"
    trace = trace_of(body, block="32", sizes="n=32")
    second = trace.conflicts[0].lanes[1]
    expected = 11.0 * (31 - np.arange(32))
    assert array(trace, "out").tolist() == expected.tolist()
    expected[second] = 10.0 * (31 - second)
    assert array(trace.other_order, "out").tolist() == expected.tolist()


def test_without_a_race_there_is_one_order():
    trace = trace_of("out[i] = a[i]")
    assert trace.conflicts == ()
    assert trace.other_order is None


def test_writes_of_one_value_are_no_race():
    trace = trace_of("out[0] = 5")
    assert [each.kind for each in trace.conflicts] == ["same-value"]
    assert trace.other_order is None


def variable(trace, name, lane):
    """(event, value) of each assignment of the thread, and the type."""
    found = [each for each in trace.variables if each.name == name]
    rows = [
        (int(at), value.item())
        for each in found
        for at, value in zip(
            each.at[each.lanes == lane], each.values[each.lanes == lane], strict=True
        )
    ]
    return rows, {str(each.values.dtype) for each in found}


def test_variables_are_kept_by_thread_with_their_types():
    trace = trace_of("value = a[i]\nif t < 2:\n    value = value + t\nout[i] = doubled(value)")
    assert [event.kind for event in trace.events] == ["read", "branch", "write"]
    assert variable(trace, "t", 5) == ([(0, 5)], {"int32"})
    assert variable(trace, "i", 5)[1] == {"int64"}
    # The last is the parameter of the function.
    assert variable(trace, "value", 1)[0] == [(0, 1.0), (2, 2.0), (2, 2.0)]
    assert variable(trace, "twice", 1)[0] == [(2, 4.0)]
    assert {each.function for each in trace.variables if each.name == "twice"} == {"doubled"}
    assert not [each for each in trace.variables if each.name in ("a", "out", "s")]


def test_a_check_that_does_not_look_keeps_no_variables(monkeypatch):
    monkeypatch.setattr("core.workshop.checker.variables.VariableRecorder.keep", None)
    verdict = check(
        HEAD + "    out[i] = a[i]\n", ARGS, "1", "8", "n=8", types=False, isolated=False
    )
    assert verdict.passed


def test_only_so_many_values_are_kept(monkeypatch):
    monkeypatch.setattr("core.workshop.checker.variables.MAX_ROWS", 50)
    trace = trace_of("for k in range(100):\n    s[t] = k\nout[i] = s[t]")
    assert sum(len(each.at) for each in trace.variables) <= 50
    assert not trace.all_variables
