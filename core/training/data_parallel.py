"""A group is several batches whose gradients are averaged for one update, computed by workers side by side.

Workers are threads over the same parameters: the loops and products release the GIL, so nothing is copied to
a worker and nothing comes back but a gradient in its place. A worker that is done takes the next batch, so that
one which the machine holds up holds up no other. The average is summed in the order of batches, so neither the
number of workers nor who took which batch changes a bit of the result.

Each batch counts as one part in `group`, in the last, smaller group of an epoch too: a step from few batches is
a short one. A full step from a single batch would end each epoch with the noise of that batch.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.network.forward_backward import ForwardBackward
from core.training.train_step import TrainStep
from kernels.device import Array, Device
from kernels.vectorized.thread_pool import ThreadPool

# Between the numbers of steps from which two batches of a group draw their chance (dropout, augmentation).
_CHANCE_APART = 1 << 24


@dataclass(slots=True)
class _Worker:
    """One thread's device and passes."""

    device: Device
    whole: ForwardBackward
    passes: dict[int, ForwardBackward]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one batch of the group leaves its results."""

    counters: Array
    answers: Array
    metrics: Array


class DataParallelStep(TrainStep):
    """A step learns from `group` batches, which the workers share out; a device without workers does them all."""

    def limits(self) -> AbstractContextManager[object]:
        return self._workers[0].device.limits()

    def place(self, position: int, steps: int) -> None:
        super().place(position, steps)
        for k, place in enumerate(self._places):
            counters = position + k * self.batch, (steps + k * _CHANCE_APART) % (1 << 31)
            self._device.write(place.counters, np.array(counters, np.int32))

    def close(self) -> None:
        self._pool.close()
        for worker in self._workers:
            if worker.device is not self._device:
                worker.device.close()

    def _allocate(self) -> int:
        group, parameters = self._settings.group, self._network.parameter_count
        devices = self._devices(min(self._settings.workers, group))
        alone = len(devices) == 1
        self._gradients = self._zeros(group, parameters)
        self._mean = self._device.empty((parameters,))
        self._batch_metrics = np.zeros((group, 2))
        self._places = [
            _Place(
                self._device.upload(np.zeros(2, np.int32)),
                self._answers_of(self.batch),
                self.metrics if alone else self._batch_metrics[k],
            )
            for k in range(group)
        ]
        self._workers = []
        for device in devices:
            whole = self._pass(device, self.batch, self._gradients[0])
            self._workers.append(_Worker(device, whole, {self.batch: whole}))
        self._pool = ThreadPool(len(self._workers))
        return min(self.batch * group, self._images)

    def _devices(self, count: int) -> list[Device]:
        try:
            return [self._device.worker() for _ in range(count)]
        except NotImplementedError:
            if count == 1:
                return [self._device]
        raise InputError(
            "{setting} {workers}: {device} already computes a whole batch at once and has one owner; set {setting} to "
            "1, or choose another device.",
            setting="workers", workers=self._settings.workers, device=self._device.name,
        )  # fmt: skip

    def _prepare(self, size: int) -> Callable[[], None]:
        sizes = [min(self.batch, size - start) for start in range(0, size, self.batch)]
        for worker in self._workers:
            for batch in set(sizes) - worker.passes.keys():
                worker.passes[batch] = self._pass(worker.device, batch, self._gradients[0], worker.whole)

        # Batches that are missing from a group stay zero.
        gradients = self._gradients
        if len(sizes) < self._settings.group and size < self.examples:
            gradients = self._zeros(*gradients.shape)
        jobs = [
            [
                self._job(worker, place, batch, gradients[k])
                for k, (place, batch) in enumerate(zip(self._places, sizes, strict=False))
            ]
            for worker in self._workers
        ]

        def work(worker: int, batch: int) -> None:
            # NumPy's error state belongs to the thread.
            with np.errstate(all="ignore"):
                jobs[worker][batch]()

        def step() -> None:
            self._pool.share(len(sizes), work)
            if len(self._workers) > 1:
                self._gather_tallies()
            self._device.average(gradients, self._mean)
            self._update(self._mean)
            self._device.advance(self.counters, size)

        self.place(0, 0)
        step()
        return self._device.record(step) if self._workers[0].device is self._device else step

    def _zeros(self, group: int, parameters: int) -> Array:
        return self._device.upload(np.zeros((group, parameters), np.float32))

    def _job(self, worker: _Worker, place: _Place, batch: int, gradient: Array) -> Callable[[], None]:
        """Computes one batch's gradient on a worker, and moves the batch's place on to the next group."""
        one = worker.passes[batch]

        def learn() -> None:
            one.bind_gradient(gradient)
            self._learn(worker.device, one, place.counters, place.answers[:batch], place.metrics)
            worker.device.advance(place.counters, self.examples)

        # Where the worker is the device itself, the step is recorded as a whole.
        return learn if worker.device is self._device else worker.device.record(learn)

    def _gather_tallies(self) -> None:
        """Add up what the workers counted, in the order of batches; only devices of host memory have several."""
        self.metrics += self._batch_metrics.sum(axis=0)
        self._batch_metrics[:] = 0
