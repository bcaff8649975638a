"""CTC: against all paths, PyTorch and finite differences; a network that learns by it to read
lines.
"""

from contextlib import closing
from dataclasses import replace
from itertools import groupby, product

import numpy as np
import pytest

from core.inference.engine import Engine
from core.inference.model_file import Model, load_model
from core.network.forward_backward import ForwardBackward
from core.network.initialization import initial_parameters
from core.network.notation import parse
from kernels.vectorized.device import Vectorized
from tools.models.number_line import TrainedCTC

Z = np.sin(np.arange(3 * 8 * 4) * 1.7).reshape(3, 1, 8, 4) * 3
TARGETS = np.array([[0, 1, -1], [2, 2, 0], [-1, -1, -1]], np.int32)


def ctc(z, targets):
    """Summed loss, lines read, gradient."""
    metrics = np.zeros(2)
    out = np.full_like(z, np.nan)
    TrainedCTC().compute(Vectorized(1), z, targets, "softmax", metrics, out)
    return *metrics, out


def test_the_loss_is_the_sum_over_all_paths():
    z = Z[:, :, :5]
    p = np.exp(z[:, 0]) / np.exp(z[:, 0]).sum(-1, keepdims=True)
    for line in range(3):
        total = 0.0
        for path in product(range(4), repeat=5):
            read = [answer for answer, _ in groupby(path) if answer != 3]
            if read == [target for target in TARGETS[line] if target >= 0]:
                total += np.prod(p[line, range(5), path])
        loss, _, _ = ctc(z[line : line + 1], TARGETS[line : line + 1])
        assert loss == pytest.approx(-np.log(total))


def test_loss_and_gradient_are_those_of_pytorch():
    """torch.nn.functional.ctc_loss of PyTorch 2.13.0."""
    losses = [ctc(Z[n : n + 1], TARGETS[n : n + 1])[0] for n in range(3)]
    assert losses == pytest.approx([7.998246180408984, 10.1959859888976, 18.461624882884436])
    _, _, gradient = ctc(Z, TARGETS)
    assert gradient[1, 0, 2] == pytest.approx(
        [0.0014963253382211422, 0.11596605567276824, -0.027069278083306548, -0.09039310292768284]
    )


def test_the_gradient_is_that_of_finite_differences():
    _, _, gradient = ctc(Z, TARGETS)
    for k in range(0, Z.size, 5):
        moved = [Z.copy(), Z.copy()]
        moved[0].flat[k] += 1e-6
        moved[1].flat[k] -= 1e-6
        up, down = (ctc(z, TARGETS)[0] for z in moved)
        assert gradient.flat[k] == pytest.approx((up - down) / 2e-6 / len(Z), abs=1e-8)


def test_lines_are_read_by_the_best_path_and_too_long_ones_have_no_gradient():
    z = np.zeros((1, 1, 4, 3))
    z[0, 0, range(4), [0, 2, 0, 1]] = 9
    for targets, is_read in (([0, 0, 1], 1), ([0, 1, -1], 0), ([0, 0, -1], 0), ([-1, -1, -1], 0)):
        assert ctc(z, np.array([targets], np.int32))[1] == is_read
    loss, _, gradient = ctc(z, np.array([[0, 0, 0]], np.int32))
    assert loss == np.inf
    assert not gradient.any()


def test_a_network_learns_to_read_lines_and_reads_those_of_any_width(tmp_path):
    """High and low marks of one column, 1 and 0, in any place; from a file as the engine
    computes.
    """
    rng = np.random.default_rng(4)
    network = parse("8C3-MP2x1-8C3x5:beside-3C1", (6, 24, 1), 3, by_column=True)
    device = Vectorized()
    parameters = initial_parameters(network, "he", 1)
    gradient, *state = np.zeros((3, len(parameters)), np.float32)
    counters, rate = np.zeros(2, np.int32), np.array([0.01], np.float32)
    step = ForwardBackward(network, "relu", TrainedCTC(), device, parameters, 32, gradient=gradient)
    for _ in range(150):
        step.inputs[:], targets = marks(rng, 32, 24)
        metrics = np.zeros(2)
        step.forward()
        step.loss(targets, metrics)
        step.backward()
        count = network.weight_count
        device.adam(parameters, gradient, *state, rate, counters, 0.0, count)
        counters[1] += 1
    path = tmp_path / "marks.safetensors"
    names = ("low", "high", "nothing")
    Model(network, "relu", "ctc", "classes", names, parameters).save(path)
    model = load_model(path)
    lines, targets = marks(rng, 50, 40)
    wider = replace(model.network, input_shape=(6, 40, 1))
    with closing(Engine(replace(model, network=wider))) as engine:
        z = engine.outputs(lines)[-1]
        assert engine.probabilities(z).sum(axis=-1) == pytest.approx(np.ones((50, 1, 40)))
    assert z.shape == (50, 1, 40, 3)
    assert ctc(z, targets)[1] >= 48


def marks(rng, count, width):
    """Lines (count, 6, width, 1) and what stands in them."""
    lines = np.zeros((count, 6, width, 1), np.float32)
    targets = np.full((count, 5), -1, np.int32)
    for line, target in zip(lines, targets, strict=True):
        number = int(rng.integers(1, 6))
        columns = np.sort(rng.choice(width // 4, number, replace=False)) * 4 + rng.integers(4)
        target[:number] = rng.integers(0, 2, number)
        for column, mark in zip(columns, target, strict=False):
            line[0 if mark else 3 :][:3, column] = 1
    return lines, targets
