"""What compiled loops use beyond Numba: C functions, memory addresses and atomic operations.

Compiled loops hold no Python objects: arrays and C functions are passed to them as addresses
(int64). The C functions are BLAS's float32 products, the loops of NumPy's exp and tanh, and the
interpreter's locks.

NumPy brings its BLAS along but offers it to Python only. The library is found among those that the
process has loaded, under one of the names that the product has, and tried on a small product. The
loops of `np.exp` and `np.tanh` are read from the ufunc objects, whose layout is part of NumPy's C
interface; where it differs from what is known here, nothing is read, and NumPy computes all dense
layers.
"""

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.base import BaseContext
from numba.core.typing.context import BaseContext as BaseTypingContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic as numba_intrinsic

from kernels.compiled import compiled
from kernels.host import blas_libraries

_INT64 = ir.IntType(64)

Values = Sequence[ir.Value]


def intrinsic(
    function: Callable[..., tuple[Signature, Callable[..., ir.Value]]],
) -> Callable[..., Any]:
    """Numba's decorator; compiled loops call the function without its first argument."""
    return numba_intrinsic(function)


@intrinsic
def call(typingctx: BaseTypingContext, address, arguments):  # noqa: ANN001, ANN201 - the types are Numba's
    """Call the C function at `address`, whose result is ignored.

    `arguments` is a tuple of int32, int64 and float32 values, as the C function declares them;
    pointers are int64.
    """

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Values
    ) -> ir.Value:
        kinds = [context.get_value_type(kind) for kind in arguments.types]
        function = ir.FunctionType(ir.VoidType(), kinds).as_pointer()
        builder.call(
            builder.inttoptr(values[0], function),
            cgutils.unpack_tuple(builder, values[1], len(kinds)),
        )
        return context.get_dummy_value()

    return types.void(types.int64, arguments), generate


def _pointer(kind: types.Type) -> Callable[..., Any]:
    @intrinsic
    def pointer(typingctx: BaseTypingContext, address):  # noqa: ANN001, ANN202
        """The address as a pointer to numbers of this type, for `numba.carray`."""

        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Values
        ) -> ir.Value:
            return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), generate

    return pointer


float32s = _pointer(types.float32)
float64s = _pointer(types.float64)
int64s = _pointer(types.int64)
int32s = _pointer(types.int32)
uint8s = _pointer(types.uint8)


def _read_modify_write(operation: str) -> Callable[..., Any]:
    @intrinsic
    def atomic(typingctx: BaseTypingContext, address, value):  # noqa: ANN001, ANN202
        """Change the int64 at `address` by `value`, atomically; returns the number before."""

        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Values
        ) -> ir.Value:
            pointer = builder.inttoptr(values[0], _INT64.as_pointer())
            return builder.atomic_rmw(operation, pointer, values[1], "seq_cst")

        return types.int64(types.int64, types.int64), generate

    return atomic


add = _read_modify_write("add")
exchange = _read_modify_write("xchg")


@intrinsic
def compare_exchange(typingctx: BaseTypingContext, address, expected, value):  # noqa: ANN001, ANN201
    """Write `value` to `address` if the int64 there is `expected`, atomically; returns the number
    before.
    """

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Values
    ) -> ir.Value:
        pointer = builder.inttoptr(values[0], _INT64.as_pointer())
        result = builder.cmpxchg(pointer, values[1], values[2], "seq_cst")
        return builder.extract_value(result, 0)

    return types.int64(types.int64, types.int64, types.int64), generate


