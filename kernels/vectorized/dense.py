"""The operators of dense networks, their losses and batches: float32 as instructions, anything else
by NumPy.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numba import carray

from kernels.activations import CODES, LINEAR
from kernels.compiled import compiled_fast
from kernels.sequential.batches import gather_copied, gather_scaled
from kernels.sequential.device import Sequential
from kernels.sequential.losses import loop_squared_error, loop_squared_error_classes
from kernels.vectorized import activations, native
from kernels.vectorized.activations import SIGMOID, TANH
from kernels.vectorized.division import Division, exact_division
from kernels.vectorized.instructions import (
    ADDRESSES,
    C_FUNCTIONS,
    NUMBERS,
    PIECE,
    Instruction,
    InstructionDevice,
    NoInstruction,
    Operation,
    array,
    as_instructions,
    fields,
    number,
    operation,
    operation_of,
    part,
)
from kernels.vectorized.native import FUNCTIONS, Matrix, float32s, int64s
from kernels.vectorized.sparse import (
    LEAST_UNITS,
    LEAST_ZEROS,
    MAX_BATCH,
    UPDATE,
    Batch,
)
from kernels.vectorized.updates import UpdateOperators, divided

# Multiply-adds from which a product is divided into 2, 4 and 8 pieces, but into no more than there
# are threads: each piece repeats BLAS's copy of an operand, which takes a tenth of the time at 4
# pieces.
_PRODUCT_PIECES = ((1 << 27, 8), (3 << 23, 4), (9 << 19, 2))
# Multiply-adds from which a product is an instruction also outside of a recording.
_LARGE_PRODUCT = 1 << 22
# Numbers from which a sum over images is divided, and into how many sums, which are then added.
_LARGE_SUM = 1 << 18
_SUM_PIECES = 8

# Addresses and numbers of an instruction, as the functions below name them.
_A0, _A1, _A2, _A3 = range(ADDRESSES, ADDRESSES + 4)
_N0, _N1, _N2, _N3, _N4 = range(NUMBERS, NUMBERS + 5)


@compiled_fast
def _block(
    row: np.ndarray, piece: int, rows: int, columns: int, by_rows: int
) -> tuple[int, int, int, int]:
    """(first row, last row, first column, last column) of a piece of an array."""
    if by_rows:
        top, bottom = part(row, piece, rows)
        return top, bottom, 0, columns
    left, right = part(row, piece, columns)
    return 0, rows, left, right


@compiled_fast
def _contiguous_rows(rows: int, width: int, columns: int) -> int:
    """How many rows of a block lie one after the other in an array with so many columns: all, or
    1.
    """
    return rows if width == columns else 1


@compiled_fast
def _element(address: int, row_length: int, row: int, column: int) -> int:
    """The address of an element of a float32 matrix that begins at `address`."""
    return address + 4 * (row * row_length + column)


@operation("ffff")
def _dense(instruction: int, piece: int) -> None:
    """Arrays x, w, b, out; numbers n, i, o, activation, whether divided by rows."""
    row = fields(instruction)
    functions = carray(int64s(row[C_FUNCTIONS]), (FUNCTIONS,))
    n = row[_N0]
    i = row[_N1]
    o = row[_N2]
    code = row[_N3]
    top, bottom, left, right = _block(row, piece, n, o, row[_N4])
    rows = bottom - top
    width = right - left
    x = _element(row[_A0], i, top, 0)
    w = _element(row[_A1], o, 0, left)
    out = _element(row[_A3], o, top, left)
    native.product(
        functions, Matrix(x, i, False), Matrix(w, o, False), Matrix(out, o, False), rows, width, i
    )
    b = carray(float32s(row[_A2] + 4 * left), (width,))
    count = _contiguous_rows(rows, width, o)
    for first in range(0, rows, count):
        block = carray(float32s(_element(out, o, first, 0)), (count, width))
        activations.finish(block, b, code, functions)


@operation("fff")
def _product(instruction: int, piece: int) -> None:
    """Arrays x, y, out; numbers n, i, o, whether divided by rows."""
    row = fields(instruction)
    functions = carray(int64s(row[C_FUNCTIONS]), (FUNCTIONS,))
    n = row[_N0]
    i = row[_N1]
    o = row[_N2]
    top, bottom, left, right = _block(row, piece, n, o, row[_N3])
    x = Matrix(_element(row[_A0], i, top, 0), i, False)
    y = Matrix(_element(row[_A1], o, 0, left), o, False)
    out = Matrix(_element(row[_A2], o, top, left), o, False)
    native.product(functions, x, y, out, bottom - top, right - left, i)


@operation("ffff")
def _input_gradient(instruction: int, piece: int) -> None:
    """Arrays grad_z, w, y, out; numbers n, i, o, activation, whether divided by rows."""
    row = fields(instruction)
    functions = carray(int64s(row[C_FUNCTIONS]), (FUNCTIONS,))
    n = row[_N0]
    i = row[_N1]
    o = row[_N2]
    code = row[_N3]
    top, bottom, left, right = _block(row, piece, n, i, row[_N4])
    rows = bottom - top
    width = right - left
    grad_z = _element(row[_A0], o, top, 0)
    w = _element(row[_A1], o, left, 0)
    y = _element(row[_A2], i, top, left)
    out = _element(row[_A3], i, top, left)
    if o == 1:
        # NumPy does not use BLAS for a product over one number.
        factors = carray(float32s(grad_z), (rows,))
        weights = carray(float32s(w), (width,))
        for k in range(rows):
            line = carray(float32s(_element(out, i, k, 0)), (width,))
            for j in range(width):
                line[j] = factors[k] * weights[j]
    else:
        native.product(
            functions,
            Matrix(grad_z, o, False),
            Matrix(w, o, True),
            Matrix(out, i, False),
            rows,
            width,
            o,
        )
    if code != LINEAR:
        count = _contiguous_rows(rows, width, i)
        for first in range(0, rows, count):
            gradient = carray(float32s(_element(out, i, first, 0)), (count, width))
            output_below = carray(float32s(_element(y, i, first, 0)), (count, width))
            activations.multiply_by_derivative(gradient, output_below, code)


@operation("fff")
def _weight_gradient(instruction: int, piece: int) -> None:
    """Arrays x, grad_z, out; numbers n, i, o, whether divided by rows."""
    row = fields(instruction)
    functions = carray(int64s(row[C_FUNCTIONS]), (FUNCTIONS,))
    n = row[_N0]
    i = row[_N1]
    o = row[_N2]
    top, bottom, left, right = _block(row, piece, i, o, row[_N3])
    inputs = Matrix(_element(row[_A0], i, 0, top), i, True)
    gradients = Matrix(_element(row[_A1], o, 0, left), o, False)
    out = Matrix(_element(row[_A2], o, top, left), o, False)
    native.product(functions, inputs, gradients, out, bottom - top, right - left, n)


@compiled_fast
def _sum_rows(grad_z: np.ndarray, out: np.ndarray) -> None:
    """out (o,) = sum of grad_z (n, o) over n, in its order."""
    out[:] = 0
    for n in range(grad_z.shape[0]):
        for o in range(grad_z.shape[1]):
            out[o] += grad_z[n, o]


@operation("ff")
def _bias_gradient(instruction: int, piece: int) -> None:
    """Arrays grad_z, out (pieces, o), one row for each piece; numbers n, o."""
    row = fields(instruction)
    n = row[_N0]
    o = row[_N1]
    start, end = part(row, piece, n)
    summed = carray(float32s(_element(row[_A0], o, start, 0)), (end - start, o))
    out = carray(float32s(_element(row[_A1], o, piece, 0)), (o,))
    _sum_rows(summed, out)


# -- batches and losses: one pass over little data, by the plain loops -----------------------------


@compiled_fast
def _advance_loop(counters: np.ndarray, examples: int) -> None:
    counters[0] += examples
    counters[1] += 1


@compiled_fast
def _keep_metrics_loop(counters: np.ndarray, metrics: np.ndarray, history: np.ndarray) -> None:
    for k in range(2):
        history[counters[1] % len(history), k] = metrics[k]
        metrics[k] = 0


_COUNTERS = array("i", 2)
_METRICS = array("d", 2)
# Of a loss: outputs and gradient (n, o), labels (n,); numbers n and o, then the code of the
# activation.
_OUTPUTS = array("f", number(0), number(1))
_LABELS = array("i", number(0))

_advance = operation_of(_advance_loop, _COUNTERS, number(0))
_keep_metrics = operation_of(_keep_metrics_loop, _COUNTERS, _METRICS, array("d", number(0), 2))
_activate = operation_of(activations.activate_flat, PIECE, PIECE, number(1))
_multiply_by_derivative = operation_of(
    activations.multiply_flat_by_derivative, PIECE, PIECE, number(1)
)
_cross_entropy = operation_of(
    Sequential.softmax_cross_entropy, _OUTPUTS, _LABELS, _METRICS, _OUTPUTS
)
_error_of_classes = operation_of(
    loop_squared_error_classes, _OUTPUTS, _LABELS, number(2), _METRICS, _OUTPUTS
)
_error = operation_of(loop_squared_error, _OUTPUTS, _OUTPUTS, number(2), _METRICS, _OUTPUTS)


def _gather_operation(loop: Callable[..., None], source: str, out: str) -> Operation:
    """From arrays of one dtype to another. Numbers: rows of out, numbers in a row, rows of
    source.
    """
    return operation_of(
        loop,
        array(source, number(2), number(1)),
        array("i", number(2)),
        _COUNTERS,
        array(out, number(0), number(1)),
    )


_GATHERS = {
    "Biif": _gather_operation(gather_scaled, "B", "f"),
    "fiif": _gather_operation(gather_copied, "f", "f"),
    "iiii": _gather_operation(gather_copied, "i", "i"),
}


def _batch_at(batch: Batch | None, x: np.ndarray, units: int) -> Batch | None:
    """The batch that was gathered last, if it is x and a layer of so many units skips its zeros."""
    if batch is None or units < LEAST_UNITS or x.size != batch.x.size:
        return None
    return batch if x.ctypes.data == batch.x.ctypes.data else None


class NumpyOperators(Sequential):
    """Products, sums and activations by NumPy, in any type."""

    def dense(
        self, x: np.ndarray, w: np.ndarray, b: np.ndarray, activation: str, out: np.ndarray
    ) -> None:
        np.matmul(x, w, out=out)
        activations.bias_and_activate(out, b, activation)

    def dense_input_gradient(
        self, grad_z: np.ndarray, w: np.ndarray, y: np.ndarray, activation: str, out: np.ndarray
    ) -> None:
        np.matmul(grad_z, w.T, out=out)
        activations.times_derivative(out, y, activation)

    def dense_weight_gradient(self, x: np.ndarray, grad_z: np.ndarray, out: np.ndarray) -> None:
        np.matmul(x.T, grad_z, out=out)

    def dot(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        np.matmul(x, y, out=out)

    def add(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        np.add(*_rows(x, y, out))

    def subtract(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        np.subtract(*_rows(x, y, out))

    def multiply(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        np.multiply(*_rows(x, y, out))

    def activate(self, z: np.ndarray, activation: str, out: np.ndarray) -> None:
        activations.activate_flat(z.reshape(-1), out.reshape(-1), CODES[activation])
        activations.second_part(out.reshape(1, -1), CODES[activation])

    def multiply_by_derivative(self, y: np.ndarray, activation: str, out: np.ndarray) -> None:
        activations.multiply_flat_by_derivative(y.reshape(-1), out.reshape(-1), CODES[activation])


def _rows(
    x: np.ndarray, y: np.ndarray, out: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x, y and out as rows as long as y, so that NumPy repeats y."""
    return x.reshape(-1, y.size), y.reshape(1, -1), out.reshape(-1, y.size)


