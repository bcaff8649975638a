"""The checker finds races, barriers, wrong indices and unset memory, and computes with Numba's types."""

import numpy as np
import pytest

from core.workshop.checker.compilation import explain
from core.workshop.checker.trace import Totals
from tests.core.workshop.checking import check

HEAD = "import math\nfrom numba import cuda, float32, int32\nTILE = 8\n@cuda.jit\n"


def run(
    body,
    args="out: float32[n], a: float32[n]",
    grid="(n + 7) // 8",
    block="8",
    sizes="n=1,7,8,20",
    **options,
):
    """The verdict of a kernel `k`, whose first line is line 6 of the file."""
    names = ", ".join(
        part.split(":")[0].strip()
        for part in args.split(", ")
        if ":" in part or part.isidentifier()
    )
    lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    text = f"{HEAD}def k({names}):\n{lines}\n"
    return check(text, args, grid, block, sizes, types=False, isolated=False, seed=1, **options)


def found(verdict):
    return [(fault.kind, fault.line) for fault in verdict.faults]


def test_a_right_kernel_passes():
    verdict = run(
        "i = cuda.grid(1)\nif i < out.size:\n    out[i] = a[i] + 10", expect="out = a + 10"
    )
    assert verdict.passed
    assert verdict.summary == "No fault on these 4 shapes."


def test_a_missing_barrier_is_a_race_with_both_threads_and_lines():
    verdict = run("""
s = cuda.shared.array(TILE, float32)
t = cuda.threadIdx.x
i = cuda.grid(1)
s[t] = a[i] if i < a.size else 0
if i < out.size:
    out[i] = s[TILE - 1 - t]
""")  # fmt: skip
    assert found(verdict) == [("race", 11)]
    fault = verdict.faults[0]
    assert (fault.thread, fault.other_thread, fault.other_line, fault.array) == ((0,), (7,), 9, "s")
    assert "Thread 0 of block 0 reads s[7] at line 11, thread 7 writes it at line 9" in fault.text


def test_blocks_that_add_to_one_element_race_and_atomics_do_not():
    racing = run(
        "i = cuda.grid(1)\nif i < a.size:\n    out[0] += a[i]",
        args="out: float32[1] = 0, a: float32[n]",
    )
    assert {("race", 8), ("block-race", 8)} <= set(found(racing))
    atomic = run(
        "i = cuda.grid(1)\nif i < a.size:\n    cuda.atomic.add(out, 0, a[i])",
        args="out: float32[1] = 0, a: float32[n]", expect="out = np.sum(a)",
    )  # fmt: skip
    assert atomic.passed


def test_a_constant_that_divides_by_zero_is_none_that_the_check_can_read():
    text = f"{HEAD.replace('TILE = 8', 'TILE = 8 // 0')}def k(out):\n    out[0] = TILE\n"
    (fault,) = check(text, "out: float32[1]", "1", "1", types=False, isolated=False).faults
    assert fault.text.startswith("TILE (line 3) is no constant that the check can read")


def test_a_number_beyond_64_bits_is_refused():
    (fault,) = run(f"out[0] = {1 << 63}").faults
    assert "does not fit into 64 bits" in fault.text


def test_the_value_that_two_lines_write_is_named():
    (fault,) = run("t = cuda.threadIdx.x\nout[t] = t\nout[7 - t] = 7 - t", sizes="n=8").faults
    assert fault.kind == "same-value"
    assert f"the same value, {fault.element[0]}.0, to out[{fault.element[0]}]" in fault.text


@pytest.mark.parametrize(
    ("message", "words"),
    [("Failed in x\nSomething odd.\nMore", "Something odd."), ("", "the compiler gave no reason.")],
)
def test_another_message_of_the_compiler_is_its_first_line(message, words):
    fault = explain(ValueError(message), 3)
    assert (fault.line, fault.text) == (3, f"Numba cannot compile this: {words}")


