"""Sectors per request and ways of bank conflict, against numbers that were worked out by hand."""

from itertools import combinations, product
from random import Random

import pytest

from tests.core.workshop.checking import check

FILE = """
from numba import cuda, float32, float64, int8, int64
@cuda.jit
def k(a, out):
    t = cuda.threadIdx.x
    {body}
"""


def count_of(body, access, space, dtype="float32", block="32", array="a"):
    """The count of the only access of this kind to the array."""
    verdict = check(
        FILE.format(body=body.replace("\n", "\n    ")), f"a: {dtype}[64, 64], out: float32[4096]", "1", block,
        types=False, isolated=False,
    )  # fmt: skip
    assert not [fault for fault in verdict.faults if not fault.is_warning], verdict
    (found,) = [
        c for c in verdict.counts if (c.access, c.space) == (access, space) and c.array == array
    ]
    return found


SECTORS = [
    ("neighbors read neighbors: 32 * 4 bytes = 4 sectors", "out[t] = a[0, t]", "float32", "32", 4),
    ("neighbors read a column: each its own sector", "out[t] = a[t, 0]", "float32", "32", 32),
    ("all read one element", "out[t] = a[3, 3]", "float32", "32", 1),
    ("every second element: twice the bytes", "out[t] = a[0, 2 * t]", "float32", "32", 8),
    ("one to the right: 4 sectors and one more", "out[t] = a[0, t + 1]", "float32", "32", 5),
    ("backwards: the same sectors", "out[t] = a[0, 31 - t]", "float32", "32", 4),
    ("8-byte elements: 32 * 8 bytes", "out[t] = a[0, t]", "float64", "32", 8),
    ("1-byte elements: 32 bytes", "out[t] = a[0, t]", "int8", "32", 1),
    ("8-byte column", "out[t] = a[t, 0]", "float64", "32", 32),
    ("half of the lanes: 16 * 4 bytes", "if t < 16:\n    out[t] = a[0, t]", "float32", "32", 2),
    ("every second lane: the same sectors", "if t % 2 == 0:\n    out[t] = a[0, t]", "float32", "32", 4),
    ("pairs share an element", "out[t] = a[0, t // 2]", "float32", "32", 2),
    ("8 threads a block: one sector", "out[t] = a[0, t]", "float32", "8", 1),
    ("a warp of two rows of 16", "out[t] = a[t // 16, t % 16]", "float32", "32", 4),
]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "dtype", "block", "sectors"),
    [row[1:] for row in SECTORS if row[4]],
    ids=[r[0] for r in SECTORS if r[4]],
)
def test_sectors_of_a_request(body, dtype, block, sectors):
    assert count_of(body, "read", "global", dtype, block).sectors_per_request == sectors


def test_the_least_sectors_count_each_element_once():
    for body, least in (
        ("out[t] = a[t, 0]", 4),
        ("out[t] = a[0, t // 2]", 2),
        ("out[t] = a[0, 0]", 1),
    ):
        assert count_of(body, "read", "global").least_sectors == least


def test_two_warps_are_two_requests():
    count = count_of("out[t] = a[0, t]", "read", "global", block="64")
    assert (count.requests, count.lanes, count.bytes, count.sectors_per_request) == (2, 64, 256, 4)


def test_requests_of_a_loop_are_counted_apart():
    body = "x = float32(0)\nfor i in range(3):\n    x += a[i, t]\nout[t] = x"
    count = count_of(body, "read", "global")
    assert (count.requests, count.sectors_per_request) == (3, 4)


WAYS = [
    ("neighbors use neighboring banks", "s[0, t]", "(1, 64)", "float32", 1),
    ("a column of 32 floats: all in one bank", "s[t, 0]", "(32, 32)", "float32", 32),
    ("a column of 33: each in its own bank", "s[t, 0]", "(32, 33)", "float32", 1),
    ("every second: two in each bank", "s[0, 2 * t]", "(1, 64)", "float32", 2),
    ("every third: 3 and 32 have no common divisor", "s[0, 3 * t]", "(1, 96)", "float32", 1),
    ("all read one word: broadcast", "s[0, 5]", "(1, 64)", "float32", 1),
    ("two rows of one column pair: 16 ways", "s[t % 16, t // 16]", "(16, 32)", "float32", 16),
    ("8 bytes, neighbors: half a warp fills the banks", "s[0, t]", "(1, 64)", "float64", 1),
    ("8 bytes, every second: the halves meet twice", "s[0, 2 * t]", "(1, 64)", "float64", 2),
    ("8 bytes, a column of 16: 16 lanes in one pair of banks", "s[t, 0]", "(32, 16)", "float64", 16),
    ("1 byte: four lanes share a word", "s[0, t]", "(1, 64)", "int8", 1),
    ("1 byte, 128 apart: all in one bank", "s[t, 0]", "(32, 128)", "int8", 32),
]  # fmt: skip


