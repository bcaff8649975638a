"""The last element is never written."""

from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.shape[0] - 1:
        # load
        left = x[i]
        right = y[i]
        # compute
        result = left + right
        # store
        out[i] = result  # fault: wrong-result
