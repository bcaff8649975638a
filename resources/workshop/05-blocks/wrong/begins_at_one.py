"""Element 0 has no thread."""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.grid(1) + 1
    step = cuda.gridsize(1)
    for i in range(first, x.shape[0], step):
        # load
        value = x[i]
        # compute
        result = value * 3
        # store
        x[i] = result  # fault: wrong-result
