"""Training as a generator of records, and the state of a run on a device.

To pause, do not ask for the next record; to stop, close the generator.
"""

from collections.abc import Generator
from dataclasses import replace
from functools import lru_cache
from time import perf_counter

import numpy as np

from core.data.dataset import Dataset
from core.errors import InputError
from core.network.forward_backward import ForwardBackward
from core.network.initialization import initial_parameters
from core.network.losses import find_loss
from core.network.notation import parse
from core.progress import Check
from core.training.checks import (
    DIVERGED,
    advice_for,
    check_batches,
    check_memory,
    check_names,
    check_run,
)
from core.training.data_parallel import DataParallelStep
from core.training.evaluation import Evaluator
from core.training.records import (
    Checkpoint,
    EpochDone,
    Finished,
    RateChange,
    Reason,
    Record,
    StepsDone,
    TrainingControl,
    parse_rate_changes,
)
from core.training.run_settings import RunSettings
from core.training.train_step import HISTORY_STEPS, TrainStep, first_checkpoint
from kernels.device import Device

CHUNK_SECONDS = 0.03
"""Intended duration of a chunk of steps: short enough for smooth curves, long compared with the
cost of a record.
"""

# First number of the random stream's key, after the seed; the initial parameters have stream 0.
_STREAM = 1


@lru_cache(2)
def epoch_order(seed: int, epoch: int, images: int) -> np.ndarray:
    """int32 (images,): the order of the images in the epoch with index `epoch`, from 0; the same
    for the same seed.
    """
    order = np.random.default_rng([seed, _STREAM, epoch]).permutation(images)
    return _frozen(order.astype(np.int32))


def _check_position(start: Checkpoint, images: int) -> None:
    """Raise InputError where the checkpoint was taken beyond so many images of an epoch."""
    if start.position > images:
        raise InputError(
            "The checkpoint was taken at image {position:,} of an epoch, but these data have "
            "{images:,} images to learn from: choose the run's own data.",
            position=start.position,
            images=images,
        )


