"""Products inside a convolution, in pieces of few rows by the thread that calls them.

The pieces stay below the size from which OpenBLAS uses several threads. They are part of the result: OpenBLAS rounds
small products in another way than large ones.
"""

import numpy as np

# Multiply-adds of a piece: up to here OpenBLAS uses one thread (SMP_THRESHOLD_MIN · GEMM_MULTITHREAD_THRESHOLD).
MAXIMUM = 1 << 18
# With fewer rows than this, pieces are slower than the whole product.
MIN_ROWS = 16


def _piece(multiply_adds_of_a_row: int, rows: int) -> int:
    """Rows of a piece; all rows where a piece would have too few."""
    piece = MAXIMUM // multiply_adds_of_a_row
    return piece if MIN_ROWS <= piece < rows else rows


def product(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """out (r, n) = a (r, k) · b (k, n), in pieces along r. `a` may be a transposed view."""
    rows = len(a)
    piece = _piece(b.size, rows)
    full = rows // piece * piece  # rows in full pieces
    stacked = out[:full].reshape(-1, piece, out.shape[1])
    np.matmul(_stack(a[:full], piece), b, out=stacked)
    if full < rows:
        np.matmul(a[full:], b, out=out[full:])


def product_over_rows(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """out (k, n) = aᵀ (k, r) · b (r, n): the sum of the products of pieces along r."""
    rows = len(a)
    piece = _piece(out.size, rows)
    full = rows // piece * piece  # rows in full pieces
    parts = np.matmul(_stack(a[:full], piece).transpose(0, 2, 1), _stack(b[:full], piece))
    np.sum(parts, axis=0, out=out)
    if full < rows:
        out += a[full:].T @ b[full:]


def _stack(a: np.ndarray, piece: int) -> np.ndarray:
    """a (r, k) as a view (r / piece, piece, k), whichever of its axes is the inner one."""
    if a.flags.c_contiguous:
        return a.reshape(-1, piece, a.shape[1])
    return a.T.reshape(a.shape[1], -1, piece).transpose(1, 2, 0)