def test_too_many_indices_are_explained():
    message = "cannot index array(float32, 2d, C) with 3 indices: UniTuple(int64 x 3)"
    assert explain(ValueError(message), 3).text.endswith(
        "an array with 2 dimension(s) is indexed with 3."
    )


def test_a_kernel_without_accesses_counts_nothing():
    assert run("i = cuda.grid(1)").totals == Totals()


@pytest.mark.parametrize(
    ("call", "expect"),
    [
        ("cuda.shfl_sync(0xffffffff, a[i], 31)", "out = np.full(32, a[31])"),
        ("cuda.shfl_up_sync(0xffffffff, a[i], 1)", "out = np.concatenate((a[:1], a[:-1]))"),
        ("cuda.shfl_down_sync(0xffffffff, a[i], 1)", "out = np.concatenate((a[1:], a[-1:]))"),
        ("cuda.shfl_xor_sync(0xffffffff, a[i], 1)", "out = a.reshape(-1, 2)[:, ::-1].ravel()"),
    ],
)
def test_lanes_of_a_warp_exchange_values(call, expect):
    verdict = run(
        f"i = cuda.grid(1)\nout[i] = {call}", grid="1", block="32", sizes="n=32", expect=expect
    )
    assert verdict.passed, verdict


VOTES = [
    (
        "cuda.ballot_sync(0xffffffff, a[i] > 0)",
        "out = np.full(32, np.sum((a > 0) * 2 ** np.arange(32)) - 2**32 * (a[31] > 0))",
    ),
    ("int(cuda.any_sync(0xffffffff, a[i] > 100))", "out = np.zeros(32)"),
    ("int(cuda.any_sync(-1, i == 9))", "out = np.ones(32)"),
    ("int(cuda.all_sync(0xffffffff, a[i] > 0))", "out = np.full(32, np.all(a > 0))"),
    ("int(cuda.all_sync(0xffffffff, i + 1))", "out = np.ones(32)"),
    ("int(cuda.eq_sync(0xffffffff, a[i] > 100))", "out = np.ones(32)"),
    ("int(cuda.eq_sync(0xffffffff, i < 3))", "out = np.zeros(32)"),
    ("cuda.activemask() if i < 4 else 0", "out = np.where(np.arange(32) < 4, 15, 0)"),
    ("cuda.ballot_sync(15, i != 2) if i < 4 else 0", "out = np.where(np.arange(32) < 4, 11, 0)"),
]


@pytest.mark.parametrize(("call", "expect"), VOTES)
def test_lanes_of_a_warp_vote(call, expect):
    verdict = run(
        f"i = cuda.grid(1)\nout[i] = {call}", args="out: int64[n], a: int32[n]", grid="1", block="32", sizes="n=32",
        expect=f"{expect}.astype(np.int64)",
    )  # fmt: skip
    assert verdict.passed, verdict


@pytest.mark.parametrize(
    ("condition", "vote", "words"),
    [
        ("i < 4", "cuda.ballot_sync(0xffffffff, 1)", "which all lanes of its warp must reach"),
        ("i < 4", "cuda.ballot_sync(0x1f, 1)", "which all lanes of its mask must reach"),
        (
            "i < 4",
            "cuda.ballot_sync(7, 1)",
            "Thread 3 of block 0 gives cuda.ballot_sync the mask 0x00000007",
        ),
        ("i < 4", "cuda.any_sync(15 + i // 3 * 16, 1)", "must give the same one"),
        ("i < 4", "cuda.any_sync(15.0, 1)", "The mask of cuda.any_sync is a whole number"),
        ("i < 32", "cuda.all_sync(0xffffffff, 0.5)", "takes a condition or a whole number"),
        ("i < 32", "cuda.match_any_sync(0xffffffff, i)", "use cuda.ballot_sync for each value"),
    ],
)
def test_a_vote_that_a_card_does_not_take_is_explained(condition, vote, words):
    verdict = run(
        f"i = cuda.grid(1)\nif {condition}:\n    out[i] = {vote}",
        grid="1",
        block="32",
        sizes="n=32",
    )
    assert words in verdict.faults[0].text