@pytest.mark.parametrize(
    ("index", "shape", "dtype", "ways"), [r[1:] for r in WAYS], ids=[r[0] for r in WAYS]
)
def test_ways_of_bank_conflict(index, shape, dtype, ways):
    rows, columns = eval(shape)
    body = (
        f"s = cuda.shared.array({shape}, {dtype})\nfor i in range({rows}):\n    for j in range({columns}):\n"
        f"        if t == 0:\n            s[i, j] = i + j\ncuda.syncthreads()\nout[t] = {index}"
    )
    assert count_of(body, "read", "shared", array="s").bank_conflict_ways == ways


@pytest.mark.parametrize(
    ("body", "advice"),
    [
        ("out[t] = 1\na[0, t] = out[7 - t]", "put cuda.syncthreads() between them"),
        (
            "for k in range(2):\n    if k == 1:\n        a[0, t] = out[7 - t]\n    else:\n        out[t] = 1",
            "between them",
        ),
        ("out[0] = t", "let each thread write an element of its own"),
    ],
)
def test_the_advice_after_a_race_is_about_its_two_lines(body, advice):
    """Whichever of the two lines stands first."""
    source = FILE.format(body=body.replace("\n", "\n    "))
    verdict = check(
        source, "a: float32[1, 8], out: float32[8]", "1", "8", types=False, isolated=False
    )
    (race,) = [fault for fault in verdict.faults if fault.kind == "race"]
    assert advice in race.text


def test_threads_that_have_returned_do_nothing_more():
    body = "if t < 4:\n    a[0, t] = 1\nelse:\n    if t >= 6:\n        return\nout[t] = 1"
    source = FILE.format(body=body.replace("\n", "\n    "))
    verdict = check(
        source, "a: float32[1, 8], out: float32[6]", "1", "8", types=False, isolated=False
    )
    assert verdict.faults == ()


def test_divergence_is_counted_by_warp():
    verdict = check(
        FILE.format(body="if t % 2 == 0:\n        out[t] = 1\n    if t < 32:\n        out[t + 64] = 2"),
        "a: float32[4], out: float32[256]", "1", "64", types=False, isolated=False,
    )  # fmt: skip
    assert verdict.totals.divergent_branches == 2  # both warps at the first, none at the second


PLACES = ("t", "(t + 1) % 6", "t ^ 1", "0", "t // 2", "g", "(g + 1) % 12")


@pytest.mark.parametrize("seed", range(40))
def test_races_are_those_that_comparing_all_pairs_of_accesses_finds(seed):
    random = Random(seed)
    guards = ("True", "t < 3", "t == 0")
    choices = ("wrab", ("s", "out"), PLACES, guards)
    steps = [tuple(random.choice(each) for each in choices) for _ in range(5)]
    lines = {"w": "{0}[{1}] = g", "r": "x = {0}[{1}]", "a": "cuda.atomic.add({0}, {1}, 1)"}
    body = [
        "g = cuda.grid(1)",
        "s = cuda.shared.array(12, int64)",
        "s[t] = 0",
        "s[t + 6] = 0",
        "cuda.syncthreads()",
    ]
    for kind, array, where, guard in steps:
        line = (
            f"if {guard}:\n        {lines[kind].format(array, where)}"
            if kind != "b"
            else "cuda.syncthreads()"
        )
        body.append(line)
    text = FILE.replace("(a, out)", "(out)").format(body="\n    ".join(body))
    verdict = check(text, "out: int64[12]", "2", "6", types=False, isolated=False)

    made = []
    for block, t in product(range(2), range(6)):
        epoch, names = 0, {"t": t, "g": 6 * block + t}
        for kind, array, where, guard in steps:
            epoch += kind == "b"
            if kind != "b" and eval(guard, names):
                made.append((array, eval(where, names), block, t, epoch, kind))
    found = set()
    for first, second in combinations(made, 2):
        if first[:2] == second[:2] and (first[5], second[5]) not in (("r", "r"), ("a", "a")):
            if first[2] != second[2] and first[0] == "out":
                found.add("block-race")
            elif first[2] == second[2] and first[3] != second[3] and first[4] == second[4]:
                found.add("race")
    assert {fault.kind for fault in verdict.faults} == found, text
