"""A pass computes a network on a device for one size of batch: forward, loss, backward.

It allocates once; running it allocates nothing, so that a device can record what it does.
"""

from math import prod
from typing import Literal

import numpy as np

from core.dataset import Kind
from core.layers import Convolution, Dense, Dropout, MaxPool
from core.network import Network
from core.parameters import views
from core.refusal import Refusal
from kernels.device import Array, Device

LossName = Literal["softmax-cross-entropy", "squared-error-classes", "squared-error"]


def loss_name(loss: str, kind: Kind) -> LossName:
    """The loss operator: regression is always squared error, whatever `loss` says."""
    if kind == "regression":
        return "squared-error"
    return "softmax-cross-entropy" if loss == "cross-entropy" else "squared-error-classes"


def layer_activations(network: Network, activation: str, loss: LossName) -> tuple[str, ...]:
    """Each layer's activation: its own mark, else the run's; "linear" where a layer bends nothing.

    The last layer is linear for softmax and for regression: there the loss does the rest.
    """
    names = []
    for place, layer in enumerate(network.layers):
        if not isinstance(layer, Dense | Convolution):
            names.append("linear")
        elif layer.activation:
            if place == len(network.layers) - 1 and loss == "softmax-cross-entropy":
                raise Refusal(
                    "{layer}: with cross-entropy the last layer is a softmax and takes no activation of its own; "
                    "remove the mark or choose squared error.",
                    layer=layer.text,
                )
            names.append(layer.activation)
        elif place == len(network.layers) - 1 and loss != "squared-error-classes":
            names.append("linear")
        else:
            names.append(activation)
    return tuple(names)


class Pass:
    """Forward and backward for `batch` examples.

    `parameters` and `gradient` are flat arrays of the device; without `gradient` only forward and loss work.
    `within`: a larger pass of the same network whose arrays this one may use, its first `batch` rows.
    """

    def __init__(
        self,
        network: Network,
        activation: str,
        loss: LossName,
        device: Device,
        parameters: Array,
        batch: int,
        *,
        gradient: Array | None = None,
        within: "Pass | None" = None,
        training: bool = False,
        seed: int = 0,
        dtype: type = np.float32,
    ) -> None:
        self._network = network
        self._device = device
        self._loss = loss
        self._activations = layer_activations(network, activation, loss)
        self.bind(parameters)
        self._gradients = views(network, gradient) if gradient is not None else ()
        self._training, self._seed = training, seed
        self.batch = batch
        shapes = network.shapes
        if within:
            self.inputs = within.inputs[:batch]
            self.outputs = [a[:batch] for a in within.outputs]
            self._slopes = [a[:batch] if a is not None else None for a in within._slopes]
            return
        self.inputs = device.empty((batch, *shapes[0]), dtype)
        self.outputs = [device.empty((batch, *shape), dtype) for shape in shapes[1:]]
        # The gradient by each layer's sum before its activation. The last one is also the loss's output.
        lowest = next(i for i, shape in enumerate(network.weight_shapes) if shape)
        self._slopes = [
            device.empty((batch, *shape), dtype)
            if i == len(shapes) - 2 or (gradient is not None and i >= lowest)
            else None
            for i, shape in enumerate(shapes[1:])
        ]

    def bind(self, parameters: Array) -> None:
        """Compute with these parameters from now on: another flat array of the device."""
        self._parameters = views(self._network, parameters)

    def bind_gradient(self, gradient: Array) -> None:
        """Let `backward` fill this flat array from now on."""
        self._gradients = views(self._network, gradient)

    def forward(self, counters: Array | None = None) -> Array:
        """Computes `outputs` from `inputs`; the last is returned: sums before softmax, or activated outputs.

        `counters` give dropout its step while training; without training dropout passes all on.
        """
        x = self.inputs
        for place, layer in enumerate(self._network.layers):
            y = self.outputs[place]
            own = self._parameters[place]
            activation = self._activations[place]
            if isinstance(layer, Dense):
                self._device.dense(_flat(x), own.weights, own.biases, activation, y)
            elif isinstance(layer, Convolution):
                self._device.convolve(
                    x, own.weights, own.biases, layer.stride, layer.padding, activation, y
                )
            elif isinstance(layer, MaxPool):
                self._device.max_pool(x, layer.size, y)
            elif self._training:
                self._device.dropout(x, layer.percent, self._seed, place, counters, y)
            else:
                self.outputs[place] = y = x
            x = y
        return x

    def loss(self, answers: Array, tally: Array) -> None:
        """Adds loss and right answers of the last forward to `tally`; leaves the gradient for `backward`."""
        y, out = self.outputs[-1], self._slopes[-1]
        if self._loss == "softmax-cross-entropy":
            self._device.softmax_cross_entropy(y, answers, tally, out)
        elif self._loss == "squared-error-classes":
            self._device.squared_error_classes(y, answers, self._activations[-1], tally, out)
        else:
            self._device.squared_error(y, answers, self._activations[-1], tally, out)

    def backward(self, counters: Array | None = None) -> None:
        """Fills the gradient's array, from the last layer down to the first that learns."""
        device = self._device
        for place in reversed(range(len(self._network.layers))):
            slope = self._slopes[place]
            if slope is None:
                return
            layer, own = self._network.layers[place], self._parameters[place]
            x = self.outputs[place - 1] if place else self.inputs
            below = self._slopes[place - 1] if place else None
            bend = self._activations[place - 1] if place else "linear"
            if own is not None:
                gradient = self._gradients[place]
                if isinstance(layer, Dense):
                    device.dense_weight_gradient(_flat(x), slope, gradient.weights)
                else:
                    device.convolve_weight_gradient(
                        x, slope, layer.stride, layer.padding, gradient.weights
                    )
                device.bias_gradient(slope, gradient.biases)
            if below is None:
                continue
            if isinstance(layer, Dense):
                device.dense_input_gradient(slope, own.weights, _flat(x), bend, _flat(below))
            elif isinstance(layer, Convolution):
                device.convolve_input_gradient(
                    slope, own.weights, layer.stride, layer.padding, x, bend, below
                )
            elif isinstance(layer, MaxPool):
                device.max_pool_gradient(x, self.outputs[place], slope, layer.size, bend, below)
            elif isinstance(layer, Dropout):
                device.dropout_gradient(
                    slope, layer.percent, self._seed, place, counters, x, bend, below
                )


def _flat(array: Array) -> Array:
    """The same examples as rows: (n, h, w, c) to (n, h·w·c)."""
    return array.reshape(array.shape[0], prod(array.shape[1:])) if len(array.shape) > 2 else array
