"""The inference engine: the answers of a trained model, the outputs of its layers, and gradients by its inputs."""

from collections.abc import Iterator

import numpy as np

from core.errors import InputError
from core.inference.model_file import Model
from core.network.forward_backward import ForwardBackward
from core.network.losses import Loss, find_loss
from core.network.network import inference_batch
from core.progress import Check, never_cancel
from kernels.registry import open_cpu_device

MAX_KEPT = 3
"""Numbers of inputs for which arrays are kept."""


class Engine:
    """Computes `model` on a CPU device of its own. One thread uses it at a time.

    `threads`: processors that the device may use; None for all. Inputs are (n, *input shape), or (n, height, width) for
    images; uint8 (divided by 255) or float. Arrays are kept from call to call, so that another pass for the same number
    of inputs allocates nothing. `check` is called before each batch; an exception that it raises ends the computation.

    >>> from core.inference.model_file import bundled_model
    >>> engine = Engine(bundled_model())
    >>> engine.predict(np.zeros((3, 28, 28), np.uint8)).shape
    (3, 10)
    """

    def __init__(self, model: Model, threads: int | None = None) -> None:
        self._device = open_cpu_device(threads)
        self._passes: dict[tuple[int, bool], ForwardBackward] = {}
        self._counters = np.zeros(2, np.int32)
        self._bind(model)

    def use(self, model: Model) -> None:
        """Compute with `model` from now on. Where only its parameters differ, the arrays are kept."""
        if model is self.model:
            return
        if not model.computes_like(self.model):
            self._passes.clear()
        for each in self._passes.values():
            each.bind(model.parameters)
        self._bind(model)

    def _bind(self, model: Model) -> None:
        self.model = model
        self.loss: Loss = find_loss(model.loss, model.kind)
        self._batch_size = inference_batch(model.network)

    def predict(self, inputs: np.ndarray, check: Check = never_cancel) -> np.ndarray:
        """float32 (n, outputs): probabilities that sum to 1 in each row, or predicted values for regression.

        Raises InputError where the parameters give answers that are not finite.
        """
        result = np.empty((len(inputs), self.model.network.outputs), np.float32)
        for rows, batch in self._batches(inputs, check):
            result[rows] = self.probabilities(batch.outputs[-1])
        return finite(result)

    def probabilities(self, outputs: np.ndarray) -> np.ndarray:
        """float32 (n, outputs): probabilities of the last layer's `outputs`, or values for regression."""
        result = np.empty_like(outputs)
        with np.errstate(all="ignore"):
            self.loss.predictions(self._device, outputs, result)
            apply_temperature(result, self.model.temperature)
        return result

    def outputs(self, inputs: np.ndarray) -> list[np.ndarray]:
        """The output of each layer, float32 (n, *output shape); the last one for cross-entropy before the softmax."""
        return [array.copy() for array in self._forward(inputs).outputs]

    def layer_outputs(self, inputs: np.ndarray, layer: int, check: Check = never_cancel) -> np.ndarray:
        """float32 (n, *output shape) of the layer with this index, for any number of inputs."""
        result = np.empty((len(inputs), *self.model.network.shapes[layer + 1]), np.float32)
        for rows, batch in self._batches(inputs, check):
            result[rows] = batch.outputs[layer]
        return result

    def input_gradient(
        self, inputs: np.ndarray, layer: int, weights: np.ndarray, *, by_sums: bool = False
    ) -> np.ndarray:
        """float32 (n, *input shape): the gradient by the inputs of Σ `weights` ⊙ y, y the output of the layer.

        `weights`: float32 (n, *output shape of the layer), or an array that can be broadcast to that. `by_sums`: of
        Σ `weights` ⊙ z instead, z the sums before the activation, whose gradient is not 0 where a ReLU is.
        """
        batch = self._forward(inputs, gradients=True)
        y = batch.outputs[layer]
        grad_z = batch.grad_zs[layer]
        assert grad_z is not None
        with np.errstate(all="ignore"):
            np.copyto(grad_z, np.broadcast_to(weights, y.shape))
            if not by_sums:
                batch.multiply_by_derivative(layer)
            return batch.input_gradient(layer, self._counters).copy()

    def close(self) -> None:
        """Free the device and its threads."""
        self._passes.clear()
        self._device.close()

    def _batches(self, inputs: np.ndarray, check: Check) -> Iterator[tuple[slice, ForwardBackward]]:
        """The rows of each batch of `inputs`, and the pass that has computed them."""
        size = self._batch_size
        for start in range(0, len(inputs), size):
            check()
            rows = slice(start, start + size)
            yield rows, self._forward(inputs[rows])

    def _forward(self, inputs: np.ndarray, *, gradients: bool = False) -> ForwardBackward:
        """The pass for these inputs, computed. `gradients`: it can also compute gradients by the inputs."""
        key = len(inputs), gradients
        if key not in self._passes:
            if len(self._passes) >= MAX_KEPT:
                self._passes.clear()
            self._passes[key] = ForwardBackward(
                self.model.network,
                self.model.activation,
                self.loss,
                self._device,
                self.model.parameters,
                len(inputs),
                to_inputs=gradients,
            )
        result = self._passes[key]
        values = inputs.reshape(result.inputs.shape)
        with np.errstate(all="ignore"):
            if values.dtype == np.uint8:
                np.divide(values, 255, out=result.inputs)
            else:
                np.copyto(result.inputs, values)
            result.forward()
        return result


def finite(answers: np.ndarray) -> np.ndarray:
    """`answers`. Raises InputError where they are not finite numbers."""
    if not np.isfinite(answers).all():
        raise InputError(
            "The network's answers are not finite numbers, so it cannot be used: lower the learning rate and train it "
            "again, or choose another model."
        )
    return answers


def apply_temperature(probabilities: np.ndarray, temperature: float) -> None:
    """Change probabilities, float (n, classes), in place to those of softmax(z / T): p_i^(1/T) / Σ p_j^(1/T)."""
    if temperature != 1.0:
        np.power(probabilities, 1 / temperature, out=probabilities)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
