"""Read the digit, or the numbers, in each image file: a drawing, a photograph or a scan, of any
size.
"""

import argparse

import numpy as np

from core.commands.console import (
    INPUT_ERROR,
    MODEL_HELP,
    Parser,
    print_error,
    print_json,
    print_line,
)
from core.data.class_names import DIGITS
from core.drawing.picture import Picture, picture_steps, read_gray, with_pixels
from core.errors import InputError
from core.files.atomic import atomic_path
from core.files.json_text import JsonObject
from core.importing import open_model
from core.inference.model_file import Model, bundled_model
from core.program import PROGRAM, shipped_path
from core.reading.reader import REJECTED, DrawingReader, Number, sureness_of
from core.runs.library import model_path
from core.text import format_probability

_SPOT = "The ink is a filled spot, and no digit: choose a picture of strokes."


def add_options(parser: Parser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a picture of a digit or of numbers"
    )
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help=f"{MODEL_HELP} (default: the model that comes with the program)",
    )
    parser.add_flag("--json", "print one JSON object a file")
    parser.add_argument(
        "--show",
        metavar="PNG",
        help="write how each picture is read, a row for each: the picture, its ink, the part with "
        "ink, and the 28x28 pixels of the network",
    )


def execute(options: argparse.Namespace) -> int:
    model = bundled_model() if options.model is None else open_model(model_path(options.model))
    reader = DrawingReader()
    reader.use(model)
    code = 0
    steps = []
    for file in options.files:
        try:
            gray = read_gray(shipped_path(file))
            picture = gray.picture() if model.classes == DIGITS else gray.plain_picture()
            reading = reader.read(model, picture.ink)
        except InputError as error:
            # One bad file does not keep the others from being read.
            print_error(f"{PROGRAM} classify", error)
            code = INPUT_ERROR
            continue
        if options.show is not None:
            steps.append(with_pixels(picture_steps(gray, picture), reading.image))
        if reading.number is not None:
            (_print_number_record if options.json else _print_number)(file, picture, reading.number)
        elif reading.probabilities is None:
            reason = str(gray.why_unread(picture.ink) or _SPOT)
            if options.json:
                _print_record(file, model, None, False, reason=reason)
            else:
                print_line(f"{file}: nothing to read. {reason}", flush=True)
        elif options.json:
            _print_record(file, model, reading.probabilities, reading.rejected)
        else:
            print_line(
                f"{file}: {_answer(model, reading.probabilities, reading.rejected)}", flush=True
            )
    if options.show is not None and steps:
        from PIL.Image import fromarray

        with atomic_path(options.show) as path:
            fromarray(np.vstack(steps)).save(path, "PNG")
    return code


def _print_number_record(file: str, picture: Picture, number: Number) -> None:
    """Print a JSON object: the number of each line, and the digits from left to right, line by
    line.

    Something else than a digit is `refused`, and a question mark in the number; its class is the
    most similar digit. A `box` is left, top, right and bottom, as fractions of the picture's width
    and height.
    """
    digits = []
    for line, row in enumerate(number.lines):
        for digit in row:
            left, top, right, bottom = digit.box
            box = (
                (left + picture.left) / picture.width,
                (top + picture.top) / picture.height,
                (right + picture.left) / picture.width,
                (bottom + picture.top) / picture.height,
            )
            digits.append(
                {
                    "line": line,
                    "class": DIGITS[digit.best],
                    "digit": digit.best,
                    "box": [round(value, 4) for value in box],
                    "refused": digit.rejected,
                    "probabilities": [round(float(value), 7) for value in digit.probabilities],
                }
            )
    print_json({"file": file, "numbers": number.texts(DIGITS), "digits": digits})


def _print_number(file: str, picture: Picture, number: Number) -> None:
    least = number.least_certain
    remark = (
        f"the least certain digit is the {DIGITS[least.best]}, "
        f"{format_probability(least.confidence)}"
    )
    remark = f"{REJECTED} is no digit" if number.rejected else remark
    print_line(f"{file}: {', '.join(number.texts(DIGITS))} ({remark})", flush=True)


def _print_record(
    file: str, model: Model, probabilities: np.ndarray | None, rejected: bool, **reason: str
) -> None:
    """Print a JSON object. A picture with too little ink has no class, and the `reason`; only
    models of digits have a `digit`.

    `refused`: the picture shows something else than a digit; its class is the most probable one all
    the same.
    """
    best = None if probabilities is None else int(probabilities.argmax())
    record: JsonObject = {"file": file, "class": None if best is None else model.classes[best]}
    if model.classes == DIGITS:
        record["digit"] = best
        record["refused"] = rejected
    rounded = None if probabilities is None else [round(float(value), 7) for value in probabilities]
    print_json({**record, "probabilities": rounded, **reason})


def _answer(model: Model, probabilities: np.ndarray, rejected: bool) -> str:
    second, first = probabilities.argsort()[-2:]
    how = sureness_of(probabilities, rejected=rejected)
    if how == "no digit":
        return (
            f"no digit (the most similar one is {model.classes[first]}): choose a picture that "
            "shows digits alone"
        )
    if how == "no idea":
        return "no idea: all answers are about equally likely"
    best, next_best = (
        f"{model.classes[k]} ({format_probability(probabilities[k])})" for k in (first, second)
    )
    return f"not sure: {best} or {next_best}" if how == "not sure" else f"{best}, else {next_best}"