@pytest.mark.parametrize(
    "call", ["cuda.shfl_sync(0xffffffff, i, 0)", "cuda.ballot_sync(0xffffffff, 1)"]
)
def test_shuffles_and_votes_order_no_memory(call):
    body = "i = cuda.grid(1)\ns = cuda.shared.array(32, int32)\ns[i] = i\nx = CALL\nout[i] = s[31 - i] + x"
    assert found(run(body.replace("CALL", call), grid="1", block="32", sizes="n=32")) == [
        ("race", 10)
    ]
    both = body.replace("CALL", f"{call}\ncuda.syncwarp()")
    assert run(both, grid="1", block="32", sizes="n=32").passed


def test_a_barrier_of_some_lanes_orders_these_at_least_for_the_lanes_of_the_mask():
    body = "i = cuda.grid(1)\nif i < 16:\n    cuda.syncwarp(0xffff)\n    out[i] = 1"
    assert run(body, grid="1", block="32", sizes="n=32").passed


@pytest.mark.parametrize(
    ("call", "values"),
    [
        ("cuda.clz(int32(x))", {0: 32, 1: 31, -1: 0, 1 << 20: 11}),
        ("cuda.clz(x)", {0: 64, 1: 63, -1: 0, 1 << 40: 23}),
        ("cuda.ffs(int32(x))", {0: 0, 1: 1, -8: 4, 1 << 20: 21}),
        ("cuda.ffs(x)", {0: 0, 1 << 40: 41}),
        ("cuda.brev(uint32(x))", {0: 0, 1: 1 << 31, 6: 0x60000000}),
    ],
)
def test_bits_of_numbers_are_counted_as_on_a_card(call, values):
    names = "from numba import uint32\n"
    for x, expected in values.items():
        text = f"{names}{HEAD}def k(out, x):\n    out[0] = {call}\n"
        verdict = check(
            text,
            f"out: int64[1], x: int64 = {x}",
            "1",
            "1",
            expect=f"out = {expected}",
            types=True,
            isolated=False,
        )
        assert verdict.passed, verdict


def test_writes_of_equal_values_are_a_warning():
    verdict = run(
        "i = cuda.grid(1)\nif i < a.size:\n    out[0] = 1", args="out: float32[1], a: float32[n]"
    )
    assert found(verdict) == [("same-value", 8)]
    assert verdict.passed


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("if cuda.threadIdx.x < 4:\n    cuda.syncthreads()", 7, "thread 4 is not here"),
        (
            "if cuda.grid(1) >= 12:\n    return\ncuda.syncthreads()",
            8,
            "thread 4 has returned at line 7",
        ),
        ("for k in range(cuda.threadIdx.x):\n    cuda.syncthreads()", 7, "thread 0 is not here"),
    ],
)
def test_a_barrier_that_threads_miss_is_found(body, line, words):
    verdict = run(body, sizes="n=20")
    assert found(verdict) == [("barrier", line)]
    assert words in verdict.faults[0].text


def test_a_barrier_of_one_block_alone_orders_its_accesses():
    verdict = run("""
s = cuda.shared.array(TILE, float32)
t = cuda.threadIdx.x
i = cuda.grid(1)
if cuda.blockIdx.x == 1:
    s[t] = a[i]
    cuda.syncthreads()
    out[i] = s[TILE - 1 - t]
""", sizes="n=16")  # fmt: skip
    assert found(verdict) == []


def test_an_early_return_with_no_barrier_after_it_is_right():
    body = "cuda.syncthreads()\ni = cuda.grid(1)\nif i >= a.size:\n    return\nout[i] = a[i]"
    assert run(body, expect="out = a").passed


