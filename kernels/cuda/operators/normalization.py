"""Batch normalization: sums over columns in a fixed order, and kernels with one thread per
element.
"""

import math

import numpy as np

from kernels.activations.activation import Scalar
from kernels.cuda.operators.activations import activate, derivative
from kernels.cuda.operators.base import per_element
from kernels.cuda.operators.reduce import SumOperators, itself
from kernels.cuda.toolkit import cuda, device_function, divide, float32, kernel
from kernels.device import VARIANCE_EPSILON, Array

_EPSILON = np.float32(VARIANCE_EPSILON)


@device_function
def _inverse(variance: Scalar) -> Scalar:
    """1 / √(variance + ε)."""
    return float32(1) / float32(math.sqrt(variance + _EPSILON))


@device_function
def squared_difference(
    a: Array, x: Array, mean: Array, variance: Array, row: int, column: int
) -> Scalar:
    """The element of a variance; x is not read."""
    difference = a[row, column] - mean[column]
    return difference * difference


@device_function
def times_normalized(
    grad_z: Array, x: Array, mean: Array, variance: Array, row: int, column: int
) -> Scalar:
    """The element of a gradient by a scale."""
    return grad_z[row, column] * (x[row, column] - mean[column]) * _inverse(variance[column])


@kernel()
def _normalize(x, mean, variance, scale, shift, code, out):  # noqa: ANN001, ANN202 - compiled
    """out = f(scale · (x - mean) / √(variance + ε) + shift); x and out flat, one thread per
    element.
    """
    index = cuda.grid(1)
    if index < out.shape[0]:
        _, c = divide(index, mean.shape[0])
        normalized = (x[index] - mean[c]) * _inverse(variance[c])
        out[index] = activate(scale[c] * normalized + shift[c], code)


@kernel()
def _input_gradient(
    grad_z: Array,
    x: Array,
    mean: Array,
    variance: Array,
    scale: Array,
    scale_gradient: Array,
    shift_gradient: Array,
    factor: Scalar,
    code: int,
    out: Array,
) -> None:
    """See `Device.normalize_input_gradient`; flat arrays, one thread per element. factor: 1 / m, or
    0 without sums.
    """
    index = cuda.grid(1)
    if index < out.shape[0]:
        _, c = divide(index, mean.shape[0])
        inverse = _inverse(variance[c])
        normalized = (x[index] - mean[c]) * inverse
        gradient = grad_z[index] - factor * (shift_gradient[c] + normalized * scale_gradient[c])
        out[index] = scale[c] * inverse * gradient * derivative(x[index], code)


class NormalizationOperators(SumOperators):
    """Batch normalization, see `kernels.device.Device`."""

    normalize = per_element(_normalize, flat=True)

    def batch_statistics(self, x: Array, mean: Array, variance: Array) -> None:
        factor = mean.shape[0] / x.size
        self._launch_column_sums(itself, x, mean, factor=factor)
        self._launch_column_sums(squared_difference, x, variance, (x, mean, mean), factor)

    def normalize_parameter_gradient(
        self,
        grad_z: Array,
        x: Array,
        mean: Array,
        variance: Array,
        scale_gradient: Array,
        shift_gradient: Array,
    ) -> None:
        self._launch_column_sums(times_normalized, grad_z, scale_gradient, (x, mean, variance))
        self._launch_column_sums(itself, grad_z, shift_gradient)

    def normalize_input_gradient(
        self,
        grad_z: Array,
        x: Array,
        mean: Array,
        variance: Array,
        scale: Array,
        sums: tuple[Array, Array] | None,
        activation: str,
        out: Array,
    ) -> None:
        # A kernel takes arrays in any case; times a factor of 0 they count as nothing.
        scale_gradient, shift_gradient = sums or (scale, scale)
        factor = mean.shape[0] / x.size if sums else 0.0
        arguments = (
            grad_z,
            x,
            mean,
            variance,
            scale,
            scale_gradient,
            shift_gradient,
            factor,
            activation,
            out,
        )
        self._launch_per_element(_input_gradient, arguments, (out,), flat=True)
