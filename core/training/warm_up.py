"""Warm-up: trains on one batch and discards the result, so that a later run need not wait for compilation."""

from collections.abc import Callable
from dataclasses import replace

from core.data.dataset import Dataset
from core.training.loop import iter_training
from core.training.records import TrainingControl
from core.training.run_settings import RunSettings
from kernels.device import Device

# On the CPU the number of examples does not change what is compiled. On a card the sizes of products decide which
# kernels are used, so there a full batch is trained and as many images are evaluated as at once in a run.
_MAX_EXAMPLES = 500
_MAX_CARD_EXAMPLES = 2500


def warm_up(settings: RunSettings, dataset: Dataset, device: Device, check: Callable[[], None]) -> None:
    """Train `run` on a few examples of `dataset` for one epoch; an exception that `check` raises ends it."""
    on_host = device.memory_info() is None
    count = min(settings.batch_size * settings.group, _MAX_EXAMPLES if on_host else _MAX_CARD_EXAMPLES)
    tested = count if on_host else _MAX_CARD_EXAMPLES
    few = replace(dataset, train=dataset.train.first(count), test=dataset.test.first(tested))
    for _ in iter_training(settings.change(epochs=1), few, device, TrainingControl(check=check)):
        check()