@pytest.mark.parametrize(
    ("index", "element"), [("i - 1", (-1,)), ("i + 1", (20,)), ("-21", (-21,))]
)
def test_an_index_out_of_bounds_is_found_a_negative_one_too(index, element):
    verdict = run(f"i = cuda.grid(1)\nif i < a.size:\n    out[i] = a[{index}]", sizes="n=20")
    assert ("bounds", 8) in found(verdict)
    assert verdict.faults[0].element == element
    assert ("counts a negative index from the end" in verdict.faults[0].text) == (element[0] < 0)


def test_a_negative_constant_counts_from_the_end():
    """As Numba compiles it: `a[-1]` adds the length to the index."""
    verdict = run("i = cuda.grid(1)\nif i < a.size:\n    out[i] = a[-1]", expect="out = a[-1]")
    assert not verdict.faults


def test_bounds_hold_for_each_dimension():
    verdict = run("out[0, a.shape[0]] = 1", args="out: float32[n, n], a: float32[n]", sizes="n=3")
    assert found(verdict) == [("bounds", 6)]  # element (0, 3) lies within the memory of the array


def test_memory_and_variables_that_were_not_set_are_found():
    body = "s = cuda.local.array(4, float32)\nout[0] = s[2]"
    assert found(run(body, grid="1", block="1")) == [("uninitialized", 7)]
    body = "i = cuda.grid(1)\nif i > 3:\n    x = 1\nout[0] = x"
    assert found(run(body, grid="1")) == [("uninitialized", 9)]
    body = "i = cuda.grid(1)\nif i < a.size:\n    out[i] += a[i]"
    assert ("uninitialized", 8) in found(run(body, expect="out = a"))
    assert run(body).passed  # without a reference nothing says that the old values are not meant


def test_a_wrong_result_names_the_thread_that_wrote_it():
    verdict = run("i = cuda.grid(1)\nif i < a.size:\n    out[i] = i", args="out: int32[n], a: float32[n]",
                  expect="out = np.arange(len(a)) + (np.arange(len(a)) == 9)")  # fmt: skip
    assert found(verdict) == [("wrong-result", 8)]
    fault = verdict.faults[0]
    assert (fault.element, fault.expected, fault.found, fault.thread, fault.block) == (
        (9,),
        "10",
        "9",
        (1,),
        (1,),
    )
    verdict = run("i = cuda.grid(1)\nif i < a.size - 1:\n    out[i] = a[i]", expect="out = a")
    assert "but no thread wrote it" in verdict.faults[0].text


def test_truth_values_that_no_thread_makes_false_are_found():
    verdict = run("x = a[0]", args="out: bool[n], a: float32[n]", sizes="n=8", expect="out = a > 1")
    assert "but no thread wrote it" in verdict.faults[0].text


def test_lockstep_hides_no_race_behind_syncwarp():
    body = """
s = cuda.shared.array(64, float32)
t = cuda.threadIdx.x
s[t] = t
cuda.syncwarp()
out[t] = s[t ^ {distance}]
"""
    options = {"args": "out: float32[n]", "grid": "1", "block": "64", "sizes": "n=64"}
    assert run(body.format(distance=1), **options).passed
    assert found(run(body.format(distance=32), **options)) == [("race", 10)]


def test_a_warp_sums_by_shuffles():
    body = """
x = a[cuda.grid(1)]
d = 16
while d > 0:
    x += cuda.shfl_down_sync(0xffffffff, x, d)
    d //= 2
if cuda.laneid == 0:
    out[cuda.blockIdx.x] = x
"""
    verdict = run(body, args="out: float32[n // 32], a: float32[n]", grid="n // 32", block="32", sizes="n=64",
                  expect="out = a.reshape(-1, 32).sum(axis=1)")  # fmt: skip
    assert verdict.passed


