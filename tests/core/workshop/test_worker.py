"""Pupils' code that misbehaves is answered in words, writes nothing, ends nothing, and leaves no process behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.workshop.check import check
from core.workshop.reference import MAX_CHARACTERS

ROOT = Path(__file__).resolve().parents[3]
HEAD = "import os, sys, time\nfrom numba import cuda, float32\n"


def kernel(*lines):
    return "\n".join([HEAD, "@cuda.jit", "def k(out):", *(f"    {line}" for line in lines)])


HOSTILE = {
    "endless loop": (kernel("while True:", "    out[0] = 1"), "does its condition ever become false?"),
    "endless loop of range": (kernel("for i in range(10 ** 15):", "    out[0] = 1"), "has not ended"),
    "endless allocation": (kernel("s = cuda.local.array(2000000000, float32)", "s[0] = 1"), "of local memory"),
    "power": (kernel("out[0] = 9 ** 9 ** 9 ** 9"), ""),
    "large constant": (kernel(f"out[0] = {'9' * 4000}"), "does not fit into 64 bits"),
    "recursion": (kernel("k(out)"), "is a kernel"),
    "recursion of a device function": (
        HEAD + "@cuda.jit(device=True)\ndef f(x):\n    return f(x)\n@cuda.jit\ndef k(out):\n    out[0] = f(1)\n",
        "recursion is not covered",
    ),
    "deep nesting": (kernel(f"out[0] = {'-' * 3000}1"), ""),
    "many brackets": (kernel(f"out[0] = {'(' * 5000}1{')' * 5000}"), ""),
    "syntax error": (kernel("out[0] = = 1"), "This is no Python"),
    "deep constant": (f"X = {'1+' * 5000}1\n" + kernel("out[0] = X"), "The file "),
    "zero bytes": (kernel("out[0] = 1\0"), "This is no Python"),
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
    "annotation": (HEAD + "@cuda.jit\ndef k(out: os.abort()) -> os.abort():\n    x: os.abort() = 1\n", ""),
    "no kernel": ("x = 1", "The file has no kernel"),
    "long file": ("#" * 200_000, "too long"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_it_is_answered_in_words(name, tmp_path, monkeypatch):
    source, words = HOSTILE[name]
    monkeypatch.chdir(tmp_path)
    verdict = check(source, "out: float32[n]", "1", "1", "n=4", types=False, isolated=False)
    if words:
        assert not verdict.passed
        assert words in verdict.faults[0].text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_time_of_the_process_is_limited(monkeypatch):
    """Where the interpreter's own limits do not end a kernel."""
    monkeypatch.setattr("core.workshop.worker.CPU_SECONDS", 1)
    lines = ["x = cuda.grid(1)", *["x = x * 2 + cuda.threadIdx.x"] * 3000, "out[0] = x"]
    verdict = check(kernel(*lines), "out: float32[n]", "4096", "1024", "n=4", types=False)
    assert [fault.kind for fault in verdict.faults] == ["unsupported"]
    assert "The check was ended" in verdict.faults[0].text


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
        "x" * (MAX_CHARACTERS + 1),
    ],
)
def test_a_reference_that_is_none_is_wrong_use(reference):
    from core.workshop.check import iter_check
    from core.workshop.launch import parse_launch

    launch = parse_launch("k", "out: float32[n], a: float32[n]", "1", "8", "n=5", reference)
    source = HEAD + "@cuda.jit\ndef k(out, a):\n    out[0] = a[0]\n"
    with pytest.raises(InputError, match=r"reference|Reference"):
        list(iter_check(source, launch, types=False, isolated=False))
