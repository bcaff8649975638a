"""What is said and shown at a step of a launch. The numbers are worked out by hand."""

import numpy as np
import pytest

from core.workshop.checker.trace import Event
from core.workshop.look import AWAY, HERE, WAITS, Replay
from tests.core.workshop.checking import check

KERNEL = """
from numba import cuda, float32

@cuda.jit
def kernel(out, a):
    tile = cuda.shared.array((32, 32), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    {body}
"""


def replay_of(body, *, block="32, 32", args="out: float32[32, 32], a: float32[32, 32]", grid="1"):
    source = KERNEL.format(body=body.replace("; ", "\n    "))
    verdict = check(source, args, grid, block, types=False, trace=True, isolated=False, seed=1)
    return Replay(verdict.trace)


@pytest.mark.parametrize(
    ("body", "step", "words"),
    [
        ("out[y, x] = a[y, x]", 0, "reads of this warp need 4 sectors, the least possible"),
        (
            "out[x, y] = a[y, x]",
            1,
            "writes of this warp need 32 sectors: neighboring threads use a column",
        ),
        ("out[y, x] = a[y, 0]", 0, "use the same element of a"),
        (
            "tile[x, y] = a[y, x]",
            1,
            "Up to 32 of the 32 writes of this warp need different words of one bank",
        ),
        ("tile[y, x] = a[y, x]", 1, "they take one turn"),
        (
            "tile[y, x] = a[y, x]; cuda.syncthreads(); out[y, x] = tile[y, 0]",
            3,
            "use the same word of tile",
        ),
        (
            "cuda.syncthreads(); out[y, x] = a[y, x]",
            0,
            "All 1,024 threads of the block have come to the barrier",
        ),
    ],
)
def test_a_sentence_says_what_to_notice(body, step, words):
    assert words in str(replay_of(body).notice(step, 0, 0))


@pytest.mark.parametrize(
    ("index", "words"),
    [
        ("x + 1", "need 5 sectors; 4 would do if they began at a sector's edge"),
        ("x + 2 * (x // 3)", "need 7 sectors; 4 would do if they began at a sector's edge"),
        ("x + 2 * (x // 2)", "need 8 sectors where 4 would do: their elements lie far apart"),
    ],
)
def test_a_few_sectors_more_are_told_from_scattered_elements(index, words):
    replay = replay_of(
        f"out[x] = a[{index}]", block="32, 1", args="out: float32[32], a: float32[64]"
    )
    assert words in str(replay.notice(0, 0, 0))


def test_a_branch_that_divides_a_warp_is_named():
    replay = replay_of("if x < 8:\n        out[y, x] = a[y, x]", block="32, 1")
    assert "8 of the 32 threads of this warp take this branch" in str(replay.notice(0, 0, 0))
    assert (replay.threads(1, 0) == HERE).sum() == 8
    assert (replay.threads(1, 0) == AWAY).sum() == 24


def test_atomic_changes_of_one_element_are_one_after_the_other():
    replay = replay_of(
        "cuda.atomic.add(out, 0, a[x])", block="32", args="out: float32[1] = 0, a: float32[32]"
    )
    assert "Up to 32 threads of this warp change the same element of out" in str(
        replay.notice(1, 0, 0)
    )


def test_the_memory_is_that_after_the_step_forwards_and_back():
    replay = replay_of("tile[y, x] = a[y, x]; cuda.syncthreads(); out[x, y] = tile[y, x]")
    names = [info.name for info in replay.trace.arrays]
    tile, out, a = (names.index(name) for name in ("tile", "out", "a"))
    start = replay.trace.arrays[a].start
    last = len(replay.trace.events) - 1
    assert not replay.memory(0, tile, 0)[1].any()  # only read so far
    values, written = replay.memory(1, tile, 0)
    assert written.all()
    assert np.array_equal(values, start)
    after = replay.memory(last, out, 0)[0]
    assert np.array_equal(after.reshape(32, 32).T.reshape(-1), start)
    before, written = replay.memory(0, out, 0)
    assert np.array_equal(before, replay.trace.arrays[out].start, equal_nan=True)
    assert not written.any()
    assert (replay.threads(2, 0) == WAITS).all()


def test_each_block_has_its_own_steps_and_shared_memory():
    body = "if cuda.blockIdx.x == 1:\n        tile[y, x] = a[y, x]"
    replay = replay_of(body, grid="2", block="32, 1")
    kinds = [replay.trace.events[index].kind for index in replay.steps(1)]
    assert kinds[-1] == "write"
    assert "write" not in [replay.trace.events[index].kind for index in replay.steps(0)]
    tile = [info.name for info in replay.trace.arrays].index("tile")
    last = len(replay.trace.events) - 1
    assert replay.memory(last, tile, 1)[1].sum() == 32
    assert not replay.memory(last, tile, 0)[1].any()


