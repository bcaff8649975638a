"""The largest of each block of size · size pixels.

This kernel has a fault: find and repair it.
"""

from numba import cuda, float32


@cuda.jit
def max_pool(x, size, out):
    index = cuda.grid(1)
    if index < out.size:
        o = index % out.shape[3]
        j = index // out.shape[3] % out.shape[2]
        i = index // (out.shape[3] * out.shape[2]) % out.shape[1]
        n = index // (out.shape[3] * out.shape[2] * out.shape[1])
        # load, compute
        largest = float32(0)
        for a in range(size):
            for c in range(size):
                value = x[n, i * size + a, j * size + c, o]
                if value > largest:
                    largest = value
        # store
        out[n, i, j, o] = largest
