"""Data-parallel steps: the gradients of several batches are averaged for one update.

The batches of such a group are computed by workers, which are threads over the same parameters.
Compiled loops and matrix products release Python's lock, and gradients are written in place, so
nothing is copied between threads. A worker that has finished a batch takes the next one. The
average is summed in the order of the batches, so that neither the number of workers nor the
assignment of batches changes the result by a bit.

Each batch counts 1 / `group` in the average, also in the last, smaller group of an epoch. Otherwise
a step from a single remaining batch would be a full step with the noise of that batch.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.network.forward_backward import ForwardBackward
from core.training.records import Checkpoint
from core.training.run_settings import RunSettings
from core.training.train_step import TrainStep
from kernels.device import Array, Device
from kernels.host import ThreadPool, processor_count

# Difference between the step numbers from which two batches of a group draw their random effects.
_RANDOM_STEP_OFFSET = 1 << 24


# More threads per processor are not faster, and preparing the steps of a thousand threads takes
# minutes.
_WORKERS_PER_PROCESSOR = 4


def worker_count(settings: RunSettings) -> int:
    """The number of threads that compute the batches of a group; the parameters do not depend on
    it.
    """
    return min(settings.workers, settings.group, _WORKERS_PER_PROCESSOR * processor_count())


@dataclass(slots=True)
class _Worker:
    """A worker's device, and its computations by batch size; all sizes share the arrays of the full
    batch.
    """

    device: Device
    batches: dict[int, ForwardBackward]


class DataParallelStep(TrainStep):
    """A step that learns from `settings.group` batches, computed by `worker_count(settings)`
    workers.

    A device that cannot have workers computes all batches itself; more than one worker is then an
    InputError.
    """

    def set_position(self, position: int, steps: int) -> None:
        super().set_position(position, steps)
        for k, (counters, *_) in enumerate(self._batch_arrays):
            # The counters are int32.
            values = position + k * self.batch, (steps + k * _RANDOM_STEP_OFFSET) % (1 << 31)
            self._device.write(counters, np.array(values, np.int32))

    def seen(self, position: int, size: int, before: Checkpoint, after: Checkpoint) -> None:
        """None: the batches of a group are computed in the same arrays, one after the other."""

    def close(self) -> None:
        super().close()
        self._pool.close()
        for worker in self._workers:
            # Who opened the device closes it.
            if worker.device is not self._device:
                worker.device.close()

    def _allocate(self) -> int:
        group = self._settings.group
        parameters = self._network.parameter_count
        devices = self._devices(worker_count(self._settings))
        single = len(devices) == 1
        # Zeros: of few images there are fewer batches than `group`, and all rows are averaged.
        self._gradients = self._device.upload(np.zeros((group, parameters), np.float32))
        self._mean = self._device.empty((parameters,))
        # One row for each batch: threads that add to the same number would lose some of it.
        self._batch_metrics = np.zeros((group, 2))
        # Of each batch of the group: counters (2,) int32, targets, metrics (2,) float64.
        self._batch_arrays = [
            (
                self._device.upload(np.zeros(2, np.int32)),
                self._empty_targets(self.batch),
                self.metrics if single else self._batch_metrics[k],
            )
            for k in range(group)
        ]
        self._workers = [
            # Any of the gradients: `_job` binds that of its batch.
            _Worker(device, {self.batch: self._forward_backward(device, self._gradients[0])})
            for device in devices
        ]
        self._pool = ThreadPool(len(self._workers))
        return min(self.batch * group, self._images)

    def _devices(self, count: int) -> list[Device]:
        """`count` worker devices, or the device itself where it has no workers and one is
        enough.
        """
        try:
            return [self._device.worker() for _ in range(count)]
        except NotImplementedError:
            if count == 1:
                return [self._device]
        raise InputError(
            "{setting} {workers}: {device} already computes a whole batch at once and has one "
            "owner; set {setting} to 1, or choose another device.",
            setting="workers",
            workers=self._settings.workers,
            device=self._device.name,
        )

    def _prepare(self, size: int) -> Callable[[], None]:
        sizes = [min(self.batch, size - start) for start in range(0, size, self.batch)]
        for worker in self._workers:
            for batch in set(sizes) - worker.batches.keys():
                worker.batches[batch] = worker.batches[self.batch].first(batch)

        # The gradients of batches that a smaller group lacks stay 0.
        gradients = self._gradients
        if len(sizes) < self._settings.group and size < self.examples:
            gradients = self._device.upload(np.zeros(gradients.shape, np.float32))
        jobs = [
            [
                self._job(worker, arrays, batch, gradients[k])
                for k, (arrays, batch) in enumerate(zip(self._batch_arrays, sizes, strict=False))
            ]
            for worker in self._workers
        ]

        def work(worker: int, batch: int) -> None:
            # NumPy's error state belongs to the thread.
            with np.errstate(all="ignore"):
                jobs[worker][batch]()

        def learn() -> None:
            self._device.average(gradients, self._mean)
            self._update(self._mean)
            self._device.advance(self.counters, size, self.metrics, self.history)

        # Where the worker is the device itself, the step is recorded as a whole.
        learn_again = learn if self._is_own_worker else self._device.record(learn)

        def step() -> None:
            self._pool.map(len(sizes), work)
            if len(self._workers) > 1:
                # In the order of the batches. Only devices with arrays in host memory have workers.
                self.metrics += self._batch_metrics.sum(axis=0)
                # Losses add to it.
                self._batch_metrics[:] = 0
            learn_again()

        self.set_position(0, 0)
        step()
        return step

    def _record(self, step: Callable[[], None]) -> Callable[[], None]:
        """The recorded step on a device without workers; elsewhere its parts have been recorded."""
        return super()._record(step) if self._is_own_worker else step

    @property
    def _is_own_worker(self) -> bool:
        """Whether the device has no workers and computes all batches itself."""
        return self._workers[0].device is self._device

    def _job(
        self, worker: _Worker, arrays: tuple[Array, Array, Array], size: int, gradient: Array
    ) -> Callable[[], None]:
        """A function that computes one batch's gradient on a worker and advances the batch's
        counters.
        """
        batch = worker.batches[size]
        (counters, targets, metrics) = arrays

        def compute() -> None:
            # The batches of a worker share all other arrays.
            batch.bind_gradient(gradient)
            self._fetch(worker.device, batch, targets[:size], self.order, counters)
            batch.learn(targets[:size], metrics, counters, None)
            # By the whole group: this batch's next images come after those of all others.
            worker.device.advance(counters, self.examples)

        return compute if self._is_own_worker else worker.device.record(compute)
