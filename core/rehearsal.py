"""A rehearsal trains one batch and forgets it: what a run compiles is compiled before somebody waits for it."""

from collections.abc import Callable
from dataclasses import replace

from core.dataset import Dataset
from core.events import Steering
from core.run import Run
from core.training import iter_training
from kernels.device import Device


def rehearse(run: Run, dataset: Dataset, device: Device, check: Callable[[], None]) -> None:
    """Train `run` on one group of batches of `dataset`. What `check`, called now and then, raises ends it."""
    count = run.batch_size * run.group
    few = replace(dataset, train=dataset.train.first(count), test=dataset.test.first(run.batch_size))
    for _ in iter_training(run.change(epochs=1), few, device, Steering(check=check)):
        check()
