"""Several launches, dynamic shared memory, barriers of the grid, one array for two arguments, and given inputs."""

import numpy as np
import pytest

from core.errors import InputError
from tests.core.workshop.checking import check

HEAD = "from numba import cuda, float32, int32\n"
SUM = (
    HEAD
    + """
@cuda.jit
def sums(part, a):
    s = cuda.shared.array(8, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = a[i] if i < a.size else 0
    cuda.syncthreads()
    if t == 0:
        total = float32(0)
        for j in range(8):
            total += s[j]
        part[cuda.blockIdx.x] = total

@cuda.jit
def total(out, part):
    if cuda.grid(1) == 0:
        found = float32(0)
        for j in range(part.size):
            found += part[j]
        out[0] = found
"""
)
BLUR = (
    HEAD
    + """
@cuda.jit
def step(new, old):
    i = cuda.grid(1)
    if 0 < i and i < old.size - 1:
        new[i] = (old[i - 1] + old[i + 1]) / 2
    elif i < old.size:
        new[i] = old[i]
"""
)
REVERSE = (
    HEAD
    + """
@cuda.jit
def reverse(out, a):
    s = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    {barrier}
    out[t] = s[a.size - 1 - t]
"""
)
NEIGHBORS = (
    HEAD
    + """
@cuda.jit
def twice(out, a, n):
    i = cuda.grid(1)
    if i < n:
        a[i] = 2 * a[i]
    {barrier}
    if i < n:
        out[i] = a[(i + 8) % n]
"""
)


def judged(source, args, **options):
    return check(source, args, types=False, isolated=False, seed=1, **options)


def kinds(verdict):
    return {fault.kind for fault in verdict.faults}


TWO_PASSES = "sums[(n + 7) // 8, 8](part, a); total[1, 32](out, part)"


def test_a_sum_in_two_launches():
    args = "out: float32[1], part: float32[(n + 7) // 8], a: float32[n]"
    verdict = judged(SUM, args, launches=TWO_PASSES, sizes="n=1,8,9,40", expect="out = np.sum(a)")
    assert verdict.passed, verdict
    assert verdict.kernel == "sums, total"
    assert {count.array for count in verdict.counts} == {"part", "a", "s", "out"}


def test_what_an_earlier_launch_has_not_written_is_not_there():
    args = "out: float32[1], part: float32[(n + 7) // 8], a: float32[n]"
    launches = "sums[n // 8, 8](part, a); total[1, 32](out, part)"
    verdict = judged(
        SUM, args, launches=launches, sizes="n=9", expect="out = np.sum(a); part = 0 * part.size"
    )
    assert "wrong-result" in kinds(verdict) or "uninitialized" in kinds(verdict)


def test_two_arrays_that_change_places():
    args = "x: float32[n], y: float32[n] = 0"
    expect = "x = np.concatenate([x[:2], (x[:-4] + 2 * x[2:-2] + x[4:]) / 4, x[-2:]]) if len(x) > 99 else x"
    launches = "; ".join(["step[(n + 7) // 8, 8](y, x)", "step[(n + 7) // 8, 8](x, y)"])
    verdict = judged(
        BLUR,
        args,
        launches=launches,
        sizes="n=1,2,9",
        expect=expect.replace("len(x) > 99", "False"),
    )
    assert kinds(verdict) == {"wrong-result"}
    assert not kinds(judged(BLUR, args, launches=launches, sizes="n=1,2,9,40"))


def test_one_array_for_two_arguments_is_one_array():
    verdict = judged(BLUR, "x: float32[n]", launches="step[(n + 7) // 8, 8](x, x)", sizes="n=7,9")
    assert kinds(verdict) == {"race", "block-race"}
    assert "new, old[" in verdict.faults[0].text


@pytest.mark.parametrize(
    ("barrier", "expected"), [("cuda.syncthreads()", set()), ("pass", {"race"})]
)
def test_dynamic_shared_memory(barrier, expected):
    source = REVERSE.format(barrier=barrier)
    args = "out: float32[n], a: float32[n]"
    verdict = judged(
        source, args, grid="1", block="n", shared="4 * n", sizes="n=33,40", expect="out = a[::-1]"
    )
    assert kinds(verdict) - {"uninitialized", "wrong-result"} == expected
    assert verdict.passed == (not expected)


def test_dynamic_shared_memory_that_the_launch_does_not_give():
    verdict = judged(
        REVERSE.format(barrier="cuda.syncthreads()"),
        "out: float32[n], a: float32[n]",
        grid="1",
        block="n",
        sizes="n=8",
    )
    assert "bounds" in kinds(verdict)
    assert "which the launch gives" in verdict.faults[0].text


