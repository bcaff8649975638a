"""The thesis's kernels, from which it climbed: one thread a number of the result, nothing shared, nothing fused.

They are here to be measured beside the kernels that the program trains with, and to be read first by whoever
learns. As in the thesis a thread's first index is the row, so that neighbouring threads (along x) lie in
neighbouring rows and their reads and writes are a row apart: what a card likes least. All arrays are float32.
"""

from numba import float32

from kernels.cuda.operators.activations import activate, derivative
from kernels.cuda.toolkit import cuda, kernel


@kernel()
def feed_forward(x, w, b, code, out):  # noqa: ANN001, ANN201 - compiled
    """out (n, o) = f(x (n, i) · w (i, o) + b (o,)), with f by its code in `kernels.activations`."""
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
    """out (m, n) = a (m, k) · b (n, k) transposed, which is never made."""
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[row, k] * b[column, k]
        out[row, column] = total


@kernel()
def product_tn(a, b, out):  # noqa: ANN001, ANN201 - compiled
    """out (m, n) = a (k, m) transposed, which is never made, · b (k, n); the thesis's `matmul_T`."""
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        for k in range(a.shape[0]):
            total += a[k, row] * b[k, column]
        out[row, column] = total


@kernel()
def transpose(a, out):  # noqa: ANN001, ANN201 - compiled
    """out (n, m) = a (m, n) transposed."""
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
    """out (o,) = sum of dz (n, o) over its rows; a thread a column."""
    column = cuda.grid(1)
    if column < out.shape[0]:
        total = float32(0)
        for row in range(grad_z.shape[0]):
            total += grad_z[row, column]
        out[column] = total


@kernel()
def descend(p, g, rate):  # noqa: ANN001, ANN201 - compiled
    """p (i, o) -= rate · g (i, o); `rate` is a number, which is why such a step could not be captured."""
    row, column = cuda.grid(2)
    if row < p.shape[0] and column < p.shape[1]:
        p[row, column] -= rate * g[row, column]


@kernel()
def descend_row(p, g, rate):  # noqa: ANN001, ANN201 - compiled
    """p (o,) -= rate · g (o,)."""
    column = cuda.grid(1)
    if column < p.shape[0]:
        p[column] -= rate * g[column]


@kernel()
def hold(number, rounds):  # noqa: ANN001, ANN201 - compiled
    """Keep one thread busy for so many dependent additions: what is queued meanwhile then runs without gaps."""
    if cuda.grid(1) == 0:
        total = number[0]
        for _ in range(rounds):
            total = total * float32(0.5) + float32(1)
        number[0] = total