class Trainer:
    """Trains `settings` on `device`, which must be open and belong to the calling thread.

    It starts from `checkpoint`, or from random parameters. `close` stops its threads; the device
    stays open.
    """

    def __init__(
        self,
        settings: RunSettings,
        dataset: Dataset,
        device: Device,
        checkpoint: Checkpoint | None,
    ) -> None:
        network = parse(settings.network, dataset.input_shape, dataset.outputs)
        self._settings = settings
        self._dataset = dataset
        self._device = device
        split = dataset.train
        # Always the last images: a continued run must hold out the same ones.
        held_out = round(len(split) * settings.validation)
        self._split = split.first(len(split) - held_out)
        start = checkpoint
        if start is None:
            parameters = initial_parameters(network, settings.initialization, settings.seed)
            start = first_checkpoint(settings, _frozen(parameters))
        _check_position(start, len(self._split))
        check_batches(settings, network, len(self._split))
        batch = check_memory(settings, network, dataset, device)
        with np.errstate(all="ignore"):
            step_class = DataParallelStep if settings.group > 1 else TrainStep
            self._train_step = step_class(
                settings, replace(dataset, train=self._split), device, start
            )
            # It reads the parameters that the step changes, so an evaluation copies nothing. Both
            # splits are evaluated by it, so it has room for the larger one.
            computed = ForwardBackward(
                network,
                settings.activation,
                find_loss(settings.loss, dataset.kind),
                device,
                self._train_step.parameters,
                min(batch, max(len(dataset.test), held_out)),
            )
            self._test = Evaluator(computed, device, dataset.test, dataset.kind)
            self._validation = None
            if held_out:
                validation = split.after(len(split) - held_out)
                self._validation = Evaluator(computed, device, validation, dataset.kind)
        self._state = start
        self.seconds = start.seconds
        self._position = start.position
        self._metrics = np.array(start.epoch_metrics)
        self._rate_changes = start.rate_changes
        self._planned = {
            change.step: change.learning_rate
            for change in parse_rate_changes(settings.rate_changes)
        }
        self._last_request: float | str | None = None
        self._new_change: RateChange | None = None
        self._steps = start.step
        self._checkpoint_time = perf_counter()
        self._last_good = start
        self._last_epoch: EpochDone | None = None
        self._seconds_to_target: float | None = None
        self._rate = self._seconds_per_step = self._epoch_seconds = 0.0
        self._epoch_images = 0

    def ended(self) -> Reason | None:
        """The reason for which no further epoch begins; None while the run goes on."""
        settings = self._settings
        last = self._last_epoch
        state = self._state
        if last is not None:
            if self._reached_target(last.test_score):
                return "target-accuracy"
            if settings.target_error is not None and last.train_loss <= settings.target_error:
                return "target-error"
        # `best_epoch` is 0 until a validation loss was finite.
        if settings.patience is not None and state.epoch - state.best_epoch >= settings.patience:
            return "patience"
        return "epochs" if state.epoch >= settings.epochs else None

    def _reached_target(self, score: float) -> bool:
        return (
            self._settings.target_accuracy is not None and score >= self._settings.target_accuracy
        )

    def begin_epoch(self, control: TrainingControl) -> None:
        """Write the epoch's learning rate, order of images and position to the device."""
        train_step = self._train_step
        device = self._device
        # After a checkpoint at the end of an epoch only its evaluation follows, and no chunk sets
        # the rate.
        self._set_rate(control)
        device.write(
            train_step.order, epoch_order(self._settings.seed, self._state.epoch, len(self._split))
        )
        train_step.set_position(self._position, self._steps)
        self._epoch_seconds = 0.0
        self._epoch_images = 0

    def epoch_complete(self) -> bool:
        return self._position >= len(self._split)

    def run_chunk(self, control: TrainingControl) -> StepsDone | None:
        """Do a chunk of steps; None when the loss is not finite."""
        device = self._device
        train_step = self._train_step
        self._set_rate(control)
        # A chunk has one rate, so it ends where the next planned rate begins.
        planned = [step - self._steps for step in self._planned if step > self._steps]
        # How long a step takes is known after the first chunk, which is one step.
        usual = max(1, int(CHUNK_SECONDS / self._seconds_per_step)) if self._seconds_per_step else 1
        # The device keeps the metrics of HISTORY_STEPS steps only.
        steps = min(control.chunk or usual, HISTORY_STEPS, *planned)
        start = self._position
        before = self.checkpoint() if control.look and steps == 1 else None
        start_time = perf_counter()
        # A run that diverges computes with infinities: the loss below tells of it.
        with np.errstate(all="ignore"), device.profiler_range("chunk"):
            self._position = train_step.run(start, steps, before is not None)
            if device.steps_per_recording > 1:
                # While the card computes; `begin_epoch` then finds it in the cache.
                epoch_order(self._settings.seed, self._state.epoch + 1, len(self._split))
            # Waits for the steps, too, so that `elapsed` is the time in which they were computed.
            history = device.download(train_step.history)
        elapsed = perf_counter() - start_time
        images = self._position - start
        # The last step of an epoch may have fewer images.
        steps_done = -(-images // train_step.examples)
        metrics = history[np.arange(self._steps, self._steps + steps_done) % HISTORY_STEPS]
        self._steps += steps_done
        self.seconds += elapsed
        self._epoch_seconds += elapsed
        self._epoch_images += images
        self._seconds_per_step = elapsed / steps_done
        loss, correct = metrics.sum(axis=0)
        if not np.isfinite(loss):
            return None
        # One after the other, so that the sum does not depend on the sizes of the chunks.
        self._metrics = np.vstack([self._metrics, metrics]).cumsum(axis=0)[-1]
        # Reported once, by the first chunk that was trained with it.
        change = self._new_change
        self._new_change = None
        examples = np.full(steps_done, train_step.examples)
        examples[-1] = images - examples[:-1].sum()
        seen = None
        if before is not None:
            seen = train_step.seen(start, images, before, self.checkpoint())
        return StepsDone(
            step=self._steps,
            epoch=self._state.epoch + 1,
            position=self._position,
            images=len(self._split),
            loss=float(loss) / images,
            score=float(correct) / images if self._dataset.kind == "classes" else None,
            learning_rate=self._rate,
            seconds=self.seconds,
            images_per_second=images / elapsed,
            step_metrics=np.column_stack([examples, metrics]),
            checkpoint=self._due_checkpoint(control),
            rate_change=change,
            seen=seen,
        )

    def end_epoch(self, control: TrainingControl) -> EpochDone | None:
        """Evaluate the completed epoch and count it; None when the test loss is not finite."""
        with np.errstate(all="ignore"):
            test = self._test.run(control.check)
            # `check` may end both evaluations: the epoch is not counted before they are complete.
            validation = self._validation.run(control.check).loss if self._validation else None
        if not np.isfinite(test.loss):
            return None
        if self._seconds_to_target is None and self._reached_target(test.score):
            self._seconds_to_target = self.seconds
        images = len(self._split)
        metrics = self._metrics
        self._metrics = np.zeros(2)
        self._position = 0
        self._count_epoch(validation)
        self._last_epoch = EpochDone(
            epoch=self._state.epoch,
            step=self._steps,
            seconds=self.seconds,
            epoch_seconds=self._epoch_seconds,
            train_loss=float(metrics[0]) / images,
            train_score=float(metrics[1]) / images if self._dataset.kind == "classes" else None,
            test_loss=test.loss,
            test_score=test.score,
            validation_loss=validation,
            # A run that continues at the end of an epoch trains nothing in it.
            images_per_second=self._epoch_images / self._epoch_seconds
            if self._epoch_seconds
            else 0.0,
            learning_rate=self._rate,
            checkpoint=self.checkpoint(),
        )
        return self._last_epoch

    def finish(self, reason: Reason, control: TrainingControl) -> Finished:
        """The last record, with an evaluation of the final parameters, which it puts on the device.

        They are the best epoch's where patience is set, the last finite ones where the run
        diverged, and those of now where the caller stopped it, whatever its best epoch was.
        """
        if reason != "stopped":
            if self._state.best_parameters is not None:
                self._device.write(self._train_step.parameters, self._state.best_parameters)
            elif not np.isfinite(self._device.download(self._train_step.parameters)).all():
                self._restore(self._last_good)
        with np.errstate(all="ignore"):
            result = self._test.run(control.check)
        checkpoint = self.checkpoint()
        advice = ""
        to_target = None
        if reason != "stopped":
            to_target = self._seconds_to_target
            checkpoint = replace(checkpoint, temperature=self._temperature(control))
            if reason == "diverged":
                advice = DIVERGED
            elif self._state.epoch:
                data = self._dataset
                loss = self._settings.loss
                advice = advice_for(data.test, data.kind, loss, result.loss, result.score)
        return Finished(
            reason, advice, result.loss, result.score, self.seconds, to_target, checkpoint
        )

    def _temperature(self, control: TrainingControl) -> float:
        """The temperature of the parameters on the device, fitted on the validation split; 1
        without one.

        Only the outputs of a network with cross-entropy are sums before a softmax.
        """
        # Regression ignores the setting `loss`.
        is_softmax = self._dataset.kind == "classes" and self._settings.loss == "cross-entropy"
        if self._validation is None or not is_softmax:
            return 1.0
        with np.errstate(all="ignore"):
            outputs = self._validation.run(control.check, keep_outputs=True).outputs
        return (
            fit_temperature(outputs, self._validation.split.targets)
            if np.isfinite(outputs).all()
            else 1.0
        )

    def checkpoint(self) -> Checkpoint:
        """The state between two chunks, copied to host memory."""
        parameters = self._device.download(self._train_step.parameters)
        # Each array is read into its row: stacking downloads would copy them again.
        state = np.empty((len(self._train_step.state), parameters.size), np.float32)
        for host, array in zip(state, self._train_step.state, strict=True):
            self._device.read(array, host)
        checkpoint = replace(
            self._state,
            # Other threads read it while training goes on.
            parameters=_frozen(parameters),
            optimizer_state=_frozen(state),
            step=self._steps,
            position=self._position,
            seconds=self.seconds,
            epoch_metrics=(float(self._metrics[0]), float(self._metrics[1])),
            rate_changes=self._rate_changes,
        )
        if np.isfinite(parameters).all():
            # Where a run that diverged is taken back to.
            self._last_good = checkpoint
        return checkpoint

    def close(self) -> None:
        """Stop the threads that the trainer started."""
        self._train_step.close()

    def _set_rate(self, control: TrainingControl) -> None:
        """Write the learning rate to the device if it changed: the user's, the planned, or the
        schedule's.
        """
        changes = self._rate_changes
        requested = control.learning_rate
        current = changes[-1].learning_rate if changes else None
        # To train with from this step on, the last one counts; None: the schedule's.
        rates: list[float | None] = []
        if self._steps in self._planned and not (changes and changes[-1].step >= self._steps):
            rates.append(self._planned[self._steps])
        # A request stays in `control`: applied once, it does not hide a planned change that
        # follows.
        if requested is not None and requested != self._last_request:
            self._last_request = requested
            rates.append(None if requested == "schedule" else requested)
        for rate in rates:
            if rate != current:
                self._new_change = RateChange(self._steps, rate)
                # Of several changes before one step only the last counts.
                earlier = [change for change in self._rate_changes if change.step < self._steps]
                self._rate_changes = (*earlier, self._new_change)
                current = rate
        rate = self._settings.rate_of(self._state.epoch) if current is None else current
        if rate != self._rate:
            self._rate = rate
            # A rate beyond float32 is infinite, and the loss says so.
            with np.errstate(over="ignore"):
                self._device.write(self._train_step.rate, np.array([rate], np.float32))

    def _due_checkpoint(self, control: TrainingControl) -> Checkpoint | None:
        """A checkpoint when the last one is old enough, and before each evaluation, which the
        caller may cancel.
        """
        limit = control.checkpoint_seconds
        if self.epoch_complete() and limit < float("inf"):
            limit = 0
        # While the caller sets the chunks, a pause may follow each of them.
        if perf_counter() - self._checkpoint_time < limit and control.chunk is None:
            return None
        self._checkpoint_time = perf_counter()
        return self.checkpoint()

    def _count_epoch(self, validation: float | None) -> None:
        """Count the epoch, and keep it as the best one if its validation loss is the lowest so
        far.
        """
        state = replace(self._state, epoch=self._state.epoch + 1)
        if validation is not None and validation < state.best_loss:
            # Without patience a run does not return to its best epoch.
            best = None
            if self._settings.patience:
                best = _frozen(self._device.download(self._train_step.parameters))
            state = replace(
                state, best_loss=validation, best_epoch=state.epoch, best_parameters=best
            )
        self._state = state

    def _restore(self, good: Checkpoint) -> None:
        self._device.write(self._train_step.parameters, good.parameters)
        for array, host in zip(self._train_step.state, good.optimizer_state, strict=True):
            self._device.write(array, host)
        self._state = good
        self._position = good.position
        self._steps = good.step
        self.seconds = good.seconds
        self._metrics = np.array(good.epoch_metrics)


def _frozen(array: np.ndarray) -> np.ndarray:
    """`array`, made read-only."""
    array.flags.writeable = False
    return array


def iter_training(
    settings: RunSettings,
    dataset: Dataset,
    device: Device,
    control: TrainingControl | None = None,
    checkpoint: Checkpoint | None = None,
) -> Generator[Record]:
    """Train `settings` on `dataset` with `device`, which the caller opens and closes; continue
    `checkpoint` if given.

    Yields StepsDone several times a second, EpochDone after each epoch, and Finished last.
    `control` is read before each chunk of steps. The first `next` raises InputError for a network
    that does not fit the data or for names that no model can hold, and DeviceError where the memory
    of the device is too small.

    >>> from core.data.sources import load_dataset
    >>> from kernels.registry import open_device
    >>> settings = RunSettings(network="2-16-1", epochs=2, learning_rate=0.001)
    >>> data = load_dataset("rastrigin:20")
    >>> records = list(iter_training(settings, data, open_device("sequential")))
    >>> type(records[-1]).__name__
    'Finished'
    """
    check_names(dataset)
    check_run(settings, dataset.input_shape, dataset.outputs, dataset.kind)
    trainer = Trainer(settings, dataset, device, checkpoint)
    try:
        yield from _iter_epochs(trainer, device, control or TrainingControl())
    finally:
        trainer.close()


def _iter_epochs(trainer: Trainer, device: Device, control: TrainingControl) -> Generator[Record]:
    while (reason := trainer.ended()) is None:
        with device.profiler_range("epoch"):
            trainer.begin_epoch(control)
            is_complete = False
            while not is_complete:
                is_complete = trainer.epoch_complete()
                record = trainer.end_epoch(control) if is_complete else trainer.run_chunk(control)
                if record is None:
                    yield trainer.finish("diverged", control)
                    return
                yield record
                # A run that has just ended by its settings was not stopped.
                if control.stop and not (is_complete and trainer.ended()):
                    yield trainer.finish("stopped", control)
                    return
    yield trainer.finish(reason, control)


# The number of examples does not change what is compiled or loaded.
_MAX_EXAMPLES = 500


def warm_up(settings: RunSettings, dataset: Dataset, device: Device, check: Check) -> None:
    """Train `settings` on a few examples of `dataset` for one epoch; an exception that `check`
    raises ends it.
    """
    count = min(settings.batch_size * settings.group, _MAX_EXAMPLES)
    few = replace(dataset, train=dataset.train.first(count), test=dataset.test.first(count))
    for _ in iter_training(settings.change(epochs=1), few, device, TrainingControl(check=check)):
        check()


LOWEST = 0.2
HIGHEST = 5.0
LEAST_EXAMPLES = 200
"""With fewer held-out examples no temperature is fitted."""

# Each takes the interval times 0.618: after 40 it is shorter than 1e-7.
_STEPS = 40
_GOLDEN = (5**0.5 - 1) / 2


def fit_temperature(z: np.ndarray, labels: np.ndarray) -> float:
    """The temperature from LOWEST to HIGHEST with the least cross-entropy: z, float (n, classes);
    labels, int (n,).

    1 for fewer than LEAST_EXAMPLES. The cross-entropy has one minimum in 1/T, which golden section
    search finds.
    """
    if len(z) < LEAST_EXAMPLES:
        return 1.0
    # With sums of at most 0 no exponential overflows at any temperature.
    shifted = z.astype(float) - z.max(axis=1, keepdims=True)
    right = np.take_along_axis(shifted, labels[:, None].astype(np.int64), axis=1)[:, 0]

    def loss(scale: float) -> float:
        return float((np.log(np.exp(scale * shifted).sum(axis=1)) - scale * right).mean())

    low = 1 / HIGHEST
    high = 1 / LOWEST
    for _ in range(_STEPS):
        a = high - _GOLDEN * (high - low)
        b = low + _GOLDEN * (high - low)
        if loss(a) <= loss(b):
            high = b
        else:
            low = a
    return 2 / (low + high)
