"""Measure a model on the test images of a data set."""

import argparse
from contextlib import closing
from math import isfinite

from core.commands.console import Parser, check_device, open_device, print_json, progress_bar
from core.errors import InputError
from kernels.registry import device_names


def add_options(parser: Parser) -> None:
    parser.add_argument(
        "--model", metavar="FILE", help="a model file (default: the one that comes with the program)"
    )
    parser.add_argument(
        "--data", metavar="NAME", help="builtin, mnist, fashion, or a path (default: the model's own)"
    )
    parser.add_argument("--device", metavar="NAME", default="auto", help=", ".join(("auto", *device_names())))
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(options: argparse.Namespace) -> int:
    check_device(options.device)
    from core.data.sources import load_dataset
    from core.inference.compatibility import check_fits
    from core.inference.model_file import bundled_model, load_model
    from core.training.evaluation import evaluate

    model = bundled_model() if options.model is None else load_model(options.model)
    with progress_bar("Data", "") as show:
        data = load_dataset(model.data if options.data is None else options.data, show)
    check_fits(model, data)
    with closing(open_device(options.device)) as device:
        found = evaluate(model.network, model.settings(), model.parameters, data.test, device, data.kind)
    if not isfinite(found.loss):
        raise InputError(
            "The model's answers are not finite numbers, so it cannot be measured: train it again, or choose "
            "another model."
        )
    score = "accuracy" if data.kind == "classes" else "r2"
    if options.json:
        print_json({score: found.score, "loss": found.loss})
    elif data.kind == "classes":
        right = round(found.score * len(data.test))
        print(f"{data.title}: {right} / {len(data.test)} right ({found.score:.2%}), loss {found.loss:.4g}")
    else:
        print(f"{data.title}: R² {found.score:.4f}, loss {found.loss:.4g}")
    return 0