@pytest.mark.parametrize(
    ("barrier", "expected"),
    [("cuda.cg.this_grid().sync()", set()), ("cuda.syncthreads()", {"block-race"})],
)
def test_a_barrier_of_the_grid_orders_blocks(barrier, expected):
    verdict = judged(
        NEIGHBORS.format(barrier=barrier),
        "out: float32[n], a: float32[n], n",
        grid="(n + 7) // 8",
        block="8",
        sizes="n=9,64",
    )
    assert kinds(verdict) == expected


def test_a_barrier_of_the_grid_that_a_block_misses():
    source = NEIGHBORS.format(barrier="if i < n:\n        cuda.cg.this_grid().sync()")
    verdict = judged(
        source, "out: float32[n], a: float32[n], n", grid="(n + 7) // 8", block="8", sizes="n=9"
    )
    assert kinds(verdict) == {"barrier"}
    assert "threads of the grid" in verdict.faults[0].text


COMPACT = (
    HEAD
    + """
@cuda.jit
def keep(out, count, a):
    i = cuda.grid(1)
    if i < a.size and a[i] > 0:
        place = cuda.atomic.add(count, 0, 1)
        out[place] = a[i]{wrong}
"""
)


@pytest.mark.parametrize(("wrong", "expected"), [("", set()), (" + 1", {"wrong-result"})])
def test_elements_in_any_order(wrong, expected):
    verdict = judged(
        COMPACT.format(wrong=wrong),
        "out: float32[n], count: int32[1] = 0, a: float32[n]",
        grid="(n + 7) // 8",
        block="8",
        sizes="n=1,9,40",
        expect="count = np.count_nonzero(a > 0); sorted(out[:count[0]]) = a[a > 0]",
    )
    assert kinds(verdict) == expected
    assert verdict.orders == 7


GATHER = (
    HEAD
    + """
@cuda.jit
def gather(out, row, value):
    i = cuda.grid(1)
    if i < out.size:
        s = 0
        for j in range(row[i], row[i + 1]):
            s += value[j]
        out[i] = s
"""
)


def test_given_inputs_and_rows():
    args = "out: int32[n], row: int32[n + 1], value: int32[e]"
    inputs = {"row": [0, 2, 2, 3], "value": [5, 6, 7]}
    verdict = judged(
        GATHER,
        args,
        grid="1",
        block="8",
        sizes="n=3 e=3",
        inputs=inputs,
        expect="out = np.array([11, 0, 7])",
    )
    assert verdict.passed, verdict
    args = args.replace("n + 1]", "n + 1] rows e")
    assert judged(GATHER, args, grid="1", block="8", sizes="n=1,2,3,5 e=1,9").passed


@pytest.mark.parametrize(
    ("form", "holds"),
    [
        ("sorted", lambda x: (np.diff(x) >= 0).all()),
        ("distinct", lambda x: len(set(x)) == len(x)),
        ("distinct < n", lambda x: sorted(x) == list(range(len(x)))),
        ("permutation", lambda x: sorted(x) == list(range(len(x)))),
        ("rows 7", lambda x: x[0] == x[1] == 0 and x[-1] == x[-2] == 7 and (np.diff(x) >= 0).all()),
        ("< 3", lambda x: 0 in x and list(x).count(2) > 1 and max(x) < 3),
    ],
)
def test_inputs_with_a_meaning(form, holds):
    from core.workshop.inputs import make_inputs
    from core.workshop.launch import parse_launch

    launch = parse_launch("k", f"a: int32[n] {form}", "1", "8", "n=20")
    assert holds(make_inputs(launch, {"n": 20}, 3, set())["a"])


@pytest.mark.parametrize(
    ("args", "options", "said"),
    [
        ("a: int32[n] rising", {}, "no kind of input"),
        ("a: int32[n] rows", {}, "no kind of input"),
        ("a: int32[n] distinct < 3", {}, "no 20 different whole numbers below 3"),
        ("a: float32[n] permutation", {}, "a type of whole numbers"),
        ("a: int32[n, n] sorted", {}, "one dimension"),
        ("a: int32[n]", {"inputs": {"b": [1]}}, "no array of args"),
        ("a: int32[n]", {"inputs": {"a": [1]}}, "has the shape"),
        ("a: int32[n]", {"shared": "60000"}, "a block has up to"),
        ("a: int32[n]", {"launches": "k(a)"}, "cannot be read"),
        ("a: int32[n]", {"launches": "k[1, 8](a) k"}, "cannot be read"),
    ],
)
def test_wrong_texts_are_named(args, options, said):
    sides = {} if "launches" in options else {"grid": "1", "block": "8"}
    with pytest.raises(InputError) as error:
        judged("", args, sizes="n=20", **sides, **options)
    assert said in str(error.value)


