"""Takes one element too many."""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.grid(1)
    step = cuda.gridsize(1)
    for i in range(first, x.shape[0] + 1, step):
        # load
        value = x[i]  # fault: bounds
        # compute
        result = value * 3
        # store
        x[i] = result
