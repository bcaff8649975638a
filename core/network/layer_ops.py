"""A stage is one layer at work on a device: its operators over arrays of one size of batch."""

from math import prod
from typing import Any, Protocol

from core.network.layers import Convolution, Dense, Dropout, Layer, MaxPool
from core.network.parameters import LayerParameters
from kernels.device import Array, Device


class LayerOp(Protocol):
    """`x` is the layer's input, `y` its output; slopes are gradients by a layer's sum before its activation.

    `own` are the layer's LayerParameters, None where it learns nothing.
    """

    y: Array

    def forward(self, own: Any, counters: Array) -> None:
        """Compute `y` from `x`."""

    def parameter_gradient(self, grad_z: Array, out: LayerParameters) -> None:
        """The gradient by the layer's own parameters, from the slope at its output."""

    def input_gradient(self, own: Any, grad_z: Array, counters: Array, out: Array) -> None:
        """The slope at the layer below, whose activated output is `x`."""


class DenseOp:
    """`bend` is the layer's activation, `below` the activation of the layer whose output is `x`."""

    def __init__(self, device: Device, bend: str, below: str, x: Array, y: Array) -> None:
        self._device, self._bend, self._below = device, bend, below
        self._x, self.y = flat(x), y

    def forward(self, own: Any, counters: Array) -> None:
        self._device.dense(self._x, own.weights, own.biases, self._bend, self.y)

    def parameter_gradient(self, grad_z: Array, out: LayerParameters) -> None:
        self._device.dense_weight_gradient(self._x, grad_z, out.weights)
        self._device.bias_gradient(grad_z, out.biases)

    def input_gradient(self, own: Any, grad_z: Array, counters: Array, out: Array) -> None:
        self._device.dense_input_gradient(grad_z, own.weights, self._x, self._below, flat(out))


class ConvolutionOp:
    def __init__(self, device: Device, layer: Convolution, bend: str, below: str, x: Array, y: Array) -> None:
        self._device, self._bend, self._below = device, bend, below
        self._stride, self._padding = layer.stride, layer.padding
        self._x, self.y = x, y

    def forward(self, own: Any, counters: Array) -> None:
        self._device.convolve(
            self._x, own.weights, own.biases, self._stride, self._padding, self._bend, self.y
        )

    def parameter_gradient(self, grad_z: Array, out: LayerParameters) -> None:
        self._device.convolve_weight_gradient(self._x, grad_z, self._stride, self._padding, out.weights)
        self._device.bias_gradient(grad_z, out.biases)

    def input_gradient(self, own: Any, grad_z: Array, counters: Array, out: Array) -> None:
        self._device.convolve_input_gradient(
            grad_z, own.weights, self._stride, self._padding, self._x, self._below, out
        )


class MaxPoolOp:
    def __init__(self, device: Device, layer: MaxPool, below: str, x: Array, y: Array) -> None:
        self._device, self._size, self._below = device, layer.size, below
        self._x, self.y = x, y

    def forward(self, own: Any, counters: Array) -> None:
        self._device.max_pool(self._x, self._size, self.y)

    def parameter_gradient(self, grad_z: Array, out: LayerParameters) -> None:
        raise AssertionError("pooling learns nothing")

    def input_gradient(self, own: Any, grad_z: Array, counters: Array, out: Array) -> None:
        self._device.max_pool_gradient(self._x, self.y, grad_z, self._size, self._below, out)


class DropoutOp:
    """`place` is the layer's number, so that two dropouts of a network drop different units."""

    def __init__(
        self, device: Device, layer: Dropout, seed: int, place: int, below: str, x: Array, y: Array
    ) -> None:
        self._device, self._percent, self._seed, self._place = device, layer.percent, seed, place
        self._below, self._x, self.y = below, x, y

    def forward(self, own: Any, counters: Array) -> None:
        self._device.dropout(self._x, self._percent, self._seed, self._place, counters, self.y)

    def parameter_gradient(self, grad_z: Array, out: LayerParameters) -> None:
        raise AssertionError("dropout learns nothing")

    def input_gradient(self, own: Any, grad_z: Array, counters: Array, out: Array) -> None:
        self._device.dropout_gradient(
            grad_z, self._percent, self._seed, self._place, counters, self._x, self._below, out
        )


class IdentityOp:
    """Dropout where nothing is learnt: it passes all on."""

    def __init__(self, x: Array) -> None:
        self.y = x

    def forward(self, own: Any, counters: Array) -> None:
        """Nothing: the output is the input."""

    def parameter_gradient(self, grad_z: Array, out: LayerParameters) -> None:
        raise AssertionError("an idle stage learns nothing")

    def input_gradient(self, own: Any, grad_z: Array, counters: Array, out: Array) -> None:
        raise AssertionError("an idle stage is not for training")


def make_layer_op(
    device: Device,
    layer: Layer,
    place: int,
    activations: tuple[str, ...],
    x: Array,
    y: Array,
    training: bool,
    seed: int,
) -> LayerOp:
    """The stage of the layer at `place`; `bends` are the activations of all layers."""
    below = activations[place - 1] if place else "linear"
    if isinstance(layer, Dense):
        return DenseOp(device, activations[place], below, x, y)
    if isinstance(layer, Convolution):
        return ConvolutionOp(device, layer, activations[place], below, x, y)
    if isinstance(layer, MaxPool):
        return MaxPoolOp(device, layer, below, x, y)
    if training:
        return DropoutOp(device, layer, seed, place, below, x, y)
    return IdentityOp(x)


def flat(array: Array) -> Array:
    """The same examples as rows: (n, h, w, c) to (n, h·w·c)."""
    return array.reshape(array.shape[0], prod(array.shape[1:])) if len(array.shape) > 2 else array
