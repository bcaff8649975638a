"""Every operator of the device contract as a case: inputs drawn at random, run on any device,
outputs compared.

Outputs are poisoned with NaN before each run, so that an element nobody wrote is seen.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.training.optimizers import OPTIMIZERS
from core.training.optimizers.optimizer import Optimizer, UpdateArrays
from core.training.run_settings import RunSettings
from kernels.activations import NAMES
from kernels.device import Device
from tests.kernels.numpy_reference import activation_of

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Case:
    """`draw(rng, dtype)` gives the arrays; `run(device, a)` the call; `outputs` name what it writes
    wholly, `changed` what it updates in place."""

    name: str
    draw: Callable[[np.random.Generator, type], Arrays]
    run: Callable[[Device, dict], None]
    outputs: tuple[str, ...] = ("out",)
    changed: tuple[str, ...] = ()


def run_case(case: Case, device: Device, arrays: Arrays) -> Arrays:
    """What the case wrote on `device`, from the same host arrays every time."""
    on_device = {}
    for name, array in arrays.items():
        host = array.copy()
        if name in case.outputs:
            host.fill(np.nan)
        on_device[name] = device.upload(host)
    case.run(device, on_device)
    device.synchronize()
    return {name: device.download(on_device[name]) for name in case.outputs + case.changed}


def _normal(rng, dtype, *shape):
    return rng.standard_normal(shape).astype(dtype)


def _outputs_of(activation, rng, dtype, *shape):
    """Values as an activation gives them, on both sides of its corners."""
    return activation_of(1.5 * rng.standard_normal(shape), activation).astype(dtype)


def dense_cases(sizes: tuple[int, int, int]) -> list[Case]:
    """Dense layers of n examples, i inputs and o outputs."""
    n, i, o = sizes
    cases = []
    for activation in NAMES:

        def draw(rng, dtype):
            return {
                "x": _normal(rng, dtype, n, i),
                "w": _normal(rng, dtype, i, o) / dtype(i) ** dtype(0.5),
                "b": _normal(rng, dtype, o),
                "out": np.empty((n, o), dtype),
            }

        def run(device, a, activation=activation):
            device.dense(a["x"], a["w"], a["b"], activation, a["out"])

        cases.append(Case(f"dense-{activation}-{n}x{i}x{o}", draw, run))

        def draw_gradient(rng, dtype, activation=activation):
            return {
                "grad_z": _normal(rng, dtype, n, o),
                "w": _normal(rng, dtype, i, o) / dtype(o) ** dtype(0.5),
                "y": _outputs_of(activation, rng, dtype, n, i),
                "out": np.empty((n, i), dtype),
            }

        def run_gradient(device, a, activation=activation):
            device.dense_input_gradient(a["grad_z"], a["w"], a["y"], activation, a["out"])

        cases.append(
            Case(f"dense_input_gradient-{activation}-{n}x{i}x{o}", draw_gradient, run_gradient)
        )

    def draw_weights(rng, dtype):
        return {
            "x": _normal(rng, dtype, n, i) / dtype(n) ** dtype(0.5),
            "grad_z": _normal(rng, dtype, n, o),
            "out": np.empty((i, o), dtype),
            "bias": np.empty(o, dtype),
        }

    def run_weights(device, a):
        device.dense_weight_gradient(a["x"], a["grad_z"], a["out"])
        device.bias_gradient(a["grad_z"], a["bias"])

    cases.append(
        Case(f"parameter_gradients-{n}x{i}x{o}", draw_weights, run_weights, ("out", "bias"))
    )

    def draw_update(rng, dtype):
        weights, biases, rate = _normal(rng, dtype, i, o), _normal(rng, dtype, o), dtype(0.3)
        return draw_weights(rng, dtype) | {"w": weights, "b": biases, "rate": np.array([rate])}

    def run_update(device, a):
        gradients = a["out"], a["bias"]
        device.dense_update(a["x"], a["grad_z"], a["w"], a["b"], a["rate"], 0.1, gradients)

    cases.append(Case(f"dense_update-{n}x{i}x{o}", draw_update, run_update, (), ("w", "b")))
    return cases


def normalization_cases(*shape: int) -> list[Case]:
    """Batch normalization of x in `shape`, (n, units) or (n, height, width, maps)."""
    name, c = "x".join(map(str, shape)), shape[-1]

    def draw(rng, dtype):
        x = (2 + _normal(rng, dtype, *shape) * (1 + np.arange(c))).astype(dtype)
        return {
            "x": x,
            "grad_z": _normal(rng, dtype, *shape),
            "scale": _normal(rng, dtype, c),
            "shift": _normal(rng, dtype, c),
            "mean": np.empty(c, dtype),
            "variance": np.empty(c, dtype),
            "out": np.empty_like(x),
            "scale_gradient": np.empty(c, dtype),
            "shift_gradient": np.empty(c, dtype),
        }

    def forward(device, a, activation):
        device.batch_statistics(a["x"], a["mean"], a["variance"])
        device.normalize(
            a["x"], a["mean"], a["variance"], a["scale"], a["shift"], activation, a["out"]
        )

    cases = []
    for activation in NAMES:

        def run(device, a, activation=activation):
            forward(device, a, activation)

        cases.append(Case(f"normalize-{activation}-{name}", draw, run, ("out", "mean", "variance")))
    for activation in NAMES:
        for of_batch in (True, False):

            def backward(device, a, activation=activation, of_batch=of_batch):
                device.batch_statistics(a["x"], a["mean"], a["variance"])
                sums = a["scale_gradient"], a["shift_gradient"]
                device.normalize_parameter_gradient(
                    a["grad_z"], a["x"], a["mean"], a["variance"], *sums
                )
                device.normalize_input_gradient(
                    a["grad_z"],
                    a["x"],
                    a["mean"],
                    a["variance"],
                    a["scale"],
                    sums if of_batch else None,
                    activation,
                    a["out"],
                )

            kind = "batch" if of_batch else "constants"
            cases.append(
                Case(
                    f"normalize_gradients-{activation}-{kind}-{name}",
                    draw,
                    backward,
                    ("out", "mean", "variance", "scale_gradient", "shift_gradient"),
                )
            )
    return cases


def loss_cases(n: int, o: int) -> list[Case]:
    def draw(rng, dtype):
        return {
            "z": 3 * _normal(rng, dtype, n, o),
            "labels": rng.integers(0, o, n).astype(np.int32),
            "targets": _normal(rng, dtype, n, o),
            "metrics": np.array([2.5, 1.0]),
            "out": np.empty((n, o), dtype),
        }

    def entropy(device, a):
        device.softmax_cross_entropy(a["z"], a["labels"], a["metrics"], a["out"])

    def softmax(device, a):
        device.softmax(a["z"], a["out"])

    cases = [
        Case(f"softmax_cross_entropy-{n}x{o}", draw, entropy, changed=("metrics",)),
        Case(f"softmax-{n}x{o}", draw, softmax),
    ]
    for activation in NAMES:

        def classes(device, a, activation=activation):
            device.squared_error_classes(a["z"], a["labels"], activation, a["metrics"], a["out"])

        def targets(device, a, activation=activation):
            device.squared_error(a["z"], a["targets"], activation, a["metrics"], a["out"])

        cases.append(
            Case(f"squared_error_classes-{activation}-{n}x{o}", draw, classes, changed=("metrics",))
        )
        cases.append(
            Case(f"squared_error-{activation}-{n}x{o}", draw, targets, changed=("metrics",))
        )
    return cases


def output_cases(n: int, i: int, o: int) -> list[Case]:
    def draw(rng, dtype):
        return {
            "x": _outputs_of("leaky-relu", rng, dtype, n, i),
            "w": _normal(rng, dtype, i, o) / dtype(i) ** dtype(0.5),
            "b": _normal(rng, dtype, o),
            "labels": rng.integers(0, o, n).astype(np.int32),
            "metrics": np.array([2.5, 1.0]),
            "z": np.empty((n, o), dtype),
            "grad_z": np.empty((n, o), dtype),
            "out": np.empty((n, i), dtype),
        }

    def run(device, a):
        results = a["z"], a["grad_z"], a["out"]
        layer = a["x"], a["w"], a["b"], "leaky-relu"
        if o <= device.joined_outputs:
            device.output_layer(*layer, a["labels"], a["metrics"], results)
        else:
            run_parts(device, a)

    def run_parts(device, a):
        device.dense(a["x"], a["w"], a["b"], "linear", a["z"])
        device.softmax_cross_entropy(a["z"], a["labels"], a["metrics"], a["grad_z"])
        device.dense_input_gradient(a["grad_z"], a["w"], a["x"], "leaky-relu", a["out"])

    outputs = "z", "grad_z", "out"
    return [
        Case(f"output-layer-{n}x{i}x{o}", draw, run, outputs, changed=("metrics",)),
        Case(f"output-layer-in-parts-{n}x{i}x{o}", draw, run_parts, outputs, changed=("metrics",)),
    ]


def update_cases(size: int) -> list[Case]:
    def draw(rng, dtype):
        return {
            "p": _normal(rng, dtype, size),
            "g": _normal(rng, dtype, size),
            "rate": np.array([0.01], dtype),
            "counters": np.array([7, 3], np.int32),
            "group": _normal(rng, dtype, 3, size),
            "out": np.empty(size, dtype),
        }

    cases = [Case(f"average-{size}", draw, lambda device, a: device.average(a["group"], a["out"]))]
    weight_count = size * 2 // 3

    def draw_with_zeros(rng, dtype):
        return {"p": np.round(_normal(rng, dtype, size)), "g": _normal(rng, dtype, size)}

    def l1(device, a):
        device.add_l1_gradient(a["p"], a["g"], 0.3, weight_count)

    cases.append(Case(f"l1-{size}", draw_with_zeros, l1, (), ("p", "g")))
    for optimizer in OPTIMIZERS.values():
        for values in _settings_of(optimizer):
            for l2 in (0.0, 0.1):
                cases.append(_optimizer_case(optimizer, {**values, "l2": l2}, draw, size))
    return cases


def _settings_of(optimizer: Optimizer) -> list[dict[str, Any]]:
    """The defaults of the optimizer's own settings, and for each switch among them also the other
    position.
    """
    defaults = {name: getattr(RunSettings(), name) for name in optimizer.settings}
    switches = [name for name, value in defaults.items() if isinstance(value, bool)]
    return [defaults, *({**defaults, name: not defaults[name]} for name in switches)]


def _optimizer_case(optimizer: Optimizer, settings: dict[str, Any], draw: Any, size: int) -> Case:
    """`draw` gives parameters, gradient, rate and counters; the state is drawn here, positive as a
    mean of squares.
    """
    states = [f"state{k}" for k in range(optimizer.state_arrays)]

    def draw_with_state(rng, dtype):
        return draw(rng, dtype) | {name: _normal(rng, dtype, size) ** 2 for name in states}

    def run(device, a):
        state = [a[name] for name in states]
        arrays = UpdateArrays(a["p"], a["g"], state, a["rate"], a["counters"], size * 2 // 3)
        optimizer.update(device, settings, arrays)

    values = "-".join(f"{name}={value}" for name, value in settings.items())
    return Case(f"{optimizer.name}-{values}-{size}", draw_with_state, run, (), ("p", *states))


def batch_cases(images: int, batch: int) -> list[Case]:
    def draw(rng, dtype):
        return {
            "pixels": rng.integers(0, 256, (images, 5, 3, 1)).astype(np.uint8),
            "points": _normal(rng, dtype, images, 4),
            "labels": np.arange(images, dtype=np.int32),
            "order": rng.permutation(images).astype(np.int32),
            "counters": np.array([2, 9], np.int32),
            "out": np.empty((batch, 5, 3, 1), dtype),
            "near": np.empty((batch, 4), dtype),
            "found": np.full(batch, -1, np.int32),
            "steps": np.array([2, 9], np.int32),
            "metrics": np.array([2.5, 3.0]),
            "history": np.zeros((4, 2)),
        }

    def run(device, a):
        device.gather(a["pixels"], a["order"], a["counters"], a["out"])
        device.gather(a["labels"], a["order"], a["counters"], a["found"])
        if a["near"].dtype == a["points"].dtype:
            device.gather(a["points"], a["order"], a["counters"], a["near"])
        device.advance(a["counters"], batch)
        device.advance(a["steps"], batch, a["metrics"], a["history"])

    exact = ("found", "counters", "steps", "metrics", "history")
    return [Case(f"gather-{batch}-of-{images}", draw, run, ("out", "near"), exact)]


def elementwise_cases(rows: int, columns: int) -> list[Case]:
    """Pairs of equal shape, a row and a number beside a matrix, each activation, the plain
    product.
    """

    def draw(rng, dtype):
        return {
            "x": _normal(rng, dtype, rows, columns), "same": _normal(rng, dtype, rows, columns),
            "row": _normal(rng, dtype, columns), "number": _normal(rng, dtype, 1),
            "y": _normal(rng, dtype, columns, rows), "out": np.empty((rows, columns), dtype),
            "product": np.empty((rows, rows), dtype),
        }  # fmt: skip

    cases = [
        Case(
            f"dot-{rows}x{columns}",
            draw,
            lambda device, a: device.dot(a["x"], a["y"], a["product"]),
            ("product",),
        )
    ]
    for name in ("add", "subtract", "multiply"):
        for second in ("same", "row", "number"):

            def pair(device, a, name=name, second=second):
                getattr(device, name)(a["x"], a[second], a["out"])

            cases.append(Case(f"{name}-{second}-{rows}x{columns}", draw, pair))
    for activation in NAMES:

        def activate(device, a, activation=activation):
            device.activate(a["x"], activation, a["out"])

        def times_derivative(device, a, activation=activation):
            device.multiply_by_derivative(a["x"], activation, a["same"])

        cases.append(Case(f"activate-{activation}-{rows}x{columns}", draw, activate))
        name = f"multiply_by_derivative-{activation}-{rows}x{columns}"
        cases.append(Case(name, draw, times_derivative, (), ("same",)))
    return cases


def cases(scale: int = 1) -> list[Case]:
    """The cases of every operator, with odd sizes; `scale` multiplies them for a real card."""
    s = scale
    return [
        *dense_cases((7 * s, 13 * s, 5 * s)),
        *dense_cases((1, 3 * s, 1)),
        *normalization_cases(9 * s, 5),
        *normalization_cases(2 * s, 3, 4, 3),
        *loss_cases(6 * s + 1, 10),
        *output_cases(6 * s, 7 * s, 3)[:1],
        *update_cases(101 * s),
        *batch_cases(20 * s, 9 * s),
        *elementwise_cases(7 * s, 5 * s),
    ]
