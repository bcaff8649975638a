"""Each thread takes one element: the rest stays as it was."""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.grid(1)
    step = cuda.gridsize(1)
    for i in range(first, min(first + 1, x.shape[0])):
        # load
        value = x[i]
        # compute
        result = value * 3
        # store
        x[i] = result  # fault: wrong-result
