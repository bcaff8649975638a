"""The options of `evaluate` that say how pen strokes are drawn on the canvas."""

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from core.commands.console import Parser
from core.errors import InputError
from core.text import parse_number

if TYPE_CHECKING:
    from core.data.dataset import Dataset
    from core.progress import Progress

_LIMITS = {"pen_width": (1, 60), "scale": (0.05, 1), "slant": (-45, 45), "aspect": (0.2, 5)}
_NAMES = (*_LIMITS, "position", "writers", "picture")
_MAX_WRITERS = 100_000


def add_pen_options(parser: Parser) -> None:
    pen = parser.add_argument_group(
        "drawing of pen:FILE", "All digits of the file are drawn on the canvas and read."
    )
    pen.add_argument("--writers", metavar="N,N-N", help="only the digits of these writers, as in 1,4-6")
    pen.add_argument(
        "--pen-width",
        metavar="N",
        help="of a canvas with a side of 280, 1 to 60 (default: 20; thin 8, thick 40)",
    )
    pen.add_argument(
        "--scale",
        metavar="F",
        help="longest side of the digit over the canvas's side, 0.05 to 1 (default: 0.6)",
    )
    pen.add_argument(
        "--slant", metavar="DEGREES", help="lean the digits to the right, -45 to 45 (default: 0)"
    )
    pen.add_argument("--aspect", metavar="F", help="multiply the width of the digits, 0.2 to 5 (default: 1)")
    pen.add_argument(
        "--position", metavar="X,Y",
        help="middle of the digit on the canvas, 0,0 for the upper left corner (default: 0.5,0.5)",
    )  # fmt: skip
    pen.add_argument(
        "--picture",
        action="store_true",
        help="read the canvas as a picture, as if its strokes were not known",
    )


def pen_options(options: argparse.Namespace) -> list[str]:
    """The options for pen strokes that were given, as written on the command line."""
    return ["--" + name.replace("_", "-") for name in _NAMES if getattr(options, name) not in (None, False)]


def load_pen_data(options: argparse.Namespace, path: Path, progress: "Progress | None") -> "Dataset":
    """All digits of the file, or those of the chosen writers, drawn as the options say."""
    from core.data.pen_data import Placement, load_for_evaluation

    values = {name: _number(options, name) for name in _LIMITS if getattr(options, name) is not None}
    if options.position is not None:
        values["x"], values["y"] = _position(options.position)
    writers = None if options.writers is None else writer_numbers(options.writers)
    return load_for_evaluation(path, Placement(**values, picture=options.picture), writers, progress)


def _number(options: argparse.Namespace, name: str) -> float:
    text, (low, high) = getattr(options, name), _LIMITS[name]
    try:
        value = parse_number(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise InputError(
            "{option} must be a number from {low} to {high}, not {text}.",
            option="--" + name.replace("_", "-"), low=low, high=high, text=text[:40],
        )  # fmt: skip
    return value


def _position(text: str) -> tuple[float, float]:
    try:
        x, y = map(parse_number, text.split(","))
        if 0 <= x <= 1 and 0 <= y <= 1:
            return x, y
    except ValueError:
        pass
    raise InputError("--position must be two numbers from 0 to 1, as in 0.5,0.5, not {text}.", text=text[:40])


def writer_numbers(text: str) -> set[int]:
    """The numbers in a text such as 1,4-6. Raises InputError for other texts."""
    writers: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part, re.A)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not first <= last <= _MAX_WRITERS:
            raise InputError("--writers must be numbers and ranges, as in 1,4-6, not {text}.", text=text[:40])
        writers |= set(range(first, last + 1))
    return writers
