"""Measures how networks read writers that had no part in their training.

python -m tools.models.leave_writers_out FILE.unipen.gz [RECIPE] [--only 1,2] [--choose] [--epochs
N] [--copies N]

The writers of the file are divided into folds. For each fold a shape model is built from the other
writers, and a network learns by RECIPE of `tools.models.train` (default: preset, the settings of
the window), with built-in digits of these shapes and the strokes of these writers alone. It reads
the digits of the fold's writers, drawn on the canvas, and MNIST's test images. At the end the
temperature is fitted on all that was read on the canvas. The options change the recipe. With
--choose, by which recipes are compared, the writers of all folds of --only are left out of one
training, and of MNIST's training images the last 10,000, which are read in place of the test
images.
"""

import argparse
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from core.data.dataset import Split
from core.data.sources import load_dataset
from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inference.scores import ClassScores, score_classes
from core.text import format_percent
from core.training.trainer import fit_temperature
from tools.models.pen_data import PenDigit, Placement, draw, read, writer_numbers
from tools.models.shape_model import build
from tools.models.train import RECIPES, Recipe, train

PLACEMENTS = {
    "drawn": Placement(),
    "pen 10": Placement(pen_width=10),
    "pen 40": Placement(pen_width=40),
    "quarter": Placement(scale=0.25),
    "corner": Placement(scale=0.25, x=1, y=1),
    "slant 15": Placement(slant=15),
    "slant -15": Placement(slant=-15),
    "narrow": Placement(aspect=0.5),
}

_LEARNED = 50_000  # of MNIST's 60,000 training images, with --choose


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.models.leave_writers_out",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("recipe", nargs="?", choices=tuple(RECIPES), default="preset")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--only", default="", metavar="N,N-N", help="only these folds")
    parser.add_argument(
        "--choose", action="store_true", help="validate: one training, MNIST's test images unread"
    )
    parser.add_argument("--network")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--builtin", type=int, help="built-in digits to learn from")
    parser.add_argument("--copies", type=int, help="varied copies of each digit of the pen strokes")
    parser.add_argument(
        "--mnist", type=float, help="how often an epoch has MNIST's training images"
    )
    parser.add_argument(
        "--averaged",
        type=int,
        help="of how many last quarters of epochs the parameters are averaged",
    )
    parser.add_argument(
        "--augment", action="store_true", help="each image is changed at random in each epoch"
    )
    options = parser.parse_args()
    recipe = _changed(RECIPES[options.recipe], options)
    digits = read(options.file)
    mnist = load_dataset("mnist")
    folds = np.array_split(np.array(sorted({digit.writer for digit in digits})), options.folds)
    chosen = sorted(writer_numbers(options.only)) if options.only else range(1, options.folds + 1)
    groups = [[number] for number in chosen]
    if options.choose:
        groups = [list(chosen)]
        mnist = replace(mnist, train=mnist.train.first(_LEARNED), test=mnist.train.after(_LEARNED))
    rows = []
    answers: list[tuple[np.ndarray, np.ndarray]] = []
    for group in groups:
        writers = set(np.concatenate([folds[number - 1] for number in group]).tolist())
        start = perf_counter()
        others = [digit for digit in digits if digit.writer not in writers]
        model = train(recipe, others, build(others), mnist)
        left_out = [digit for digit in digits if digit.writer in writers]
        rows.append(_measure(model, left_out, mnist.test, answers))
        print(
            f"folds {group}, {len(writers)} writers, {len(left_out)} digits, "
            f"{perf_counter() - start:.0f} s: {_format(rows[-1])}",
            flush=True,
        )
    print(
        "mean:",
        _format({name: tuple(np.mean([row[name] for row in rows], axis=0)) for name in rows[0]}),
    )
    sums, labels = map(np.concatenate, zip(*answers, strict=True))
    print(f"temperature {fit_temperature(sums, labels):.3f}")


def _changed(recipe: Recipe, options: argparse.Namespace) -> Recipe:
    """`recipe` with what the options give."""
    named = {"network": options.network, "epochs": options.epochs, "learning_rate": options.rate}
    settings = recipe.settings.change(
        **{name: value for name, value in named.items() if value is not None}
    )
    if options.augment:
        settings = settings.change(
            shift=1.5, rotation=12, scale=0.12, shear=0.15, elastic=0.8, thickness=0.4
        )
    amounts = {name: getattr(options, name) for name in ("builtin", "copies", "mnist", "averaged")}
    given = {name: value for name, value in amounts.items() if value is not None}
    return replace(recipe, settings=settings, **given)


def _measure(
    model: Model,
    digits: list[PenDigit],
    mnist: Split,
    answers: list[tuple[np.ndarray, np.ndarray]],
) -> dict[str, tuple[float, float]]:
    """Accuracy and expected calibration error by what was read. To `answers` the last layer's sums,
    up to a constant in each row, and the labels of what was read on the canvas are added.
    """
    results = {"MNIST": _score(score_classes(model, mnist))}
    with closing(Engine(model)) as engine:
        for name, placement in PLACEMENTS.items():
            split = Split(*draw(digits, placement))
            results[name] = _score(score_classes(model, split))
            probabilities = engine.predict(split.inputs).astype(float)
            answers.append((np.log(np.maximum(probabilities, 1e-30)), split.targets))
    return results


def _score(scores: ClassScores) -> tuple[float, float]:
    return float(np.mean(scores.true_class == scores.predicted_class)), scores.calibration_error()


def _format(results: dict[str, tuple[float, ...]]) -> str:
    drawn = np.mean([right for name, (right, _) in results.items() if name != "MNIST"])
    parts = [
        f"{name} {format_percent(right)} (calibration {error:.3f})"
        for name, (right, error) in results.items()
    ]
    return ", ".join([f"all placements {format_percent(drawn, 3)}", *parts])


if __name__ == "__main__":
    main()
