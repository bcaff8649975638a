"""Reads pen strokes from UNIPEN files (Guyon et al. 1994), plain or gzipped: digits with their labels and writers.

Read are `.SEGMENT DIGIT n ? "8"`, which begins a digit and names its label, `.COMMENT 8 12 224` below it, whose second
number is the writer (UCI "Pen-Based Recognition of Handwritten Digits"), and the points between `.PEN_DOWN` and
`.PEN_UP`. All other lines are ignored; no included file is opened.
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import InputError
from core.files.input_file import open_input

MAX_BYTES = 20_000_000
"""Limit of the unpacked size. The 7,494 digits of the UCI's training file have 3.6 MB."""

_MAX_DIGITS = 100_000
_MAX_POINTS = 2_000_000
_MAX_LINE = 10_000
_REACH = 1e6
_KIND = "a UNIPEN file of digits"
_LABEL = re.compile(rb'\.SEGMENT\s+\S+\s+\S+\s+\S+\s+"(?P<label>[^"]*)"')
_WRITER = re.compile(rb"\.COMMENT\s+\d+\s+(?P<writer>\d{1,6})\s+\d+\s*")


@dataclass(frozen=True, slots=True)
class PenDigit:
    """A digit as strokes: float64 (k, 2) with k > 0, x to the right, y down. `writer`: 0 where the file names none."""

    label: int
    writer: int
    strokes: tuple[np.ndarray, ...]


def read(path: Path) -> list[PenDigit]:
    """The digits of a file that have ink, in its order.

    Raises InputError that names the line where the file is damaged, or when there is no digit in it.
    """
    digits: list[PenDigit] = []
    label, writer = None, 0
    strokes: list[list[tuple[float, float]]] = []
    is_down, points = False, 0

    def finish() -> None:
        inked = tuple(np.array(stroke) for stroke in strokes if stroke)
        if label is not None and inked:
            digits.append(PenDigit(label, writer, inked))

    for number, line in _lines(path):
        if not line.startswith(b"."):
            if is_down and line.strip() and label is not None:
                strokes[-1].append(_point(path, number, line))
                points += 1
        elif line.startswith(b".PEN_DOWN"):
            is_down = True
            strokes.append([])
        elif line.startswith(b".PEN_UP"):
            is_down = False
        elif line.startswith(b".SEGMENT"):
            finish()
            label, writer, strokes, is_down = _label(path, number, line), 0, [], False
        elif match := _WRITER.fullmatch(line):
            writer = int(match["writer"])
        if points > _MAX_POINTS or len(digits) > _MAX_DIGITS:
            raise InputError(
                "{path} has more than {digits:,} digits or {points:,} points: choose a smaller file.",
                path=path, digits=_MAX_DIGITS, points=_MAX_POINTS,
            )  # fmt: skip
    finish()
    if not digits:
        raise InputError("{path} holds no digits drawn with a pen: choose {kind}.", path=path, kind=_KIND)
    return digits


def _label(path: Path, number: int, line: bytes) -> int:
    match = _LABEL.match(line)
    label = match["label"] if match else b""
    if len(label) != 1 or label not in b"0123456789":
        raise InputError(
            "{path}, line {line}: a segment needs one digit as its label, as in .SEGMENT DIGIT 0 ? \"8\".",
            path=path, line=number,
        )  # fmt: skip
    return int(label)


def _point(path: Path, number: int, line: bytes) -> tuple[float, float]:
    """x and y of a line of numbers; further ones, such as times, are ignored. y grows upwards in the file."""
    try:
        x, y = map(float, line.split(None, 2)[:2])
        if abs(x) < _REACH and abs(y) < _REACH:
            return x, -y
    except ValueError:
        pass
    raise InputError(
        "{path}, line {line}: “{text}” is not a point of two numbers; correct the line or remove it.",
        path=path, line=number, text=line.strip()[:40].decode(errors="replace"),
    )  # fmt: skip


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers from 1, unpacked where the file is gzipped."""
    with open_input(path, MAX_BYTES, _KIND) as file:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        source = gzip.GzipFile(fileobj=file) if packed else file
        number, size = 0, 0
        try:
            while line := source.readline(_MAX_LINE):
                number, size = number + 1, size + len(line)
                if size > MAX_BYTES:
                    raise InputError(
                        "{path} unpacks to more than {limit} MB: choose a smaller file.",
                        path=path, limit=MAX_BYTES // 1_000_000,
                    )  # fmt: skip
                yield number, line
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(
                "{path} cannot be read ({reason}): choose {kind}.", path=path, reason=error, kind=_KIND
            ) from None
