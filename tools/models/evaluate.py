"""Measure a model on the digits of a UNIPEN file, drawn with a pen on the canvas.

python -m tools.models.evaluate FILE.unipen.gz [--model FILE] [--writers 1,4-6] [--pen-width 8]
[--picture]
"""

import argparse
import sys
from pathlib import Path

from core.commands.console import Parser, join_values, print_error, progress_bar
from core.commands.evaluate import add_common_options, open_model, report
from core.data.dataset import Dataset
from core.errors import InputError
from core.progress import Progress
from core.text import parse_number
from tools.models.pen_data import Placement, load, writer_numbers

_LIMITS = {"pen_width": (1, 60), "scale": (0.05, 1), "slant": (-45, 45), "aspect": (0.2, 5)}


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(prog="python -m tools.models.evaluate", description=__doc__)
    _add_options(parser)
    try:
        options = parser.parse_args(
            join_values(parser, sys.argv[1:] if arguments is None else arguments)
        )
        model = open_model(options)
        with progress_bar("Data", "") as show:
            data = load_pen_data(options, show)
        return report(options, model, data)
    except InputError as error:
        print_error(parser.prog, error)
        return 2


def _add_options(parser: Parser) -> None:
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="pen strokes, as UNIPEN text, plain or gzipped"
    )
    add_common_options(parser)
    parser.add_argument(
        "--writers", metavar="N,N-N", help="only the digits of these writers, as in 1,4-6"
    )
    parser.add_argument(
        "--pen-width",
        metavar="N",
        help="of a canvas with a side of 280, 1 to 60 (default: 20; thin 8, thick 40)",
    )
    parser.add_argument(
        "--scale",
        metavar="F",
        help="longest side of the digit over the canvas's side, 0.05 to 1 (default: 0.6)",
    )
    parser.add_argument(
        "--slant", metavar="DEGREES", help="lean the digits to the right, -45 to 45 (default: 0)"
    )
    parser.add_argument(
        "--aspect", metavar="F", help="multiply the width of the digits, 0.2 to 5 (default: 1)"
    )
    parser.add_argument(
        "--position",
        metavar="X,Y",
        help="middle of the digit on the canvas, 0,0 for the upper left corner (default: 0.5,0.5)",
    )
    parser.add_argument(
        "--picture",
        action="store_true",
        help="read the canvas as a picture, as if its strokes were not known",
    )


def load_pen_data(options: argparse.Namespace, progress: Progress | None = None) -> Dataset:
    """All digits of the file, or those of the chosen writers, drawn as the options say."""
    values = {
        name: _number(options, name) for name in _LIMITS if getattr(options, name) is not None
    }
    if options.position is not None:
        values["x"], values["y"] = _position(options.position)
    writers = None if options.writers is None else writer_numbers(options.writers)
    return load(options.file, Placement(**values, picture=options.picture), writers, progress)


def _number(options: argparse.Namespace, name: str) -> float:
    text = getattr(options, name)
    low, high = _LIMITS[name]
    try:
        value = parse_number(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise InputError(
            "{option} must be a number from {low} to {high}, not {text}.",
            option="--" + name.replace("_", "-"),
            low=low,
            high=high,
            text=text[:40],
        )
    return value


def _position(text: str) -> tuple[float, float]:
    try:
        x, y = map(parse_number, text.split(","))
        if 0 <= x <= 1 and 0 <= y <= 1:
            return x, y
    except ValueError:
        pass
    raise InputError(
        "--position must be two numbers from 0 to 1, as in 0.5,0.5, not {text}.", text=text[:40]
    )


if __name__ == "__main__":
    sys.exit(main())
