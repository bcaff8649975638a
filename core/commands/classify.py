"""Read the digit in each image file; any size, dark on light or light on dark."""

import argparse
from typing import TYPE_CHECKING, Any

from core.commands.console import INPUT_ERROR, Parser, print_error, print_json
from core.errors import InputError
from core.program import PROGRAM

if TYPE_CHECKING:
    import numpy as np

    from core.inference.model_file import Model


def add_options(parser: Parser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a picture of one digit")
    parser.add_argument(
        "--model", metavar="FILE", help="a model file (default: the one that comes with the program)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a file")


def execute(options: argparse.Namespace) -> int:
    from core.data.drawing import read_image
    from core.inference.compatibility import check_reads_drawings
    from core.inference.model_file import bundled_model, load_model
    from core.inference.predictor import Predictor
    from core.inference.preparation import prepare

    model = bundled_model() if options.model is None else load_model(options.model)
    check_reads_drawings(model)
    predictor = Predictor(model)
    code = 0
    for file in options.files:
        try:
            image = prepare(read_image(file), model)
            probabilities = None if image is None else predictor.predict(image[None])[0]
        except InputError as error:
            print_error(f"{PROGRAM} classify", error)
            code = INPUT_ERROR
            continue
        (_print_record if options.json else _print_line)(file, model, probabilities)
    return code


def _print_record(file: str, model: "Model", probabilities: "np.ndarray | None") -> None:
    """Print a JSON object. An empty picture has no class; only models of digits have a `digit`."""
    from core.data.class_names import DIGITS

    best = None if probabilities is None else int(probabilities.argmax())
    record: dict[str, Any] = {"file": file, "class": None if best is None else model.classes[best]}
    if model.classes == DIGITS:
        record["digit"] = best
    record["probabilities"] = (
        None if probabilities is None else [round(float(value), 7) for value in probabilities]
    )
    print_json(record)


def _print_line(file: str, model: "Model", probabilities: "np.ndarray | None") -> None:
    if probabilities is None:
        print(f"{file}: nothing to read", flush=True)
        return
    second, first = probabilities.argsort()[-2:]
    print(
        f"{file}: {model.classes[first]} ({probabilities[first]:.1%}), "
        f"else {model.classes[second]} ({probabilities[second]:.1%})",
        flush=True,
    )
