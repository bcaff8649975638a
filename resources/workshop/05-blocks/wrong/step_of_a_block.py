"""Goes on by one block: the second block's elements are taken by both."""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.grid(1)
    step = cuda.blockDim.x
    for i in range(first, x.shape[0], step):
        # load
        value = x[i]  # fault: block-race
        # compute
        result = value * 3
        # store
        x[i] = result