NUMBA_TYPES = [
    ("x / 2", np.float64), ("x // 2", np.int64), ("a[0] * x", np.float64), ("a[0] * 0.5", np.float64),
    ("a[0] * float32(0.5)", np.float32), ("a[0] ** 2", np.float32), ("int32(x) + int32(1)", np.int64),
    ("math.sqrt(a[0])", np.float32), ("math.sqrt(x)", np.float64), ("-x % 5", np.int64), ("1 << x", np.int64),
    ("max(x, a[0])", np.float64), ("int(a[0])", np.int64), ("abs(int32(x))", np.int32), ("True + x", np.int64),
    ("a[0] if x > 2 else 0", np.float64), ("x if x > 2 else a[9]", np.float64), ("a[0] if 3 > 2 else 0", np.float32),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "dtype"), NUMBA_TYPES)
def test_expressions_have_the_types_and_values_of_numba(expression, dtype):
    numba = pytest.importorskip("numba")
    from core.workshop.checker.interpreter import build_kernel, run_kernel
    from core.workshop.checker.machine import Machine

    seen = {}
    body = f"{HEAD}def k(out, a, x):\n    y = {expression}\n    out[0] = y\n"
    _, function = build_kernel(body, "k")
    machine = Machine((1,), (1,), {})
    a, out = np.array([1.7], np.float32), np.zeros(1, np.float64)
    original = machine.write
    machine.write = lambda memory, indices, value, *rest: (
        seen.update(value=value),
        original(memory, indices, value, *rest),
    )
    run_kernel(function, machine, {"out": out, "a": a, "x": np.int64(7)})
    assert machine.faults == []
    import math

    space = {"math": math, "float32": numba.float32, "int32": numba.int32}
    exec(f"def f(a, x):\n    return {expression}", space)
    compiled = numba.njit(space["f"])
    expected = compiled(a, 7)
    assert (
        seen["value"].dtype == dtype == np.dtype(str(compiled.nopython_signatures[0].return_type))
    )
    assert float(seen["value"]) == float(expected)


def test_integers_wrap_around():
    verdict = run("out[0] = a[0] * 4", args="out: int64[1], a: int64[1] = 2 ** 40 - 1", grid="1", block="1", sizes="",
                  expect="out = a * 4")  # fmt: skip
    assert verdict.passed
    body = "x = int64(1) << 62\nout[0] = x * 4 + 3".replace("int64(1)", "a[0]")
    verdict = run(
        body,
        args="out: int64[1], a: int64[1] = 1",
        grid="1",
        block="1",
        sizes="",
        expect="out = 3 + 0 * a",
    )
    assert verdict.passed


def test_bits_are_counted_in_the_type_of_the_number():
    verdict = run("out[0] = cuda.popc(a[0])", args="out: int64[1], a: int32[1] = -1", grid="1", block="1", sizes="",
                  expect="out = 0 * a + 32")  # fmt: skip
    assert verdict.passed, verdict


def test_loops_with_different_counts_break_and_continue():
    body = """
i = cuda.grid(1)
if i < a.size:
    total = 0
    for k in range(i, 100, 3):
        if k % 2 == 0:
            continue
        if k > 40:
            break
        total += k
    out[i] = total
"""
    reference = """
def out(a):
    found = np.zeros(len(a))
    for i in range(len(a)):
        for k in range(i, 41, 3):
            if k % 2:
                found[i] += k
    return found
"""
    from core.workshop.check import iter_check
    from core.workshop.launch import parse_launch

    lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    launch = parse_launch(
        "k", "out: float64[n], a: float32[n]", "(n + 7) // 8", "8", "n=30", reference
    )
    *_, verdict = iter_check(
        f"{HEAD}def k(out, a):\n{lines}\n", launch, types=False, isolated=False
    )
    assert verdict.passed, verdict


