"""The loop never advances."""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.grid(1)
    i = first
    while i < x.shape[0]:  # fault: unsupported
        # load
        value = x[i]
        # compute
        result = value * 3
        # store
        x[i] = result
