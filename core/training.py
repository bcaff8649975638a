"""Training is a generator of records: steps done, epochs done, finished.

Pause is not asking for the next record; stop is closing the generator; a test is a list of it.
"""

from collections.abc import Generator

from core.dataset import Dataset
from core.events import Checkpoint, Event, Finished, Reason, Steering
from core.grammar import parse
from core.run import Run
from core.trainer import Trainer
from kernels.device import Device

_ADVICE = "The loss grew beyond all numbers: lower the learning rate, or choose other first weights."


def iter_training(
    run: Run,
    dataset: Dataset,
    device: Device,
    steering: Steering | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Event]:
    """Train `run` on `dataset` with `device`, which the caller opened and closes, from `checkpoint` if given.

    Yields StepsDone several times a second, EpochDone after each epoch, and Finished last. Raises Refusal, on
    the first record, for a network that the data do not fit.
    """
    network = parse(run.network, dataset.input_shape, dataset.outputs)
    trainer = Trainer(run, network, dataset, device, checkpoint)
    try:
        yield from _epochs(trainer, steering or Steering())
    finally:
        trainer.close()


def _epochs(trainer: Trainer, steering: Steering) -> Generator[Event]:
    seconds_to_target: float | None = None
    while (reason := trainer.ended()) is None:
        trainer.begin_epoch(steering)
        while not trainer.epoch_complete():
            done = trainer.run_chunk(steering)
            if done is None:
                yield _finished(trainer, steering, "diverged", seconds_to_target)
                return
            yield done
        epoch = trainer.end_epoch(steering)
        if epoch is None:
            yield _finished(trainer, steering, "diverged", seconds_to_target)
            return
        if seconds_to_target is None and trainer.reached_target(epoch):
            seconds_to_target = epoch.seconds
        yield epoch
    yield _finished(trainer, steering, reason, seconds_to_target)


def _finished(
    trainer: Trainer, steering: Steering, reason: Reason, seconds_to_target: float | None
) -> Finished:
    loss, score = trainer.result(steering)
    return Finished(
        reason=reason,
        advice=_ADVICE if reason == "diverged" else "",
        test_loss=loss,
        test_score=score,
        seconds=trainer.seconds,
        seconds_to_target=seconds_to_target,
        checkpoint=trainer.checkpoint(),
    )
