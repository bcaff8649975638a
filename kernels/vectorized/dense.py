"""The operators of dense networks by NumPy and its BLAS; in a recorded step, float32 as rows (see `row_loops`)."""

from typing import TYPE_CHECKING

import numpy as np

from kernels.activations import CODES
from kernels.vectorized import row_loops
from kernels.vectorized.activations import bias_and_activate, times_derivative
from kernels.vectorized.compiled_step import RowOperators, has_row
from kernels.vectorized.row_loops import bias_gradient_loop
from kernels.vectorized.thread_pool import pieces_of_product

if TYPE_CHECKING:
    from kernels.sequential.device import Sequential as Loops
else:
    Loops = object

# Numbers from which a sum is worth dividing.
_LARGE = 1 << 18

# By the type letters of the source and of the batch: the operation and the kinds of its arrays.
_GATHERS = {
    ("B", "f"): (row_loops.GATHER_PIXELS, "Biif"),
    ("f", "f"): (row_loops.GATHER_FLOATS, "fiif"),
    ("i", "i"): (row_loops.GATHER_INTEGERS, "iiii"),
}


class DenseOperators(RowOperators, Loops):
    # Whether recorded steps use a worker's exponential and its loops for layers of one unit.
    _is_worker = False

    @has_row
    def dense(self, x: np.ndarray, w: np.ndarray, b: np.ndarray, activation: str, out: np.ndarray) -> None:
        n, (i, o) = len(x), w.shape
        if not self._row(
            row_loops.DENSE,
            "ffff",
            (x, w, b, out),
            (n, i, o, CODES[activation], self._is_worker),
            pieces_of_product(n * i * o),
        ):
            self.product(x, w, out)
            bias_and_activate(out, b, activation)

    @has_row
    def dense_input_gradient(
        self, grad_z: np.ndarray, w: np.ndarray, y: np.ndarray, activation: str, out: np.ndarray
    ) -> None:
        n, (i, o) = len(grad_z), w.shape
        # With "linear" y is not read and may be None.
        if not self._row(
            row_loops.INPUT_GRADIENT, "ffff", (grad_z, w, out if activation == "linear" else y, out),
            (n, i, o, CODES[activation]), pieces_of_product(n * i * o),
        ):  # fmt: skip
            if o == 1:
                # NumPy does not use BLAS for a product over one number.
                np.multiply(grad_z, w.T, out=out)
            else:
                self.product(grad_z, w.T, out)
            times_derivative(out, y, activation)

    @has_row
    def dense_weight_gradient(self, x: np.ndarray, grad_z: np.ndarray, out: np.ndarray) -> None:
        n, (i, o) = len(x), out.shape
        if not self._row(
            row_loops.WEIGHT_GRADIENT, "fff", (x, grad_z, out), (n, i, o, self._is_worker),
            pieces_of_product(n * i * o),
        ):  # fmt: skip
            self.product(x.T, grad_z, out)

    @has_row
    def bias_gradient(self, grad_z: np.ndarray, out: np.ndarray) -> None:
        rows = grad_z.reshape(-1, grad_z.shape[-1])
        if self._row(row_loops.BIAS_GRADIENT, "ff", (rows, out), rows.shape):
            return
        if grad_z.ndim > 2 and rows.size >= _LARGE:
            # Maps of a convolution: eight sums by the pool, then their sum; the number of threads does not matter.
            length = -(-len(rows) // 8)
            sums = self.pool.scratch(0, "bias", (8, rows.shape[1]), rows.dtype)
            self.pool.map(
                8,
                lambda _, piece: bias_gradient_loop(rows[piece * length : (piece + 1) * length], sums[piece]),
            )
            bias_gradient_loop(sums, out)
        else:
            bias_gradient_loop(rows, out)

    # The other operators of a step over little data: outside of a recording, plain loops serve them.

    @has_row
    def gather(self, source: np.ndarray, order: np.ndarray, counters: np.ndarray, out: np.ndarray) -> None:
        # Types without a row fit no kinds.
        operation, kinds = _GATHERS.get((source.dtype.char, out.dtype.char), (0, "ffff"))
        numbers = len(out), out.size // len(out), len(source)
        if not self._row(operation, kinds, (source, order, counters, out), numbers):
            super().gather(source, order, counters, out)

    @has_row
    def advance(
        self, counters: np.ndarray, examples: int, metrics: np.ndarray | None = None,
        history: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        arrays, rows = [counters], 0
        if metrics is not None and history is not None:
            arrays, rows = [counters, metrics, history], len(history)
        if not self._row(row_loops.ADVANCE, "idd"[: len(arrays)], arrays, (examples, rows)):
            super().advance(counters, examples, metrics, history)

    @has_row
    def softmax_cross_entropy(
        self, z: np.ndarray, labels: np.ndarray, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        if not self._row(row_loops.CROSS_ENTROPY, "fidf", (z, labels, metrics, out), z.shape):
            super().softmax_cross_entropy(z, labels, metrics, out)

    @has_row
    def squared_error_classes(
        self, y: np.ndarray, labels: np.ndarray, activation: str, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        numbers = (*y.shape, CODES[activation])
        if not self._row(row_loops.ERROR_CLASSES, "fidf", (y, labels, metrics, out), numbers):
            super().squared_error_classes(y, labels, activation, metrics, out)

    @has_row
    def squared_error(
        self, y: np.ndarray, targets: np.ndarray, activation: str, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        numbers = (*y.shape, CODES[activation])
        if not self._row(row_loops.ERROR, "ffdf", (y, targets, metrics, out), numbers):
            super().squared_error(y, targets, activation, metrics, out)
