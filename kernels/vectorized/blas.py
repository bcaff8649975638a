"""BLAS's matrix product by its address, so that compiled loops call it without Python.

NumPy brings its BLAS along but offers it to Python only. The library is found among those that the process has
loaded, asked for one of the names under which the product is known, and tried on a small product. Where that
fails, nothing is lost but speed.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

# The names of sgemm with C's conventions, and whether its integers have 64 bits: NumPy's own OpenBLAS first.
_NAMES = (
    ("scipy_cblas_sgemm64_", True),
    ("cblas_sgemm64_", True),
    ("scipy_cblas_sgemm", False),
    ("cblas_sgemm", False),
)

# C's numbers for row-major order, and for operands as they are and transposed.
_ROW_MAJOR, _AS_IT_IS, _TRANSPOSED = 101, 111, 112


@dataclass(frozen=True, slots=True)
class Gemm:
    """`address` of the function, `wide`: its integers have 64 bits; `library` keeps it loaded."""

    address: int
    wide: bool
    library: Any


def _caller(bits: int) -> Callable[..., None]:
    """A call of sgemm with integers of so many bits, as an instruction for compiled loops."""

    @intrinsic
    def call(typingctx: Any, address, ta, tb, m, n, k, a, lda, b, ldb, c, ldc):  # noqa: ANN001, ANN202 - Numba's
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            enum, whole, real = ir.IntType(32), ir.IntType(bits), ir.FloatType()
            array = real.as_pointer()
            wanted = [enum] * 3 + [whole] * 3 + [real, array, whole, array, whole, real, array, whole]
            function = ir.FunctionType(ir.VoidType(), wanted)
            where, *values = arguments
            one, zero, order = ir.Constant(real, 1.0), ir.Constant(real, 0.0), ir.Constant(enum, _ROW_MAJOR)
            ta, tb, m, n, k, a, lda, b, ldb, c, ldc = values
            given = [order, ta, tb, m, n, k, one, a, lda, b, ldb, zero, c, ldc]

            def fitting(value: Any, kind: Any) -> Any:
                if isinstance(kind, ir.PointerType):
                    return builder.inttoptr(value, kind)
                if value.type == ir.IntType(64) and kind != value.type:
                    return builder.trunc(value, kind)
                return value

            builder.call(
                builder.inttoptr(where, function.as_pointer()),
                [fitting(value, kind) for value, kind in zip(given, wanted, strict=True)],
            )
            return context.get_dummy_value()

        return types.void(*[types.int64] * 12), generate

    return call


_call64, _call32 = _caller(64), _caller(32)


@njit(cache=True, nogil=True)
def product(
    address: int,
    wide: bool,
    ta: bool,
    tb: bool,
    m: int,
    n: int,
    k: int,
    a: int,
    lda: int,
    b: int,
    ldb: int,
    c: int,
) -> None:
    """c (m, n) = A (m, k) · B (k, n), all float32 by address; `ta`, `tb`: that operand lies transposed in memory.

    `lda`, `ldb`: columns of a and b as they lie.
    """
    first, second = _TRANSPOSED if ta else _AS_IT_IS, _TRANSPOSED if tb else _AS_IT_IS
    if wide:
        _call64(address, first, second, m, n, k, a, lda, b, ldb, c, n)
    else:
        _call32(address, first, second, m, n, k, a, lda, b, ldb, c, n)


@cache
def find() -> Gemm | None:
    """The product of the BLAS that NumPy uses, or None where it is not to be had."""
    from numba import config
    from threadpoolctl import threadpool_info

    if getattr(config, "DISABLE_JIT", 0):
        return None
    paths = [info["filepath"] for info in threadpool_info() if info["user_api"] == "blas"]
    for name, wide in _NAMES:
        for path in paths:
            try:
                library = ctypes.CDLL(path)
                address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
            except (OSError, AttributeError):
                continue
            if _is_right(address, wide):
                return Gemm(address, wide, library)
    return None


def _is_right(address: int, wide: bool) -> bool:
    a = np.arange(6, dtype=np.float32).reshape(3, 2)
    b = np.arange(12, dtype=np.float32).reshape(4, 3)
    c = np.empty((2, 4), np.float32)
    product(address, wide, True, True, 2, 4, 3, a.ctypes.data, 2, b.ctypes.data, 3, c.ctypes.data)
    return np.array_equal(c, a.T @ b.T)
