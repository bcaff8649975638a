"""Batch normalization in vector lanes along the channels; the rows are divided among threads.

Sums are over pieces of the rows, and then over the pieces in their order. The pieces follow from
the shape alone, so the result does not depend on the number of threads.
"""

from collections.abc import Callable

import numpy as np

from kernels.compiled import compiled_fast
from kernels.device import VARIANCE_EPSILON
from kernels.sequential.normalization import rows_of
from kernels.vectorized.activations import bias_and_activate, times_derivative
from kernels.vectorized.instructions import InstructionDevice
from kernels.vectorized.pooling import BLOCK_BYTES

# So many rows are added up before their sum is added to the piece's: many small numbers are not
# rounded away.
_ROWS = 128
_MAX_PIECES = 32


@compiled_fast
def _sums(x: np.ndarray, out: np.ndarray) -> None:
    """out (c,) = sum of the rows of x (rows, c)."""
    rows, channels = x.shape
    part = np.empty_like(out)
    out[:] = 0
    for first in range(0, rows, _ROWS):
        part[:] = 0
        for k in range(first, min(first + _ROWS, rows)):
            for c in range(channels):
                part[c] += x[k, c]
        for c in range(channels):
            out[c] += part[c]


@compiled_fast
def _square_sums(x: np.ndarray, mean: np.ndarray, out: np.ndarray) -> None:
    """out (c,) = sum of (x - mean)² over the rows of x (rows, c)."""
    rows, channels = x.shape
    part = np.empty_like(out)
    out[:] = 0
    for first in range(0, rows, _ROWS):
        part[:] = 0
        for k in range(first, min(first + _ROWS, rows)):
            for c in range(channels):
                difference = x[k, c] - mean[c]
                part[c] += difference * difference
        for c in range(channels):
            out[c] += part[c]


@compiled_fast
def _product_sums(
    grad_z: np.ndarray, x: np.ndarray, mean: np.ndarray, products: np.ndarray, plain: np.ndarray
) -> None:
    """products (c,) = sum of grad_z · (x - mean), plain (c,) = sum of grad_z, over the rows."""
    rows, channels = x.shape
    part = np.empty_like(plain)
    part_plain = np.empty_like(plain)
    products[:] = 0
    plain[:] = 0
    for first in range(0, rows, _ROWS):
        part[:] = 0
        part_plain[:] = 0
        for k in range(first, min(first + _ROWS, rows)):
            for c in range(channels):
                part[c] += grad_z[k, c] * (x[k, c] - mean[c])
                part_plain[c] += grad_z[k, c]
        for c in range(channels):
            products[c] += part[c]
            plain[c] += part_plain[c]


@compiled_fast
def _scaled(x: np.ndarray, mean: np.ndarray, factor: np.ndarray, out: np.ndarray) -> None:
    """out (rows, c) = factor · (x - mean)."""
    for k in range(x.shape[0]):
        for c in range(x.shape[1]):
            out[k, c] = factor[c] * (x[k, c] - mean[c])


@compiled_fast
def _combined(
    grad_z: np.ndarray,
    x: np.ndarray,
    mean: np.ndarray,
    factor: np.ndarray,
    constant: np.ndarray,
    x_factor: np.ndarray,
    out: np.ndarray,
) -> None:
    """out (rows, c) = factor · (grad_z - constant - x_factor · (x - mean))."""
    for k in range(x.shape[0]):
        for c in range(x.shape[1]):
            out[k, c] = factor[c] * (grad_z[k, c] - constant[c] - x_factor[c] * (x[k, c] - mean[c]))


class NormalizationOperators(InstructionDevice):
    """Batch normalization; see `kernels.device` for formulas and shapes."""

    def batch_statistics(self, x: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> None:
        flat = rows_of(x)
        (total,) = self._channel_totals(flat, 1, lambda rows, sums: _sums(flat[rows], sums[0]))
        np.divide(total, len(flat), out=mean)
        (total,) = self._channel_totals(
            flat, 1, lambda rows, sums: _square_sums(flat[rows], mean, sums[0])
        )
        np.divide(total, len(flat), out=variance)

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
        source = rows_of(x)
        target = rows_of(out)
        factor = scale * _inverse(variance)

        def work(rows: slice) -> None:
            _scaled(source[rows], mean, factor, target[rows])
            bias_and_activate(target[rows], shift, activation)

        self._by_row_blocks(source, work)

    def normalize_parameter_gradient(
        self,
        grad_z: np.ndarray,
        x: np.ndarray,
        mean: np.ndarray,
        variance: np.ndarray,
        scale_gradient: np.ndarray,
        shift_gradient: np.ndarray,
    ) -> None:
        delta = rows_of(grad_z)
        flat = rows_of(x)
        products, plain = self._channel_totals(
            flat,
            2,
            lambda rows, sums: _product_sums(delta[rows], flat[rows], mean, sums[0], sums[1]),
        )
        np.multiply(products, _inverse(variance), out=scale_gradient)
        np.copyto(shift_gradient, plain)

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
        delta = rows_of(grad_z)
        flat = rows_of(x)
        target = rows_of(out)
        inverse = _inverse(variance)
        factor = scale * inverse
        constant = x_factor = np.zeros_like(factor)
        if sums is not None:
            scale_gradient, shift_gradient = sums
            constant = shift_gradient / len(flat)
            x_factor = scale_gradient * inverse / len(flat)

        def work(rows: slice) -> None:
            _combined(delta[rows], flat[rows], mean, factor, constant, x_factor, target[rows])
            times_derivative(target[rows], flat[rows], activation)

        self._by_row_blocks(flat, work)

    def _channel_totals(
        self, flat: np.ndarray, count: int, add_up: Callable[[slice, np.ndarray], None]
    ) -> np.ndarray:
        """Let add_up(rows, sums (count, c)) write the sums of each piece of the rows; their total,
        (count, c).
        """
        rows, channels = flat.shape
        pieces = min(_MAX_PIECES, -(-flat.nbytes // BLOCK_BYTES))
        length = -(-rows // pieces)
        # The length was rounded up, so that fewer pieces may be enough.
        pieces = -(-rows // length)
        sums = self.pool.scratch(0, "normalization", (pieces, count, channels), flat.dtype)
        self.pool.map(pieces, lambda _, k: add_up(slice(k * length, (k + 1) * length), sums[k]))
        return sums.sum(axis=0)

    def _by_row_blocks(self, flat: np.ndarray, work: Callable[[slice], None]) -> None:
        """Call work(rows) for blocks of rows that fit into a cache."""
        length = max(1, BLOCK_BYTES // flat[0].nbytes)
        self.pool.map(
            -(-len(flat) // length),
            lambda _, block: work(slice(block * length, (block + 1) * length)),
        )


def _inverse(variance: np.ndarray) -> np.ndarray:
    """1 / √(variance + ε)."""
    return 1 / np.sqrt(variance + variance.dtype.type(VARIANCE_EPSILON))
