"""What is said and shown at a step of a launch. The numbers are worked out by hand."""

import numpy as np
import pytest

from core.workshop.check import check
from core.workshop.look import AWAY, HERE, WAITS, Replay
from kernels.workshop.trace import Event

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
        ("out[x, y] = a[y, x]", 1, "writes of this warp need 32 sectors: neighboring threads use a column"),
        ("out[y, x] = a[y, 0]", 0, "use the same element of a"),
        (
            "tile[x, y] = a[y, x]",
            1,
            "Up to 32 of the 32 writes of this warp need different words of one bank",
        ),
        ("tile[y, x] = a[y, x]", 1, "they take one turn"),
        ("tile[y, x] = a[y, x]; cuda.syncthreads(); out[y, x] = tile[y, 0]", 3, "use the same word of tile"),
        (
            "cuda.syncthreads(); out[y, x] = a[y, x]",
            0,
            "All 1024 threads of the block have come to the barrier",
        ),
    ],
)
def test_a_sentence_says_what_to_notice(body, step, words):
    assert words in str(replay_of(body).notice(step, 0, 0))


def test_a_branch_that_divides_a_warp_is_named():
    replay = replay_of("if x < 8:\n        out[y, x] = a[y, x]", block="32, 1")
    assert "8 of the 32 threads of this warp take this branch" in str(replay.notice(0, 0, 0))
    assert (replay.threads(1, 0) == HERE).sum() == 8
    assert (replay.threads(1, 0) == AWAY).sum() == 24


def test_atomic_changes_of_one_element_are_one_after_the_other():
    replay = replay_of(
        "cuda.atomic.add(out, 0, a[x])", block="32", args="out: float32[1] = 0, a: float32[32]"
    )
    assert "Up to 32 threads of this warp change the same element of out" in str(replay.notice(1, 0, 0))


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
