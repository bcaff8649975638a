"""Computes what goes on inside of a model: the outputs of all layers, and gradients by the input."""

from collections.abc import Callable

import numpy as np

from core.inference.forward_passes import ForwardPasses
from core.inference.model_file import Model
from core.network.losses import Loss
from core.network.size_check import inference_batch
from kernels.device import Array


class Inspector:
    """Forward and backward passes of a model on a `vectorized` device of its own with one thread.

    One thread uses it at a time. Inputs are (n, *input shape): uint8 (divided by 255) or float. Arrays are kept from
    call to call for the same number of inputs.
    """

    def __init__(self, model: Model) -> None:
        self._passes = ForwardPasses(model, 1, to_inputs=True)
        self._counters = np.zeros(2, np.int32)

    @property
    def model(self) -> Model:
        return self._passes.model

    @property
    def loss(self) -> Loss:
        return self._passes.loss

    @property
    def activations(self) -> tuple[str, ...]:
        """The activation of each layer; "linear" for kinds without one, and for one whose loss has the softmax."""
        return self.model.network.activations(self.model.activation, self.loss)

    def use(self, model: Model) -> None:
        """Compute with `model` from now on. Where only its parameters differ, the arrays are kept."""
        self._passes.use(model)

    def outputs(self, inputs: np.ndarray) -> list[np.ndarray]:
        """The output of each layer, float32 (n, *output shape); the last one for cross-entropy before the softmax."""
        batch = self._passes.forward(inputs)
        return [array.copy() for array in batch.outputs]

    def probabilities(self, outputs: np.ndarray) -> np.ndarray:
        """float32 (n, outputs): probabilities of the last layer's `outputs`, or values for regression."""
        result = np.empty_like(outputs)
        with np.errstate(all="ignore"):
            self.loss.predictions(self._passes.device, outputs, result)
        return result

    def layer_outputs(
        self, inputs: np.ndarray, layer: int, check: Callable[[], None] = lambda: None
    ) -> np.ndarray:
        """float32 (n, *output shape) of the layer with this index, for any number of inputs.

        `check` is called before each batch; an exception that it raises ends the computation.
        """
        result = np.empty((len(inputs), *self.model.network.shapes[layer + 1]), np.float32)
        size = inference_batch(self.model.network)
        for start in range(0, len(inputs), size):
            check()
            part = inputs[start : start + size]
            result[start : start + len(part)] = self._passes.forward(part).outputs[layer]
        return result

    def input_gradient(
        self, inputs: np.ndarray, layer: int, weights: np.ndarray, *, by_sums: bool = False
    ) -> np.ndarray:
        """float32 (n, *input shape): the gradient by the inputs of Σ `weights` ⊙ y, y the output of the layer.

        `weights`: float32 (n, *output shape of the layer), or an array that can be broadcast to that. `by_sums`: of
        Σ `weights` ⊙ z instead, z the sums before the activation, whose gradient is not 0 where a ReLU is.
        """
        batch = self._passes.forward(inputs)
        y, grad_z = batch.outputs[layer], batch.grad_zs[layer]
        with np.errstate(all="ignore"):
            activation = "linear" if by_sums else self.activations[layer]
            self._times_derivative(np.broadcast_to(weights, y.shape), y, activation, grad_z)
            return batch.input_gradient(layer, self._counters).copy()

    def close(self) -> None:
        """Free the device."""
        self._passes.close()

    def _times_derivative(self, weights: np.ndarray, y: np.ndarray, activation: str, out: Array) -> None:
        """out = weights ⊙ f'(y), y = f(z).

        The gradient of the squared error is (y - target) ⊙ f'(y) / n; with the target y - n · weights it is that.
        """
        if activation == "linear":
            np.copyto(out, weights)
            return
        rows = y.reshape(len(y), -1)
        targets = rows - len(rows) * weights.reshape(rows.shape)
        self._passes.device.squared_error(rows, targets, activation, np.zeros(2), out.reshape(rows.shape))
