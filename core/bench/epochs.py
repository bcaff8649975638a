"""Epochs by the clock: the trainer of the program, an epoch at a time, without its evaluations."""

from collections.abc import Callable
from time import perf_counter

import numpy as np

from core.data.dataset import Dataset, Split
from core.network.notation import parse
from core.training.records import TrainingControl
from core.training.run import Run
from core.training.trainer import Trainer
from kernels.device import Device
from kernels.registry import open_device


class Epochs:
    """A run under way whose epochs are timed one by one; everything is compiled before the first."""

    def __init__(
        self, run: Run, dataset: Dataset, device: str, check: Callable[[], None] = lambda: None
    ) -> None:
        """`check` is called after each chunk of steps: what it raises ends the epoch."""
        network = parse(run.network, dataset.input_shape, dataset.outputs)
        self.device: Device = open_device(device)
        try:
            self._trainer = Trainer(run, network, dataset, self.device, None)
        except BaseException:
            # What does not fit into a card's memory must not keep part of it.
            self.device.close()
            raise
        self._steering = TrainingControl(check=check)
        self._check = check
        self.images = len(dataset.train)

    def __call__(self) -> float:
        """Seconds of one epoch: its order, its steps, and the wait for the last of them."""
        trainer = self._trainer
        begun = perf_counter()
        trainer.begin_epoch(self._steering)
        while not trainer.epoch_complete():
            if trainer.run_chunk(self._steering) is None:
                break
            self._check()
        seconds = perf_counter() - begun
        self.ended = trainer.end_epoch(self._steering)
        return seconds

    def close(self) -> None:
        self._trainer.close()
        self.device.close()


def noise_images(count: int, seed: int = 0, test: int = 100) -> Dataset:
    """Images of noise with labels of no sense, of MNIST's shape: what a step costs does not depend on them."""
    rng = np.random.default_rng(seed)
    return Dataset(
        "noise", "noise", "classes", tuple("0123456789"),
        *(Split(rng.integers(0, 256, (n, 28, 28, 1), np.uint8), rng.integers(0, 10, n).astype(np.int32))
          for n in (count, test)),
    )  # fmt: skip
