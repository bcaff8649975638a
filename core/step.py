"""A step is one update of the parameters: gather a batch, forward, loss, backward, update."""

from collections.abc import Callable

import numpy as np

from core.dataset import Kind, Split
from core.network import Network
from core.passes import Pass, loss_name
from core.run import Run
from kernels.device import Array, Device

# Arrays of an optimiser's state, each as large as the parameters.
STATE_ARRAYS = {"sgd": 0, "momentum": 1, "adam": 2}


class Stepper:
    """The arrays of a training on a device, and the step over them, for whole batches and the last, smaller one.

    Created from host copies of parameters and optimiser state; `counters`, `rate`, `tally` and `order` are
    the device's arrays that change from step to step.
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
        self._run, self._device, self._network = run, device, network
        self._images = len(split)
        self._inputs, self._answers = device.share(split.inputs), device.share(split.answers)
        self.parameters = device.upload(parameters)
        self.state = [device.upload(array) for array in optimizer_state]
        self._gradient = device.empty((network.parameter_count,))
        self.order = device.empty((self._images,), np.int32)
        self.counters = device.upload(np.zeros(2, np.int32))
        self.rate = device.upload(np.zeros(1, np.float32))
        self.tally = device.upload(np.zeros(2))
        self.batch = min(run.batch_size, self._images)
        whole = Pass(
            network, run.activation, loss_name(run.loss, kind), device, self.parameters, self.batch,
            gradient=self._gradient, training=True, seed=run.seed,
        )  # fmt: skip
        self._batch_answers = device.empty((self.batch, *split.answers.shape[1:]), split.answers.dtype)
        self._loss = loss_name(run.loss, kind)
        sizes = {self.batch, self._images % self.batch or self.batch}
        self._steps = {size: self._prepare(size, whole) for size in sizes}
        # Preparing changed the parameters: begin again from what was given.
        for array, host in zip([self.parameters, *self.state], [parameters, *optimizer_state], strict=True):
            device.write(array, host)

    def run(self, position: int, steps: int) -> int:
        """Do up to `steps` steps from `position` in the epoch, not past its end; returns the new position."""
        for _ in range(steps):
            size = min(self.batch, self._images - position)
            if not size:
                break
            self._steps[size]()
            position += size
        return position

    def _prepare(self, size: int, whole: Pass) -> Callable[[], None]:
        """The step for batches of `size`, recorded, after running it once so that all it needs is compiled."""
        one = whole
        if size != self.batch:
            one = Pass(
                self._network, self._run.activation, self._loss, self._device, self.parameters, size,
                gradient=self._gradient, within=whole, training=True, seed=self._run.seed,
            )  # fmt: skip

        def step() -> None:
            self._step(one)

        self._device.write(self.order, np.arange(self._images, dtype=np.int32))
        self._device.write(self.counters, np.zeros(2, np.int32))
        step()
        return self._device.record(step)

    def _step(self, one: Pass) -> None:
        device, answers = self._device, self._batch_answers[: one.batch]
        device.gather(self._inputs, self.order, self.counters, one.inputs)
        device.gather(self._answers, self.order, self.counters, answers)
        one.forward(self.counters)
        one.loss(answers, self.tally)
        one.backward(self.counters)
        self._update(self._gradient)
        device.advance(self.counters, one.batch)

    def _update(self, gradient: Array) -> None:
        run, decays = self._run, self._network.weight_count
        p, rate = self.parameters, self.rate
        if run.optimizer == "sgd":
            self._device.sgd(p, gradient, rate, run.l2, decays)
        elif run.optimizer == "momentum":
            self._device.momentum(
                p, gradient, self.state[0], rate, run.momentum, run.nesterov, run.l2, decays
            )
        else:
            self._device.adam(p, gradient, *self.state, rate, self.counters, run.l2, decays)
