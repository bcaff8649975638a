"""Small products and linear maps of rows of numbers, computed in the registers of the processor.

BLAS copies its operands before it multiplies them, which takes longer than a product of some dozen
rows. Here the operands are read where they lie, in any strides, and a block of ROWS rows and two
vectors of the product stays in registers until it is complete. Each number is one sum in the order
of its terms, whatever the block and the length of a vector.
"""

from collections.abc import Callable, Mapping

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core import cgutils
from numba.core.base import BaseContext
from numba.core.typing.templates import Signature
from numba.extending import overload

from kernels.vectorized.native import Values, intrinsic

# Numbers of a vector, and rows of a block: two vectors of each row fit into the registers.
LANES, ROWS = (16, 9) if get_host_cpu_features().get("avx512f") else (8, 6)

TILE = 8 * LANES
"""Columns that `add_rows` sums at once: also those of AVX2 stay in registers."""

_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()
# Products and sums may be fused.
_FUSED = ("contract",)


class _Writer:
    """Writes LLVM code for vectors of a type of numbers."""

    def __init__(self, builder: ir.IRBuilder, dtype: types.Float) -> None:
        self.builder = builder
        self.size = dtype.bitwidth // 8
        self.element = ir.FloatType() if self.size == 4 else ir.DoubleType()
        self.vector = ir.VectorType(self.element, LANES)
        self.zeros = ir.Constant(self.vector, [0.0] * LANES)
        self._mask = ir.VectorType(ir.IntType(1), LANES)
        self.all_lanes = ir.Constant(self._mask, [1] * LANES)
        self._name = f"v{LANES}f{dtype.bitwidth}.p0"

    def move(self, pointer: ir.Value, *steps: tuple[ir.Value, ir.Value]) -> ir.Value:
        """The pointer, moved by each number of steps of so many bytes."""
        for count, stride in steps:
            pointer = self.builder.gep(pointer, [self.builder.mul(count, stride)])
        return pointer

    def number(self, pointer: ir.Value) -> ir.Value:
        """A vector of the number there, over and over."""
        number = self.builder.load(self.builder.bitcast(pointer, self.element.as_pointer()))
        return self.repeat(number, self.vector)

    def repeat(self, number: ir.Value, kind: ir.VectorType) -> ir.Value:
        nothing = ir.Constant(kind, ir.Undefined)
        first = self.builder.insert_element(nothing, number, ir.Constant(_INT32, 0))
        zeros = ir.Constant(ir.VectorType(_INT32, LANES), [0] * LANES)
        return self.builder.shuffle_vector(first, nothing, zeros)

    def mask(self, count: ir.Value) -> ir.Value:
        """True for the first `count` numbers of a vector."""
        counts = ir.VectorType(_INT64, LANES)
        lanes = ir.Constant(counts, list(range(LANES)))
        return self.builder.icmp_signed("<", lanes, self.repeat(count, counts))

    def load(self, pointer: ir.Value, mask: ir.Value) -> ir.Value:
        """The numbers from there on, 0 where the mask is false."""
        place = self.vector.as_pointer()
        kinds = [place, _INT32, self._mask, self.vector]
        function = self._function("load", ir.FunctionType(self.vector, kinds))
        place = self.builder.bitcast(pointer, place)
        align = ir.Constant(_INT32, self.size)
        return self.builder.call(function, [place, align, mask, self.zeros])

    def store(self, vector: ir.Value, pointer: ir.Value, mask: ir.Value) -> None:
        place = self.vector.as_pointer()
        kinds = [self.vector, place, _INT32, self._mask]
        function = self._function("store", ir.FunctionType(ir.VoidType(), kinds))
        align = ir.Constant(_INT32, self.size)
        self.builder.call(function, [vector, self.builder.bitcast(pointer, place), align, mask])

    def add_product(self, total: ir.Value, a: ir.Value, b: ir.Value) -> ir.Value:
        return self.builder.fadd(total, self.builder.fmul(a, b, flags=_FUSED), flags=_FUSED)

    def apply(
        self,
        matrix: np.ndarray,
        source: ir.Value,
        target: ir.Value,
        steps: tuple[ir.Value, ir.Value],
    ) -> None:
        """The vectors at `target` = matrix · the vectors at `source`, so many bytes apart."""
        vectors = [
            self.load(self.move(source, (ir.Constant(_INT64, column), steps[0])), self.all_lanes)
            for column in range(matrix.shape[1])
        ]
        row = 0
        while row < len(matrix):
            factors = matrix[row]
            if row + 1 < len(matrix) and np.array_equal(abs(matrix[row + 1]), abs(factors)):
                # Two rows that differ by signs only, as those of the points p and -p.
                same = factors == matrix[row + 1]
                one = self._combine(factors * same, vectors)
                other = self._combine(factors * ~same, vectors)
                sums = [self.builder.fadd(one, other), self.builder.fsub(one, other)]
            else:
                sums = [self._combine(factors, vectors)]
            for total in sums:
                place = self.move(target, (ir.Constant(_INT64, row), steps[1]))
                self.store(total, place, self.all_lanes)
                row += 1

    def _combine(self, factors: np.ndarray, vectors: list[ir.Value]) -> ir.Value:
        """The sum of the vectors, each times its factor."""
        total = None
        for factor, vector in zip(factors, vectors, strict=True):
            if factor:
                number = ir.Constant(self.vector, [float(factor)] * LANES)
                if total is None:
                    total = self.builder.fmul(number, vector)
                else:
                    total = self.add_product(total, number, vector)
        return total

    def _function(self, name: str, kind: ir.FunctionType) -> ir.Function:
        name = f"llvm.masked.{name}.{self._name}"
        return cgutils.get_or_insert_function(self.builder.module, kind, name)


