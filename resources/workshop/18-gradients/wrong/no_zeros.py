"""Atomic additions, but to what happened to be in `out`."""

from numba import cuda

TILE = 16


@cuda.jit
def dense_weight_gradient(x, grad_z, out):
    o = cuda.grid(1)
    i = cuda.blockIdx.y
    if o < out.shape[1]:
        for n in range(cuda.threadIdx.y, x.shape[0], TILE):
            # load, compute, store
            cuda.atomic.add(out, (i, o), x[n, i] * grad_z[n, o])  # fault: uninitialized
