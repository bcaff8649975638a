"""Pupils' code that misbehaves is answered in words, writes nothing, ends nothing, and leaves no process behind."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import InputError
from core.workshop.check import iter_check
from core.workshop.launch import parse_launch
from core.workshop.reference import MAX_CHARACTERS
from core.workshop.worker import checks_at_once, pack, running_program, unpack, work
from tests.core.workshop.checking import check

ROOT = Path(__file__).resolve().parents[3]
HEAD = "import os, sys, time\nfrom numba import cuda, float32\n"


def kernel(*lines):
    return "\n".join([HEAD, "@cuda.jit", "def k(out):", *(f"    {line}" for line in lines)])


def doubling(count):
    """Each function calls the one before twice."""
    functions = [
        f"@cuda.jit(device=True)\ndef f{i}(x):\n    return f{i - 1}(x) + f{i - 1}(x)\n"
        for i in range(1, count)
    ]
    first = "@cuda.jit(device=True)\ndef f0(x):\n    return x + 1\n"
    last = f"@cuda.jit\ndef k(out):\n    out[0] = f{count - 1}(1)\n"
    return HEAD + first + "".join(functions) + last


PASSES = "No fault on this shape."
HOSTILE = {
    "endless loop": (kernel("while True:", "    out[0] = 1"), "does its condition ever become false?"),
    "endless loop of range": (kernel("for i in range(10 ** 15):", "    out[0] = 1"), "has not ended"),
    "endless allocation": (kernel("s = cuda.local.array(2000000000, float32)", "s[0] = 1"), "of local memory"),
    "power": (kernel("out[0] = 9 ** 9 ** 9 ** 9"), PASSES),
    "large constant": (kernel(f"out[0] = {'9' * 4000}"), "does not fit into 64 bits"),
    "recursion": (kernel("k(out)"), "is a kernel"),
    "recursion of a device function": (
        HEAD + "@cuda.jit(device=True)\ndef f(x):\n    return f(x)\n@cuda.jit\ndef k(out):\n    out[0] = f(1)\n",
        "recursion is not covered",
    ),
    "deep nesting": (kernel(f"out[0] = {'-' * 3000}1"), "nested too deeply"),
    "many brackets": (kernel(f"out[0] = {'(' * 5000}1{')' * 5000}"), "This is no Python"),
    "syntax error": (kernel("out[0] = = 1"), "This is no Python"),
    "deep constant": (f"X = {'1+' * 5000}1\n" + kernel("out[0] = X"), "The file "),
    "zero bytes": (kernel("out[0] = 1\0"), "the character U+0000"),
    "exception": (kernel("raise ValueError"), "raise"),
    "sys.exit": (kernel("sys.exit(0)"), "is not covered"),
    "os.kill": (kernel("os.kill(os.getppid(), 9)"), "is not covered"),
    "os._exit": (kernel("os._exit(0)"), "is not covered"),
    "file": (kernel("open('written', 'w')"), "cannot use files"),
    "print": (kernel("for i in range(10 ** 7):", "    print('much text')"), "prints"),
    "import": (kernel("import socket"), "import"),
    "escape by classes": (kernel("out[0] = ().__class__.__bases__[0]"), "__class__"),
    "decorator": (HEAD + "@cuda.jit(os.abort())\ndef k(out):\n    out[0] = 1\n", ""),
    "default": (HEAD + "@cuda.jit\ndef k(out=os.abort()):\n    out[0] = 1\n", "without defaults"),
    "annotation": (HEAD + "@cuda.jit\ndef k(out: os.abort()) -> os.abort():\n    x: os.abort() = 1\n", PASSES),
    "doubling functions": (doubling(40), "call each other too often"),
    "no kernel": ("x = 1", "The file has no kernel"),
    "long file": ("#" * 200_000, "too long"),
}  # fmt: skip


@pytest.fixture
def started(monkeypatch):
    """The processes that checks have started, with their requests: a list that grows."""
    found = []

    @contextmanager
    def running(arguments, folder, *options):
        content = Path(folder, "request").read_bytes()
        with running_program(arguments, folder, *options) as process:
            found.append((process, arguments, content))
            yield process

    monkeypatch.setattr("core.workshop.worker.running_program", running)
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_it_is_answered_in_words_by_a_process_that_leaves_nothing(
    name, tmp_path, monkeypatch, started, home
):
    source, words = HOSTILE[name]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    verdict = check(source, "out: float32[n]", "1", "1", "n=4", types=False)
    if words == PASSES:
        assert verdict.summary == PASSES
    else:
        assert not verdict.passed
        assert words in verdict.faults[0].text
        assert verdict.faults[0].kind == ("syntax" if "no Python" in words else "unsupported")
    assert [process.poll() for process, _, _ in started] == [0]
    assert list((home / "cache" / "checks").iterdir()) == []
    assert [path for path in tmp_path.iterdir() if path != home] == []


SECRET = "0.271828"
RIGHT = (
    HEAD
    + "@cuda.jit\ndef k(out, a):\n    i = cuda.grid(1)\n    if i < a.size:\n        out[i] = a[i] * 0.5\n"
)


def test_the_process_of_the_kernel_has_neither_the_reference_nor_its_result(started):
    reference = f"def out(a):\n    return a * 0.5 + {SECRET} * 0\n"
    launch = parse_launch(
        "k",
        "out: float32[n], a: float32[n] = 3",
        "1",
        "8",
        "n=5",
        reference,
        par={"sectors_per_request": 1},
    )
    *_, verdict = iter_check(RIGHT, launch)
    assert verdict.passed
    (_, arguments, content), (_, others, reference_content) = started
    assert SECRET.encode() in reference_content
    assert SECRET.encode() not in content
    message = unpack(content)
    assert message.keys() == {
        "kind",
        "source",
        "launch",
        "seed",
        "outputs",
        "types",
        "trace",
        "seconds",
    }
    assert (message["kind"], message["launch"].reference, message["outputs"]) == (
        "kernel",
        "",
        {"out": False},
    )
    assert b"kernel" not in unpack(reference_content)["source"].encode()
    # Each process is given its own folder, and no other word.
    assert [arguments[0], others[0]] == ["worker", "worker"]
    assert len(arguments) == len(others) == 2
    assert arguments[1] != others[1]


def test_a_wrong_kernel_does_not_see_the_result_either(started):
    """The answer of the kernel's process has what the kernel computed, and the comparison is made outside of it."""
    launch = parse_launch(
        "k",
        "out: float32[n], a: float32[n] = 3",
        "1",
        "8",
        "n=5",
        f"def out(a):\n    return a * {SECRET}\n",
    )
    *_, verdict = iter_check(RIGHT, launch, types=False)
    assert [(fault.kind, fault.expected, fault.found) for fault in verdict.faults] == [
        ("wrong-result", "0.815484", "1.5")
    ]
    assert SECRET.encode() not in started[0][2]


