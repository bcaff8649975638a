"""Training is a generator of records: steps done, epochs done, finished.

Pause is not asking for the next record; stop is closing the generator; a test is a list of it.
"""

from collections.abc import Generator

from core.data.dataset import Dataset
from core.network.notation import parse
from core.training.records import Checkpoint, Finished, Reason, Record, TrainingControl
from core.training.run import Run
from core.training.trainer import Trainer
from kernels.device import Device

_ADVICE = "The loss grew beyond all numbers: lower the learning rate, or choose other first weights."


def iter_training(
    run: Run,
    dataset: Dataset,
    device: Device,
    control: TrainingControl | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Record]:
    """Train `run` on `dataset` with `device`, which the caller opened and closes, from `checkpoint` if given.

    Yields StepsDone several times a second, EpochDone after each epoch, and Finished last. Raises InputError, on
    the first record, for a network that the data do not fit.
    """
    network = parse(run.network, dataset.input_shape, dataset.outputs)
    trainer = Trainer(run, network, dataset, device, checkpoint)
    try:
        yield from _epochs(trainer, control or TrainingControl())
    finally:
        trainer.close()


def _epochs(trainer: Trainer, control: TrainingControl) -> Generator[Record]:
    seconds_to_target: float | None = None
    while (reason := trainer.ended()) is None:
        trainer.begin_epoch(control)
        while not trainer.epoch_complete():
            done = trainer.run_chunk(control)
            if done is None:
                yield _finished(trainer, control, "diverged", seconds_to_target)
                return
            yield done
        epoch = trainer.end_epoch(control)
        if epoch is None:
            yield _finished(trainer, control, "diverged", seconds_to_target)
            return
        if seconds_to_target is None and trainer.reached_target(epoch):
            seconds_to_target = epoch.seconds
        yield epoch
    yield _finished(trainer, control, reason, seconds_to_target)


def _finished(
    trainer: Trainer, control: TrainingControl, reason: Reason, seconds_to_target: float | None
) -> Finished:
    loss, score = trainer.result(control)
    return Finished(
        reason=reason,
        advice=_ADVICE if reason == "diverged" else "",
        test_loss=loss,
        test_score=score,
        seconds=trainer.seconds,
        seconds_to_target=seconds_to_target,
        checkpoint=trainer.checkpoint(),
    )
