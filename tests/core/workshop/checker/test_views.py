"""Parts of arrays: rows for device functions, “:”, and writing to all elements of a part."""

import pytest

from tests.core.workshop.checking import check

HEAD = """
from numba import cuda, float32
@cuda.jit(device=True)
def total(row):
    s = 0.0
    for j in range(row.shape[0]):
        s += row[j]
    return s
@cuda.jit(device=True)
def largest(row):
    best = row[0]
    for j in range(1, len(row)):
        if row[j] > best:
            best = row[j]
    return best
@cuda.jit(device=True)
def fill(row, value):
    for j in range(row.size):
        row[j] = value
@cuda.jit
def k({names}):
    i = cuda.grid(1)
    {body}
"""
ARGS = "out: float32[n], a: float32[n, m]"


def verdict_of(body, args=ARGS, sizes="n=1,5,9 m=1,3", grid="(n + 7) // 8", **options):
    names = ", ".join(part.split(":")[0].strip() for part in args.split("], "))
    text = HEAD.format(names=names, body=body.replace("\n", "\n    "))
    return check(text, args, grid, "8", sizes, types=False, isolated=False, seed=1, **options)


@pytest.mark.parametrize(
    ("body", "expect"),
    [
        ("if i < out.size:\n    out[i] = total(a[i])", "out = a.sum(axis=1)"),
        ("if i < out.size:\n    out[i] = total(a[i, :])", "out = a.sum(axis=1)"),
        ("if i < out.size:\n    row = a[i]\n    out[i] = row[row.size - 1]", "out = a[:, -1]"),
        ("if i < out.size:\n    out[i] = a[i][0] + len(a[i]) + a[i].ndim", "out = a[:, 0] + a.shape[1] + 1"),
        ("if i < out.size:\n    out[i] = total(a[:, 0])", "out = a[:, 0].sum()"),
        ("if i < out.size:\n    out[i] = largest(a[i])", "out = a.max(axis=1)"),
        ("if i < out.size:\n    row = a[i] if i % 2 else a[0]\n    out[i] = row[0]",
         "out = np.where(np.arange(len(a)) % 2, a[:, 0], a[0, 0])"),
        ("s = cuda.shared.array((8, 4), float32)\ny = cuda.threadIdx.x\nfill(s[y], i)\nif i < out.size:\n"
         "    out[i] = largest(s[y])", "out = np.arange(len(a))"),
        ("if i < out.size:\n    out[i] = total(a[i, 1:])", "out = a[:, 1:].sum(axis=1)"),
        ("if i < out.size:\n    out[i] = total(a[i, :2]) + a[i, -1:].size", "out = a[:, :2].sum(axis=1) + 1"),
        ("if i < out.size:\n    out[i:][0] = a[i:, 0][:5].shape[0]",
         "out = np.minimum(np.arange(len(a))[::-1] + 1, 5)"),
        ("if i < out.size:\n    out[i:i + 1] = total(a[i][-2:-1])", "out = a[:, -2:-1].sum(axis=1)"),
        ("if i < out.size:\n    mine = a[i:]\n    part = mine[:1, 1:]\n    out[i] = part.size",
         "out = a.shape[1] - 1"),
        ("p = cuda.local.array((2, 3), float32)\np[:] = 2\np[1] = 3\nif i < out.size:\n"
         "    out[i] = total(p[0]) + total(p[1])", "out = 15"),
    ],
)  # fmt: skip
def test_a_part_of_an_array_is_an_array(body, expect):
    verdict = verdict_of(body, expect=expect)
    assert verdict.passed, verdict


def test_accesses_are_recorded_at_the_right_elements():
    verdict = verdict_of(
        "if i < out.size:\n    out[i] = largest(a[i])", sizes="n=4 m=3", trace=True
    )
    names = [memory.name for memory in verdict.trace.arrays]
    reads = [
        event
        for event in verdict.trace.events
        if event.kind == "read" and names[event.array] == "a"
    ]
    assert [event.elements.tolist() for event in reads][:2] == [[0, 3, 6, 9], [1, 4, 7, 10]]
    assert {event.line for event in reads} == {11, 13, 14}


def test_faults_within_a_part_are_found():
    racing = verdict_of("if i < out.size:\n    fill(a[0], i)", sizes="n=5 m=3")
    assert [(fault.kind, fault.line) for fault in racing.faults] == [("race", 19)]
    beyond = verdict_of("out[i % n] = a[i][0]", args=ARGS + ", n", sizes="n=5 m=3")
    assert [(fault.kind, fault.line) for fault in beyond.faults] == [("bounds", 23), ("race", 23)]
    assert beyond.faults[0].element == (5, 0)
    wrong = verdict_of(
        "if i < out.size:\n    out[i] = total(a[i])", sizes="n=5 m=3", expect="out = a[:, 0]"
    )
    assert [(fault.kind, fault.line) for fault in wrong.faults] == [("wrong-result", 24)]