LOOP = (
    HEAD
    + """
@cuda.jit
def product(result, a):
    i = cuda.grid(1)
    if i < a.size:
        seen = result[0]
        assumed = seen + 1
        while seen != assumed:
            assumed = seen
            seen = cuda.atomic.cas(result, 0, assumed, assumed * a[i] % 65521){wrong}
"""
)


@pytest.mark.parametrize(
    ("wrong", "expected"), [("", set()), ("\n        a[i] = result[0]", {"race", "block-race"})]
)
def test_the_read_that_begins_a_loop_of_compare_and_swap_is_no_race(wrong, expected):
    args = "result: int32[1] = 3, a: int32[n] < 9"
    verdict = judged(LOOP.format(wrong=wrong), args, grid="(n + 7) // 8", block="8", sizes="n=7,12")
    assert kinds(verdict) == expected


def test_the_read_before_a_single_compare_and_swap_is_a_race():
    """It is not tried again, so an addition may be lost."""
    source = (
        HEAD
        + """
@cuda.jit
def k(total, a):
    i = cuda.grid(1)
    if i < a.size:
        seen = total[0]
        a[i] = cuda.atomic.cas(total, 0, seen, seen + 1)
"""
    )
    verdict = judged(source, "total: int32[1] = 0, a: int32[n]", grid="1", block="8", sizes="n=7")
    assert "race" in kinds(verdict)


def test_only_a_grid_has_a_barrier_of_its_own():
    source = HEAD + "@cuda.jit\ndef k(out):\n    i = cuda.grid(1)\n    i.sync()\n    out[i] = i\n"
    verdict = judged(source, "out: int32[8]", grid="1", block="8")
    assert "Only a grid has sync()" in verdict.faults[0].text


@pytest.mark.parametrize(
    ("index", "said"),
    [("a[2:][0.5]", "a floating-point number"), ("a[2:][6]", "uses element 6 of a part of a that has 6"),
     ("a[-9]", "uses a[-9], but a has 8 elements")],
)  # fmt: skip
def test_a_wrong_index_of_a_part_or_from_the_end(index, said):
    source = HEAD + f"@cuda.jit\ndef k(out, a):\n    out[cuda.grid(1)] = {index}\n"
    verdict = judged(source, "out: float32[8], a: float32[8]", grid="1", block="8")
    assert said in verdict.faults[0].text


def test_compare_and_swap_whose_value_nobody_uses_depends_on_the_order():
    source = HEAD + "@cuda.jit\ndef k(out):\n    cuda.atomic.cas(out, 0, 0, {value})\n"
    args = "out: int32[1] = 0"
    sides = {"grid": "1", "block": "8"}
    assert kinds(judged(source.format(value="cuda.threadIdx.x + 1"), args, **sides)) == {"race"}
    assert not kinds(judged(source.format(value=5), args, **sides))


def test_a_comparison_that_no_thread_makes_has_a_type():
    source = (
        HEAD
        + "@cuda.jit\ndef k(out):\n    i = cuda.grid(1)\n    x = i < 3 if i < 100 else i < 2\n    out[i] = x\n"
    )
    assert judged(source, "out: int32[8]", grid="1", block="8").passed


def test_a_constant_of_the_file_may_be_a_shift():
    source = HEAD + "WIDTH = 1 << 3 | 1\n@cuda.jit\ndef k(out):\n    out[cuda.grid(1)] = WIDTH\n"
    assert judged(source, "out: int32[8]", grid="1", block="8", expect="out = 9").passed


def test_all_lines_of_a_race_are_named():
    source = (
        HEAD
        + """
@cuda.jit
def k(out, a):
    i = cuda.threadIdx.x
    if i == 0:
        out[0] = 1
    elif i == 1:
        out[0] = 2
    elif i == 2:
        out[0] = 3
    elif i == 3:
        a[0] = out[0]
"""
    )
    verdict = judged(source, "out: float32[1], a: float32[1]", grid="1", block="4")
    (race,) = [fault for fault in verdict.faults if fault.kind == "race"]
    assert race.lines == (7, 9, 11, 13)
    assert "So do lines" in race.text


def test_more_shared_memory_than_a_block_has_is_refused_as_by_a_card():
    text = "from numba import cuda, float32\n@cuda.jit\ndef copy(out):\n    tile = cuda.shared.array(4096, float32)\n"
    text += (
        "    own = cuda.shared.array(0, float32)\n    own[0] = tile[0] = 1\n    out[0] = own[0]\n"
    )
    launch = ("out: float32[1]", "1", "1", "")
    verdict = check(text, *launch, shared="40 * 1024", types=False, isolated=False)
    (fault,) = verdict.faults
    assert "take 16,384 bytes of shared memory, and the launch gives 40,960 more" in fault.text
    assert "a card refuses the launch" in fault.text
