"""A pass computes a network on a device for one size of batch: forward, loss, backward.

It allocates once; running it allocates nothing, so that a device can record what it does.
"""

from typing import Literal

import numpy as np

from core.data.dataset import Kind
from core.errors import InputError
from core.network.layer_ops import LayerOp, make_layer_op
from core.network.layers import Convolution, Dense
from core.network.network import Network
from core.network.parameters import views
from kernels.augmentation import AugmentationParams
from kernels.device import Array, Device

NO_AUGMENTATION = AugmentationParams()

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
                raise InputError(
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


class ForwardBackward:
    """Forward and backward for `batch` examples.

    `parameters` and `gradient` are flat arrays of the device; without `gradient` only forward and loss work.
    `within`: a larger pass of the same network whose arrays this one uses, their first `batch` rows. `training`
    lets dropout drop, by `seed`, and `augmentation` change the inputs before the first layer.
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
        within: "ForwardBackward | None" = None,
        training: bool = False,
        seed: int = 0,
        augmentation: AugmentationParams = NO_AUGMENTATION,
        dtype: type = np.float32,
    ) -> None:
        self._network, self._device, self._loss = network, device, loss
        self._activations = layer_activations(network, activation, loss)
        self.bind(parameters)
        self._gradients = views(network, gradient) if gradient is not None else ()
        self.batch = batch
        shapes = network.shapes
        # The lowest layer that learns is the last that a slope must reach.
        lowest = next(k for k, shape in enumerate(network.weight_shapes) if shape)
        if gradient is None:
            lowest = len(network.layers) - 1
        self._augmentation, self._seed = augmentation, seed
        augments = any(augmentation)
        if augments and len(shapes[0]) != 3:
            raise InputError(
                "Shift, rotation and the like change images, but these data are points: set them to 0."
            )
        self.inputs: Array
        self._changed: Array
        self._outputs: list[Array]
        self._grad_zs: list[Array]
        if within:
            self.inputs = within.inputs[:batch]
            self._changed = within._changed[:batch] if augments else None
            self._outputs = [array[:batch] for array in within._outputs]
            self._grad_zs = [array[:batch] if array is not None else None for array in within._grad_zs]
        else:
            self.inputs = device.empty((batch, *shapes[0]), dtype)
            self._changed = device.empty((batch, *shapes[0]), dtype) if augments else None
            self._outputs = [device.empty((batch, *shape), dtype) for shape in shapes[1:]]
            self._grad_zs = [
                device.empty((batch, *shape), dtype) if k >= lowest else None
                for k, shape in enumerate(shapes[1:])
            ]
        self._lowest = lowest
        self._stages: list[LayerOp] = []
        x = self._changed if augments else self.inputs
        for place, layer in enumerate(network.layers):
            y = self._outputs[place]
            self._stages.append(make_layer_op(device, layer, place, self._activations, x, y, training, seed))
            x = self._stages[-1].y

    def bind(self, parameters: Array) -> None:
        """Compute with these parameters from now on: another flat array of the device."""
        self._parameters = views(self._network, parameters)

    def bind_gradient(self, gradient: Array) -> None:
        """Let `backward` fill this flat array from now on."""
        self._gradients = views(self._network, gradient)

    @property
    def outputs(self) -> list[Array]:
        """Each layer's activated output, (batch, ...), as the last forward left it."""
        return [stage.y for stage in self._stages]

    def forward(self, counters: Array = None) -> Array:
        """Compute all outputs from `inputs`; returns the last: sums before softmax, or activated outputs.

        `counters` tell dropout and augmentation the step; a pass without training needs none.
        """
        if self._changed is not None:
            self._device.augment(self.inputs, self._augmentation, self._seed, counters, self._changed)
        for stage, own in zip(self._stages, self._parameters, strict=True):
            stage.forward(own, counters)
        return self._stages[-1].y

    def loss(self, answers: Array, metrics: Array) -> None:
        """Add loss and right answers of the last forward to `tally`; leaves the slope for `backward`."""
        y, out = self._stages[-1].y, self._grad_zs[-1]
        if self._loss == "softmax-cross-entropy":
            self._device.softmax_cross_entropy(y, answers, metrics, out)
        elif self._loss == "squared-error-classes":
            self._device.squared_error_classes(y, answers, self._activations[-1], metrics, out)
        else:
            self._device.squared_error(y, answers, self._activations[-1], metrics, out)

    def backward(self, counters: Array = None) -> None:
        """Fill the gradient's array, from the last layer down to the first that learns."""
        for place in range(len(self._stages) - 1, self._lowest - 1, -1):
            stage, own, grad_z = self._stages[place], self._parameters[place], self._grad_zs[place]
            if (gradient := self._gradients[place]) is not None:
                stage.parameter_gradient(grad_z, gradient)
            if place > self._lowest:
                stage.input_gradient(own, grad_z, counters, self._grad_zs[place - 1])
