"""The number within the block repeats in each block: only the first block's elements are written."""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.threadIdx.x
    # load
    value = a[i]
    # compute
    result = value + 10
    # store
    out[i] = result  # fault: wrong-result