@intrinsic
def load(typingctx: BaseTypingContext, address):  # noqa: ANN001, ANN201
    """The int64 at `address`, read atomically."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, values: Values
    ) -> ir.Value:
        return builder.load_atomic(builder.inttoptr(values[0], _INT64.as_pointer()), "seq_cst", 8)

    return types.int64(types.int64), generate


# -- C functions -----------------------------------------------------------------------------------

# How the names of BLAS's C functions are written, and whether their integers have 64 bits: NumPy's
# own OpenBLAS first.
_NAMES = (
    ("scipy_cblas_{}64_", True),
    ("cblas_{}64_", True),
    ("scipy_cblas_{}", False),
    ("cblas_{}$NEWLAPACK$ILP64", True),
    ("cblas_{}$NEWLAPACK", False),
    ("cblas_{}", False),
)

# Apple's BLAS, which NumPy uses on macOS 14 and later and threadpoolctl does not know. Its products
# have the names with NEWLAPACK.
_ACCELERATE = "/System/Library/Frameworks/Accelerate.framework/Accelerate"

# C's numbers for the order of a matrix in memory, and for operands as they are and transposed.
_BY_ROWS = 101
_BY_COLUMNS = 102
_PLAIN = 111
_TRANSPOSED = 112

# Indices in the array of addresses that `find` returns.
GEMM, GEMV, IS_WIDE, EXP, EXP_DATA, TANH, TANH_DATA, ACQUIRE, RELEASE = range(9)
FUNCTIONS = 9


class Matrix(NamedTuple):
    """A float32 matrix in memory, as compiled loops pass it on."""

    address: int
    row_length: int
    """Numbers from one row in memory to the next."""
    is_transposed: bool
    """Whether it is stored transposed: a row in memory is then a column of the matrix."""


class Vector(NamedTuple):
    """Float32 numbers in memory, `step` numbers apart."""

    address: int
    step: int


@compiled
def product(functions: np.ndarray, a: Matrix, b: Matrix, c: Matrix, m: int, n: int, k: int) -> None:
    """C (m, n) = A (m, k) · B (k, n); C is not transposed.

    As NumPy does, a product with one row or one column is left to gemv, whose sums have another
    order.
    """
    if n == 1:
        column = Vector(b.address, 1 if b.is_transposed else b.row_length)
        _matrix_vector(
            functions, a, not a.is_transposed, column, Vector(c.address, c.row_length), m, k
        )
        return
    if m == 1:
        row = Vector(a.address, a.row_length if a.is_transposed else 1)
        _matrix_vector(functions, b, b.is_transposed, row, Vector(c.address, 1), n, k)
        return
    one = np.float32(1)
    zero = np.float32(0)
    order = np.int32(_BY_ROWS)
    first = np.int32(_TRANSPOSED if a.is_transposed else _PLAIN)
    second = np.int32(_TRANSPOSED if b.is_transposed else _PLAIN)
    gemm = functions[GEMM]
    if functions[IS_WIDE]:
        left = (one, a.address, a.row_length)
        right = (b.address, b.row_length)
        call(gemm, (order, first, second, m, n, k, *left, *right, zero, c.address, c.row_length))
    else:
        sizes = (np.int32(m), np.int32(n), np.int32(k))
        left32 = (one, a.address, np.int32(a.row_length))
        right32 = (b.address, np.int32(b.row_length))
        call(
            gemm,
            (
                order,
                first,
                second,
                *sizes,
                *left32,
                *right32,
                zero,
                c.address,
                np.int32(c.row_length),
            ),
        )


@compiled
def _matrix_vector(
    functions: np.ndarray, a: Matrix, by_rows: bool, x: Vector, y: Vector, m: int, n: int
) -> None:
    """y (m,) = A (m, n) · x (n,); `by_rows`: the rows of A are contiguous, else its columns."""
    one = np.float32(1)
    zero = np.float32(0)
    order = np.int32(_BY_COLUMNS if by_rows else _BY_ROWS)
    transposed = np.int32(_TRANSPOSED)
    gemv = functions[GEMV]
    if functions[IS_WIDE]:
        matrix = (one, a.address, a.row_length)
        call(gemv, (order, transposed, n, m, *matrix, x.address, x.step, zero, y.address, y.step))
    else:
        matrix32 = (one, a.address, np.int32(a.row_length))
        x32 = (x.address, np.int32(x.step))
        y32 = (y.address, np.int32(y.step))
        call(gemv, (order, transposed, np.int32(n), np.int32(m), *matrix32, *x32, zero, *y32))


@compiled
def apply(function: int, data: int, address: int, size: int, scratch: np.ndarray) -> None:
    """Apply a ufunc's float32 loop in place to `size` numbers at `address`; `scratch` is 5
    int64.
    """
    scratch[0] = address
    scratch[1] = address
    scratch[2] = size
    scratch[3] = 4
    scratch[4] = 4
    start = scratch.ctypes.data
    call(function, (start, start + 16, start + 24, data))


_FINDING = Lock()


def find() -> np.ndarray | None:
    """The addresses of the functions, int64, in the order of the constants above; 0 where one is
    not found.

    None where loops are not compiled (NUMBA_DISABLE_JIT=1). It is one array for the whole process:
    instructions hold its address.
    """
    # Of two threads that call a cached function for the first time, each gets an array, and one of
    # them is freed.
    with _FINDING:
        return _find()


@cache
def _find() -> np.ndarray | None:
    from numba import config

    if getattr(config, "DISABLE_JIT", 0):
        return None
    functions = np.zeros(FUNCTIONS, np.int64)
    functions[ACQUIRE] = address(ctypes.pythonapi.PyThread_acquire_lock)
    functions[RELEASE] = address(ctypes.pythonapi.PyThread_release_lock)
    for index, ufunc in ((EXP, np.exp), (TANH, np.tanh)):
        functions[index], functions[index + 1] = float_loop(ufunc)
        if functions[index] and not _applies(functions, index, ufunc):
            functions[index] = 0
    if not (functions[EXP] and functions[TANH]):
        return functions
    for gemm, gemv, wide in _products():
        functions[GEMM] = gemm
        functions[GEMV] = gemv
        functions[IS_WIDE] = wide
        if _multiplies(functions):
            return functions
    functions[GEMM] = 0
    return functions


def _products() -> list[tuple[int, int, bool]]:
    """(address of sgemm, of sgemv, whether their integers have 64 bits) in each BLAS library that
    is loaded.
    """
    paths = [info["filepath"] for info in blas_libraries()]
    if not paths and sys.platform == "darwin":
        paths = [_ACCELERATE]
    addresses = []
    for name, wide in _NAMES:
        for path in paths:
            try:
                library = ctypes.CDLL(path)
                gemm = getattr(library, name.format("sgemm"))
                gemv = getattr(library, name.format("sgemv"))
            except (OSError, AttributeError):
                continue
            addresses.append((address(gemm), address(gemv), wide))
    return addresses


def address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class _UFunc(ctypes.Structure):
    """The first fields of PyUFuncObject after Python's own."""

    _fields_ = (
        ("inputs", ctypes.c_int),
        ("outputs", ctypes.c_int),
        ("operands", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("loops", ctypes.c_int),
    )


def float_loop(ufunc: np.ufunc, start: int | None = None) -> tuple[int, int]:
    """(function, data) of the ufunc's loop from float32 to float32; (0, 0) where its layout is
    another one.

    The pointers to functions and data lie between numbers that are known: they are followed only if
    all of these are right. `start`: where the fields after Python's own begin, for tests.
    """
    nothing = 0, 0
    if start is None:
        start = id(ufunc) + object.__basicsize__
        if (
            np.ufunc.__basicsize__ < object.__basicsize__ + ctypes.sizeof(_UFunc)
            or "f->f" not in ufunc.types
        ):
            return nothing
    fields = _UFunc.from_address(start)
    found = fields.inputs, fields.outputs, fields.operands, fields.loops
    if found != (ufunc.nin, ufunc.nout, ufunc.nargs, ufunc.ntypes) or not fields.functions:
        return nothing
    index = ufunc.types.index("f->f")
    return fields.functions[index] or 0, (fields.data[index] or 0) if fields.data else 0


def _multiplies(functions: np.ndarray) -> bool:
    """Whether the products are NumPy's."""
    a = np.arange(6, dtype=np.float32).reshape(3, 2)
    b = np.arange(12, dtype=np.float32).reshape(4, 3)
    c = np.empty((2, 4), np.float32)
    stored = (
        Matrix(a.ctypes.data, 2, True),
        Matrix(b.ctypes.data, 3, True),
        Matrix(c.ctypes.data, 4, False),
    )
    product(functions, *stored, 2, 4, 3)
    with np.errstate(all="ignore"):  # Apple's products raise false warnings
        products = np.matmul(a.T, b.T)
        column = np.matmul(a.T, b[:1].T)
    if not np.array_equal(c, products):
        return False
    product(functions, *stored, 2, 1, 3)
    return np.array_equal(c[:, :1], column)


def _applies(functions: np.ndarray, index: int, ufunc: np.ufunc) -> bool:
    """Whether the loop at `index` computes what the ufunc does."""
    numbers = np.linspace(-3, 3, 37, dtype=np.float32)
    expected = ufunc(numbers)
    scratch = np.empty(5, np.int64)
    apply(functions[index], functions[index + 1], numbers.ctypes.data, numbers.size, scratch)
    return np.array_equal(numbers, expected)
