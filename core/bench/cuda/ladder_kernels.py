"""The thesis's naive kernels: one thread per element of the result, without shared memory and
without fusion.

They are measured beside the kernels that the program trains with, and are the ones to read first.
As in the thesis the first index of a thread is the row: threads that are consecutive along x access
addresses that are a row apart, so the accesses are not coalesced. All arrays are float32.
"""

from kernels.cuda.operators.activations import activate, derivative
from kernels.cuda.toolkit import cuda, float32, kernel


@kernel()
def feed_forward(x, w, b, code, out):  # noqa: ANN001, ANN201 - compiled
    """out (n, o) = f(x (n, i) · w (i, o) + b (o,)); `code` is that of f in
    `kernels.activations`.
    """
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        for k in range(x.shape[1]):
            total += x[row, k] * w[k, column]
        out[row, column] = activate(total + b[column], code)


@kernel()
def product(a, b, out):  # noqa: ANN001, ANN201 - compiled
    """out (m, n) = a (m, k) · b (k, n)."""
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, column]
        out[row, column] = total


@kernel()
def product_nt(a, b, out):  # noqa: ANN001, ANN201 - compiled
    """out (m, n) = a (m, k) · b (n, k)ᵀ, without storing the transpose."""
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[row, k] * b[column, k]
        out[row, column] = total


@kernel()
def product_tn(a, b, out):  # noqa: ANN001, ANN201 - compiled
    """out (m, n) = a (k, m)ᵀ · b (k, n), without storing the transpose; the thesis's `matmul_T`."""
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        for k in range(a.shape[0]):
            total += a[k, row] * b[k, column]
        out[row, column] = total


@kernel()
def transpose(a, out):  # noqa: ANN001, ANN201 - compiled
    """out (n, m) = a (m, n)ᵀ."""
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = a[column, row]


@kernel()
def subtract(y, targets, out):  # noqa: ANN001, ANN201 - compiled
    """out = y - targets, all (n, o)."""
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = y[row, column] - targets[row, column]


@kernel()
def grad_z(y, errors, code, scale, out):  # noqa: ANN001, ANN201 - compiled
    """out = errors ⊙ f'(y) · scale, all (n, o)."""
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = errors[row, column] * derivative(y[row, column], code) * scale


@kernel()
def sum_rows(grad_z, out):  # noqa: ANN001, ANN201 - compiled
    """out (o,) = sum of grad_z (n, o) over its rows; one thread per column."""
    column = cuda.grid(1)
    if column < out.shape[0]:
        total = float32(0)
        for row in range(grad_z.shape[0]):
            total += grad_z[row, column]
        out[column] = total


@kernel()
def descend(rate, g, p):  # noqa: ANN001, ANN201 - compiled
    """p (i, o) -= rate · g (i, o). `rate` is a scalar, so a captured step could not change it."""
    row, column = cuda.grid(2)
    if row < p.shape[0] and column < p.shape[1]:
        p[row, column] -= rate * g[row, column]


@kernel()
def descend_row(rate, g, p):  # noqa: ANN001, ANN201 - compiled
    """p (o,) -= rate · g (o,)."""
    column = cuda.grid(1)
    if column < p.shape[0]:
        p[column] -= rate * g[column]
