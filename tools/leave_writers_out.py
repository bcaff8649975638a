"""Measures networks on writers that the shape model was not built from.

python -m tools.leave_writers_out FILE.unipen.gz [--folds 5] [--only 1,2] [--network N] [--epochs 5] [--augment]

The writers of the file are divided into folds. For each fold a shape model is built from the other writers, digits are
drawn with it, a network is trained on them alone (with --mnist: on MNIST's training images as well), and it reads the
digits of the fold's writers, drawn on the canvas, and MNIST's test images.
"""

import argparse
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np

from core.data import builtin
from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split
from core.data.sources import load_dataset
from core.inference.model_file import Model, load_model
from core.inference.scores import ClassScores, score_classes
from core.network.notation import parse
from core.training.presets import find_preset
from core.training.records import Finished
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_cpu_device
from tools.pen_data import PenDigit, Placement, draw, read, writer_numbers
from tools.shape_model import build
from tools.train_models import RECIPES, train_second

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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.leave_writers_out", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("file", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--only", default="", metavar="N,N-N", help="only these folds")
    parser.add_argument("--network")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--train", type=int, default=builtin.TRAIN, help="built-in digits to train on")
    parser.add_argument("--augment", action="store_true", help="with the augmentation of the bundled models")
    parser.add_argument("--mnist", action="store_true", help="train on MNIST's training images as well")
    parser.add_argument("--bundled", type=Path, metavar="FILE",
                        help="train the second part of tools.train_models, from the first part in FILE")  # fmt: skip
    options = parser.parse_args()
    run = replace(find_preset("default").settings, epochs=options.epochs)
    if options.network:
        run = replace(run, network=options.network)
    if options.augment:
        run = replace(run, shift=1.5, rotation=12.0, scale=0.12, shear=0.15, elastic=0.8, thickness=0.4)
    digits, mnist = read(options.file), load_dataset("mnist")
    folds = np.array_split(np.array(sorted({digit.writer for digit in digits})), options.folds)
    chosen = sorted(writer_numbers(options.only)) if options.only else range(1, options.folds + 1)
    rows = []
    for number in chosen:
        writers = set(folds[number - 1].tolist())
        start = process_time()
        model = _train(run, [digit for digit in digits if digit.writer not in writers], mnist, options)
        left_out = [digit for digit in digits if digit.writer in writers]
        rows.append(_measure(model, left_out, mnist.test))
        print(f"fold {number}, writers {min(writers)} to {max(writers)}, {len(left_out)} digits, "
              f"{process_time() - start:.0f} s: {_format(rows[-1])}", flush=True)  # fmt: skip
    print("mean:", _format({name: tuple(np.mean([row[name] for row in rows], axis=0)) for name in rows[0]}))


def _train(
    settings: RunSettings, digits: list[PenDigit], mnist: Dataset, options: argparse.Namespace
) -> Model:
    train, test = builtin.draw(options.train, 2_000, None, build(digits))
    if options.mnist or options.bundled:
        train = Split(
            np.concatenate((mnist.train.inputs, train.inputs)),
            np.concatenate((mnist.train.targets, train.targets)),
        )
    dataset = Dataset("left-out", "left-out", "classes", DIGITS, train, test)
    with closing(open_cpu_device()) as device:
        if options.bundled:
            return train_second(RECIPES["convolutional"], dataset, load_model(options.bundled), device)
        for record in iter_training(settings, dataset, device):
            if isinstance(record, Finished):
                parameters = record.checkpoint.parameters
    network = parse(settings.network, (28, 28, 1), 10)
    return Model(network, settings.activation, settings.loss, "classes", DIGITS, parameters)


def _measure(model: Model, digits: list[PenDigit], mnist: Split) -> dict[str, tuple[float, float]]:
    """Accuracy and expected calibration error by what was read."""
    results = {"MNIST": _score(score_classes(model, mnist))}
    for name, placement in PLACEMENTS.items():
        results[name] = _score(score_classes(model, Split(*draw(digits, placement))))
    return results


def _score(scores: ClassScores) -> tuple[float, float]:
    return float(np.mean(scores.true_class == scores.predicted_class)), scores.calibration_error()


def _format(results: dict[str, tuple[float, ...]]) -> str:
    return ", ".join(
        f"{name} {right:.2%} (calibration {error:.3f})" for name, (right, error) in results.items()
    )


if __name__ == "__main__":
    main()