@pytest.mark.parametrize(
    ("body", "expect"),
    [
        ("if i < b.shape[0]:\n    b[i, :] = a[i]", "b = a"),
        ("if i < b.shape[0]:\n    b[i] = a[i, :]", "b = a"),
        ("if i < b.shape[0]:\n    b[i] = 7", "b = 7"),
        ("if i == 0:\n    b[:, :] = a", "b = a"),
        ("if i < b.shape[0]:\n    b[i][:] = i", "b = np.arange(len(a))[:, None]"),
    ],
)  # fmt: skip
def test_a_part_is_written_to_at_once(body, expect):
    verdict = verdict_of(body, args="b: float32[n, m], a: float32[n, m]", expect=expect)
    assert verdict.passed, verdict


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("out[i] = a[i]", "type", "a has 2 dimension(s): write a[i, j]."),
        ("out[0] = a[0, 0, 0]", "type", "a has 2 dimension(s)"),
        ("a[i] += 1", "type", "a has 2 dimension(s)"),
        ("cuda.atomic.add(a, i, 1)", "type", "a has 2 dimension(s)"),
        ("out[0] = total(a[0, ::2])", "unsupported", "A slice with a step"),
        ("out[1.0:2] = 1", "type", "The limits of a slice are whole numbers"),
        ("a[0, :] = out", "unsupported", "different shapes"),
        (
            "row = a[i] if i else out\nout[0] = row[0]",
            "unsupported",
            "different arrays in different threads",
        ),
        (
            "row = a[i]\nif i:\n    row = out\nout[0] = row[0]",
            "unsupported",
            "different arrays in different threads",
        ),
    ],
)
def test_what_is_no_part_is_named(body, kind, words):
    verdict = verdict_of(body, sizes="n=5 m=3")
    assert verdict.faults[0].kind == kind, verdict
    assert words in verdict.faults[0].text


@pytest.mark.parametrize(
    ("body", "expect"),
    [
        ("for j in range(3):\n    if j == i:\n        out[i] = 1\n        break\nelse:\n    if i < out.size:\n"
         "        out[i] = 2", "out = np.where(np.arange(len(a)) < 3, 1, 2)"),
        ("j = 0\nwhile j < i:\n    j += 1\n    if j == 2:\n        break\nelse:\n    j = 9\nif i < out.size:\n"
         "    out[i] = j", "out = np.where(np.arange(len(a)) < 2, 9, 2)"),
        ("x = 0\nfor j in range(4):\n    for h in range(4):\n        if h == i:\n            break\n    else:\n"
         "        x += 1\n        continue\n    x += 10\nelse:\n    x += 100\nif i < out.size:\n    out[i] = x",
         "out = np.where(np.arange(len(a)) < 4, 140, 104)"),
        ("for j in range(0):\n    pass\nelse:\n    if i < out.size:\n        out[i] = 5", "out = 5"),
    ],
)  # fmt: skip
def test_else_after_a_loop_runs_where_it_was_not_left(body, expect):
    verdict = verdict_of(body, sizes="n=3,5,9 m=1", expect=expect)
    assert verdict.passed, verdict


def test_a_barrier_in_else_after_a_loop_must_be_reached_by_all():
    body = "for j in range(3):\n    if j == i:\n        break\nelse:\n    cuda.syncthreads()"
    assert [(fault.kind, fault.line) for fault in verdict_of(body, sizes="n=5 m=3").faults] == [
        ("barrier", 27)
    ]


def test_two_buffers_are_rows_that_change_places():
    body = (
        "s = cuda.shared.array((2, 8), float32)\nt = cuda.threadIdx.x\ns[0, t] = t\ncuda.syncthreads()\n"
        "for step in range(3):\n    now = s[step % 2]\n    then = s[(step + 1) % 2]\n    then[t] = now[(t + 1) % 8]\n"
        "    cuda.syncthreads()\nif i < out.size:\n    out[i] = s[1][t]"
    )
    assert verdict_of(body, expect="out = (np.arange(len(a)) + 3) % 8").passed
    verdict = verdict_of(body.replace("\n    cuda.syncthreads()\nif", "\nif"), sizes="n=5 m=3")
    assert ("race", 30) in [(fault.kind, fault.line) for fault in verdict.faults]
    assert "those of the next turn of a loop as well" in verdict.faults[0].text


def test_a_function_returns_no_part_of_an_array():
    text = HEAD.format(names="out, a", body="out[0] = row_of(a, i)[0]")
    text = text.replace(
        "@cuda.jit\ndef k",
        "@cuda.jit(device=True)\ndef row_of(a, i):\n    return a[i]\n@cuda.jit\ndef k",
    )
    verdict = check(text, ARGS, "1", "1", "n=2 m=3", types=False, isolated=False)
    assert [(fault.kind, fault.line) for fault in verdict.faults] == [("type", 22)]


def test_numba_says_in_words_that_a_function_is_not_for_these_types():
    pytest.importorskip("numba_cuda")
    text = HEAD.format(names="out, a", body="out[0] = first(a[0])")
    text = text.replace("@cuda.jit\ndef k", "@cuda.jit('float32(float64[:])', device=True)\ndef first(row):\n"
                        "    return row[0]\n@cuda.jit\ndef k")  # fmt: skip
    verdict = check(text, ARGS, "1", "1", "n=2 m=3", isolated=False)
    said = [fault.text for fault in verdict.faults]
    assert "No matching definition" in said[0]
    assert "there is no “first” for an array of float32 with 1 dimension(s)." in said[1]


def test_a_part_with_too_many_elements_is_named_with_its_line():
    verdict = verdict_of("out[0] = 1", args="out: float32[n, m]", sizes="n=1 m=60000", grid="1")
    assert [fault.line for fault in verdict.faults if fault.kind == "unsupported"] == [23]
