"""A trainer is the state of one run under way on one device: it runs chunks of steps and ends epochs."""

from dataclasses import replace
from time import perf_counter

import numpy as np

from core.data.dataset import Dataset, Split
from core.network.initialization import initial_parameters
from core.network.losses import find_loss
from core.network.network import Network
from core.training.data_parallel import DataParallelStep
from core.training.device_memory import evaluation_batch
from core.training.evaluation import Evaluator
from core.training.optimizers import OPTIMIZERS
from core.training.records import Checkpoint, EpochDone, Reason, StepsDone, TrainingControl
from core.training.run import Run
from core.training.schedules import learning_rate
from core.training.train_step import TrainStep
from kernels.device import Device

# How long a chunk of steps should take: short enough to look alive, long enough that nobody waits for a reader.
CHUNK_SECONDS = 0.03

# The random stream of the order of images, beside that of the first parameters.
_STREAM = 1


def epoch_order(seed: int, epoch: int, images: int) -> np.ndarray:
    """int32 (images,): the order in which the epoch with this index, from 0, goes through the images."""
    return np.random.default_rng([seed, _STREAM, epoch]).permutation(images).astype(np.int32)


class Trainer:
    """Made for one run on an open device; used by the thread that owns the device."""

    def __init__(
        self, run: Run, network: Network, dataset: Dataset, device: Device, checkpoint: Checkpoint | None
    ) -> None:
        self._run, self._network, self._dataset, self._device = run, network, dataset, device
        split = dataset.train
        kept = round(len(split) * run.validation)
        self._split = split.first(len(split) - kept)
        start = checkpoint or _fresh(run, network)
        self._evaluation_batch = evaluation_batch(run, network, dataset, device)
        with np.errstate(all="ignore"), device.limits():
            make = DataParallelStep if run.group > 1 else TrainStep
            self._train_step = make(
                run, network, self._split, dataset.kind, device, start.parameters, start.optimizer_state
            )
            self._test = self._evaluator(dataset.test)
            self._validation = self._evaluator(split.after(len(split) - kept)) if kept else None
        self._state = start
        self.seconds = start.seconds
        self._position = start.position
        self._metrics = np.array(start.epoch_metrics)
        self._steps = start.step
        self._seconds_a_step = 0.0
        self._checked = perf_counter()
        self._last_good = start
        self._last_epoch: EpochDone | None = None
        self._rate = 0.0
        self._epoch_seconds = 0.0
        self._epoch_images = 0

    def _evaluator(self, split: Split) -> Evaluator:
        run, dataset = self._run, self._dataset
        return Evaluator(
            self._network, run.activation, find_loss(run.loss, dataset.kind), self._device,
            self._train_step.parameters, split, dataset.kind, self._evaluation_batch,
        )  # fmt: skip

    # -- the course of a run --------------------------------------------------------------------------------

    def ended(self) -> Reason | None:
        """Why no further epoch begins, or None."""
        run, last = self._run, self._last_epoch
        if last is not None:
            if self.reached_target(last):
                return "target-accuracy"
            if run.target_error is not None and last.train_loss <= run.target_error:
                return "target-error"
        if run.patience is not None and self._state.epoch - self._state.best_epoch >= run.patience:
            return "patience"
        return "epochs" if self._state.epoch >= run.epochs else None

    def reached_target(self, epoch: EpochDone) -> bool:
        target = self._run.target_accuracy
        return target is not None and epoch.test_score >= target

    def begin_epoch(self, control: TrainingControl) -> None:
        """Put the epoch's rate, its order of images and the place in it on the device."""
        train_step, device = self._train_step, self._device
        # Of an epoch that a checkpoint left complete only the evaluation is to come: no chunk would set its rate.
        self._set_rate(control)
        device.write(train_step.order, epoch_order(self._run.seed, self._state.epoch, len(self._split)))
        train_step.set_position(self._position, self._steps)
        device.write(train_step.metrics, np.zeros(2))
        self._epoch_seconds, self._epoch_images = 0.0, 0

    def epoch_complete(self) -> bool:
        return self._position >= len(self._split)

    def run_chunk(self, control: TrainingControl) -> StepsDone | None:
        """Do a chunk of steps; None when the loss is no longer a finite number."""
        device, train_step = self._device, self._train_step
        self._set_rate(control)
        steps = control.chunk or self._fitting_steps()
        before, begun = self._position, perf_counter()
        with np.errstate(all="ignore"), train_step.limits():
            self._position = train_step.run(before, steps)
            metrics = device.download(train_step.metrics)
            device.write(train_step.metrics, np.zeros(2))
        elapsed = perf_counter() - begun
        images = self._position - before
        done = -(-images // train_step.examples)
        self._steps += done
        self.seconds += elapsed
        self._epoch_seconds += elapsed
        self._epoch_images += images
        self._seconds_a_step = elapsed / done
        if not np.isfinite(metrics[0]):
            return None
        self._metrics += metrics
        return StepsDone(
            step=self._steps,
            epoch=self._state.epoch + 1,
            position=self._position,
            images=len(self._split),
            loss=float(metrics[0]) / images,
            score=float(metrics[1]) / images if self._dataset.kind == "classes" else None,
            learning_rate=self._rate,
            seconds=self.seconds,
            images_per_second=images / elapsed,
            checkpoint=self._due_checkpoint(control),
        )

    def end_epoch(self, control: TrainingControl) -> EpochDone | None:
        """Evaluate the epoch that is complete and count it; None when the parameters are no longer finite."""
        # Under the steps' limits: BLAS's threads, once woken, would wait in a busy loop and hold up the workers.
        with np.errstate(all="ignore"), self._train_step.limits():
            test_loss, test_score = self._test.run(control.check)
            validation = self._validation.run(control.check)[0] if self._validation else None
        if not np.isfinite(test_loss):
            return None
        images = len(self._split)
        metrics, self._metrics, self._position = self._metrics, np.zeros(2), 0
        self._count_epoch(validation)
        self._last_epoch = EpochDone(
            epoch=self._state.epoch,
            step=self._steps,
            seconds=self.seconds,
            epoch_seconds=self._epoch_seconds,
            train_loss=float(metrics[0]) / images,
            train_score=float(metrics[1]) / images if self._dataset.kind == "classes" else None,
            test_loss=test_loss,
            test_score=test_score,
            validation_loss=validation,
            images_per_second=self._epoch_images / self._epoch_seconds if self._epoch_seconds else 0.0,
            learning_rate=self._rate,
            checkpoint=self.checkpoint(),
        )
        return self._last_epoch

    def result(self, control: TrainingControl) -> tuple[float, float]:
        """Load what the run results in (the best epoch's, or the last good parameters) and test it."""
        state = self._state
        if state.best_parameters is not None:
            self._device.write(self._train_step.parameters, state.best_parameters)
        elif not np.isfinite(self._device.download(self._train_step.parameters)).all():
            self._restore(self._last_good)
        with np.errstate(all="ignore"), self._train_step.limits():
            return self._test.run(control.check)

    def checkpoint(self) -> Checkpoint:
        """The state between two chunks, as host copies."""
        parameters = self._device.download(self._train_step.parameters)
        state = np.empty((len(self._train_step.state), parameters.size), np.float32)
        for host, array in zip(state, self._train_step.state, strict=True):
            self._device.read(array, host)
        found = replace(
            self._state,
            parameters=_frozen(parameters),
            optimizer_state=_frozen(state),
            step=self._steps,
            position=self._position,
            seconds=self.seconds,
            epoch_metrics=(float(self._metrics[0]), float(self._metrics[1])),
        )
        if np.isfinite(parameters).all():
            self._last_good = found
        return found

    def close(self) -> None:
        """End the threads that the trainer started; the device is its owner's to close."""
        self._train_step.close()

    # -- pieces ---------------------------------------------------------------------------------------------

    def _set_rate(self, control: TrainingControl) -> None:
        rate = control.learning_rate
        rate = learning_rate(self._run, self._state.epoch) if rate is None else rate
        if rate != self._rate:
            self._rate = rate
            self._device.write(self._train_step.rate, np.array([rate], np.float32))

    def _fitting_steps(self) -> int:
        if not self._seconds_a_step:
            return 1
        return max(1, int(CHUNK_SECONDS / self._seconds_a_step))

    def _due_checkpoint(self, control: TrainingControl) -> Checkpoint | None:
        """A checkpoint where it is time, and before an evaluation, which whoever wants checkpoints may end."""
        limit = (
            0
            if self.epoch_complete() and control.checkpoint_seconds < float("inf")
            else control.checkpoint_seconds
        )
        if perf_counter() - self._checked < limit and control.chunk is None:
            return None
        self._checked = perf_counter()
        return self.checkpoint()

    def _count_epoch(self, validation: float | None) -> None:
        state = replace(self._state, epoch=self._state.epoch + 1)
        if validation is not None and validation < state.best_loss:
            kept = self._device.download(self._train_step.parameters) if self._run.patience else None
            state = replace(
                state,
                best_loss=validation,
                best_epoch=state.epoch,
                best_parameters=_frozen(kept) if kept is not None else None,
            )
        self._state = state

    def _restore(self, good: Checkpoint) -> None:
        self._device.write(self._train_step.parameters, good.parameters)
        for array, host in zip(self._train_step.state, good.optimizer_state, strict=True):
            self._device.write(array, host)
        self._state = good
        self._position, self._steps, self.seconds = good.position, good.step, good.seconds
        self._metrics = np.array(good.epoch_metrics)


def _fresh(run: Run, network: Network) -> Checkpoint:
    """The checkpoint before the first step."""
    parameters = initial_parameters(network, run.initialization, run.seed)
    state = OPTIMIZERS[run.optimizer].initial_state(parameters.size)
    return Checkpoint(
        parameters=_frozen(parameters),
        optimizer_state=_frozen(state),
        step=0,
        epoch=0,
        position=0,
        seconds=0.0,
        best_loss=float("inf"),
        best_epoch=0,
        best_parameters=None,
    )


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
