"""The C functions that compiled loops call: BLAS's float32 products, NumPy's exp and tanh, the interpreter's locks.

NumPy brings its BLAS along but offers it to Python only. The library is found among those that the process has
loaded, under one of the names that the product has, and tried on a small product. The loops of `np.exp` and `np.tanh`
are read from the ufunc objects, whose layout is part of NumPy's C interface, and tried as well.
"""

import ctypes
import sys
from functools import cache
from typing import Any

import numpy as np

from kernels.compiled import compiled
from kernels.vectorized import native

# How the names of BLAS's C functions are written, and whether their integers have 64 bits: NumPy's own OpenBLAS first.
_NAMES = (
    ("scipy_cblas_{}64_", True),
    ("cblas_{}64_", True),
    ("scipy_cblas_{}", False),
    ("cblas_{}$NEWLAPACK$ILP64", True),
    ("cblas_{}$NEWLAPACK", False),
    ("cblas_{}", False),
)

# Apple's BLAS, which NumPy uses on macOS 14 and later and threadpoolctl does not know. Its products have the names
# with NEWLAPACK.
_ACCELERATE = "/System/Library/Frameworks/Accelerate.framework/Accelerate"

# C's numbers for the order of a matrix in memory, and for operands as they are and transposed.
_BY_ROWS, _BY_COLUMNS, _PLAIN, _TRANSPOSED = 101, 102, 111, 112

# Indices in the array of addresses that `find` returns.
GEMM, GEMV, IS_WIDE, EXP, EXP_DATA, TANH, TANH_DATA, ACQUIRE, RELEASE = range(9)
FUNCTIONS = 9


@compiled
def product(
    functions: np.ndarray, ta: bool, tb: bool, m: int, n: int, k: int, a: int, lda: int, b: int, ldb: int, c: int,
    ldc: int,
) -> None:  # fmt: skip
    """C (m, n) = A (m, k) · B (k, n): float32 matrices at the addresses a, b, c.

    `ta`, `tb`: the operand is stored transposed. `lda`, `ldb`, `ldc`: numbers from one row in memory to the next.
    As NumPy does, a product with one row or one column is left to gemv, whose sums have another order.
    """
    one, zero = np.float32(1), np.float32(0)
    if n == 1:
        _matrix_vector(functions, not ta, m, k, a, lda, b, 1 if tb else ldb, c, ldc)
        return
    if m == 1:
        _matrix_vector(functions, tb, n, k, b, ldb, a, lda if ta else 1, c, 1)
        return
    order = np.int32(_BY_ROWS)
    first, second = np.int32(_TRANSPOSED if ta else _PLAIN), np.int32(_TRANSPOSED if tb else _PLAIN)
    if functions[IS_WIDE]:
        native.call(functions[GEMM], (order, first, second, m, n, k, one, a, lda, b, ldb, zero, c, ldc))
    else:
        native.call(
            functions[GEMM],
            (order, first, second, np.int32(m), np.int32(n), np.int32(k), one, a, np.int32(lda), b,
             np.int32(ldb), zero, c, np.int32(ldc)),
        )  # fmt: skip


@compiled
def _matrix_vector(
    functions: np.ndarray, by_rows: bool, m: int, n: int, a: int, lda: int, x: int, x_step: int, y: int, y_step: int
) -> None:  # fmt: skip
    """y (m,) = A (m, n) · x (n,); `by_rows`: the rows of A are contiguous, else its columns."""
    one, zero = np.float32(1), np.float32(0)
    order, transposed = np.int32(_BY_COLUMNS if by_rows else _BY_ROWS), np.int32(_TRANSPOSED)
    if functions[IS_WIDE]:
        native.call(functions[GEMV], (order, transposed, n, m, one, a, lda, x, x_step, zero, y, y_step))
    else:
        native.call(
            functions[GEMV],
            (order, transposed, np.int32(n), np.int32(m), one, a, np.int32(lda), x, np.int32(x_step), zero, y,
             np.int32(y_step)),
        )  # fmt: skip


