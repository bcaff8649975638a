"""Trains the networks for the canvas: python -m tools.models.train NAME --strokes FILE.unipen.gz
[--out FOLDER].

NAME is one of RECIPES. A recipe says how many built-in digits, how many copies of each pen stroke
digit and whether MNIST's training images a network learns from, and with which settings. FILE holds
the pen strokes that the built-in digits' shapes come from (UCI "Pen-Based Recognition of
Handwritten Digits"). `tools.models.leave_writers_out` measures the same recipes on writers that are
left out, and fits the temperature of a recipe on them: of digits like those that a network has
learned from it is surer than of a stranger's.
"""

import argparse
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.data import builtin
from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split
from core.data.sources import load_dataset
from core.data.synthetic.pen import ShapeModel
from core.inference.model_file import Model, models_folder
from core.inference.scores import score_classes
from core.network.notation import parse
from core.text import format_percent
from core.training.presets import find_preset
from core.training.records import Checkpoint, EpochDone, StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_cpu_device
from tools.models.pen_data import PenDigit, read, varied_copies


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a network learns from, and how.

    `builtin`: how many built-in digits. `copies`: of each digit of the pen strokes, all of them
    varied at random. `mnist`: how often an epoch has MNIST's training images; 1.5: all of them, and
    the first half once more. `first`: what it has learned before, by other settings or from other
    data. `averaged`: the network has the mean of the parameters at the ends of this many last
    quarters of epochs (Izmailov et al. 2018, "Averaging weights leads to wider optima and better
    generalization"). `temperature`: of the probabilities of the network.
    """

    settings: RunSettings
    builtin: int = builtin.TRAIN
    copies: int = 0
    mnist: float = 1.0
    first: "Recipe | None" = None
    averaged: int = 1
    temperature: float = 1.0


CONVOLUTIONAL = RunSettings(
    network="16C5-MP2-48C5-MP2-128N-10N",
    optimizer="adam",
    learning_rate=0.002,
    schedule="cosine",
    decay=0.2,
    schedule_epochs="0:7",
    epochs=4,
)
SLIGHT = {
    "shift": 0.5,
    "rotation": 6.0,
    "scale": 0.06,
    "shear": 0.08,
    "elastic": 0.4,
    "thickness": 0.2,
}
DENSE = RunSettings(
    network="784-128-10",
    optimizer="adam",
    learning_rate=0.002,
    schedule="cosine",
    decay=0.01,
    epochs=8,
    **SLIGHT,
)
RECIPES = {
    "convolutional": Recipe(CONVOLUTIONAL, copies=10, mnist=1.5, averaged=8, temperature=1.429),
    "dense": Recipe(
        DENSE.change(learning_rate=0.001), first=Recipe(DENSE, builtin=0), temperature=0.971
    ),
    "preset": Recipe(find_preset("default").settings, mnist=0),
}
FILES = {"convolutional": "mnist.safetensors", "dense": "dense.safetensors"}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.models.train",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=tuple(FILES))
    parser.add_argument("--strokes", type=Path, required=True, metavar="FILE", help="a UNIPEN file")
    parser.add_argument("--out", type=Path, default=models_folder(), metavar="FOLDER")
    options = parser.parse_args()
    strokes = read(options.strokes)
    mnist = load_dataset("mnist")
    recipe = RECIPES[options.name]
    model = train(recipe, strokes, None, mnist, show=True)
    replace(model, temperature=recipe.temperature).save(options.out / FILES[options.name])


def make_data(
    recipe: Recipe, strokes: Sequence[PenDigit], shapes: ShapeModel | None, mnist: Dataset
) -> Dataset:
    """The data of `recipe`, with the test images of `mnist`.

    `shapes`: of the built-in digits; None for those that come with the program.
    """
    parts, names = [], []
    if recipe.mnist:
        names.append("mnist")
    if recipe.builtin:
        names.append(builtin.NAME)
        parts.append(builtin.draw(recipe.builtin, 1, model=shapes)[0])
    if recipe.copies:
        parts.append(Split(*varied_copies(strokes, recipe.copies, np.random.default_rng(1))))
    parts.extend(_repeated(mnist.train, recipe.mnist))
    split = Split(
        np.concatenate([part.inputs for part in parts]),
        np.concatenate([part.targets for part in parts]),
    )
    name = "+".join(names)
    return Dataset(name, name, "classes", DIGITS, split, mnist.test)


def _repeated(split: Split, times: float) -> list[Split]:
    """`split` as often as `times` says, and of a fraction its first examples."""
    whole, fraction = divmod(times, 1)
    parts = [split] * int(whole)
    if fraction:
        parts.append(split.first(round(fraction * len(split))))
    return parts


def train(
    recipe: Recipe,
    strokes: Sequence[PenDigit],
    shapes: ShapeModel | None,
    mnist: Dataset,
    *,
    show: bool = False,
) -> Model:
    """The network of `recipe`; for the other arguments see `make_data`.

    `show`: print a line after each epoch, and one for the network.
    """
    start = None
    if recipe.first is not None:
        before = train(recipe.first, strokes, shapes, mnist, show=show).parameters
        start = _first_checkpoint(before)
    settings = recipe.settings
    data = make_data(recipe, strokes, shapes, mnist)
    quarter = -(-len(data.train) // (4 * settings.batch_size))
    ends: deque[np.ndarray] = deque(maxlen=recipe.averaged)
    with closing(open_cpu_device()) as device:
        for record in iter_training(settings, data, device, TrainingControl(chunk=quarter), start):
            if isinstance(record, StepsDone) and record.checkpoint is not None:
                ends.append(record.checkpoint.parameters)
            if isinstance(record, EpochDone) and show:
                _print(f"epoch {record.epoch}: loss {record.train_loss:.4f}", record.test_score)
    parameters = np.mean(ends, axis=0, dtype=float).astype(np.float32)
    model = Model(
        parse(settings.network, data.input_shape, data.outputs),
        settings.activation,
        settings.loss,
        "classes",
        data.classes,
        parameters,
        data.name,
        settings.as_dict(),
        None,
    )
    scores = score_classes(model, data.test)
    model = replace(model, test_score=float(np.mean(scores.true_class == scores.predicted_class)))
    if show:
        _print("the network", model.test_score)
    return model


def _print(what: str, score: float) -> None:
    print(f"{what}, MNIST {format_percent(score)}", flush=True)


def _first_checkpoint(parameters: np.ndarray) -> Checkpoint:
    """The state of a run with Adam that starts from `parameters`."""
    state = np.zeros((2, len(parameters)), np.float32)
    return Checkpoint(parameters, state, 0, 0, 0, 0.0, float("inf"), 0, None)


if __name__ == "__main__":
    main()
