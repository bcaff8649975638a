"""Kernels, as they are checked on the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.doors.conftest import COMMAND
from tests.limits import SECONDS

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = ROOT / "resources" / "workshop"
LAUNCH = ("--grid", "(n + 7) // 8", "--block", "8", "--sizes", "n=1,5,9", "--no-types")


SOLUTIONS = sorted(
    path.relative_to(EXERCISES).as_posix() for path in EXERCISES.glob("*/*solution.py")
)


@pytest.mark.parametrize("name", SOLUTIONS)
def test_each_solution_passes(program, name):
    done = program("workshop", "check", EXERCISES / name, "--no-types")

    assert (done.returncode, done.stderr) == (0, "")
    assert "No fault on " in done.stdout


def test_a_transpose_is_compared_with_numpys(program, tmp_path):
    (tmp_path / "turn.py").write_text(
        "from numba import cuda\n"
        "@cuda.jit\n"
        "def turn(out, a):\n"
        "    i, j = cuda.grid(2)\n"
        "    if i < out.shape[0] and j < out.shape[1]:\n"
        "        out[i, j] = a[j, i]\n"
    )
    launch = (
        "--args",
        "out: float32[m, n], a: float32[n, m]",
        "--grid",
        "(m + 3) // 4, (n + 3) // 4",
        "--block",
        "4, 4",
        "--sizes",
        "n=1,5,9 m=3,8",
    )

    right = program("workshop", "check", "turn.py", *launch, "--expect", "out = a.T", "--no-types")
    assert (right.returncode, right.stderr) == (0, "")

    wrong = program(
        "workshop", "check", "turn.py", *launch, "--expect", "out = a.T[::-1]", "--no-types"
    )
    assert wrong.returncode == 1
    assert "line 6: wrong-result" in wrong.stdout


KERNELS = """import os
from numba import cuda, float32, float64

os.system("exit 1")


@cuda.jit(device=True)
def total(row):
    s = float32(0)
    for j in range(row.size):
        s += row[j]
    else:
        s += 1
    return s


@cuda.jit
def rows(out, a):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = total(a[i])


@cuda.jit
def last_wins(out, a):
    i = cuda.grid(1)
    cuda.atomic.exch(out, 0, i)


@cuda.jit
def two_operations(out, a):
    cuda.atomic.add(out, 0, 1)
    cuda.atomic.max(out, 0, 3)


@cuda.jit
def too_much(out, a):
    p = cuda.shared.array(10000, float32)
    q = cuda.shared.array(10000, float32)


@cuda.jit("void(float64[:], float64[:, :])", fastmath=True)
def other_types(out, a):
    out[0] = 1
