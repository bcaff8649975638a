"""Warm-up: trains on one batch and discards the result, so that a later run need not wait for compilation."""

from collections.abc import Callable
from dataclasses import replace

from core.data.dataset import Dataset
from core.training.loop import iter_training
from core.training.records import TrainingControl
from core.training.run import Run
from kernels.device import Device

# What is compiled does not depend on the number of examples.
_MAXIMUM_EXAMPLES = 500


def warm_up(run: Run, dataset: Dataset, device: Device, check: Callable[[], None]) -> None:
    """Train `run` on a few examples of `dataset` for one epoch; an exception that `check` raises ends it."""
    count = min(run.batch_size * run.group, _MAXIMUM_EXAMPLES)
    few = replace(dataset, train=dataset.train.first(count), test=dataset.test.first(count))
    for _ in iter_training(run.change(epochs=1), few, device, TrainingControl(check=check)):
        check()
