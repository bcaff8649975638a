"""A group is several batches whose gradients are averaged for one update, computed by workers side by side.

Workers are threads over the same parameters: the loops and products release the GIL, so nothing is copied to
a worker and nothing comes back but a gradient in its place. The average is summed in the order of batches,
so the number of workers does not change a bit of the result.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from core.passes import Pass
from core.step import Stepper
from kernels.device import Array, Device


@dataclass(slots=True)
class _Worker:
    """One thread's device and passes."""

    device: Device
    whole: Pass
    passes: dict[int, Pass]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one batch of the group leaves its results."""

    counters: Array
    answers: Array
    tally: Array
    gradient: Array


class GroupStepper(Stepper):
    """A step learns from `group` batches; `workers` threads share them out. CPU devices only."""

    def limits(self) -> AbstractContextManager[object]:
        return self._workers[0].device.limits()

    def close(self) -> None:
        self._pool.shutdown()

    def _allocate(self) -> int:
        group, parameters = self._settings.group, self._network.parameter_count
        self._gradients = self._device.empty((group, parameters))
        self._mean = self._device.empty((parameters,))
        self._places = [
            _Place(np.zeros(2, np.int32), self._answers_of(self.batch), np.zeros(2), self._gradients[k])
            for k in range(group)
        ]
        self._workers = []
        for k in range(min(self._settings.workers, group)):
            device = self._device.worker()
            whole = self._pass(device, self.batch, self._gradients[k])
            self._workers.append(_Worker(device, whole, {self.batch: whole}))
        # The caller's thread is a worker too.
        self._pool = ThreadPoolExecutor(max(1, len(self._workers) - 1), "worker")
        return min(self.batch * group, self._images)

    def _prepare(self, size: int) -> Callable[[], None]:
        sizes = [min(self.batch, size - start) for start in range(0, size, self.batch)]
        for worker in self._workers:
            for batch in set(sizes) - worker.passes.keys():
                worker.passes[batch] = self._pass(worker.device, batch, self._gradients[0], worker.whole)
        count = len(self._workers)
        shares = [range(k, len(sizes), count) for k in range(min(count, len(sizes)))]

        def step() -> None:
            for place, start in zip(self._places, range(0, size, self.batch), strict=False):
                place.counters[:] = self.counters[0] + start, self.counters[1]
                place.tally[:] = 0
            jobs = [
                self._pool.submit(self._work, self._workers[k], shares[k], sizes)
                for k in range(1, len(shares))
            ]
            try:
                self._work(self._workers[0], shares[0], sizes)
            finally:
                for job in jobs:
                    job.result()
            for place, _ in zip(self._places, sizes, strict=False):
                self.tally += place.tally
            self._device.average(self._gradients[: len(sizes)], self._mean)
            self._update(self._mean)
            self._device.advance(self.counters, size)

        self._device.write(self.counters, np.zeros(2, np.int32))
        step()
        return step

    def _work(self, worker: _Worker, share: range, sizes: list[int]) -> None:
        """Compute the batches of `share`, each gradient into its own place."""
        # NumPy's error state belongs to the thread.
        with np.errstate(all="ignore"):
            for k in share:
                one, place = worker.passes[sizes[k]], self._places[k]
                one.bind_gradient(place.gradient)
                self._learn(worker.device, one, place.counters, place.answers[: sizes[k]], place.tally)
