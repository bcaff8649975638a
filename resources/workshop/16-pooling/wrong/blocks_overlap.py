"""Moves by one pixel and not by one block."""

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
                value = x[n, i + a, j + c, o]
                if value > largest:
                    largest = value
        # store
        out[n, i, j, o] = largest  # fault: wrong-result
