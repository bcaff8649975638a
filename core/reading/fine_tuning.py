"""Fine-tuning: a model learns the user's digits within seconds, mixed with other digits so that it
forgets nothing.

Training on new examples alone overwrites what was learned (McCloskey, Cohen 1989, "catastrophic
interference"). Replaying earlier examples prevents it (Robins 1995); so does a mean with the
parameters before (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
"""

from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.data import builtin
from core.data.dataset import Dataset, Split
from core.data.own_digits import NAME as OWN_DIGITS
from core.errors import InputError
from core.inference.engine import Engine
from core.inference.model_file import Model, check_fits
from core.network.parameters import views
from core.progress import Progress as LoadProgress
from core.progress import ignore_progress
from core.reading.reader import NonDigitDetector, can_reject
from core.training.records import TrainingControl
from core.training.run_settings import RunSettings
from core.training.train_step import first_checkpoint
from core.training.trainer import iter_training
from kernels.registry import open_cpu_device

REPLAYED = 4_000
"""Other digits that are learned along with the own ones."""

TESTED = 2_000
"""Images of the test split that are read before and after."""

_OWN_FRACTION = 0.12  # of the images of an epoch
_TUNED_FRACTION = 0.9  # of the new parameters in the mean with those before: it forgets less
# Where the model has learned other data than those that are replayed, it forgets more: half of the
# new parameters of all layers but the last two, and only digits that it reads with this
# probability, so that it learns nothing from them.
_TUNED_FRACTION_BELOW = 0.5
_KNOWN = 0.9
_MAX_REJECTED = 0.1  # of the own digits; with more, the model rejects nothing
# Adam moves all parameters by about the rate in its first steps, also those that are right: SGD
# forgets less. Stronger augmentation, too, moves a trained network further.
_SETTINGS: dict[str, Any] = {
    "optimizer": "sgd",
    "learning_rate": 0.05,
    "schedule": "cosine",
    "decay": 0.05,
    "batch_size": 50,
    "epochs": 3,
    "shift": 1.0,
    "rotation": 6.0,
    "scale": 0.06,
    "shear": 0.06,
    "thickness": 0.1,
}


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of images read correctly: of the test split, and of the own digits."""

    test: float
    own_digits: float


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` images have been learned from."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class FineTuned:
    """The new model, and what it and the one before it read correctly. `own_count`: number of own
    digits.
    """

    model: Model
    before: Accuracy
    after: Accuracy
    own_count: int


def replay_data(model: Model, progress: LoadProgress = ignore_progress) -> Dataset:
    """The data that `model` was trained with, if they are on this machine, else the built-in
    digits.
    """
    from core.data.sources import load_dataset

    if model.data and model.data != OWN_DIGITS:
        with suppress(InputError):
            data = load_dataset(model.data, progress)
            check_fits(model, data)
            return data
    return builtin.load(progress)


def iter_fine_tuning(
    model: Model, own_digits: Split, data: Dataset
) -> Generator[Progress | FineTuned]:
    """Train `model` on the images `own_digits`, mixed with the training split of `data`, by the
    ordinary trainer.

    Yields Progress several times a second, FineTuned last. Close the generator to cancel. The
    result depends on the arguments alone. Raises InputError where the model does not read such
    images.
    """
    check_fits(model, data)
    # A network that is surer than it is right has next to no gradient: from its own outputs it
    # would hardly learn.
    model = model.with_temperature_in_weights()
    tested = data.test.first(TESTED)
    before = _accuracy(model, tested, own_digits)
    yield Progress(0, 1)
    settings = RunSettings(
        network=model.network.text, activation=model.activation, loss=model.loss, **_SETTINGS
    )
    is_other = data.name == builtin.NAME and model.data != builtin.NAME
    replayed = _known(model, data.train) if is_other else data.train
    mixed = Dataset(
        "fine-tuning",
        "fine-tuning",
        "classes",
        model.classes,
        _mix(own_digits, replayed),
        own_digits,
    )
    total = settings.epochs * len(mixed.train)
    parameters = model.parameters
    with closing(open_cpu_device()) as device:
        first = first_checkpoint(settings, model.parameters)
        records = iter_training(settings, mixed, device, TrainingControl(), first)
        # Closed also where the caller ends early: the trainer holds the device.
        with closing(records):
            for record in records:
                if record.reason is not None:
                    end = record
                elif record.numbers is None:
                    yield Progress((record.epoch - 1) * record.images + record.position, total)
    if end.reason == "diverged":
        raise InputError("Learning your digits failed: the network's numbers grew too large.")
    fractions = _fractions(model) if is_other else _TUNED_FRACTION
    parameters = (1 - fractions) * parameters + fractions * end.checkpoint.parameters
    parameters = parameters.astype(np.float32)
    tuned = replace(
        model, parameters=parameters, test_score=None, rejects=_rejects(model, own_digits)
    )
    yield FineTuned(tuned, before, _accuracy(tuned, tested, own_digits), len(own_digits))


def _fractions(model: Model) -> np.ndarray:
    """Of the new parameters in the mean with those before, float32 (parameters,)."""
    fractions = np.full_like(model.parameters, _TUNED_FRACTION_BELOW)
    for layer in [layer for layer in views(model.network, fractions) if layer is not None][-2:]:
        layer.weights[...] = layer.biases[...] = 1.0
    return fractions


def _known(model: Model, split: Split) -> Split:
    """Digits of `split` that `model` knows."""
    # More than are used, since some of them are not known.
    some = split.first(3 * REPLAYED)
    with closing(Engine(model)) as engine:
        known = engine.predict(some.inputs)[np.arange(len(some)), some.targets] >= _KNOWN
    return Split(some.inputs[known], some.targets[known]) if known.any() else some


def _mix(own_digits: Split, others: Split) -> Split:
    """REPLAYED of the others, and the own images so often that they are _OWN_FRACTION of all."""
    # Always the same seed: the result depends on the arguments alone.
    rng = np.random.default_rng(0)
    chosen = rng.permutation(len(others))[:REPLAYED]
    # Once at least: of many own digits their share may be larger.
    repeats = max(1, round(len(chosen) * _OWN_FRACTION / (1 - _OWN_FRACTION) / len(own_digits)))
    return Split(
        np.concatenate([others.inputs[chosen], np.repeat(own_digits.inputs, repeats, axis=0)]),
        np.concatenate([others.targets[chosen], np.repeat(own_digits.targets, repeats)]),
    )


def _accuracy(model: Model, tested: Split, own_digits: Split) -> Accuracy:
    with closing(Engine(model)) as engine:
        return Accuracy(
            *(
                float((engine.predict(split.inputs).argmax(axis=1) == split.targets).mean())
                for split in (tested, own_digits)
            )
        )


def _rejects(model: Model, own_digits: Split) -> bool:
    """Whether the new model goes on rejecting: not where own digits would be taken for other
    drawings.
    """
    if not can_reject(model):
        return model.rejects
    with closing(NonDigitDetector()) as detector:
        return float(detector.rejected(own_digits.inputs).mean()) <= _MAX_REJECTED
