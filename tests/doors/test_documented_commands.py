"""Every command line of README and the documents: its program is there, and its help names each of
its options.

Those of README and the manual are also run, by test_commands.py; README's blocks of the sources by
`.ci/run`, those of the wheel by `packaging/wheel_test.py`.
"""

import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from core.commands import COMMANDS
from tests.doors.conftest import COMMAND, ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS = [
    "uv",
    "uvx",
    "digitlab",
    "main.py",
    "python",
    "python3",
    "py",
    "pip",
    "pipx",
    "make",
    "pytest",
    "nsys",
    "ncu",
    "compute-sanitizer",
]
UV = shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
# Not tried: programs of NVIDIA (they need a card), `pipx` and `uvx` (wheel_test.py uses
# them), `py` of Windows.
SCRIPTS = ("script.py", "m", "FILE")  # what a command of the documents has written before
WITH_VALUE = {"--extra", "--group", "--no-extra", "--no-install-package", "--from", "--python"}


def command_lines(text):
    """The lines of the blocks, and the code in sentences, that begin with one of PROGRAMS."""
    fenced = re.compile(r"^```(?:sh|powershell|console)?\n(.*?)^```", re.M | re.S)
    lines = "\n".join(fenced.findall(text)).replace("\\\n", " ").splitlines()
    rest = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    lines += re.findall(r"^ {4}(\S.*)$", rest, re.M) + re.findall(r"`([^`]+)`", rest)
    for line in lines:
        line = (
            re.sub(r"\s{2,}.*", "", line.partition(" #")[0])
            if "\n" not in line
            else " ".join(line.split())
        )
        line = re.sub(
            r"^(?:[A-Z_]+=\S+ )+", "", line.replace("\\uv", "/uv").replace("\\bin", "/bin")
        )
        program, _, rest = line.partition(" ")
        program = program.removeprefix(".uv/bin/")
        if program in PROGRAMS and rest.isascii() and rest:
            yield (
                program,
                shlex.split(re.sub(r"[\[\]]", "", rest) if "launches" not in rest else rest),
            )


@cache
def help_of(*command):
    done = subprocess.run(
        [*command, "--help"], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{command}: {done.stderr[-300:]}"
    return done.stdout


def check_options(words, *command):
    """The help of the command names each option of the words."""
    for word in words:
        option = re.match(r"--?[a-z][\w-]*", word)
        if option and not re.search(
            rf"(?<![\w-]){re.escape(option[0])}(?![\w-])", help_of(*command)
        ):
            raise AssertionError(f"{' '.join(map(str, command))} has no option {option[0]}")


def check_program(words):
    """A command of this program. Without one it is a file for the window, or an option of its
    own.
    """
    if words[0] not in COMMANDS:
        assert words[0].isupper() or "." in words[0] or words[0].startswith("--"), words
        return
    action = words[1:2] if re.search(rf"\b{'|'.join(words[1:2])}\b", actions_of(words[0])) else []
    check_options(words[1:], *COMMAND, words[0], *action)


@cache
def actions_of(name):
    """The actions that a command chooses from, such as `new | check`; empty for most."""
    return "".join(re.findall(r"[a-z]+ \| [a-z |]+", help_of(*COMMAND, name)))


def check_uv(words):
    """What uv starts is checked after its own options."""
    parts = 2 if words[0] == "tool" else 1
    own = words[parts:]
    rest = []
    if words[0] == "run":
        start = 0
        while own[start:] and own[start].startswith("-"):
            start += 2 if own[start] in WITH_VALUE else 1
        own, rest = own[:start], own[start:]
    if not Path(UV).exists():
        pytest.skip("uv is not installed")
    check_options(own, UV, *words[:parts])
    if (rest and rest[0] != "python") or len(rest) > 1:
        check(rest[0], rest[1:])


def check_python(words):
    """A module or a script of the repository."""
    if words[0] == "-m" and words[1] in (
        "pytest",
        "pip",
        "venv",
        "digitlab",
        "PyInstaller",
    ):
        if words[1] in ("pip", "pytest") and len(words) > 2:
            check(words[1], words[2:])
    elif words[0] == "-m":
        module = words[1].replace(".", "/")
        assert words[1].endswith("NAME") or any(
            (ROOT / f"{module}{end}").exists() for end in (".py", "/__main__.py")
        ), words
        if any(word.startswith("--") for word in words) and words[1] != "tests.card":
            tool = (sys.executable, "-m", words[1])
            has_parts = re.search(r"\bWHAT \.\.\.", help_of(*tool))
            check_options(words[2:], *tool, *(words[2:3] if has_parts else ()))
    elif words[0] == "main.py":
        check_program(words[1:])
    else:
        assert words[0] in SCRIPTS or (ROOT / words[0]).exists(), words


def check_make(words):
    for target in words:
        if "=" not in target:
            done = subprocess.run(
                ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr


def check(program, words):
    if not words:
        return
    if program in ("main.py", "digitlab"):
        check_program(words)
    elif program == "uv":
        check_uv(words)
    elif program in ("python", "python3"):
        check_python(words)
    elif program == "make":
        check_make(words)
    elif program == "pytest":
        check_options(
            [word for word in words if word.startswith("--")], sys.executable, "-m", "pytest"
        )


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_each_command_line_can_be_typed(path):
    for program, words in command_lines(path.read_text("utf-8")):
        check(program, words)


def test_an_option_that_a_program_has_not_is_found():
    with pytest.raises(AssertionError, match="has no option --quik"):
        check("main.py", ["bench", "devices", "--quik"])
