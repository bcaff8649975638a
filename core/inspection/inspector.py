"""Computes what goes on inside of a model: the outputs of all layers, and gradients by the input."""

from collections.abc import Callable

import numpy as np

from core.inference.model_file import Model
from core.network.forward_backward import ForwardBackward
from core.network.losses import Loss, find_loss
from kernels.device import Array
from kernels.vectorized.device import Vectorized

BATCH = 256
"""Inputs computed at once."""


class Inspector:
    """Forward and backward passes of a model on a `vectorized` device of its own with one thread.

    One thread uses it at a time. Inputs are (n, *input shape): uint8 (divided by 255) or float. Arrays are kept from
    call to call for the same number of inputs.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._device = Vectorized(threads=1)
        self._counters = np.zeros(2, np.int32)
        self._batches: dict[int, ForwardBackward] = {}

    @property
    def loss(self) -> Loss:
        return find_loss(self.model.loss, self.model.kind)

    @property
    def activations(self) -> tuple[str, ...]:
        """The activation of each layer; "linear" for kinds without one, and for one whose loss has the softmax."""
        return self.model.network.activations(self.model.activation, self.loss)

    def use(self, model: Model) -> None:
        """Compute with `model` from now on. Where only its parameters differ, the arrays are kept."""
        if not model.computes_like(self.model):
            self._batches.clear()
        for batch in self._batches.values():
            batch.bind(model.parameters)
        self.model = model

    def outputs(self, inputs: np.ndarray) -> list[np.ndarray]:
        """The output of each layer, float32 (n, *output shape); the last one for cross-entropy before the softmax."""
        batch = self._forward(inputs)
        return [array.copy() for array in batch.outputs]

    def probabilities(self, outputs: np.ndarray) -> np.ndarray:
        """float32 (n, outputs): probabilities of the last layer's `outputs`, or values for regression."""
        result = np.empty_like(outputs)
        with np.errstate(all="ignore"):
            self.loss.predictions(self._device, outputs, result)
        return result

    def layer_outputs(
        self, inputs: np.ndarray, layer: int, check: Callable[[], None] = lambda: None
    ) -> np.ndarray:
        """float32 (n, *output shape) of the layer with this index, for any number of inputs.

        `check` is called before each batch; an exception that it raises ends the computation.
        """
        result = np.empty((len(inputs), *self.model.network.shapes[layer + 1]), np.float32)
        for start in range(0, len(inputs), BATCH):
            check()
            part = inputs[start : start + BATCH]
            result[start : start + len(part)] = self._forward(part).outputs[layer]
        return result

    def input_gradient(
        self, inputs: np.ndarray, layer: int, weights: np.ndarray, *, by_sums: bool = False
    ) -> np.ndarray:
        """float32 (n, *input shape): the gradient by the inputs of Σ `weights` ⊙ y, y the output of the layer.

        `weights`: float32 (n, *output shape of the layer), or an array that can be broadcast to that. `by_sums`: of
        Σ `weights` ⊙ z instead, z the sums before the activation, whose gradient is not 0 where a ReLU is.
        """
        batch = self._forward(inputs)
        y, grad_z = batch.outputs[layer], batch.grad_zs[layer]
        with np.errstate(all="ignore"):
            activation = "linear" if by_sums else self.activations[layer]
            self._times_derivative(np.broadcast_to(weights, y.shape), y, activation, grad_z)
            return batch.input_gradient(layer, self._counters).copy()

    def close(self) -> None:
        """Free the device."""
        self._batches.clear()
        self._device.close()

    def _times_derivative(self, weights: np.ndarray, y: np.ndarray, activation: str, out: Array) -> None:
        """out = weights ⊙ f'(y), y = f(z).

        The gradient of the squared error is (y - target) ⊙ f'(y) / n; with the target y - n · weights it is that.
        """
        if activation == "linear":
            np.copyto(out, weights)
            return
        rows = y.reshape(len(y), -1)
        targets = rows - len(rows) * weights.reshape(rows.shape)
        self._device.squared_error(rows, targets, activation, np.zeros(2), out.reshape(rows.shape))

    def _forward(self, inputs: np.ndarray) -> ForwardBackward:
        batch = self._batch(len(inputs))
        values = inputs.reshape(batch.inputs.shape)
        with np.errstate(all="ignore"):
            if values.dtype == np.uint8:
                np.divide(values, 255, out=batch.inputs)
            else:
                np.copyto(batch.inputs, values)
            batch.forward()
        return batch

    def _batch(self, size: int) -> ForwardBackward:
        if size not in self._batches:
            if len(self._batches) > 3:
                self._batches.clear()
            self._batches[size] = ForwardBackward(
                self.model.network, self.model.activation, self.loss, self._device, self.model.parameters, size,
                to_inputs=True,
            )  # fmt: skip
        return self._batches[size]
