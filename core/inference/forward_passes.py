"""The forward passes of a model, kept by the number of inputs."""

import numpy as np

from core.inference.model_file import Model
from core.network.forward_backward import ForwardBackward
from core.network.losses import Loss, find_loss
from kernels.vectorized.device import Vectorized

MAX_KEPT = 3
"""Numbers of inputs for which arrays are kept."""


class ForwardPasses:
    """Computes a model on a `vectorized` device of its own. One thread uses it at a time.

    `threads`: processors that the device may use; None for all. `to_inputs`: gradients by the inputs are possible.
    Arrays are kept from call to call, so that a pass for the same number of inputs allocates nothing.
    """

    def __init__(self, model: Model, threads: int | None, *, to_inputs: bool = False) -> None:
        self.model = model
        self.device = Vectorized(threads)
        self._to_inputs = to_inputs
        self._passes: dict[int, ForwardBackward] = {}

    @property
    def loss(self) -> Loss:
        return find_loss(self.model.loss, self.model.kind)

    def use(self, model: Model) -> None:
        """Compute with `model` from now on. Where only its parameters differ, the arrays are kept."""
        if not model.computes_like(self.model):
            self._passes.clear()
        for each in self._passes.values():
            each.bind(model.parameters)
        self.model = model

    def forward(self, inputs: np.ndarray) -> ForwardBackward:
        """The pass for these inputs, computed. They are (n, *input shape), or (n, height, width) for images; uint8
        (divided by 255) or float.
        """
        result = self._pass(len(inputs))
        values = inputs.reshape(result.inputs.shape)
        with np.errstate(all="ignore"):
            if values.dtype == np.uint8:
                np.divide(values, 255, out=result.inputs)
            else:
                np.copyto(result.inputs, values)
            result.forward()
        return result

    def close(self) -> None:
        """Free the device and its threads."""
        self._passes.clear()
        self.device.close()

    def _pass(self, size: int) -> ForwardBackward:
        if size not in self._passes:
            if len(self._passes) >= MAX_KEPT:
                self._passes.clear()
            self._passes[size] = ForwardBackward(
                self.model.network, self.model.activation, self.loss, self.device, self.model.parameters, size,
                to_inputs=self._to_inputs,
            )  # fmt: skip
        return self._passes[size]
