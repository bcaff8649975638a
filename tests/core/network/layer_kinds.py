"""Layers of every kind, made from the fields of the kinds: a new kind is in the tests by its
file.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from core.network.forward_backward import ForwardBackward, TrainingEffects
from core.network.layers import KINDS, Layer
from core.network.layers.layer import ACTIVATION
from core.network.losses import LOSSES
from core.network.network import Network
from core.network.parameters import views
from kernels.activations import NAMES
from kernels.device import Device

_MOST = 5  # of a number that may be large, such as units


def small(kind: type[Layer], most: int = _MOST) -> Layer:
    """The kind's default layer with numbers up to `most`."""
    layer = kind()
    numbers = [field.name for field in kind.fields if not field.choices]
    return replace(layer, **{name: min(getattr(layer, name), most) for name in numbers})


def iter_layers() -> Iterator[Layer]:
    """Of each kind a small layer, then one for each choice of each field but the activation."""
    for kind in KINDS:
        layer = small(kind)
        yield layer
        for field in kind.fields:
            if field is ACTIVATION:
                continue
            for value, _ in field.choices:
                if value != getattr(layer, field.name):
                    yield replace(layer, **{field.name: value})


def iter_activated() -> Iterator[Layer]:
    """Of each kind with an activation a small layer with each one."""
    for kind in KINDS:
        if kind.has_activation():
            for name in NAMES:
                yield replace(small(kind), activation=name)


def step_on(
    device: Device, layers: tuple[Layer, ...], activation: str = "tanh"
) -> list[np.ndarray]:
    """Outputs, metrics and gradients of a network with these layers, from the same random numbers
    on every device.
    """
    rng, batch = np.random.default_rng(3), 2
    network = Network((5, 5, 1), layers)
    numbers = rng.standard_normal(network.parameter_count)
    for layer in views(network, numbers):
        if layer is not None and layer.variances is not None:
            layer.variances[:] = rng.uniform(0.5, 2, layer.variances.shape)
    parameters = device.upload(numbers.astype(np.float32))
    gradient = device.upload(np.full(network.parameter_count, np.nan, np.float32))
    metrics, counters = device.upload(np.zeros(2)), device.upload(np.zeros(2, np.int32))
    computed = ForwardBackward(
        network,
        activation,
        LOSSES[0],
        device,
        parameters,
        batch,
        gradient=gradient,
        effects=TrainingEffects(5),
        to_inputs=True,
    )
    device.write(computed.inputs, rng.standard_normal(computed.inputs.shape).astype(np.float32))
    computed.forward(counters)
    computed.loss(device.upload(np.arange(batch, dtype=np.int32) % network.outputs), metrics)
    computed.backward(counters)
    by_inputs = computed.input_gradient(len(layers) - 1, counters)
    device.synchronize()
    return [device.download(array) for array in (*computed.outputs, metrics, gradient, by_inputs)]