def test_device_functions_and_conditional_expressions():
    text = """
from numba import cuda
LIMIT = 4 * 2
@cuda.jit(device=True)
def clip(x, low):
    if x < low:
        return low
    return min(x, float(LIMIT))
@cuda.jit
def k(out, a):
    i = cuda.grid(1)
    if 0 <= i < a.size:
        out[i] = clip(a[i] * 20, -3.0) if i % 2 else 0
"""
    verdict = check(text, "out: float64[n], a: float32[n]", "(n + 7) // 8", "8", "n=30", types=False, isolated=False,
                    expect="out = np.where(np.arange(len(a)) % 2, np.clip(a * 20, -3.0, 8.0), 0)")  # fmt: skip
    assert verdict.passed, verdict


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("cuda.threadfence()", "fences are not covered"),
        (
            "x = cuda.atomic.compare_and_swap(out, 0, 1)",
            "use cuda.atomic.cas(array, index, old, value)",
        ),
        ("cuda.syncthread()", "perhaps you mean “cuda.syncthreads”."),
        ("x = cuda.any(a[0])", "perhaps you mean “cuda.any_sync”."),
        ("x = cuda.shfl_down(a[0], 1)", "perhaps you mean “cuda.shfl_down_sync”."),
        ("x = cuda.warpSize", "perhaps you mean “cuda.warpsize”."),
        ("x = cuda.threadidx.x", "perhaps you mean “cuda.threadIdx.x”."),
        ("x = cuda.threadIdx", "write cuda.threadIdx.x, .y or .z"),
        ("x = cuda.activemask", "call it, cuda.activemask(...)"),
        ("x = cuda.sqrt(a[0])", "use math.sqrt"),
        ("cuda.grid_sync()", "write cuda.cg.this_grid().sync()"),
        ("x = [1, 2]", "a list"),
        ("import os", "import"),
        ("print(1)", "a kernel that prints is not checked"),
        ("out[0] = a.__class__", ".__class__ is not covered"),
        ("out[0] = math.prod(1.0)", "not covered"),
        ("with out:\n    pass", "with"),
        ("out[0] = unknown", "The name unknown is not known"),
        ("out[0] = (lambda: 1)()", "functions by their names"),
        ("break", "belong into a loop"),
        ("s = cuda.shared.array(a.size, float32)", "must be a constant"),
        ("s = cuda.shared.array(20000, float32)", "80,000 bytes of shared memory"),
        ("while True:\n    pass", "does its condition ever become false?"),
        ("out[0] = ((1, 2), 3)[5]", "from 0 to 1"),
        ("out[0:2:2] = 1", "A slice with a step"),
        ("while out[0] < 1:\n    pass", "waits for what another thread does"),
        (
            "while cuda.atomic.cas(out, 0, 0, 1) != 0:\n    pass",
            "waits for what another thread does",
        ),
        (
            "x = 0\nwhile cuda.atomic.add(out, 0, 0) == 0:\n    x += 1",
            "waits for what another thread does",
        ),
        ("x = 0\nwhile out[0] < a[0]:\n    x += 1", "waits for what another thread does"),
        ("k[1, 32](out, a)", "dynamic parallelism"),
        ("out[0] = cuda.wmma.load(a)", "tensor cores are not covered"),
        ("s = cuda.shared.array(0, float32)\nt = cuda.shared.array(0, int32)", "of two types"),
        ("yield", "A kernel cannot use yield"),
        ("x = yield", "A kernel cannot use yield"),
        ("await out", "A kernel cannot use await"),
        ("out[0] == a[0]", "write “=” to assign"),
        ("a[0] + 1", "uses it for nothing"),
        ("k(out, a)", "is a kernel"),
        ("out[0] = 'text'", "a text is not covered"),
        ("for x in 3:\n    pass", "A loop runs over range(...), an array or a tuple"),
        ("for x in (1, 2.5):\n    pass", "numbers of one type"),
        ("for a[0] in (1, 2):\n    pass", "to names only"),
        ("x = enumerate(a)", "belongs into “for ... in enumerate(...)”"),
        ("out[0] = (1, 2.5)[cuda.grid(1)]", "numbers of one type"),
        ("x = complex(1, 2)", "complex is not covered"),
        ("x = 1j", "complex is not covered"),
        ("cuda.threadfence_block()", "fences are not covered: use cuda.syncthreads()"),
        ("cuda.threadfence_system()", "fences are not covered"),
        ("x = cuda.const.array_like(a)", "constant memory is not covered"),
        ("x = cuda.match_any_sync(1, 2)", "use cuda.ballot_sync for each value"),
        ("cuda.nanosleep(1)", "waiting for other threads is not covered"),
        ("out[0] = exec('1')", "exec is not covered"),
        ("out[0] = 1 @ 2", "@ multiplies matrices"),
        ("def f():\n    pass", "a function within a function"),
        ("out[0] = float64(1)", "write “from numba import float64” at the top"),
        ("s = cuda.local.array(4, int8)", "int8 is not known"),
        ("block = cuda.cg.this_block()", "of cooperative groups only"),
        ("out[0] = np.int32(1)", "write “import numpy as np” at the top"),
    ],
)
def test_what_is_not_covered_is_refused_at_its_line(body, words):
    verdict = run(body, sizes="n=8")
    assert [fault.line for fault in verdict.faults if words in fault.text][:1] in ([6], [7]), (
        verdict
    )
    assert not verdict.passed