def test_lanes_are_shown_against_the_sectors_and_banks_that_they_ask_for():
    replay = replay_of("tile[x, y] = a[y, x]")
    heat = replay.heat(0, 0, 0)
    assert (heat.kind, heat.cost, heat.columns.tolist()) == ("sectors", 4, [0, 1, 2, 3])
    assert heat.hits[8].tolist() == [False, True, False, False]
    heat = replay.heat(1, 0, 0)
    assert (heat.kind, heat.cost, heat.hits.shape) == ("banks", 32, (32, 32))
    assert heat.hits[:, 0].all()


def test_a_barrier_that_threads_miss_shows_who_waits():
    replay = replay_of(
        "if x < 4:\n        cuda.syncthreads()", block="8", args="out: float32[8], a: float32[8]"
    )
    event = next(index for index, each in enumerate(replay.trace.events) if each.kind == "barrier")
    assert isinstance(replay.trace.events[event], Event)
    assert (replay.threads(event, 0) == WAITS).sum() == 4
    assert "4 of 8 threads wait at the barrier" in str(replay.notice(event, 0, 0))


def test_a_race_is_said_at_both_steps_and_in_the_other_order():
    replay = replay_of("tile[x, 0] = a[0, x]; out[0, x] = tile[31 - x, 0]", block="32")
    (conflict,) = replay.trace.conflicts
    words = [str(replay.races.sentence(step)) for step in conflict.events]
    assert words == [
        "Race: thread 0 writes tile[0, 0] while thread 31 reads it at line 10: nothing orders them.",
        "Race: thread 31 reads tile[0, 0] while thread 0 writes it at line 9: nothing orders them.",
    ]
    assert replay.races.sentence(0) is None
    result = str(replay.races.other_result())
    assert (
        "thread 31 reads tile[0, 0] before thread 0 writes it. Nobody has written there yet"
        in result
    )
    assert "At the end out[0, 31] is 0, where the first order gave" in result


def test_a_race_is_marked_at_all_its_elements_and_threads():
    replay = replay_of("tile[x, 0] = a[0, x]; out[0, x] = tile[31 - x, 0]", block="32", grid="2")
    pairs = replay.races.pairs_at(replay.trace.conflicts[0].events[1])
    in_block = [
        pair
        for pair in pairs
        if pair.array == replay.trace.conflicts[0].array and max(pair.lanes) < 32
    ]
    assert sorted(pair.lanes for pair in in_block) == [(lane, 31 - lane) for lane in range(32)]
    assert len({pair.element for pair in in_block}) == 32
    assert replay.races.pairs_at(0) == []


def test_what_a_barrier_of_the_warp_orders_is_not_marked_as_a_race():
    """Only threads of different warps race for what cuda.syncwarp orders within each."""
    write, read = "tile[x % 32, x // 32] = a[0, x % 32]", "tile[(x + 16) % 32, (x + 16) // 32 % 2]"
    body = f"{write}; cuda.syncwarp(); out[y, x % 32] = {read}"
    replay = replay_of(body, block="64")
    tile = next(info.number for info in replay.trace.arrays if info.space == "shared")
    (conflict,) = (each for each in replay.trace.conflicts if each.array == tile)
    pairs = [pair.lanes for pair in replay.races.pairs_of(conflict)]
    assert len(pairs) == 32
    assert all(one // 32 != two // 32 for one, two in pairs)


def test_threads_that_write_at_one_step_are_named_together():
    replay = replay_of("out[0, 0] = x", block="32")
    step = replay.trace.conflicts[0].events[0]
    assert "while thread 0 writes it, too" in str(
        replay.races.sentence(step)
    ) or "thread 0 writes" in str(replay.races.sentence(step))
    assert "same value" in str(
        Replay(replay_of("out[0, 0] = 1", block="32").trace).races.sentence(0)
    )


def test_blocks_are_named_where_the_threads_are_of_two():
    body = "out[0, x] = out[0, x] + 1"
    replay = replay_of(
        body, block="4", grid="2", args="out: float32[32, 32] = 0, a: float32[32, 32]"
    )
    step = replay.trace.conflicts[0].events[0]
    assert "of block 0" in str(replay.races.sentence(step))
    assert "of block 1" in str(replay.races.sentence(step))


def test_variables_are_those_of_the_thread_at_the_step():
    body = "total = 0.0; for k in range(3):\n        total += a[k, x]; out[0, x] = total"
    replay = replay_of(body, block="4")
    names = {value.name: value for value in replay.variables(1, 0, 2)}
    assert names["k"].value == 1
    assert names["k"].is_new
    assert names["x"].value == 2
    assert names["x"].type == "int32"
    assert not names["x"].is_new
    expected = replay.trace.arrays[1].start.reshape(32, 32)[:2, 2].sum()
    assert names["total"].value == pytest.approx(expected)


def test_local_memory_is_that_of_the_thread():
    replay = replay_of(
        "mine = cuda.local.array(4, float32); mine[0] = x; out[0, x] = mine[0]", block="8"
    )
    mine = next(info.number for info in replay.trace.arrays if info.space == "local")
    values, written = replay.memory(0, mine, 0, 5)
    assert values.tolist() == [5, 0, 0, 0]
    assert written.tolist() == [True, False, False, False]
