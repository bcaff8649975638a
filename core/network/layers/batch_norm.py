"""Batch normalization: `BN`, `BN:tanh`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from core.network.layers.layer import (
    ACTIVATION,
    ACTIVATION_OPTIONS,
    Layer,
    LayerOp,
    LayerParameters,
    Shape,
)
from kernels.device import VARIANCE_EPSILON, Array


class BatchNormOp(LayerOp):
    """y = f(z), z = γ x̂ + β, x̂ = (x - μ) / √(v + ε), for each channel: a unit of x (n, i) or a
    map of x (n, h, w, c).

    Ioffe and Szegedy 2015. While training μ and v are the mean and variance of the batch, over its
    m = n or n·h·w numbers of the channel; outside of training they are running ones, of the batches
    of the training so far. γ are the layer's weights and β its biases.
    """

    def __post_init__(self) -> None:
        if self.seed is not None:
            *rest, channels = self.x.shape  # not by -1: CUDA's simulator has its own tuple of sizes
            m = prod(rest)
            self._mean, self._variance, self._unbiased = (
                self.device.empty((channels,), self.x.dtype) for _ in range(3)
            )
            # For a single number the unbiased variance is not defined: no correction.
            self._correction = self.device.upload(np.array([m / max(m - 1, 1)], self.x.dtype))
        # Set by `parameter_gradient`, which is called before `input_gradient`; None outside of
        # training.
        self._sums: tuple[Array, Array] | None = None

    def _statistics(self, parameters: LayerParameters) -> tuple[Array, Array]:
        """Mean and variance with which x is normalized."""
        if self.seed is None:
            return parameters.means, parameters.variances
        return self._mean, self._variance

    def forward(self, parameters: Any, counters: Array) -> None:
        """While training, μ = Σ x / m and v = Σ (x - μ)² / m first; then y = f(γ (x - μ) / √(v + ε)
        + β).
        """
        if self.seed is not None:
            self.device.batch_statistics(self.x, self._mean, self._variance)
        self.device.normalize(
            self.x,
            *self._statistics(parameters),
            parameters.weights,
            parameters.biases,
            self.activation,
            self.y,
        )

    def parameter_gradient(self, parameters: Any, grad_z: Array, out: LayerParameters) -> None:
        """dL/dγ = Σ dL/dz x̂ and dL/dβ = Σ dL/dz, over the m numbers of each channel, since z = γ
        x̂ + β.

        For the running statistics: the running mean - μ, and the running variance - v · m / (m -
        1), the unbiased estimate of the variance of all data (algorithm 2 of the paper). Outside of
        training both are 0.
        """
        mean, variance = self._statistics(parameters)
        self.device.normalize_parameter_gradient(
            grad_z, self.x, mean, variance, out.weights, out.biases
        )
        if self.seed is not None:
            # Only in training: outside of it mean and variance are constants, and no sums are
            # needed.
            self._sums = out.weights, out.biases
            self.device.multiply(variance, self._correction, self._unbiased)
            variance = self._unbiased
        self.device.subtract(parameters.means, mean, out.means)
        self.device.subtract(parameters.variances, variance, out.variances)

    def input_gradient(self, parameters: Any, grad_z: Array, counters: Array, out: Array) -> None:
        """While training every x of a channel changes μ and v, and by them every x̂:

        dL/dx = γ / √(v + ε) · (dL/dz - (dL/dβ + x̂ dL/dγ) / m), derived in
        `kernels.sequential.normalization`. Outside of training μ and v are constants: dL/dx = γ /
        √(v + ε) · dL/dz. It is multiplied by the derivative of the activation below, as in
        `DenseOp.input_gradient`.
        """
        self.device.normalize_input_gradient(
            grad_z,
            self.x,
            *self._statistics(parameters),
            parameters.weights,
            self._sums,
            self.input_activation,
            out,
        )


@dataclass(frozen=True)
class BatchNorm(Layer):
    """Normalizes each unit or map to mean 0 and variance 1 over the batch, then scales and shifts
    it.

    The activation of the layer before it is applied after the normalization, unless that layer has
    one of its own.
    """

    activation: str | None = None

    order: ClassVar = 4
    title: ClassVar = "Batch normalization"
    help: ClassVar = (
        "Batch normalization: every unit or map is brought to mean 0 and variance 1 over the "
        "batch before its activation, so that deep networks learn faster."
    )
    pattern: ClassVar = r"BN"
    options: ClassVar = ACTIVATION_OPTIONS
    fields: ClassVar = (ACTIVATION,)
    op_class: ClassVar = BatchNormOp
    takes_activation: ClassVar = True
    differs_in_training: ClassVar = True
    has_statistics: ClassVar = True
    initial_weight: ClassVar = 1.0

    @property
    def text(self) -> str:
        return "BN" + (f":{self.activation}" if self.activation else "")

    @property
    def caption(self) -> str:
        return "batch normalization"

    def output_shape(self, shape: Shape) -> Shape:
        return shape

    def weight_shape(self, shape: Shape) -> Shape:
        return shape[-1:]

    def multiply_adds(self, shape: Shape) -> int:
        return prod(shape)

    def numpy_code(self, shape: Shape, parameters: Sequence[str]) -> str:
        scale, shift, mean, variance = parameters
        return f"{scale} * (x - {mean}) / np.sqrt({variance} + {VARIANCE_EPSILON}) + {shift}"

    def page_fields(self, shape: Shape) -> Mapping[str, Any]:
        return {"kind": "normalization"}

    def torch_modules(self, shape: Shape) -> list[str]:
        return [f"nn.BatchNorm{2 if len(shape) == 3 else 1}d({shape[-1]}, eps={VARIANCE_EPSILON})"]

    def onnx_nodes(self, shape: Shape) -> list[tuple[str, Mapping[str, Any]]]:
        return [("BatchNormalization", {"epsilon": VARIANCE_EPSILON})]

    def terms(
        self, x: np.ndarray, parameters: Any, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """γ (x - μ) / √(v + ε) + β as the one weight γ / √(v + ε) and the bias β - μ · γ / √(v +
        ε).
        """
        inputs, _, _ = super().terms(x, parameters, unit, row, column)
        weight = parameters.weights[unit] / np.sqrt(
            parameters.variances[unit] + np.float32(VARIANCE_EPSILON)
        )
        return (
            inputs,
            weight.reshape(1, 1, 1),
            float(parameters.biases[unit] - parameters.means[unit] * weight),
        )
