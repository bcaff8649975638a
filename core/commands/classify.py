"""Read the digit in each image file; any size, dark on light or light on dark."""

import argparse
from typing import TYPE_CHECKING

from core.commands.console import REFUSED, Parser, complain, print_json
from core.errors import InputError

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
    from core.data.drawing import normalise, read_image
    from core.inference.compatibility import check_reads_drawings
    from core.inference.model_file import bundled_model, load_model
    from core.inference.predictor import Predictor

    model = bundled_model() if options.model is None else load_model(options.model)
    check_reads_drawings(model)
    predictor = Predictor(model)
    code = 0
    for file in options.files:
        try:
            image = normalise(read_image(file))
        except InputError as error:
            complain("main.py classify", error)
            code = REFUSED
            continue
        probabilities = None if image is None else predictor.predict(image[None])[0]
        (_print_record if options.json else _print_line)(file, model, probabilities)
    return code


def _print_record(file: str, model: "Model", probabilities: "np.ndarray | None") -> None:
    """An empty picture has no digit and no probabilities."""
    if probabilities is None:
        print_json({"file": file, "digit": None, "probabilities": None})
    else:
        print_json({"file": file, "digit": int(probabilities.argmax()),
                    "probabilities": [round(float(p), 7) for p in probabilities]})  # fmt: skip


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
