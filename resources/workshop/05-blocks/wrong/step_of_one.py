"""Each thread takes all elements behind its own."""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.grid(1)
    step = 1
    for i in range(first, x.shape[0], step):
        # load
        value = x[i]  # fault: race
        # compute
        result = value * 3
        # store
        x[i] = result
