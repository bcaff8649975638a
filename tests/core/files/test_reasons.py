"""Texts of Python's errors never reach the user."""

import ast
import json
import re
import socket
from pathlib import Path

import numpy as np
import pytest

from core.errors import MAX_VALUE_LENGTH
from core.files.reasons import READ_ERRORS, reason_of

ROOT = Path(__file__).parents[3]
PYTHON_WORDS = re.compile(
    r"Errno|codec|set_int_max|recursion|char \d|base 10|subscriptable|object|NoneType|str\b|Error\b"
)


def raised(function, *arguments):
    with pytest.raises(READ_ERRORS) as caught:
        function(*arguments)
    return caught.value


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (lambda: raised(json.loads, "[" * 100_000), "it is nested too deeply"),
        (lambda: raised(b"\xe1\xe1".decode), "it is not UTF-8 text"),
        (lambda: raised(json.loads, "{\n,"), "line 2 is not JSON"),
        (lambda: raised(int, "9" * 5000), "a number has too many digits"),
        (lambda: raised(int, "x"), "'x' is no whole number"),
        (lambda: raised(float, "x" * 999), None),
        (lambda: raised(open, "/no/such/file"), "No such file or directory"),
        (lambda: raised(open, "x" * 300), "its name is too long"),
        (lambda: raised({}.__getitem__, "version"), "“version” is missing"),
        (lambda: raised({}.__getitem__, "x" * 999), None),
        (lambda: raised([].__getitem__, 3), "it is damaged"),
        (lambda: raised(len, 3), "it is of another form"),
        (lambda: raised(getattr, 3, "x"), "it is of another form"),
        (lambda: raised(np.uint8, 300), None),
        (lambda: socket.gaierror(-2, "Name or service not "
                                     "known"), "the server is not found: is there a network "
         "connection"),
        (lambda: MemoryError(), "there is not enough memory for it"),
        (lambda: ValueError(), "it is damaged"),
        (lambda: ValueError("it has\n no images"), "it has no images"),
    ],
)  # fmt: skip
def test_an_error_becomes_words_of_at_most_one_line(error, words):
    said = reason_of(error())
    assert words is None or said == words
    assert said
    assert len(said) <= MAX_VALUE_LENGTH + len("“” is missing")
    assert "\n" not in said
    assert not PYTHON_WORDS.search(said)


def test_files_from_outside_are_opened_by_one_module_alone():
    """Any other open() waits for ever where the path is a pipe, and reads files of any size."""
    allowed = {
        "core/files/input_file.py",
        "core/files/atomic.py",
        "core/data/download.py",  # writes to temporary files of its own
        "core/files/tensors.py",  # writes to a temporary file of the cache
        "core/html/page.py",
        "core/data/synthetic/styles.py",
        "core/commands/lab.py",
        "gui/widgets/pictures.py",
        "core/labs/skeleton.py",
        "gui/window/help.py",
        # Files of the program itself, or that it has unpacked.
        "kernels/compiled.py",
        "kernels/cuda/shipped.py",
        "core/files/zip_file.py",
        "core/labs/package.py",
        "core/measure/machine_load.py",
        "core/bench/output.py",  # /proc
        "core/runs/compiling.py",  # its standard input
        # Temporary folders.
        "core/workshop/worker.py",
        "core/workshop/use.py",
        "gui/preferences_file.py",  # after a check of its own, without a word where it fails
        "kernels/vectorized/native.py",
        "kernels/installation.py",  # the record of the program's own installation
    }
    found = set()
    for path in [
        *ROOT.glob("core/**/*.py"),
        *ROOT.glob("gui/**/*.py"),
        *ROOT.glob("kernels/**/*.py"),
    ]:
        text = path.read_text("utf-8")
        if not any(name in text for name in ("open", "read_bytes", "read_text")):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and _opens(node):
                found.add(path.relative_to(ROOT).as_posix())
    assert found <= allowed, sorted(found - allowed)


def _opens(call):
    """Whether the call reads a file by its path: open(path), path.open("rb"), path.read_text()."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open"
    if not isinstance(function, ast.Attribute) or function.attr not in (
        "open",
        "read_bytes",
        "read_text",
    ):
        return False
    modes = [each.value for each in call.args if isinstance(each, ast.Constant)]
    return function.attr != "open" or any(
        mode in ("r", "rb", "rb+", "ab", "wb", "xb") for mode in modes
    )
