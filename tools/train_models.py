"""Trains networks for the canvas: python -m tools.train_models [convolutional | dense] [--from FILE].

Each is trained on MNIST, then for a few epochs at a lower rate on MNIST and the built-in digits, with augmentation.
`--from FILE` takes a trained model of the same network instead of the first part. The result may be a mean of the
parameters of both parts (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models"): it forgets less of MNIST.
"""

import argparse
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.data.sources import load_dataset
from core.inference.model_file import Model, load_model, models_folder
from core.network.notation import parse
from core.training.loop import iter_training
from core.training.records import Checkpoint, EpochDone, Finished
from core.training.run import Run
from kernels.device import Device
from kernels.registry import default_cpu_device, open_device

FIRST, SECOND = "mnist", "mnist+builtin"
AUGMENTED = Run(optimizer="adam", schedule="cosine", decay=0.01, shift=1.5, rotation=12, scale=0.12, shear=0.15,
                elastic=0.8, thickness=0.4)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recipe:
    """The runs on FIRST and on SECOND. `share`: of the second run's parameters in the mean."""

    first: Run
    second: Run
    share: float = 1.0


MILD = {"shift": 1.0, "rotation": 8.0, "scale": 0.08, "shear": 0.1, "elastic": 0.6, "thickness": 0.3}
WEAK = {"shift": 0.5, "rotation": 6.0, "scale": 0.06, "shear": 0.08, "elastic": 0.4, "thickness": 0.2}
CONVOLUTIONAL = AUGMENTED.change(network="12C5-MP2-32C5-MP2-128N-10N")
DENSE = AUGMENTED.change(network="784-128-10", epochs=8, **WEAK)


RECIPES = {
    "convolutional": Recipe(
        CONVOLUTIONAL.change(learning_rate=0.002, epochs=20),
        CONVOLUTIONAL.change(learning_rate=0.001, epochs=9, **MILD),
        share=0.75,
    ),
    "dense": Recipe(DENSE.change(learning_rate=0.002), DENSE.change(learning_rate=0.001)),
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
            model = load_model(options.start) if options.start else train(recipe.first, FIRST, None, device)
            second = train(recipe.second, SECOND, model.parameters, device)
        mean = (1 - recipe.share) * model.parameters + recipe.share * second.parameters
        score = second.test_score if recipe.share == 1 else None
        result = replace(second, parameters=mean.astype(np.float32), test_score=score)
        result.save(options.out / FILES[name])


def train(run: Run, data: str, parameters: np.ndarray | None, device: Device) -> Model:
    """The network of `run` trained on the data set named `data`, from `parameters` if given."""
    dataset = load_dataset(data)
    start = None if parameters is None else first_checkpoint(parameters)
    for record in iter_training(run, dataset, device, checkpoint=start):
        if isinstance(record, EpochDone):
            print(f"{data}, epoch {record.epoch}: loss {record.train_loss:.4f}, MNIST test {record.test_score:.2%}",
                  flush=True)  # fmt: skip
        elif isinstance(record, Finished):
            finished = record
    return Model(
        parse(run.network, dataset.input_shape, dataset.outputs), run.activation, run.loss, "classes",
        dataset.classes, finished.checkpoint.parameters, data, run.as_dict(), finished.test_score,
    )  # fmt: skip


def first_checkpoint(parameters: np.ndarray) -> Checkpoint:
    """The state of a run with Adam that starts from `parameters`."""
    state = np.zeros((2, len(parameters)), np.float32)
    return Checkpoint(parameters, state, 0, 0, 0, 0.0, float("inf"), 0, None)


if __name__ == "__main__":
    main()