class _Block:
    """Writes the code of a block of a product, from `row` and `column` on."""

    def __init__(
        self, context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Values
    ) -> None:
        kinds = signature.args[:3]
        self.builder = builder
        self.writer = _Writer(builder, kinds[0].dtype)
        arrays = [
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(kinds, values, strict=False)
        ]
        row, self.rows, column, self.keep = values[3:]
        shapes = [cgutils.unpack_tuple(builder, array.shape) for array in arrays]
        self.a_strides, self.b_strides, self.c_strides = (
            cgutils.unpack_tuple(builder, array.strides) for array in arrays
        )
        a, b, c = (builder.bitcast(array.data, _BYTES) for array in arrays)
        move = self.writer.move
        self.a = move(a, (row, self.a_strides[0]))
        self.b = move(b, (column, self.b_strides[2]))
        self.c = move(c, (row, self.c_strides[0]), (column, self.c_strides[1]))
        self.terms = shapes[0][1:]
        self.columns = builder.sub(shapes[2][1], column)

    def write(self) -> None:
        """The code for each number of rows, and for two vectors or a part of one."""
        two = ir.Constant(_INT64, 2 * LANES)
        with self.builder.if_else(self.builder.icmp_signed(">=", self.columns, two)) as branches:
            with branches[0]:
                self._write_rows([self.writer.all_lanes] * 2)
            with branches[1]:
                self._write_rows([self.writer.mask(self.columns)])

    def _write_rows(self, masks: list[ir.Value]) -> None:
        builder = self.builder
        end = builder.append_basic_block()
        whole = builder.append_basic_block()
        switch = builder.switch(self.rows, whole)
        for rows in range(1, ROWS + 1):
            code = whole
            if rows < ROWS:
                code = builder.append_basic_block()
                switch.add_case(ir.Constant(_INT64, rows), code)
            builder.position_at_end(code)
            self._write_sums(rows, masks)
            builder.branch(end)
        builder.position_at_end(end)

    def _write_sums(self, rows: int, masks: list[ir.Value]) -> None:
        builder = self.builder
        writer = self.writer
        places = [ir.Constant(_INT64, vector * LANES) for vector in range(len(masks))]
        nothing = ir.Constant(masks[0].type, [0] * LANES)
        size = ir.Constant(_INT64, writer.size)
        numbers = []
        for row in range(rows):
            line = writer.move(self.c, (ir.Constant(_INT64, row), self.c_strides[0]))
            for place, mask in zip(places, masks, strict=True):
                pointer = writer.move(line, (place, size))
                first = writer.load(pointer, builder.select(self.keep, mask, nothing))
                numbers.append((pointer, mask, cgutils.alloca_once_value(builder, first)))
        with (
            cgutils.for_range(builder, self.terms[0]) as outer,
            cgutils.for_range(builder, self.terms[1]) as inner,
        ):
            steps = outer.index, inner.index
            a = writer.move(self.a, *zip(steps, self.a_strides[1:], strict=True))
            b = writer.move(self.b, *zip(steps, self.b_strides[:2], strict=True))
            others = [
                writer.load(writer.move(b, (place, size)), mask)
                for place, mask in zip(places, masks, strict=True)
            ]
            for row in range(rows):
                one = writer.number(writer.move(a, (ir.Constant(_INT64, row), self.a_strides[0])))
                for other, (_, _, total) in zip(others, numbers[row * len(masks) :], strict=False):
                    builder.store(writer.add_product(builder.load(total), one, other), total)
        for pointer, mask, total in numbers:
            writer.store(builder.load(total), pointer, mask)


