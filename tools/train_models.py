"""Trains the networks for the canvas: python -m tools.train_models NAME --strokes FILE.unipen.gz [--out FOLDER].

NAME is one of RECIPES. A recipe says how many built-in digits, how many copies of each pen stroke digit and whether
MNIST's training images a network learns from, and with which settings. FILE holds the pen strokes that the built-in
digits' shapes come from (UCI "Pen-Based Recognition of Handwritten Digits"). `tools.leave_writers_out` measures the
same recipes on writers that are left out.
"""

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.data import builtin
from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split
from core.data.sources import load_dataset
from core.data.synthetic.pen import ShapeModel
from core.inference.model_file import Model, models_folder
from core.network.notation import parse
from core.text import format_percent
from core.training.presets import find_preset
from core.training.records import Checkpoint, EpochDone, Finished
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_cpu_device
from tools.pen_data import PenDigit, read, varied_copies


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a network learns from, and how.

    `builtin`: how many built-in digits. `copies`: of each digit of the pen strokes, all of them varied at random.
    `mnist`: with MNIST's training images. `first`: what it has learned before, by other settings or from other data.
    `share`: of the parameters after this part in the mean of both parts (Wortsman et al. 2022, "Robust fine-tuning of
    zero-shot models").
    """

    settings: RunSettings
    builtin: int = builtin.TRAIN
    copies: int = 0
    mnist: bool = True
    first: "Recipe | None" = None
    share: float = 1.0


CONVOLUTIONAL = RunSettings(
    network="16C5-MP2-48C5-MP2-128N-10N", optimizer="adam", learning_rate=0.003, schedule="cosine", decay=0.01,
    epochs=8,
)  # fmt: skip
SLIGHT = {"shift": 0.5, "rotation": 6.0, "scale": 0.06, "shear": 0.08, "elastic": 0.4, "thickness": 0.2}
DENSE = RunSettings(
    network="784-128-10", optimizer="adam", learning_rate=0.002, schedule="cosine", decay=0.01, epochs=8, **SLIGHT
)  # fmt: skip
FIRST_PART = Recipe(CONVOLUTIONAL, copies=8)
RECIPES = {
    "convolutional": Recipe(
        CONVOLUTIONAL.change(learning_rate=0.0003, epochs=1, **SLIGHT),
        builtin=0,
        copies=8,
        first=FIRST_PART,
        share=0.5,
    ),
    "first-part": FIRST_PART,
    "dense": Recipe(DENSE.change(learning_rate=0.001), first=Recipe(DENSE, builtin=0)),
    "preset": Recipe(find_preset("default").settings, mnist=False),
}
FILES = {"convolutional": "mnist.safetensors", "dense": "dense.safetensors"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.train_models", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("name", choices=tuple(FILES))
    parser.add_argument("--strokes", type=Path, required=True, metavar="FILE", help="a UNIPEN file")
    parser.add_argument("--out", type=Path, default=models_folder(), metavar="FOLDER")
    options = parser.parse_args()
    strokes = read(options.strokes)
    mnist = load_dataset("mnist")
    model = train(RECIPES[options.name], strokes, None, mnist, show=True)
    model.save(options.out / FILES[options.name])


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
        parts.append(builtin.draw(recipe.builtin, 1, None, shapes)[0])
    if recipe.copies:
        parts.append(Split(*varied_copies(strokes, recipe.copies, np.random.default_rng(1))))
    if recipe.mnist:
        parts.append(mnist.train)
    split = Split(
        np.concatenate([part.inputs for part in parts]), np.concatenate([part.targets for part in parts])
    )
    name = "+".join(names)
    return Dataset(name, name, "classes", DIGITS, split, mnist.test)


def train(
    recipe: Recipe,
    strokes: Sequence[PenDigit],
    shapes: ShapeModel | None,
    mnist: Dataset,
    *,
    show: bool = False,
) -> Model:
    """The network of `recipe` after its last epoch; for the other arguments see `make_data`.

    `show`: print a line after each epoch.
    """
    start = None
    if recipe.first is not None:
        before = train(recipe.first, strokes, shapes, mnist, show=show).parameters
        start = _first_checkpoint(before)
    settings = recipe.settings
    data = make_data(recipe, strokes, shapes, mnist)
    score = None
    with closing(open_cpu_device()) as device:
        for record in iter_training(settings, data, device, checkpoint=start):
            if isinstance(record, EpochDone):
                score = record.test_score
                if show:
                    print(
                        f"epoch {record.epoch}: loss {record.train_loss:.4f}, MNIST {format_percent(score)}",
                        flush=True,
                    )
            if isinstance(record, Finished):
                parameters = record.checkpoint.parameters
    if recipe.share < 1:
        mean = (1 - recipe.share) * before.astype(float) + recipe.share * parameters
        parameters = mean.astype(np.float32)
        score = None
    return Model(
        parse(settings.network, data.input_shape, data.outputs), settings.activation, settings.loss, "classes",
        data.classes, parameters, data.name, settings.as_dict(), score,
    )  # fmt: skip


def _first_checkpoint(parameters: np.ndarray) -> Checkpoint:
    """The state of a run with Adam that starts from `parameters`."""
    state = np.zeros((2, len(parameters)), np.float32)
    return Checkpoint(parameters, state, 0, 0, 0, 0.0, float("inf"), 0, None)


if __name__ == "__main__":
    main()
