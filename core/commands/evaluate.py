"""Measure a model on the test images of a data set."""

import argparse
from contextlib import closing
from dataclasses import replace
from math import isfinite
from pathlib import Path

import numpy as np

from core.commands import console
from core.commands.plan import read_data
from core.data.dataset import Dataset
from core.data.formats.class_digits import scores_by_writer
from core.data.published import IMAGE_SOURCES
from core.errors import InputError
from core.files.atomic import check_writable
from core.files.json_text import JsonObject
from core.importing import open_model as open_file
from core.inference.engine import Engine
from core.inference.model_file import Model, bundled_model, check_fits
from core.inference.scores import (
    ClassScores,
    class_scores,
    confusion_rows,
    write_classification,
    write_regression,
)
from core.reading.reader import NonDigitDetector, can_reject
from core.runs.library import model_path
from core.text import format_percent, format_r2
from core.training.evaluation import Evaluation, evaluate
from kernels.registry import device_names


def add_options(parser: console.Parser) -> None:
    parser.add_argument(
        "--data",
        metavar="NAME",
        help=f"{', '.join(IMAGE_SOURCES)}, or a path (default: the model's own)",
    )
    add_common_options(parser)


def add_common_options(parser: console.Parser) -> None:
    """The options of `open_model` and `report`."""
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help=f"{console.MODEL_HELP} (default: the model that comes with the program)",
    )
    parser.add_argument(
        "--device", metavar="NAME", default="auto", help=", ".join(("auto", *device_names()))
    )
    parser.add_flag("--confusion", "print how many images of each class were read as each class")
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="write the confusion matrix and the mistakes here, as tables and as a picture of the "
        "worst; for regression the predictions",
    )
    parser.add_flag("--json", "print one JSON object")


def execute(options: argparse.Namespace) -> int:
    model = open_model(options)

    # Of joined data sets only the first has test images; the others need not be loaded.
    name = model.data.partition("+")[0] if options.data is None else options.data
    if not name:
        raise InputError(
            "This model was trained elsewhere, and does not say on what: name the data that it is "
            "to read, such as --data builtin."
        )
    return report(options, model, read_data(name, "evaluate"))


def open_model(options: argparse.Namespace) -> Model:
    """The model to measure. Raises InputError where it cannot be measured or the results not be
    written.
    """
    console.check_device(options.device)

    if options.out is not None:
        # Before measuring, which may take long.
        check_writable(Path(options.out) / "mistakes.csv")
    return bundled_model() if options.model is None else open_file(model_path(options.model))


def report(options: argparse.Namespace, model: Model, data: Dataset) -> int:
    """Print, and write where asked, what the model makes of the test images. Returns the exit
    code.
    """
    check_fits(model, data)
    if options.confusion and data.kind != "classes":
        raise InputError(
            "--confusion needs a model that reads classes; this one predicts values: leave it out."
        )
    with closing(console.open_device(options.device)) as device:
        result = evaluate(
            model.network, model.settings(), model.parameters, data.test, device, data.kind
        )
    if not isfinite(result.loss):
        raise InputError(
            "The model's answers are not finite numbers, so it cannot be measured: train it "
            "again, or choose another model."
        )
    scores = confidence = counts = None
    if data.kind == "classes":
        scores, confidence = _confidence(model, data, result)
        counts = scores.counts(len(data.classes)) if options.confusion else None
    writers = []
    if data.writers is not None and scores is not None:
        writers = scores_by_writer(data.writers, scores.predicted_class == scores.true_class)
    # The files come first, because the output may be lost.
    files: list[Path] = []
    if options.out is not None and scores is not None:
        files = write_classification(Path(options.out), data, scores)
    elif options.out is not None:
        files = [write_regression(Path(options.out), data, result.outputs)]
    if not options.json:
        _print_text(data, result, confidence, counts)
        if writers:
            console.print_line()
            console.print_table(
                [
                    ("writer", "images", "right"),
                    *((name, n, format_percent(share, 1)) for name, n, share in writers),
                ],
                1,
            )
        for file in files:
            console.print_line(file)
        return 0
    score = "accuracy" if data.kind == "classes" else "r2"
    record: JsonObject = {score: result.score, "loss": result.loss, **(confidence or {})}
    if writers:
        record["writers"] = {name: share for name, _, share in writers}
    if counts is not None:
        record |= {"classes": data.classes, "confusion": counts.tolist()}
    console.print_json(record)
    return 0


def _confidence(
    model: Model, data: Dataset, result: Evaluation
) -> tuple[ClassScores, dict[str, float]]:
    """The answers; and what their probabilities are worth: the calibration error with and without
    temperature, and the share that is rejected.
    """
    with closing(Engine(model)) as engine:
        scores = class_scores(data.test.targets, engine.probabilities(result.outputs))
        values = {"calibration_error": scores.calibration_error(), "temperature": model.temperature}
        if model.temperature != 1:
            # With 1 the probabilities are those without the temperature.
            engine.use(replace(model, temperature=1.0))
            before = class_scores(data.test.targets, engine.probabilities(result.outputs))
            values["calibration_error_before"] = before.calibration_error()
    if can_reject(model):
        with closing(NonDigitDetector()) as detector:
            values["refused"] = float(detector.rejected(data.test.inputs).mean())
    return scores, values


def _print_text(
    data: Dataset,
    result: Evaluation,
    confidence: dict[str, float] | None,
    counts: np.ndarray | None,
) -> None:
    if confidence is not None:
        # The score is a float: the product may miss the whole number by rounding.
        right = round(result.score * len(data.test))
        console.print_line(
            f"{data.title}: {right} / {len(data.test)} right ({format_percent(result.score)}), "
            f"loss {result.loss:.4g}"
        )
        line = f"Expected calibration error: {confidence['calibration_error']:.4f}"
        if confidence["temperature"] != 1:
            before = confidence["calibration_error_before"]
            line += f" with temperature {confidence['temperature']:.3f}; {before:.4f} without"
        console.print_line(line)
        if "refused" in confidence:
            console.print_line(f"Refused as no digit: {format_percent(confidence['refused'])}")
    else:
        console.print_line(f"{data.title}: {format_r2(result.score)}, loss {result.loss:.4g}")
    if counts is None:
        return

    console.print_line()
    console.print_line("Rows: true class. Columns: read as.")
    console.print_table(confusion_rows(data.classes, counts), left=0)