@compiled
def apply(function: int, data: int, address: int, size: int, scratch: np.ndarray) -> None:
    """Apply a ufunc's float32 loop in place to `size` numbers at `address`; `scratch` is 5 int64."""
    scratch[0], scratch[1], scratch[2], scratch[3], scratch[4] = address, address, size, 4, 4
    start = scratch.ctypes.data
    native.call(function, (start, start + 16, start + 24, data))


@cache
def find() -> np.ndarray | None:
    """The addresses of the functions, int64, in the order of the constants above; None where one is missing."""
    from numba import config

    if getattr(config, "DISABLE_JIT", 0):
        return None
    functions = np.zeros(FUNCTIONS, np.int64)
    functions[EXP:ACQUIRE] = [*_float_loop(np.exp), *_float_loop(np.tanh)]
    functions[ACQUIRE] = _address(ctypes.pythonapi.PyThread_acquire_lock)
    functions[RELEASE] = _address(ctypes.pythonapi.PyThread_release_lock)
    for gemm, gemv, wide in _products():
        functions[GEMM], functions[GEMV], functions[IS_WIDE] = gemm, gemv, wide
        if _is_right(functions):
            return functions
    return None


def _products() -> list[tuple[int, int, bool]]:
    """(address of sgemm, of sgemv, whether their integers have 64 bits) in each BLAS library that is loaded."""
    paths = [info["filepath"] for info in _known_libraries()]
    if not paths and sys.platform == "darwin":
        paths = [_ACCELERATE]
    addresses = []
    for name, wide in _NAMES:
        for path in paths:
            try:
                library = ctypes.CDLL(path)
                gemm, gemv = getattr(library, name.format("sgemm")), getattr(library, name.format("sgemv"))
            except (OSError, AttributeError):
                continue
            addresses.append((_address(gemm), _address(gemv), wide))
    return addresses


def _known_libraries() -> list[dict[str, Any]]:
    """The BLAS libraries that are loaded and that threadpoolctl knows."""
    from threadpoolctl import threadpool_info

    return [info for info in threadpool_info() if info["user_api"] == "blas"]


def blas_description() -> str:
    """Name and version of the BLAS library; of one that threadpoolctl does not know, what NumPy was built with."""
    for info in _known_libraries():
        return f"{info['internal_api']} {info['version'] or ''}".strip()
    built_with: Any = np.show_config(mode="dicts")
    return str(built_with.get("Build Dependencies", {}).get("blas", {}).get("name", "unknown"))


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class _UFunc(ctypes.Structure):
    """The first fields of PyUFuncObject after Python's own."""

    _fields_ = (
        ("counts", ctypes.c_int * 4),  # inputs, outputs, both, identity
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
    )


def _float_loop(ufunc: np.ufunc) -> tuple[int, int]:
    """(function, data) of the ufunc's loop from float32 to float32."""
    fields = _UFunc.from_address(id(ufunc) + object.__basicsize__)
    index = ufunc.types.index("f->f")
    return fields.functions[index] or 0, (fields.data[index] or 0) if fields.data else 0


def _is_right(functions: np.ndarray) -> bool:
    a = np.arange(6, dtype=np.float32).reshape(3, 2)
    b = np.arange(12, dtype=np.float32).reshape(4, 3)
    c, scratch = np.empty((2, 4), np.float32), np.empty(5, np.int64)
    product(functions, True, True, 2, 4, 3, a.ctypes.data, 2, b.ctypes.data, 3, c.ctypes.data, 4)
    with np.errstate(all="ignore"):  # Apple's products raise false warnings
        products, column = np.matmul(a.T, b.T), np.matmul(a.T, b[:1].T)
    right = np.array_equal(c, products)
    product(functions, True, True, 2, 1, 3, a.ctypes.data, 2, b.ctypes.data, 3, c.ctypes.data, 4)
    right = right and np.array_equal(c[:, :1], column)
    for offset, ufunc in ((EXP, np.exp), (TANH, np.tanh)):
        numbers = np.linspace(-3, 3, 37, dtype=np.float32)
        expected = ufunc(numbers)
        apply(functions[offset], functions[offset + 1], numbers.ctypes.data, numbers.size, scratch)
        right = right and np.array_equal(numbers, expected)
    return bool(right)