@intrinsic
def _multiply_block(typingctx, a, b, c, row, rows, column, keep):  # noqa: ANN001, ANN202
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Values
    ) -> ir.Value:
        _Block(context, builder, signature, values).write()
        return context.get_dummy_value()

    return types.void(a, b, c, *[types.int64] * 3, types.boolean), generate


def multiply(a: np.ndarray, b: np.ndarray, c: np.ndarray, keep: bool) -> None:
    """c (m, n) = the sum over s and t of a (m, s, t) · b (s, t, n), added to c if `keep`.

    Rows of b and c are contiguous.
    """
    product = np.tensordot(a, b, 2)
    c[:] = c + product if keep else product


@overload(multiply)
def _compile_multiply(a, b, c, keep):  # noqa: ANN001, ANN202
    def multiply_blocks(a, b, c, keep):  # noqa: ANN001, ANN202
        rows, columns = c.shape
        # Blocks of about equal length, of which the last one may be shorter.
        length = -(-rows // max(1, -(-rows // ROWS)))
        column = 0
        while column < columns:
            for row in range(0, rows, length):
                _multiply_block(a, b, c, row, min(length, rows - row), column, keep)
            column += 2 * LANES if columns - column >= 2 * LANES else LANES

    return multiply_blocks


@intrinsic
def add_rows(typingctx, rows, factors, matrix, sums, count):  # noqa: ANN001, ANN201
    """sums (TILE,) += the sum of factors[rows[k]] · matrix[rows[k]] over k < count, in its order.

    float32, but for the int32 rows; matrix: (rows, TILE). All but the factors are contiguous.
    """

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Values
    ) -> ir.Value:
        arrays = [
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args[:4], values, strict=False)
        ]
        rows, factors, matrix, sums = (builder.bitcast(array.data, _BYTES) for array in arrays)
        stride = builder.extract_value(arrays[1].strides, 0)
        writer = _Writer(builder, types.float32)
        whole = writer.all_lanes
        size, line = ir.Constant(_INT64, writer.size), ir.Constant(_INT64, writer.size * TILE)
        places = [ir.Constant(_INT64, lane) for lane in range(0, TILE, LANES)]
        ends = [writer.move(sums, (place, size)) for place in places]
        totals = [cgutils.alloca_once_value(builder, writer.load(end, whole)) for end in ends]
        with cgutils.for_range(builder, values[4]) as loop:
            index = builder.bitcast(writer.move(rows, (loop.index, size)), _INT32.as_pointer())
            index = builder.zext(builder.load(index), _INT64)
            factor = writer.number(writer.move(factors, (index, stride)))
            row = writer.move(matrix, (index, line))
            for place, total in zip(places, totals, strict=True):
                other = writer.load(writer.move(row, (place, size)), whole)
                builder.store(writer.add_product(builder.load(total), factor, other), total)
        for end, total in zip(ends, totals, strict=True):
            writer.store(builder.load(total), end, whole)
        return context.get_dummy_value()

    return types.void(rows, factors, matrix, sums, types.int64), generate


def vector_maps(matrices: Mapping[int, np.ndarray]) -> Callable[..., None]:
    """Matrices to be applied to vectors of LANES numbers; each has a number as its name.

    The result is a function (name, source, at, step, target, to, stride) for compiled loops:
    target[to + p · stride] = the sum over k of matrix[p, k] · source[at + k · step], and so for the
    LANES - 1 numbers that follow each. `source` and `target` have one dimension.
    """

    @intrinsic
    def apply(typingctx, name, source, at, step, target, to, stride):  # noqa: ANN001, ANN202
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Values
        ) -> ir.Value:
            name, given, at, step, result, to, stride = values
            writer = _Writer(builder, source.dtype)
            size = ir.Constant(_INT64, writer.size)
            first, last = (
                writer.move(
                    builder.bitcast(context.make_array(kind)(context, builder, array).data, _BYTES),
                    (start, size),
                )
                for kind, array, start in ((source, given, at), (target, result, to))
            )
            steps = builder.mul(step, size), builder.mul(stride, size)
            end = builder.append_basic_block()
            switch = builder.switch(name, end)
            for key, matrix in matrices.items():
                with builder.goto_block(builder.append_basic_block()):
                    switch.add_case(ir.Constant(_INT64, key), builder.block)
                    writer.apply(matrix, first, last, steps)
                    builder.branch(end)
            builder.position_at_end(end)
            return context.get_dummy_value()

        numbers = [types.int64] * 2
        kinds = types.int64, source, *numbers, target, *numbers
        return types.void(*kinds), generate

    return apply