@pytest.mark.skipif(
    sys.platform == "win32", reason="there, a program that is killed ends those that it started"
)
def test_what_a_killed_check_left_is_removed_by_the_next_one(home):
    """Its folders are in the user's cache, not in the temporary folder of the system."""
    text = "from core.workshop.worker import iter_answers, pack\nimport os, signal\n"
    text += "answers = iter_answers([{'kind': 'kernel', 'seconds': 1}])\nnext(answers)\n"
    text += "os.kill(os.getpid(), signal.SIGKILL)\n"
    done = subprocess.run([sys.executable, "-c", text], cwd=ROOT, check=False)
    assert done.returncode == -9
    (left,) = (home / "cache" / "checks").iterdir()
    os.utime(left, (0, 0))
    assert check(RIGHT, "out: float32[n], a: float32[n]", "1", "8", "n=5", types=False).passed
    assert list((home / "cache" / "checks").iterdir()) == []


@pytest.mark.parametrize("answers", [[], [{"verdict": 1}]])
def test_a_fault_of_the_checker_is_named_unless_there_is_an_answer(answers, tmp_path, monkeypatch):
    def iter_answer(request):
        yield from answers
        raise ZeroDivisionError

    (tmp_path / "request").write_bytes(pack({"kind": "kernel", "seconds": 1}))
    monkeypatch.setattr("core.workshop.worker.iter_answer", iter_answer)
    monkeypatch.setattr("core.workshop.worker._limit", lambda *limits: None)
    work(tmp_path)
    answer = unpack((tmp_path / "answer").read_bytes())
    if answers:
        assert answer == answers[0]
    else:
        assert "report it, with the kernel" in answer["error"]


def test_checks_at_once_fit_into_the_memory(monkeypatch, install_memory):
    monkeypatch.setattr("core.workshop.worker.processor_count", lambda: 16)
    for memory, count in ((64 << 30, 8), (16 << 30, 2), (4 << 30, 1), (1 << 40, 16)):
        install_memory(memory)
        assert checks_at_once() == count


@pytest.mark.slow
def test_the_time_of_the_process_is_limited(monkeypatch):
    """Where the interpreter's own limits do not end a kernel."""
    monkeypatch.setattr("core.workshop.worker.CPU_SECONDS", 1)
    lines = ["x = cuda.grid(1)", *["x = x * 2 + cuda.threadIdx.x"] * 3000, "out[0] = x"]
    verdict = check(kernel(*lines), "out: float32[n]", "4096", "1024", "n=4", types=False)
    assert [fault.kind for fault in verdict.faults] == ["unsupported"]
    assert "The check was ended" in verdict.faults[0].text
    reference = "def out(a):\n    return a + 10 ** 10 ** 9"
    launch = parse_launch("k", "out: float32[n], a: float32[n]", "1", "8", "n=5", reference)
    with pytest.raises(InputError, match="it computes for too long"):
        list(iter_check(RIGHT, launch, types=False))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no memory of a process")
def test_the_memory_of_the_process_is_limited():
    done = subprocess.run(
        [sys.executable, "-c", "from core.workshop.worker import _limit; _limit(5); bytearray(5 << 30)"],
        capture_output=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert b"MemoryError" in done.stderr


@pytest.mark.parametrize(
    "reference",
    [
        "def out(a):\n    import os\n    return a",
        "def out(a):\n    return a.__array_interface__",
        "def out(a):\n    return np.load('x')",
        "def out(a):\n    while True:\n        pass",
        "@np.vectorize\ndef out(a):\n    return a",
        "def out(b):\n    return b",
        "def other(a):\n    return a",
        "def out(a):\n    return 'text'",
        "def out(a):\n    return np.zeros(3)",
        "def out(a):\n    return a + math.factorial(10 ** 6)",
        "x" * (MAX_CHARACTERS + 1),
    ],
)
def test_a_reference_that_is_none_is_wrong_use(reference):
    launch = parse_launch("k", "out: float32[n], a: float32[n]", "1", "8", "n=5", reference)
    source = HEAD + "@cuda.jit\ndef k(out, a):\n    out[0] = a[0]\n"
    with pytest.raises(InputError, match=r"reference|Reference"):
        list(iter_check(source, launch, types=False, isolated=False))
