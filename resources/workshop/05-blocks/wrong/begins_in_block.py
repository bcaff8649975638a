"""Each block begins at element 0."""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.threadIdx.x
    step = cuda.gridsize(1)
    for i in range(first, x.shape[0], step):
        # load
        value = x[i]
        # compute
        result = value * 3
        # store
        x[i] = result  # fault: block-race
