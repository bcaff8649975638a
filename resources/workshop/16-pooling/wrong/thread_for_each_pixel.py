"""One thread for each pixel: those of a block store to the same element, and one of them wins."""

from numba import cuda


@cuda.jit
def max_pool(x, size, out):
    index = cuda.grid(1)
    if index < x.size:
        o = index % x.shape[3]
        j = index // x.shape[3] % x.shape[2]
        i = index // (x.shape[3] * x.shape[2]) % x.shape[1]
        n = index // (x.shape[3] * x.shape[2] * x.shape[1])
        if i // size < out.shape[1] and j // size < out.shape[2]:
            # load, store
            out[n, i // size, j // size, o] = x[n, i, j, o]  # fault: race
