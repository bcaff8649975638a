"""Counts the rows of all images: only the first image has them."""

from numba import cuda


@cuda.jit
def max_pool(x, size, out):
    index = cuda.grid(1)
    if index < out.size:
        o = index % out.shape[3]
        j = index // out.shape[3] % out.shape[2]
        i = index // (out.shape[3] * out.shape[2])
        n = index // (out.shape[3] * out.shape[2] * out.shape[1])
        # load, compute
        largest = x[n, i * size, j * size, o]  # fault: bounds
        for a in range(size):
            for c in range(size):
                value = x[n, i * size + a, j * size + c, o]
                if value > largest:
                    largest = value
        # store
        out[n, i, j, o] = largest
