"""The inference engine: the answers of a trained model, the outputs of its layers, and gradients by
its inputs.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.inference.model_file import Model
from core.network.forward_backward import ForwardBackward
from core.network.losses import Loss, find_loss
from core.network.network import inference_batch
from core.network.parameters import views
from core.progress import Check, never_cancel
from kernels.activations import ACTIVATIONS
from kernels.device import Device
from kernels.host import limit_blas
from kernels.registry import open_cpu_device

FEW = 64
"""Up to so many inputs are computed one by one with NumPy, which needs no compiler."""


class Engine:
    """Computes `model`: few inputs with NumPy, many and gradients on a CPU device of its own, which
    is opened when they are first asked for. One thread uses it at a time.

    `threads`: processors that the device may use; None for all. Inputs are (n, *input shape), or
    (n, height, width) for images; uint8 (divided by 255) or float. `check` is called before each
    batch; an exception that it raises ends the computation.

    >>> from core.inference.model_file import bundled_model
    >>> engine = Engine(bundled_model())
    >>> engine.predict(np.zeros((3, 28, 28), np.uint8)).shape
    (3, 10)
    """

    most_by_numpy: ClassVar = FEW
    """Up to so many inputs are computed with NumPy; `load_compiled` lowers it."""

    def __init__(self, model: Model, threads: int | None = None) -> None:
        # NumPy computes here as well: BLAS's own threads would take the processors from a training.
        limit_blas()
        self._threads = threads
        self._pass: ForwardBackward | None = None
        self._pass_for = (0, False)
        self._counters = np.zeros(2, np.int32)
        self._layers = _layer_functions(model)
        self._bind(model)

    @cached_property
    def _device(self) -> Device:
        return open_cpu_device(self._threads)

    def use(self, model: Model) -> None:
        """Compute with `model` from now on. Where only its parameters differ, the arrays are
        kept.
        """
        if model is self.model:
            return
        if not model.computes_like(self.model):
            self._pass = None
            self._layers = _layer_functions(model)
        if self._pass is not None:
            self._pass.bind(model.parameters)
        self._bind(model)

    def _bind(self, model: Model) -> None:
        self.model = model
        self._parameters = views(model.network, model.parameters)
        self.loss: Loss = find_loss(model.loss, model.kind)
        self._batch_size = inference_batch(model.network)

    def predict(self, inputs: np.ndarray, check: Check = never_cancel) -> np.ndarray:
        """float32 (n, outputs): probabilities that sum to 1 in each row, or predicted values for
        regression.

        Raises InputError where the parameters give answers that are not finite.
        """
        result = np.empty((len(inputs), self.model.network.outputs), np.float32)
        for rows, outputs in self._batches(inputs, check):
            result[rows] = self.probabilities(outputs[-1])
        return finite(result)

    def probabilities(self, outputs: np.ndarray) -> np.ndarray:
        """float32 (n, outputs): probabilities of the last layer's `outputs`, or values for
        regression.
        """
        result = np.empty_like(outputs)
        with np.errstate(all="ignore"):
            self.loss.predictions(outputs, result)
            apply_temperature(result, self.model.temperature)
        return result

    def outputs(self, inputs: np.ndarray) -> list[np.ndarray]:
        """The output of each layer, float32 (n, *output shape); the last one for cross-entropy
        before the softmax.
        """
        if self._is_few(inputs):
            return self._by_numpy(inputs)
        # The next inputs overwrite the arrays of the pass.
        return [array.copy() for array in self._forward(inputs).outputs]

    def layer_outputs(
        self, inputs: np.ndarray, layer: int, check: Check = never_cancel
    ) -> np.ndarray:
        """float32 (n, *output shape) of the layer with this index, for any number of inputs."""
        result = np.empty((len(inputs), *self.model.network.shapes[layer + 1]), np.float32)
        for rows, outputs in self._batches(inputs, check):
            result[rows] = outputs[layer]
        return result

    def input_gradient(
        self, inputs: np.ndarray, layer: int, weights: np.ndarray, *, by_sums: bool = False
    ) -> np.ndarray:
        """float32 (n, *input shape): the gradient by the inputs of Σ `weights` ⊙ y, y the output of
        the layer.

        `weights`: float32 (n, *output shape of the layer), or an array that can be broadcast to
        that. `by_sums`: of Σ `weights` ⊙ z instead, z the sums before the activation, whose
        gradient is not 0 where a ReLU is.
        """
        batch = self._forward(inputs, gradients=True)
        y = batch.outputs[layer]
        grad_z = batch.grad_zs[layer]
        assert grad_z is not None
        with np.errstate(all="ignore"):
            np.copyto(grad_z, np.broadcast_to(weights, y.shape))
            if not by_sums:
                batch.multiply_by_derivative(layer)
            # The next inputs overwrite it.
            return batch.input_gradient(layer, self._counters).copy()

    def close(self) -> None:
        """Free the device and its threads."""
        self._pass = None
        # A cached property: asking for it would open the device.
        if "_device" in self.__dict__:
            self._device.close()

    def _batches(
        self, inputs: np.ndarray, check: Check
    ) -> Iterator[tuple[slice, Sequence[np.ndarray]]]:
        """The rows of each batch of `inputs`, and the outputs of all layers."""
        if self._is_few(inputs):
            yield slice(None), self._by_numpy(inputs)
            return
        size = self._batch_size
        for start in range(0, len(inputs), size):
            check()
            rows = slice(start, start + size)
            yield rows, self._forward(inputs[rows]).outputs
        self._pass = None  # the arrays of many inputs take megabytes

    def _is_few(self, inputs: np.ndarray) -> bool:
        return len(inputs) <= self.most_by_numpy and self._layers is not None

    def _by_numpy(self, inputs: np.ndarray) -> list[np.ndarray]:
        """The output of each layer."""
        assert self._layers is not None
        shapes = self.model.network.shapes
        values = np.empty((len(inputs), *shapes[0]), np.float32)
        _copy_inputs(inputs, values)
        results = [np.empty((len(inputs), *shape), np.float32) for shape in shapes[1:]]
        with np.errstate(all="ignore"):
            for example, x in enumerate(values):
                for layer, parameters, result in zip(
                    self._layers, self._parameters, results, strict=True
                ):
                    x = layer(x, parameters)
                    result[example] = x
        return results

    def _forward(self, inputs: np.ndarray, *, gradients: bool = False) -> ForwardBackward:
        """The pass for these inputs, computed. `gradients`: it can also compute gradients by the
        inputs.
        """
        key = len(inputs), gradients
        if self._pass is None or self._pass_for != key:
            self._pass = None  # its memory is free before the next one is allocated
            self._pass = ForwardBackward(
                self.model.network,
                self.model.activation,
                self.loss,
                self._device,
                self.model.parameters,
                len(inputs),
                to_inputs=gradients,
            )
            self._pass_for = key
        result = self._pass
        _copy_inputs(inputs, result.inputs)
        with np.errstate(all="ignore"):
            result.forward()
        return result


def load_compiled(model: Model) -> None:
    """Load what the device needs for `model`, or compile it: from now on NumPy computes only single
    inputs, which always have the same outputs.
    """
    engine = Engine(model)
    # One more than NumPy computes.
    images = np.zeros((FEW + 1, *model.network.shapes[0]), np.uint8)
    answers = engine.predict(images)
    engine.input_gradient(images[:1], len(model.network.layers) - 1, answers[:1])
    engine.close()
    Engine.most_by_numpy = 1


def _copy_inputs(inputs: np.ndarray, out: np.ndarray) -> None:
    values = inputs.reshape(out.shape)
    if values.dtype == np.uint8:
        np.divide(values, 255, out=out)
    else:
        np.copyto(out, values)


def _layer_functions(model: Model) -> list[Callable[..., np.ndarray]] | None:
    """The output of each layer, activated, as a function of one example and the layer's parameters.

    None where a layer or an activation has no expression.
    """
    network = model.network
    functions = []
    for layer, shape, name in zip(network.layers, network.shapes, model.activations, strict=False):
        arrays = ["p.weights", "p.biases"]
        if layer.has_statistics:
            arrays += ["p.means", "p.variances"]
        sums = layer.numpy_code(shape, arrays)
        activation = ACTIVATIONS[name].numpy
        if sums is None or not activation:
            return None
        names: dict[str, Any] = {"np": np}
        exec(
            f"{layer.numpy_function}\ndef function(x, p): return {activation.format(z=sums)}\n",
            names,
        )
        functions.append(names["function"])
    return functions


def finite(answers: np.ndarray) -> np.ndarray:
    """`answers`. Raises InputError where they are not finite numbers."""
    if not np.isfinite(answers).all():
        raise InputError(
            "The network's answers are not finite numbers, so it cannot be used: lower the "
            "learning rate and train it again, or choose another model."
        )
    return answers


def apply_temperature(probabilities: np.ndarray, temperature: float) -> None:
    """Change probabilities, float (n, classes), in place to those of softmax(z / T): p_i^(1/T) / Σ
    p_j^(1/T).
    """
    if temperature != 1.0:
        np.power(probabilities, 1 / temperature, out=probabilities)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
