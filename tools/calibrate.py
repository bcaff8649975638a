"""Fits the temperature of models that were trained without a validation share, and writes it to their files.

python -m tools.calibrate MODEL... [--data NAME]

The examples are the test split of --data, which has to be other data than those that the model is tested on. The
built-in digits are the default: their test digits are in no training split. The model must have learned such digits:
for a model of MNIST alone they are harder than MNIST, and the temperature comes out too high.
"""

import argparse
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.data.dataset import Dataset
from core.data.sources import load_dataset
from core.inference.engine import Engine
from core.inference.model_file import Model, check_fits, load_model
from core.training.calibration import fit_temperature


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.calibrate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("models", nargs="+", type=Path, metavar="MODEL")
    parser.add_argument("--data", default="builtin", metavar="NAME")
    options = parser.parse_args()
    dataset = load_dataset(options.data)
    for path in options.models:
        model = calibrated(load_model(path), dataset)
        model.save(path)
        print(f"{path}: temperature {model.temperature:.3f}")


def calibrated(model: Model, dataset: Dataset) -> Model:
    """`model` with the temperature that is fitted on the test split of `dataset`."""
    check_fits(model, dataset)
    with closing(Engine(replace(model, temperature=1.0))) as engine:
        probabilities = engine.predict(dataset.test.inputs).astype(float)
    # The logarithm of a softmax differs from the sums before it by a constant in each row.
    temperature = fit_temperature(np.log(np.maximum(probabilities, 1e-30)), dataset.test.targets)
    return replace(model, temperature=temperature)


if __name__ == "__main__":
    main()
