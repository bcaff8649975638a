"""Timing of training epochs."""

from collections.abc import Callable
from time import perf_counter

from core.data.dataset import Dataset
from core.network.notation import parse
from core.training.records import TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import Trainer
from kernels.registry import open_device


class Epochs:
    """A training whose epochs are timed one by one, without evaluation; everything is compiled before the first.

    `check` is called after each chunk of steps; an exception that it raises ends the epoch. `ended`: the epoch's
    evaluation, set after each call.
    """

    def __init__(
        self, settings: RunSettings, dataset: Dataset, device: str, check: Callable[[], None] = lambda: None
    ) -> None:
        network = parse(settings.network, dataset.input_shape, dataset.outputs)
        self._device = open_device(device)
        try:
            self._trainer = Trainer(settings, network, dataset, self._device, None)
        except BaseException:
            # A training that does not fit into a card's memory must not keep a part of it.
            self._device.close()
            raise
        self._control = TrainingControl(check=check)
        self._check = check

    def __call__(self) -> float:
        """Train one epoch; seconds of its shuffle and its steps, until the device has finished them."""
        trainer = self._trainer
        start = perf_counter()
        trainer.begin_epoch(self._control)
        while not trainer.epoch_complete():
            if trainer.run_chunk(self._control) is None:
                break
            self._check()
        seconds = perf_counter() - start
        self.ended = trainer.end_epoch(self._control)
        return seconds

    def close(self) -> None:
        self._trainer.close()
        self._device.close()
