"""Gradients of networks with every kind of layer and every activation against finite differences,
in float64.
"""

import numpy as np
import pytest

from core.network.forward_backward import ForwardBackward, TrainingEffects
from core.network.layers.convolution import Convolution
from core.network.layers.dense import Dense
from core.network.losses import LOSSES
from core.network.network import Network
from core.network.parameters import views
from kernels.activations import NAMES
from kernels.registry import open_device
from tests.core.network.layer_kinds import iter_activated, iter_layers

BATCH = 4
IMAGE = (6, 7, 2)
STEP = 1e-6
DIRECTIONS = 3  # in which all elements of an array are changed together


class Differences:
    """A network on random inputs, and the differences of its mean loss by any array."""

    def __init__(self, network, activation, loss, device_name, effects=None):
        self.rng = np.random.default_rng(3)
        self.network, self.loss = network, loss
        self.parameters = self.rng.standard_normal(network.parameter_count)
        for layer in views(network, self.parameters):
            if layer is not None and layer.variances is not None:
                layer.variances[:] = self.rng.uniform(0.5, 2, layer.variances.shape)
        self.gradient = np.full(network.parameter_count, np.nan)
        self.counters = np.zeros(2, np.int32)
        self.batch = ForwardBackward(
            network,
            activation,
            loss,
            open_device(device_name),
            self.parameters,
            BATCH,
            gradient=self.gradient,
            effects=effects,
            to_inputs=True,
            dtype=np.float64,
        )
        self.batch.inputs[:] = self.rng.standard_normal(self.batch.inputs.shape)
        self.targets = self.rng.integers(0, network.outputs, BATCH).astype(np.int32)
        if loss.kind == "regression":
            self.targets = self.rng.standard_normal((BATCH, network.outputs))

    def mean_loss(self):
        metrics = np.zeros(2)
        self.batch.forward(self.counters)
        self.batch.loss(self.targets, metrics)
        return metrics[0] / BATCH

    def check(self):
        self.mean_loss()
        self.batch.backward(self.counters)
        by_inputs = self.batch.input_gradient(len(self.network.layers) - 1, self.counters).copy()
        for array, gradient in zip(
            views(self.network, self.parameters), views(self.network, self.gradient), strict=True
        ):
            if array is not None:
                self.compare(array.weights, gradient.weights)
                self.compare(array.biases, gradient.biases)
        self.compare(self.batch.inputs, by_inputs)

    def compare(self, array, gradient):
        values = array.copy()
        for _ in range(DIRECTIONS):
            direction = self.rng.standard_normal(array.shape)
            array[...] = values + STEP * direction
            up = self.mean_loss()
            array[...] = values - STEP * direction
            down = self.mean_loss()
            array[...] = values
            difference = (up - down) / (2 * STEP)
            assert (gradient * direction).sum() == pytest.approx(difference, rel=2e-5, abs=1e-7)


@pytest.mark.parametrize("device_name", ["sequential", "vectorized"])
@pytest.mark.parametrize("training", [True, False], ids=["training", "evaluation"])
@pytest.mark.parametrize("layer", [*iter_layers(), *iter_activated()], ids=lambda layer: layer.text)
def test_every_kind_of_layer(layer, training, device_name):
    """Between a convolution, through which it passes its gradient, and the last layer."""
    network = Network(IMAGE, (Convolution(3, 3, "tanh"), layer, Dense(3)))
    effects = TrainingEffects(5) if training else None
    Differences(network, "tanh", LOSSES[0], device_name, effects).check()


@pytest.mark.parametrize("device_name", ["sequential", "vectorized"])
@pytest.mark.parametrize("layer", [*iter_layers()], ids=lambda layer: layer.text)
@pytest.mark.parametrize("activation", NAMES)
def test_every_activation_below_every_kind_of_layer(activation, layer, device_name):
    network = Network(IMAGE, (Convolution(2, 3, activation), layer, Dense(3)))
    Differences(network, "tanh", LOSSES[0], device_name, TrainingEffects(5)).check()


@pytest.mark.parametrize("device_name", ["sequential", "vectorized"])
@pytest.mark.parametrize("activation", NAMES)
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: f"{loss.kind}-{loss.name}")
def test_every_activation_of_the_last_layer(loss, activation, device_name):
    """With cross-entropy the last layer is linear, and the activation is that of the layers before
    it.
    """
    last = Dense(3) if loss.name == "cross-entropy" else Dense(3, activation)
    network = Network((6,), (Dense(5), Dense(4), last))
    Differences(network, activation, loss, device_name).check()
