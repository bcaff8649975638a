"""The weight gradient, xᵀ · grad_z.

This kernel has two faults: find and repair them.
"""

from numba import cuda

TILE = 16


@cuda.jit
def dense_weight_gradient(x, grad_z, out):
    ty = cuda.threadIdx.y
    o = cuda.grid(1)
    i = cuda.blockIdx.y
    if o < out.shape[1]:
        if ty == 0:
            out[i, o] = 0
        # wait
        cuda.syncthreads()
        for n in range(ty, x.shape[0], TILE):
            # load, compute, store
            out[i, o] += x[n, i] * grad_z[n, o]
