"""Trains networks for the canvas: python -m tools.train_models [convolutional | dense] [--from FILE].

Each is trained on MNIST, then for a few epochs at a lower rate on MNIST and the built-in digits, with augmentation.
`--from FILE` takes a trained model of the same network instead of the first part. The result may be a mean of the
parameters of the last epochs (Izmailov et al. 2018, "Averaging weights leads to wider optima"), and of both parts
(Wortsman et al. 2022, "Robust fine-tuning of zero-shot models"): it forgets less of MNIST.
"""

import argparse
from collections import deque
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.data.dataset import Dataset
from core.data.sources import load_dataset
from core.inference.model_file import Model, load_model, models_folder
from core.network.notation import parse
from core.training.records import Checkpoint, EpochDone
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.device import Device
from kernels.registry import default_cpu_device, open_device

FIRST, SECOND = "mnist", "mnist+builtin"
AUGMENTED = RunSettings(optimizer="adam", schedule="cosine", decay=0.01, shift=1.5, rotation=12, scale=0.12, shear=0.15,
                elastic=0.8, thickness=0.4)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """A run. `average`: how many of its last epochs are averaged. `stop`: the epoch after which it ends; None: all.

    The average gains most where a run ends while the rate is still high.
    """

    settings: RunSettings
    average: int = 1
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """The parts on FIRST and on SECOND. `share`: of the second part's parameters in the mean of both."""

    first: Part
    second: Part
    share: float = 1.0


MILD = {"shift": 1.0, "rotation": 8.0, "scale": 0.08, "shear": 0.15, "elastic": 0.6, "thickness": 0.3}
WEAK = {"shift": 0.5, "rotation": 6.0, "scale": 0.06, "shear": 0.08, "elastic": 0.4, "thickness": 0.2}
CONVOLUTIONAL = AUGMENTED.change(network="16C5-MP2-48C5-MP2-128N-10N")
DENSE = AUGMENTED.change(network="784-128-10", epochs=8, **WEAK)


RECIPES = {
    "convolutional": Recipe(
        Part(CONVOLUTIONAL.change(learning_rate=0.002, epochs=12), average=4),
        Part(CONVOLUTIONAL.change(learning_rate=0.001, decay=0.05, epochs=6, **MILD), average=2, stop=3),
        share=0.9,
    ),
    "dense": Recipe(Part(DENSE.change(learning_rate=0.002)), Part(DENSE.change(learning_rate=0.001))),
}


FILES = {"convolutional": "mnist.safetensors", "dense": "dense.safetensors"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.train_models", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("name", nargs="?", choices=tuple(RECIPES))
    parser.add_argument("--from", dest="start", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path, default=models_folder(), metavar="FOLDER")
    options = parser.parse_args()
    for name in [options.name] if options.name else RECIPES:
        recipe = RECIPES[name]
        with closing(open_device(default_cpu_device())) as device:
            first = load_model(options.start) if options.start else train_first(recipe, device)
            result = train_second(recipe, load_dataset(SECOND), first, device)
        result.save(options.out / FILES[name])


def train_first(recipe: Recipe, device: Device) -> Model:
    """The network after the first part of `recipe`."""
    return _train(recipe.first, load_dataset(FIRST), None, device)


def train_second(recipe: Recipe, dataset: Dataset, first: Model, device: Device) -> Model:
    """The network after the second part of `recipe`, on `dataset`, and after the mean of both parts."""
    second = _train(recipe.second, dataset, first.parameters, device)
    if recipe.share == 1:
        return second
    mean = (1 - recipe.share) * first.parameters + recipe.share * second.parameters
    return replace(second, parameters=mean.astype(np.float32), test_score=None)


def _train(part: Part, dataset: Dataset, parameters: np.ndarray | None, device: Device) -> Model:
    """The network of `part` trained on `dataset`, from `parameters` if given: the mean of the last epochs."""
    run = part.settings
    start = None if parameters is None else _first_checkpoint(parameters)
    last: deque[np.ndarray] = deque(maxlen=part.average)
    with closing(iter_training(run, dataset, device, checkpoint=start)) as records:
        for record in records:
            if isinstance(record, EpochDone):
                last.append(record.checkpoint.parameters)
                score = record.test_score if part.average == 1 else None
                print(f"{dataset.name}, epoch {record.epoch}: loss {record.train_loss:.4f}, "
                      f"test {record.test_score:.2%}", flush=True)  # fmt: skip
                if record.epoch == part.stop:
                    break
    return Model(
        parse(run.network, dataset.input_shape, dataset.outputs), run.activation, run.loss, "classes",
        dataset.classes, np.mean(last, axis=0, dtype=np.float64).astype(np.float32), dataset.name, run.as_dict(),
        score,
    )  # fmt: skip


def _first_checkpoint(parameters: np.ndarray) -> Checkpoint:
    """The state of a run with Adam that starts from `parameters`."""
    state = np.zeros((2, len(parameters)), np.float32)
    return Checkpoint(parameters, state, 0, 0, 0, 0.0, float("inf"), 0, None)


if __name__ == "__main__":
    main()