"""


@pytest.mark.parametrize(
    ("kernel", "code", "words"),
    [
        ("rows", 0, ["No fault on these 3 shapes.", "The file has other statements, line 4"]),
        (
            "last_wins",
            1,
            ["line 27: race", "line 27: block-race", "which is the last is not determined"],
        ),
        (
            "two_operations",
            1,
            ["line 33: race", "The value depends on their order", "8 changes of one element"],
        ),
        ("too_much", 1, ["line 39: unsupported", "80,000", "a block has 49,152 at most"]),
        (
            "other_types",
            1,
            ["line 42: type: No matching definition", "does not consider “fastmath”"],
        ),
    ],
)
def test_a_kernel_is_judged_as_a_card_would(program, tmp_path, kernel, code, words):
    (tmp_path / "kernels.py").write_text(KERNELS)
    expect = ("--expect", "out = a.sum(axis=1) + 1") if kernel == "rows" else ()
    kind = "float32[n]" if kernel == "rows" else "float32[n] = 0"
    args = f"out: {kind}, a: float32[n, 3]"

    done = program(
        "workshop", "check", "kernels.py", "--kernel", kernel, "--args", args, *LAUNCH, *expect
    )

    assert (done.returncode, done.stderr) == (code, "")
    assert not [each for each in words if each not in done.stdout], done.stdout


def test_what_cannot_run_is_said(program, tmp_path):
    (tmp_path / "typo.py").write_text(
        "from numba import cuda\n@cuda.jit\ndef k(out)\n    out[0] = 1\n"
    )
    typo = program("workshop", "check", "typo.py", "--args", "out: float32[n]", *LAUNCH, "--json")
    fault = json.loads(typo.stdout)["faults"][0]
    assert (typo.returncode, fault["kind"], fault["line"]) == (1, "syntax", 3)

    (tmp_path / "kernels.py").write_text(KERNELS)
    launch = ["--kernel", "rows", "--args", "out: float32[n], a: float32[n, 3]", *LAUNCH]
    empty = program("workshop", "check", "kernels.py", *launch, "--sizes", "n=0")
    assert empty.returncode == 1
    assert "the grid has no blocks" in empty.stdout


def test_a_character_that_is_not_shown_hides_no_code(program, tmp_path):
    hidden = (
        "from numba import cuda\n@cuda.jit\ndef k(out):\n    # one\u2028    import os; "
        'os.mkdir("hidden")\n'
    )
    (tmp_path / "k.py").write_text(hidden + "    out[0] = 1\n", "utf-8")
    launch = ("--args", "out: float32[1]", "--grid", "1", "--block", "1")

    checked = program("workshop", "check", "k.py", *launch, "--no-types")

    said = "the character U+2028, which most editors do not show: remove it."
    assert checked.returncode == 1
    assert f"line 4: unsupported: The line has {said}" in checked.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there, no limit of memory can be set")
def test_combinations_of_sizes_are_counted_before_they_are_made(tmp_path, home):
    import resource

    def limit_memory():
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    (tmp_path / "k.py").write_text(KERNELS)
    sizes = " ".join(f"n{number}=1,2,3" for number in range(40))
    args = ", ".join(["out: float32[8]", *(f"n{number}" for number in range(40))])
    for given, words in (
        (args, "combinations are too many: at most 64"),
        ("out: float32[8]", "appears neither"),
    ):
        done = subprocess.run(
            [
                sys.executable,
                ROOT / "main.py",
                "workshop",
                "check",
                "k.py",
                "--kernel",
                "rows",
                "--args",
                given,
                "--grid",
                "1",
                "--block",
                "8",
                "--sizes",
                sizes,
            ],
            cwd=tmp_path,
            preexec_fn=limit_memory,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode == 2
        assert words in done.stderr


@pytest.mark.parametrize(
    ("expect", "code", "said"),
    [
        ("#", 2, "expect “#” cannot be read"),
        ("out = a + 1; # more", 2, "cannot be read"),
        ("out = np.full(n, m)", 1, "line 2: wrong-result: out[0] must be"),
        ("out = a * 0 / (a * 0)", 0, "No fault"),
        ("out = 8if n", 2, "is no Python"),
    ],
)
def test_what_is_expected_may_use_sizes_and_may_be_nan(program, tmp_path, expect, code, said):
    (tmp_path / "k.py").write_text(
        "from numba import cuda\n@cuda.jit\ndef nothing(out, a):\n    i = cuda.grid(1)\n"
        "    if i < out.size:\n        out[i] = a[i] * 0 / (a[i] * 0)\n"
    )
    done = program(
        "workshop",
        "check",
        "k.py",
        "--args",
        "out: float32[n], a: float32[n] = m",
        "--grid",
        "1",
        "--block",
        "8",
        "--sizes",
        "n=5 m=2",
        "--expect",
        expect,
        "--no-types",
    )
    assert done.returncode == code, done.stdout
    assert said.replace("line 2", "line 6") in done.stdout + done.stderr
    assert "Warning" not in done.stderr


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        ("cuda.syncthreads", 1, "barrier: cuda.syncthreads is named, not called, so it does "
                                "nothing: write cuda.s"),
        ("if (i, j) < out.shape:\n        out[i, j] = 1", 1, "line 8: bounds"),
        ("if (i, j) >= (0, 0) and (i, j) == (1, j) and j < 3:\n        out[i, j] = "
         "1", 0, "No fault"),
        ("cuda.atomic.add(small, 0, 1)", 1, "type: cuda.atomic.add has no form for uint8: use an "
                                            "array of int32"),
        ("out[0, 0] = uniform(a, i)", 1, "random numbers are not covered: give the kernel an "
                                         "array of them"),
        ("out[0, 0] = a[i, :].sum()", 1, ".sum() of an array is not covered by the check: write "
         "total = 0.0, then a loop"),
        ("total = 0.0\n    for k in range(a.shape[1]): total += a[i, k]\n    out[i, j] = total", 1,
         "line 9: bounds"),
        ("out[0, 0] = sum(a[i])", 1, "sum() is not covered by the check: write total = 0.0"),
        ("out[0, 0] = a[i].max()", 1, ".max() of an array is not covered by the check: write a l"),
    ],
)  # fmt: skip
def test_what_forums_show_is_named(program, tmp_path, lines, code, said):
    (tmp_path / "k.py").write_text(
        "from numba import cuda\nfrom numba.cuda.random import xoroshiro128p_uniform_float32 as "
        "uniform\n@cuda.jit\ndef k(out, small, a):\n    # as it is written there\n    i, j = cuda.grid(2)\n    "
        + lines
        + "\n"
    )
    done = program(
        "workshop",
        "check",
        "k.py",
        "--args",
        "out: float32[2, 3] = 0, small: uint8[1], a: float32[4, 4]",
        "--grid",
        "1",
        "--block",
        "4, 4",
        "--no-types",
    )
    assert (done.returncode, done.stderr) == (code, ""), done.stdout
    assert said in done.stdout


def test_nan_that_no_thread_wrote_is_wrong(program, tmp_path):
    (tmp_path / "k.py").write_text(
        "from numba import cuda\n@cuda.jit\ndef nothing(out):\n    pass\n"
    )
    done = program(
        "workshop",
        "check",
        "k.py",
        "--args",
        "out: float32[4]",
        "--grid",
        "1",
        "--block",
        "8",
        "--expect",
        "out = np.full(4, np.nan)",
        "--no-types",
    )
    assert done.returncode == 1
    assert "out[0] must be nan, but no thread wrote it" in done.stdout


def test_marks_name_other_statements(program, tmp_path):
    from core.labs.answers import Answers
    from core.labs.blocks.kernel import KernelBlock
    from core.labs.package import open_lab
    from tests.core.workshop.checking import check

    lab = open_lab(EXERCISES / "01-map")
    (part,) = [each for each in lab.parts.exercises if isinstance(each, KernelBlock)]
    source = 'import os\nos.system("exit 1")\n' + part.exercise.solution.read_text()
    answers = Answers(lab, "Ada")
    answers.keep_kernel(
        part,
        source,
        check(
            KERNELS,
            "out: float32[n], a: float32[n, 3]",
            "1",
            "8",
            "n=3",
            name="rows",
            types=False,
            isolated=False,
        ),
    )
    (tmp_path / "class").mkdir()
    answers.save(tmp_path / "class" / "ada.json")

    done = program("grade", "class", "--lab", EXERCISES / "01-map", "--json")

    assert (done.returncode, done.stderr) == (0, "")
    assert f"{part.id}: The file has other statements, line 2" in done.stdout
    assert "right" in done.stdout


@pytest.mark.skipif(
    sys.platform == "win32", reason="there, a program that is killed ends those that it started"
)
def test_a_check_that_was_killed_leaves_nothing_for_long(program, tmp_path, home):
    (tmp_path / "kernels.py").write_text(KERNELS)
    launch = [
        "workshop",
        "check",
        "kernels.py",
        "--kernel",
        "rows",
        "--args",
        "out: float32[n], a: float32[n, 3]",
        *LAUNCH,
    ]
    folder = home / "cache" / "checks"
    child = subprocess.Popen([*COMMAND, *launch], cwd=tmp_path, stdout=subprocess.DEVNULL)
    while not (folder.is_dir() and any(folder.iterdir())):
        assert child.poll() is None
        time.sleep(0.005)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    (left,) = folder.iterdir()
    os.utime(left, (0, 0))

    assert program(*launch).returncode == 0
    assert list(folder.iterdir()) == []
