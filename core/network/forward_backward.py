"""Forward pass, loss and backward pass of a network on a device, for one batch size."""

from contextlib import closing
from copy import copy
from typing import NamedTuple

import numpy as np

from core.network.layers.layer import LayerOp
from core.network.losses import Loss
from core.network.network import Network
from core.network.parameters import views
from kernels.activations import ACTIVATIONS
from kernels.augmentation import AugmentationParams
from kernels.device import Array, Device
from kernels.registry import open_cpu_device

NO_AUGMENTATION = AugmentationParams()


class TrainingEffects(NamedTuple):
    """The random effects of training: dropout and augmentation, drawn from `seed` and the step's
    number.
    """

    seed: int
    augmentation: AugmentationParams = NO_AUGMENTATION


def augmented(images: np.ndarray, amounts: AugmentationParams, seed: int, step: int) -> np.ndarray:
    """uint8 (n, h, w, 1): `images`, of the same shape, as the network sees them in step `step` of a
    run.
    """
    plain = images.astype(np.float32) / 255
    out = np.empty_like(plain)
    with closing(open_cpu_device(1)) as device:
        device.augment(plain, amounts, seed, np.array([0, step], np.int32), out)
    return np.rint(out * 255).clip(0, 255).astype(np.uint8)


class ForwardBackward:
    """Computes outputs, loss and gradient of a network for `batch` examples.

    All arrays are allocated once; `forward`, `loss` and `backward` allocate nothing, so that a
    device can record them. `parameters` and `gradient` are flat arrays of the device,
    (parameters,); without `gradient` there is no backward pass. `effects`: dropout and augmentation
    of training; None computes without them. `to_inputs`: also allocate for `input_gradient`.

    `inputs`, (batch, *input shape) in `dtype`, is filled by the caller before `forward`;
    `inputs_seen` are these with augmentation, as the last `forward` took them. `grad_zs`: the
    gradient by the sums z of each layer, (batch, *output shape); None where it is not computed.
    """

    def __init__(
        self,
        network: Network,
        activation: str,
        loss: Loss,
        device: Device,
        parameters: Array,
        batch: int,
        *,
        gradient: Array | None = None,
        effects: TrainingEffects | None = None,
        to_inputs: bool = False,
        dtype: type = np.float32,
    ) -> None:
        self._network = network
        self._device = device
        self._loss = loss
        self._effects = effects
        self._activations = network.activations(activation, loss)
        # Without a backward pass the loss still writes the gradient of the last layer.
        self._lowest = _lowest(network) if gradient is not None else len(network.layers) - 1
        shapes = network.shapes
        # Below the first layer with parameters nothing needs a gradient.
        allocated = 0 if to_inputs else self._lowest
        self._grad_inputs = device.empty((batch, *shapes[0]), dtype) if to_inputs else None
        self._augments = effects is not None and any(effects.augmentation)
        inputs = device.empty((batch, *shapes[0]), dtype)
        # Without augmentation the layers read the inputs themselves.
        augmented = device.empty((batch, *shapes[0]), dtype) if self._augments else inputs
        outputs = [device.empty((batch, *shape), dtype) for shape in shapes[1:]]
        grad_zs = [
            device.empty((batch, *shape), dtype) if index >= allocated else None
            for index, shape in enumerate(shapes[1:])
        ]
        # An activation that needs its sums needs them for its derivative only.
        has_gradients = gradient is not None or to_inputs
        sums = [
            device.empty((batch, *shape), dtype)
            if has_gradients and ACTIVATIONS[name].needs_z
            else None
            for shape, name in zip(shapes[1:], self._activations, strict=True)
        ]
        self._connect(batch, inputs, augmented, outputs, sums, grad_zs)
        self.bind(parameters)
        if gradient is not None:
            self.bind_gradient(gradient)

    def _connect(
        self,
        batch: int,
        inputs: Array,
        augmented: Array,
        outputs: list[Array],
        sums: list[Array | None],
        grad_zs: list[Array | None],
    ) -> None:
        """Use these arrays: the operators of each layer read the output of the layer below.

        A layer with an array of `sums` writes these; `forward` applies its activation, and
        `_to_sums` the derivative. For its own operators, and for those of the layer above, there is
        then no activation.
        """
        self.batch = batch
        self.inputs = inputs
        self.inputs_seen = augmented
        self._outputs = outputs
        self._sums = sums
        self.grad_zs = grad_zs
        seed = self._effects.seed if self._effects else None
        self._ops: list[LayerOp] = []
        self._results: list[Array] = []
        x = augmented
        input_activation = "linear"
        for index, layer in enumerate(self._network.layers):
            z = sums[index]
            activation = self._activations[index] if z is None else "linear"
            y = outputs[index] if z is None else z
            op = layer.op_class(
                layer, self._device, x, y, activation, input_activation, index, seed
            )
            self._ops.append(op)
            # `op.y`: dropout outside of training passes on its input, so its own array stays
            # unused.
            x = op.y if z is None else outputs[index]
            self._results.append(x)
            input_activation = activation

    def beside(self) -> "ForwardBackward":
        """The same computation with inputs of its own: they can be filled while these are read."""
        inputs = self._device.empty(self.inputs.shape, self.inputs.dtype)
        part = copy(self)
        seen = self._device.empty(inputs.shape, inputs.dtype) if self._augments else inputs
        part._connect(self.batch, inputs, seen, self._outputs, self._sums, self.grad_zs)
        return part

    def first(self, batch: int) -> "ForwardBackward":
        """The same computation for the first `batch` examples, in the same arrays."""
        part = copy(self)
        part._connect(
            batch,
            self.inputs[:batch],
            self.inputs_seen[:batch],
            _first(self._outputs, batch),
            _first(self._sums, batch),
            _first(self.grad_zs, batch),
        )
        return part

    @property
    def outputs(self) -> tuple[Array, ...]:
        """The output of each layer as the last `forward` left it: (batch, *output shape)."""
        return tuple(self._results)

    def bind(self, parameters: Array) -> None:
        """Compute with the flat array `parameters` from now on."""
        self._parameters = views(self._network, parameters)

    def bind_gradient(self, gradient: Array) -> None:
        """Let `backward` write the flat array `gradient` from now on."""
        self._gradients = views(self._network, gradient)

    def forward(self, counters: Array = None, count: int | None = None) -> Array:
        """Compute all layers, or the first `count`, from `inputs` and return the last output,
        (batch, outputs).

        It is activated, but for cross-entropy it is the sums before the softmax. `counters`: the
        device's counters of steps, needed only with `effects`.
        """
        if self._augments:
            assert self._effects is not None
            self._device.augment(
                self.inputs,
                self._effects.augmentation,
                self._effects.seed,
                counters,
                self.inputs_seen,
            )
        for index, op in enumerate(self._ops[:count]):
            op.forward(self._parameters[index], counters)
            if self._sums[index] is not None:
                self._device.activate(
                    self._sums[index], self._activations[index], self._outputs[index]
                )
        return self._results[-1]

    def loss(self, targets: Array, metrics: Array) -> None:
        """Add loss and correct answers of the last `forward` to `metrics`, and keep the gradient
        for `backward`.

        `targets`: int32 (batch,) labels or float (batch, outputs) targets. `metrics`: see
        `kernels.device`.
        """
        last = self._ops[-1].activation
        self._loss.compute(
            self._device, self._results[-1], targets, last, metrics, self.grad_zs[-1]
        )
        self._to_sums(len(self._ops) - 1)

    def learn(
        self, targets: Array, metrics: Array, counters: Array, sgd: tuple[Array, float] | None
    ) -> None:
        """Do `forward`, `loss` and `backward`, with `Device.output_layer` where it is quicker."""
        last = len(self._ops) - 1
        op = self._ops[last]
        fits = self._network.outputs <= self._device.joined_outputs
        if fits and self._loss.joins_layer and op.has_update and last > self._lowest:
            self.forward(counters, last)
            grad_zs = self.grad_zs[last], self.grad_zs[last - 1]
            op.output_layer(self._parameters[last], targets, metrics, *grad_zs)
            self._to_sums(last - 1)
            self.backward(counters, sgd, last)
        else:
            self.forward(counters)
            self.loss(targets, metrics)
            self.backward(counters, sgd)

    def backward(
        self,
        counters: Array = None,
        sgd: tuple[Array, float] | None = None,
        passed: int | None = None,
    ) -> None:
        """Compute the gradient of the mean loss, from the last layer down to the lowest one with
        parameters.

        It overwrites the flat array `gradient` given to the constructor or `bind_gradient`:
        (parameters,), all weights in layer order, then all biases. Call it after `loss`, with the
        same `counters` as `forward`.

        `sgd`: rate and l2, where all layers have an `update`: the parameters are changed instead,
        and `updated_gradient` computes the gradient. `passed`: a layer whose gradient the layer
        below has already.
        """
        for index in range(len(self._ops) - 1, self._lowest - 1, -1):
            op = self._ops[index]
            grad_z = self.grad_zs[index]
            gradient = self._gradients[index]
            if gradient is not None and sgd is None:
                op.parameter_gradient(self._parameters[index], grad_z, gradient)
            # The input of the lowest layer is data.
            if index > self._lowest and index != passed:
                op.input_gradient(
                    self._parameters[index], grad_z, counters, self.grad_zs[index - 1]
                )
                self._to_sums(index - 1)
            # Not before: the gradient by the input is that of the parameters as they were.
            if gradient is not None and sgd is not None:
                op.update(self._parameters[index], grad_z, *sgd, gradient)

    def updated_gradient(self) -> None:
        """Write the gradient by which `backward` has changed the parameters."""
        for op, parameters, grad_z, gradient in zip(
            self._ops, self._parameters, self.grad_zs, self._gradients, strict=True
        ):
            if gradient is not None:
                op.parameter_gradient(parameters, grad_z, gradient)

    def input_gradient(self, last: int, counters: Array) -> Array:
        """The gradient by `inputs`, (batch, *input shape), of a function of the sums z of layer
        `last`.

        The caller has written the function's gradient by these z to `grad_zs[last]`. Call it after
        `forward`, with the same `counters`; `to_inputs` must have been set.
        """
        for index in range(last, -1, -1):
            out = self.grad_zs[index - 1] if index else self._grad_inputs
            self._ops[index].input_gradient(
                self._parameters[index], self.grad_zs[index], counters, out
            )
            if index:
                self._to_sums(index - 1)
        return self._grad_inputs

    def multiply_by_derivative(self, index: int) -> None:
        """Make of a gradient by the outputs of layer `index`, written to `grad_zs[index]`, that by
        its sums z.
        """
        y = self._results[index] if self._sums[index] is None else self._sums[index]
        self._device.multiply_by_derivative(y, self._activations[index], self.grad_zs[index])

    def _to_sums(self, index: int) -> None:
        """Finish the gradient of layer `index` where its activation is no part of the operators."""
        if self._sums[index] is not None:
            self.multiply_by_derivative(index)


def _first(arrays: list[Array | None], batch: int) -> list[Array | None]:
    """The first `batch` examples of each array."""
    return [None if array is None else array[:batch] for array in arrays]


def _lowest(network: Network) -> int:
    """Index of the first layer with parameters, where the backward pass ends."""
    return next(index for index, shape in enumerate(network.weight_shapes) if shape)
