"""Batch normalization and its gradients in plain loops.

Source: Ioffe and Szegedy, "Batch normalization: accelerating deep network training by reducing
internal covariate shift" (2015). Symbols: c channels (the units of a dense layer or the maps of
images); m rows, which are the examples of a batch or all positions of all its images; E is the
batch's loss, grad_z is ∂E/∂z.
"""

from math import sqrt

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled
from kernels.device import VARIANCE_EPSILON
from kernels.sequential.activations import activate, derivative


@compiled
def _statistics(x: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> None:
    rows, channels = x.shape
    for c in range(channels):
        mean[c] = 0
        variance[c] = 0
    for k in range(rows):
        for c in range(channels):
            mean[c] += x[k, c]
    for c in range(channels):
        mean[c] /= rows
    for k in range(rows):
        for c in range(channels):
            variance[c] += (x[k, c] - mean[c]) ** 2
    for c in range(channels):
        variance[c] /= rows


@compiled
def _normalize(
    x: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    scale: np.ndarray,
    shift: np.ndarray,
    code: int,
    out: np.ndarray,
) -> None:
    rows, channels = x.shape
    for k in range(rows):
        for c in range(channels):
            normalized = (x[k, c] - mean[c]) / sqrt(variance[c] + VARIANCE_EPSILON)
            out[k, c] = activate(scale[c] * normalized + shift[c], code)


@compiled
def _parameter_gradient(
    grad_z: np.ndarray,
    x: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    scale_gradient: np.ndarray,
    shift_gradient: np.ndarray,
) -> None:
    rows, channels = x.shape
    for c in range(channels):
        scale_gradient[c] = 0
        shift_gradient[c] = 0
    for k in range(rows):
        for c in range(channels):
            scale_gradient[c] += (
                grad_z[k, c] * (x[k, c] - mean[c]) / sqrt(variance[c] + VARIANCE_EPSILON)
            )
            shift_gradient[c] += grad_z[k, c]


@compiled
def _input_gradient(
    grad_z: np.ndarray,
    x: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    scale: np.ndarray,
    scale_gradient: np.ndarray,
    shift_gradient: np.ndarray,
    of_batch: bool,
    code: int,
    out: np.ndarray,
) -> None:
    rows, channels = x.shape
    for k in range(rows):
        for c in range(channels):
            inverse = 1.0 / sqrt(variance[c] + VARIANCE_EPSILON)
            gradient = grad_z[k, c]
            if of_batch:
                normalized = (x[k, c] - mean[c]) * inverse
                gradient -= (shift_gradient[c] + normalized * scale_gradient[c]) / rows
            out[k, c] = scale[c] * inverse * gradient * derivative(x[k, c], code)


class NormalizationOperators:
    """Each channel is normalized by itself, over all rows."""

    def batch_statistics(self, x: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> None:
        """mean (c,) = Σₖ x[k] / m and variance (c,) = Σₖ (x[k] - mean)² / m over the rows k of x
        (n, ..., c).
        """
        _statistics(rows_of(x), mean, variance)

    def normalize(
        self,
        x: np.ndarray,
        mean: np.ndarray,
        variance: np.ndarray,
        scale: np.ndarray,
        shift: np.ndarray,
        activation: str,
        out: np.ndarray,
    ) -> None:
        """The layer's output: out = f(z), z = scale · x̂ + shift, x̂ = (x - mean) / √(variance +
        ε).
        """
        _normalize(rows_of(x), mean, variance, scale, shift, CODES[activation], rows_of(out))

    def normalize_parameter_gradient(
        self,
        grad_z: np.ndarray,
        x: np.ndarray,
        mean: np.ndarray,
        variance: np.ndarray,
        scale_gradient: np.ndarray,
        shift_gradient: np.ndarray,
    ) -> None:
        """The gradients by scale and shift, each (c,): Σₖ grad_z[k] · x̂[k], and Σₖ grad_z[k].

        Derivation: z[k] = scale · x̂[k] + shift, so ∂z[k]/∂scale = x̂[k] and ∂z[k]/∂shift = 1, in
        every row k.
        """
        _parameter_gradient(
            rows_of(grad_z), rows_of(x), mean, variance, scale_gradient, shift_gradient
        )

    def normalize_input_gradient(
        self,
        grad_z: np.ndarray,
        x: np.ndarray,
        mean: np.ndarray,
        variance: np.ndarray,
        scale: np.ndarray,
        sums: tuple[np.ndarray, np.ndarray] | None,
        activation: str,
        out: np.ndarray,
    ) -> None:
        """The gradient by z of the layer below, whose output is x = f(z below).

        Derivation, for one channel, with μ the mean, v the variance, r = 1 / √(v + ε), x̂ = (x - μ)
        r and g[k] = ∂E/∂x̂[k] = scale · grad_z[k]. x[k] enters x̂[k] directly, and every x̂[j]
        through μ and v:

            ∂x̂[j]/∂x[k] = r δ[j, k] + ∂x̂[j]/∂μ · ∂μ/∂x[k] + ∂x̂[j]/∂v · ∂v/∂x[k]
            ∂x̂[j]/∂μ = -r,  ∂μ/∂x[k] = 1/m
            ∂x̂[j]/∂v = -½ (x[j] - μ) r³ = -½ x̂[j] r²,  ∂v/∂x[k] = 2 (x[k] - μ) / m

        (v depends on μ too, but ∂v/∂μ = -2 Σ (x[j] - μ) / m = 0). Since (x[k] - μ) r = x̂[k], the
        sum over j is

            ∂E/∂x[k] = Σⱼ g[j] ∂x̂[j]/∂x[k] = r (g[k] - Σⱼ g[j] / m - x̂[k] Σⱼ g[j] x̂[j] / m)
                     = scale · r · (grad_z[k] - (shift_gradient + x̂[k] · scale_gradient) / m)

        with the two sums of `normalize_parameter_gradient`. Where `sums` is None, mean and variance
        are constants, and ∂E/∂x[k] = scale · r · grad_z[k]. Multiplying by f'(z below) gives the
        gradient by z below.
        """
        # A compiled loop takes arrays in any case; it does not read them then.
        scale_gradient, shift_gradient = sums or (scale, scale)
        _input_gradient(
            rows_of(grad_z),
            rows_of(x),
            mean,
            variance,
            scale,
            scale_gradient,
            shift_gradient,
            sums is not None,
            CODES[activation],
            rows_of(out),
        )


def rows_of(array: np.ndarray) -> np.ndarray:
    """A view (rows, c) of an array (n, ..., c)."""
    return array.reshape(-1, array.shape[-1])
