"""The gradient of a whole network against finite differences, in float64."""

import numpy as np
import pytest

from core.network.forward_backward import ForwardBackward
from core.network.losses import find_loss
from core.network.notation import parse
from kernels.registry import open_device

NETWORKS = ["6-5-4-3", "6-3", "5:sigmoid-4:tanh-3", "5:clipped-leaky-relu-4:leaky-relu-3"]


@pytest.mark.parametrize("device_name", ["sequential", "vectorized"])
@pytest.mark.parametrize("loss", ["cross-entropy", "squared-error", "regression"])
@pytest.mark.parametrize("text", NETWORKS)
def test_gradient_equals_finite_differences_of_the_loss(text, loss, device_name):
    rng = np.random.default_rng(3)
    kind = "regression" if loss == "regression" else "classes"
    network = parse(text, (6,), 3)
    device = open_device(device_name)
    parameters = rng.standard_normal(network.parameter_count)
    gradient = np.full(network.parameter_count, np.nan)
    batch = 4
    one = ForwardBackward(network, "tanh", find_loss(loss, kind), device, parameters, batch,
               gradient=gradient, dtype=np.float64)  # fmt: skip
    one.inputs[:] = rng.standard_normal((batch, 6))
    answers = rng.standard_normal((batch, 3)) if kind == "regression" else np.array([0, 2, 1, 2], np.int32)

    def mean_loss():
        metrics = np.zeros(2)
        one.forward()
        one.loss(answers, metrics)
        return metrics[0] / batch

    mean_loss()
    one.backward()
    step = 1e-6
    grad_zs = np.empty_like(parameters)
    for k, value in enumerate(parameters.copy()):
        parameters[k] = value + step
        up = mean_loss()
        parameters[k] = value - step
        grad_zs[k] = (up - mean_loss()) / (2 * step)
        parameters[k] = value
    np.testing.assert_allclose(gradient, grad_zs, rtol=1e-5, atol=1e-8)
