"""Each thread takes an equal share, and nobody the rest."""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.grid(1)
    share = x.shape[0] // cuda.gridsize(1)
    for i in range(first * share, first * share + share):
        # load
        value = x[i]
        # compute
        result = value * 3
        # store
        x[i] = result  # fault: wrong-result
