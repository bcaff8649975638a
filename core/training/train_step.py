"""A step is one update of the parameters: gather a batch, forward, loss, backward, update."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from core.data.dataset import Kind, Split
from core.network.forward_backward import ForwardBackward, loss_name
from core.network.network import Network
from core.training.run import Run
from kernels.device import Array, Device

# Arrays of an optimiser's state, each as large as the parameters.
STATE_ARRAYS = {"sgd": 0, "momentum": 1, "adam": 2}


class TrainStep:
    """The arrays of a training on a device, and the step over them, for whole batches and the last, smaller one.

    Created from host copies of parameters and optimiser state; `counters`, `rate`, `tally` and `order` are
    the device's arrays that change from step to step. `examples` is how many images one step learns from.
    """

    def __init__(
        self,
        run: Run,
        network: Network,
        split: Split,
        kind: Kind,
        device: Device,
        parameters: np.ndarray,
        optimizer_state: np.ndarray,
    ) -> None:
        self._settings, self._device, self._network = run, device, network
        self._images = len(split)
        self._loss = loss_name(run.loss, kind)
        self._inputs, self._answers = device.share(split.inputs), device.share(split.answers)
        self.parameters = device.upload(parameters)
        self.state = [device.upload(array) for array in optimizer_state]
        self.order = device.upload(np.arange(self._images, dtype=np.int32))
        self.counters = device.upload(np.zeros(2, np.int32))
        self.rate = device.upload(np.zeros(1, np.float32))
        self.metrics = device.upload(np.zeros(2))
        self.batch = min(run.batch_size, self._images)
        self.examples = self._allocate()
        sizes = {min(self.examples, self._images), self._images % self.examples or self.examples}
        self._steps = {size: self._prepare(size) for size in sizes}
        # Preparing changed the parameters: begin again from what was given.
        for array, host in zip([self.parameters, *self.state], [parameters, *optimizer_state], strict=True):
            device.write(array, host)

    def run(self, position: int, steps: int) -> int:
        """Do up to `steps` steps from `position` in the epoch, not past its end; returns the new position."""
        for _ in range(steps):
            size = min(self.examples, self._images - position)
            if not size:
                break
            self._steps[size]()
            position += size
        return position

    def place(self, position: int, steps: int) -> None:
        """Go on from this position in the epoch, with so many steps done since the start."""
        self._device.write(self.counters, np.array([position, steps], np.int32))

    def limits(self) -> AbstractContextManager[object]:
        """The thread limits under which steps run."""
        return self._device.limits()

    def close(self) -> None:
        """End what was started beside the caller's thread."""

    def _allocate(self) -> int:
        """Allocate what the step needs; returns the examples of a whole step."""
        self._gradient = self._device.empty((self._network.parameter_count,))
        self._batch_answers = self._answers_of(self.batch)
        self._whole = self._pass(self._device, self.batch, self._gradient)
        return self.batch

    def _prepare(self, size: int) -> Callable[[], None]:
        """The step for batches of `size`, recorded, after running it once so that all it needs is compiled."""
        one = self._whole
        if size != self.batch:
            one = self._pass(self._device, size, self._gradient, within=one)

        def step() -> None:
            self._learn(self._device, one, self.counters, self._batch_answers[:size], self.metrics)
            self._update(self._gradient)
            self._device.advance(self.counters, size)

        self.place(0, 0)
        step()
        return self._device.record(step)

    # -- pieces of a step -----------------------------------------------------------------------------------

    def _pass(
        self, device: Device, batch: int, gradient: Array, within: ForwardBackward | None = None
    ) -> ForwardBackward:
        return ForwardBackward(
            self._network, self._settings.activation, self._loss, device, self.parameters, batch,
            gradient=gradient, within=within, training=True, seed=self._settings.seed,
            augmentation=self._settings.augmentation,
        )  # fmt: skip

    def _answers_of(self, batch: int) -> Array:
        return self._device.empty((batch, *self._answers.shape[1:]), self._answers.dtype)

    def _learn(
        self, device: Device, one: ForwardBackward, counters: Array, answers: Array, metrics: Array
    ) -> None:
        """One batch's gradient, from the place in the order that `counters` names."""
        device.gather(self._inputs, self.order, counters, one.inputs)
        device.gather(self._answers, self.order, counters, answers)
        one.forward(counters)
        one.loss(answers, metrics)
        one.backward(counters)

    def _update(self, gradient: Array) -> None:
        run, weight_count = self._settings, self._network.weight_count
        p, rate = self.parameters, self.rate
        if run.optimizer == "sgd":
            self._device.sgd(p, gradient, rate, run.l2, weight_count)
        elif run.optimizer == "momentum":
            self._device.momentum(
                p, gradient, self.state[0], rate, run.momentum, run.nesterov, run.l2, weight_count
            )
        else:
            means, powers = self.state
            self._device.adam(p, gradient, means, powers, rate, self.counters, run.l2, weight_count)
