"""One input of a campaign, and how it is judged."""

import json
import os
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError

MAX_MESSAGE = 1_000
MAX_GROWTH = 300_000_000


@dataclass
class Case:
    """`run` returns None, or a sentence about what is wrong. It may raise InputError. `size`: bytes
    of the input.
    """

    name: str
    size: int
    run: Callable[[], str | None]


def judge(case: Case) -> str | None:
    """Run the case; returns what is wrong with its outcome, or None."""
    _reset_peak()
    before = _memory("VmRSS")
    try:
        fault = case.run()
    except InputError as error:
        fault = check_message(str(error))
    except BaseException:
        return traceback.format_exc()
    growth = _memory("VmHWM") - before
    if growth > MAX_GROWTH + 4 * case.size:
        return f"{growth / 1e6:.0f} MB of memory for an input of {case.size / 1e6:.1f} MB"
    return fault


def check_message(message: str) -> str | None:
    """What is wrong with an error message for users, or None."""
    if len(message) > MAX_MESSAGE:
        return f"a message of {len(message)} characters: {message[:300]}"
    if "Traceback" in message:
        return message
    return None


def check_json(line: str) -> str | None:
    """Whether `line` is JSON as the standard has it, without NaN and Infinity."""

    def refuse(name: str) -> None:
        raise ValueError(f"{name} is not JSON")

    try:
        json.loads(line, parse_constant=refuse)
    except ValueError as error:
        return f"{error}: {line[:200]}"
    return None


def seconds_without_processor(process: int | str = "self", proc: Path = Path("/proc")) -> float:
    """How long the threads of a process were ready to run while others used the processors,
    together; 0 if unknown.

    Those that have ended since the last call count, too: without them, time would seem to have
    passed at their end.
    """
    folder = proc / str(process) / "task"
    waited = _waited.setdefault(folder, {})
    for path in folder.glob("*/schedstat"):
        with suppress(OSError, IndexError, ValueError):  # a thread that has ended meanwhile
            waited[path] = int(path.read_text().split()[1]) / 1e9
    return sum(waited.values())


# By the folder of a process and the file of a thread.
_waited: dict[Path, dict[Path, float]] = {}


def _memory(name: str) -> int:
    """A figure of /proc/self/status in bytes; 0 where there is none."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            return next(
                (int(line.split()[1]) * 1024 for line in status if line.startswith(name)), 0
            )
    except OSError:
        return 0


def _reset_peak() -> None:
    if os.path.exists("/proc/self/clear_refs"):
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
