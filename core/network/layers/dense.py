"""Dense (fully connected) layers: `512`, `512N`, `512N:tanh`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from core.network.layers.layer import (
    ACTIVATION,
    ACTIVATION_OPTIONS,
    Area,
    FormField,
    Layer,
    LayerOp,
    LayerParameters,
    Shape,
    flat,
)
from kernels.device import Array


class DenseOp(LayerOp):
    """y (n, o) = f(x (n, i) · w (i, o) + b (o,)). An image counts as a row of i = h·w·c numbers."""

    has_update = True

    def __post_init__(self) -> None:
        self.x = flat(self.x)

    def forward(self, parameters: Any, counters: Array) -> None:
        """z[n, o] = Σ_i x[n, i] w[i, o] + b[o]; y = f(z)."""
        self.device.dense(self.x, parameters.weights, parameters.biases, self.activation, self.y)

    def parameter_gradient(self, parameters: object, grad_z: Array, out: LayerParameters) -> None:
        """dL/dw[i, o] = Σ_n dL/dz[n, o] ∂z[n, o]/∂w[i, o] = Σ_n x[n, i] dL/dz[n, o], so dL/dw = xᵀ
        · dL/dz.

        ∂z[n, o]/∂b[o] = 1, so dL/db[o] = Σ_n dL/dz[n, o].
        """
        self.device.dense_weight_gradient(self.x, grad_z, out.weights)
        self.device.bias_gradient(grad_z, out.biases)

    def update(
        self, parameters: Any, grad_z: Array, rate: Array, l2: float, scratch: LayerParameters
    ) -> None:
        w = parameters.weights
        gradients = scratch.weights, scratch.biases
        self.device.dense_update(self.x, grad_z, w, parameters.biases, rate, l2, gradients)

    def input_gradient(self, parameters: Any, grad_z: Array, counters: Array, out: Array) -> None:
        """dL/dx[n, i] = Σ_o dL/dz[n, o] w[i, o], so dL/dx = dL/dz · wᵀ.

        With x = g(u), g the activation below and u its sums: dL/du = dL/dx ⊙ g'(u), and every
        activation's derivative can be computed from x.
        """
        self.device.dense_input_gradient(
            grad_z, parameters.weights, self.x, self.input_activation, flat(out)
        )

    def output_layer(
        self, parameters: Any, labels: Array, metrics: Array, grad_z: Array, out: Array
    ) -> None:
        layer = self.x, parameters.weights, parameters.biases, self.input_activation
        self.device.output_layer(*layer, labels, metrics, (self.y, grad_z, flat(out)))


@dataclass(frozen=True)
class Dense(Layer):
    """`units` weighted sums of all inputs, each passed through the activation."""

    units: int = 64
    activation: str | None = None

    order: ClassVar = 0
    title: ClassVar = "Dense"
    help: ClassVar = "Dense: every unit computes a weighted sum of all inputs."
    pattern: ClassVar = r"(?P<units>\d+)N?"
    options: ClassVar = ACTIVATION_OPTIONS
    fields: ClassVar = (
        FormField("units", "Units", "Number of weighted sums of the inputs.", suffix=" units"),
        ACTIVATION,
    )
    op_class: ClassVar = DenseOp
    can_be_last: ClassVar = True

    @property
    def text(self) -> str:
        return f"{self.units}N" + (f":{self.activation}" if self.activation else "")

    @property
    def caption(self) -> str:
        return "{units} unit" if self.units == 1 else "{units} units"

    @property
    def is_plain(self) -> bool:
        return self.activation is None

    def output_shape(self, shape: Shape) -> Shape:
        return (self.units,)

    def weight_shape(self, shape: Shape) -> Shape:
        return (prod(shape), self.units)

    def multiply_adds(self, shape: Shape) -> int:
        return prod(shape) * self.units

    def numpy_code(self, shape: Shape, parameters: Sequence[str]) -> str:
        return "x.ravel() @ {} + {}".format(*parameters)

    def page_fields(self, shape: Shape) -> Mapping[str, Any]:
        return {"kind": "dense"}

    def torch_modules(self, shape: Shape) -> list[str]:
        flat = ["nn.Flatten()"] if len(shape) == 3 else []
        return [*flat, f"nn.Linear({prod(shape)}, {self.units})"]

    def onnx_nodes(self, shape: Shape) -> list[tuple[str, Mapping[str, Any]]]:
        gemm: tuple[str, Mapping[str, Any]] = ("Gemm", {"transB": 1})
        return [("Flatten", {}), gemm] if len(shape) == 3 else [gemm]

    def pulls(self, x: np.ndarray, errors: np.ndarray, weight: tuple[int, ...]) -> np.ndarray:
        """x[n, i] dL/dz[n, o], see `DenseOp.parameter_gradient`."""
        source, unit = weight
        return flat(x)[:, source] * errors[:, unit]

    def area_before(self, shape: Shape, area: Area) -> Area:
        return (0, 0, shape[0], shape[1]) if len(shape) == 3 else area

    def terms(
        self, x: np.ndarray, parameters: Any, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, np.ndarray, float]:
        return x, parameters.weights[:, unit].reshape(x.shape), float(parameters.biases[unit])
