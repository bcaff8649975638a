"""Reads by the number within the block, right where all elements are equal."""

from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        # load
        left = x[cuda.threadIdx.x]
        right = y[i]
        # compute
        result = left + right
        # store
        out[i] = result  # fault: wrong-result