@pytest.mark.parametrize(
    "name",
    [
        "threadfence", "match_any_sync", "wmma.fragment", "cg.tiled_partition", "mma_sync", "reduce_add_sync",
        "atomic.nanmax", "atomic.load", "atomic.store", "cbrt", "clock", "memcpy_async", "barrier", "pipeline",
        "lanemask_lt", "fp16.hfma", "cluster.this_cluster", "to_device", "syncgroup",
    ],
)  # fmt: skip
def test_what_means_something_else_gets_no_hint(name):
    (fault,) = run(f"x = cuda.{name}(1)", sizes="n=8").faults
    assert f"cuda.{name} is not covered by the check" in fault.text
    assert "perhaps" not in fault.text


def test_local_arrays_of_all_threads_that_take_too_much_memory_are_refused():
    verdict = run("s = cuda.local.array(2 ** 17, float32)", block="1024", sizes="n=8")
    assert "524,288 bytes for each thread are too many to check" in verdict.faults[0].text


def test_a_file_that_is_no_python_is_a_fault_at_its_line():
    verdict = check("x = 1\ny = 1 1", "out: float32[n]", "1", "8", types=False, isolated=False)
    assert (verdict.faults[0].kind, verdict.faults[0].line) == ("syntax", 2)
    assert "This is no Python" in verdict.faults[0].text
    assert verdict.summary == "1 fault; the check was not completed."


def test_half_a_character_is_a_fault_of_the_file():
    """Such as the half of an emoji that a broken copy leaves."""
    verdict = check("x = '\ud83d'", "out: float32[n]", "1", "8", types=False, isolated=False)
    assert [fault.kind for fault in verdict.faults] == ["syntax"]


def test_a_module_whose_import_is_tried_is_known():
    text = "try:\n    import numpy as np\nexcept ImportError:\n    pass\n" + HEAD
    text += "def k(out):\n    out[cuda.threadIdx.x] = np.float32(2)\n"
    verdict = check(
        text, "out: float32[8]", "1", "8", expect="out = 2", types=False, isolated=False
    )
    assert verdict.passed, verdict


def test_nothing_of_the_file_is_executed(tmp_path):
    target = tmp_path / "written"
    text = f"""
from numba import cuda
open({str(target)!r}, "w").close()
SIZE = __import__("os").getpid()
@cuda.jit
def k(out):
    out[0] = SIZE
"""
    verdict = check(text, "out: float32[1]", "1", "1", types=False, isolated=False)
    assert [(fault.kind, fault.line) for fault in verdict.faults] == [("unsupported", 7)]
    assert "SIZE (line 4) is no constant" in verdict.faults[0].text
    assert not target.exists()