class DenseOperators(UpdateOperators, InstructionDevice, NumpyOperators):
    """The operators of dense networks as instructions; see `kernels.device` for formulas and
    shapes.
    """

    fuses_updates = True
    # The data set whose zeros were counted last, and their share.
    _counted: tuple[np.ndarray, float] | None = None

    def _divided(self, m: int, n: int, k: int, ta: bool = False, tb: bool = False) -> Division:
        """How a product (m, k) · (k, n) is divided; `ta`, `tb`: the operand is stored transposed.

        Raises NoInstruction where NumPy is to compute it: where BLAS is not found, and outside of a
        recording, where the product is small. The numbers are the same, and at the first start of
        the program less has to be compiled before a digit is read.
        """
        multiply_adds = m * n * k
        if not (multiply_adds >= _LARGE_PRODUCT or self.is_recording):
            raise NoInstruction
        functions = native.find()
        if functions is None or not functions[native.GEMM]:
            raise NoInstruction
        pieces = next((pieces for limit, pieces in _PRODUCT_PIECES if multiply_adds >= limit), 1)
        return exact_division(ta, tb, m, n, k, min(pieces, self.thread_count))

    @as_instructions
    def dense(
        self, x: np.ndarray, w: np.ndarray, b: np.ndarray, activation: str, out: np.ndarray
    ) -> Sequence[Instruction]:
        n = len(x)
        i, o = w.shape
        batch = _batch_at(self.batch, x, o)
        if batch is not None:
            self.skipped = batch.zeros
            return [*batch.listing(), batch.by_image.times(w, out, b, CODES[activation])]
        pieces, length, by_rows = self._divided(n, o, i)
        numbers = n, i, o, CODES[activation], by_rows
        return [Instruction(_dense, (x, w, b, out), numbers, pieces, length)]

    @as_instructions
    def dense_input_gradient(
        self, grad_z: np.ndarray, w: np.ndarray, y: np.ndarray, activation: str, out: np.ndarray
    ) -> Sequence[Instruction]:
        n = len(grad_z)
        i, o = w.shape
        # With "linear" y is not read and may be None.
        arrays = grad_z, w, out if activation == "linear" else y, out
        pieces, length, by_rows = self._divided(n, i, o, tb=True)
        numbers = n, i, o, CODES[activation], by_rows
        return [Instruction(_input_gradient, arrays, numbers, pieces, length)]

    @as_instructions
    def dense_weight_gradient(
        self, x: np.ndarray, grad_z: np.ndarray, out: np.ndarray
    ) -> Sequence[Instruction]:
        n = len(x)
        i, o = out.shape
        batch = _batch_at(self.batch, x, o)
        if batch is not None:
            return [
                *batch.listing(self.is_recording),
                batch.by_pixel.times(grad_z, out, np.zeros(o, np.float32), LINEAR),
            ]
        pieces, length, by_rows = self._divided(i, o, n, ta=True)
        numbers = n, i, o, by_rows
        return [Instruction(_weight_gradient, (x, grad_z, out), numbers, pieces, length)]

    def dense_update(
        self,
        x: np.ndarray,
        grad_z: np.ndarray,
        w: np.ndarray,
        b: np.ndarray,
        rate: np.ndarray,
        l2: float,
        gradients: tuple[np.ndarray, np.ndarray],
    ) -> None:
        batch = _batch_at(self.batch, x, len(b))
        if batch is None:
            super().dense_update(x, grad_z, w, b, rate, l2, gradients)
            return
        self.sparse_update(batch, grad_z, w, rate, l2)
        self.bias_gradient(grad_z, gradients[1])
        self.sgd(b, gradients[1], rate, 0.0, 0)

    @as_instructions
    def sparse_update(
        self, batch: Batch, grad_z: np.ndarray, w: np.ndarray, rate: np.ndarray, l2: float
    ) -> Sequence[Instruction]:
        return [
            *batch.listing(self.is_recording),
            batch.by_pixel.times(grad_z, w, rate, UPDATE, l2),
        ]

    @as_instructions
    def dot(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> Sequence[Instruction]:
        n = len(x)
        i, o = y.shape
        pieces, length, by_rows = self._divided(n, o, i)
        return [Instruction(_product, (x, y, out), (n, i, o, by_rows), pieces, length)]

    @as_instructions
    def bias_gradient(self, grad_z: np.ndarray, out: np.ndarray) -> Sequence[Instruction]:
        rows = grad_z.reshape(-1, grad_z.shape[-1])
        n, o = rows.shape
        if grad_z.ndim == 2 or rows.size < _LARGE_SUM:
            return [Instruction(_bias_gradient, (rows, out), (n, o), 1, n)]
        # Maps of a convolution: the number of threads does not matter for the sums.
        sums = self.pool.scratch(0, "bias", (_SUM_PIECES, o), rows.dtype)
        return [
            Instruction(_bias_gradient, (rows, sums), (n, o), _SUM_PIECES, -(-n // _SUM_PIECES)),
            Instruction(_bias_gradient, (sums, out), (_SUM_PIECES, o), 1, _SUM_PIECES),
        ]

    @as_instructions
    def gather(
        self, source: np.ndarray, order: np.ndarray, counters: np.ndarray, out: np.ndarray
    ) -> Sequence[Instruction]:
        gather = _GATHERS.get(f"{source.dtype.char}ii{out.dtype.char}")
        if gather is None:
            raise NoInstruction
        functions = native.find()
        if source.dtype == np.uint8 and functions is not None and functions[native.GEMM]:
            if self._counted is None or self._counted[0] is not source:
                self._counted = source, 1 - np.count_nonzero(source) / source.size
            zeros = self._counted[1]
            skips = zeros >= LEAST_ZEROS and out.size <= MAX_BATCH
            self.batch = Batch(out, zeros) if skips else None
        numbers = len(out), out.size // len(out), len(source)
        return [Instruction(gather, (source, order, counters, out), numbers)]

    @as_instructions
    def advance(
        self,
        counters: np.ndarray,
        examples: int,
        metrics: np.ndarray | None = None,
        history: np.ndarray | None = None,
    ) -> Sequence[Instruction]:
        advance = Instruction(_advance, (counters,), (examples,))
        if metrics is None or history is None:
            return [advance]
        # The metrics first: their row is that of the step before the counters move on.
        return [Instruction(_keep_metrics, (counters, metrics, history), (len(history),)), advance]

    @as_instructions
    def activate(self, z: np.ndarray, activation: str, out: np.ndarray) -> Sequence[Instruction]:
        code = CODES[activation]
        if code in (SIGMOID, TANH):  # NumPy computes their second part
            raise NoInstruction
        return [Instruction(_activate, (z, out), (z.size, code), *divided(z.size, z.size))]

    @as_instructions
    def multiply_by_derivative(
        self, y: np.ndarray, activation: str, out: np.ndarray
    ) -> Sequence[Instruction]:
        numbers = y.size, CODES[activation]
        return [Instruction(_multiply_by_derivative, (y, out), numbers, *divided(y.size, y.size))]

    @as_instructions
    def softmax_cross_entropy(
        self, z: np.ndarray, labels: np.ndarray, metrics: np.ndarray, out: np.ndarray
    ) -> Sequence[Instruction]:
        return [Instruction(_cross_entropy, (z, labels, metrics, out), z.shape)]

    @as_instructions
    def squared_error_classes(
        self,
        y: np.ndarray,
        labels: np.ndarray,
        activation: str,
        metrics: np.ndarray,
        out: np.ndarray,
    ) -> Sequence[Instruction]:
        numbers = *y.shape, CODES[activation]
        return [Instruction(_error_of_classes, (y, labels, metrics, out), numbers)]

    @as_instructions
    def squared_error(
        self,
        y: np.ndarray,
        targets: np.ndarray,
        activation: str,
        metrics: np.ndarray,
        out: np.ndarray,
    ) -> Sequence[Instruction]:
        return [Instruction(_error, (y, targets, metrics, out), (*y.shape, CODES[activation]))]
