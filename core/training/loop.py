"""Training as a generator of records: steps done, epochs done, finished; and the warm-up that compiles before a run.

To pause, do not ask for the next record; to stop, close the generator.
"""

from collections.abc import Generator
from dataclasses import replace

from core.data.dataset import Dataset
from core.progress import Check
from core.training.checks import check_names, check_run
from core.training.records import Checkpoint, Record, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import Trainer
from kernels.device import Device


def iter_training(
    settings: RunSettings,
    dataset: Dataset,
    device: Device,
    control: TrainingControl | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Record]:
    """Train `run` on `dataset` with `device`, which the caller opens and closes; continue `checkpoint` if given.

    Yields StepsDone several times a second, EpochDone after each epoch, and Finished last. `control` is read before
    each chunk of steps. The first `next` raises InputError for a network that does not fit the data or for names that
    no model can hold, and DeviceError where the memory of the device is too small.

    >>> from core.data.sources import load_dataset
    >>> from kernels.registry import open_device
    >>> settings = RunSettings(network="2-16-1", epochs=2, learning_rate=0.001)
    >>> records = list(iter_training(settings, load_dataset("rastrigin:20"), open_device("sequential")))
    >>> type(records[-1]).__name__
    'Finished'
    """
    check_names(dataset)
    network = check_run(settings, dataset.input_shape, dataset.outputs, dataset.kind)
    trainer = Trainer(settings, network, dataset, device, checkpoint)
    try:
        yield from _iter_epochs(trainer, control or TrainingControl())
    finally:
        trainer.close()


def _iter_epochs(trainer: Trainer, control: TrainingControl) -> Generator[Record]:
    while (reason := trainer.ended()) is None:
        trainer.begin_epoch(control)
        is_complete = False
        while not is_complete:
            is_complete = trainer.epoch_complete()
            record = trainer.end_epoch(control) if is_complete else trainer.run_chunk(control)
            if record is None:
                yield trainer.finish("diverged", control)
                return
            yield record
            if control.stop and not (is_complete and trainer.ended()):
                yield trainer.finish("stopped", control)
                return
    yield trainer.finish(reason, control)


# On the CPU the number of examples does not change what is compiled. On a card the sizes of products decide which
# kernels are used, so there a full batch is trained and as many images are evaluated as at once in a run.
_MAX_EXAMPLES = 500
_MAX_CARD_EXAMPLES = 2500


def warm_up(settings: RunSettings, dataset: Dataset, device: Device, check: Check) -> None:
    """Train `run` on a few examples of `dataset` for one epoch; an exception that `check` raises ends it."""
    on_host = device.memory_info() is None
    count = min(settings.batch_size * settings.group, _MAX_EXAMPLES if on_host else _MAX_CARD_EXAMPLES)
    tested = count if on_host else _MAX_CARD_EXAMPLES
    few = replace(dataset, train=dataset.train.first(count), test=dataset.test.first(tested))
    for _ in iter_training(settings.change(epochs=1), few, device, TrainingControl(check=check)):
        check()
