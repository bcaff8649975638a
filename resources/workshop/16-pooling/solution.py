"""Max pooling: one thread for each element of the result.

The number of a thread is taken apart into image, row, column and map, the last one first, as the elements
lie in memory. The search begins with an element of the block, not with 0: all of them may be negative.
"""

from numba import cuda


@cuda.jit
def max_pool(x, size, out):
    index = cuda.grid(1)
    if index < out.size:
        o = index % out.shape[3]
        j = index // out.shape[3] % out.shape[2]
        i = index // (out.shape[3] * out.shape[2]) % out.shape[1]
        n = index // (out.shape[3] * out.shape[2] * out.shape[1])
        # load, compute
        largest = x[n, i * size, j * size, o]
        for a in range(size):
            for c in range(size):
                value = x[n, i * size + a, j * size + c, o]
                if value > largest:
                    largest = value
        # store
        out[n, i, j, o] = largest
