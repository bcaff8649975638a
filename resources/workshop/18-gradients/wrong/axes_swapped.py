"""Forgets that x is transposed."""

from numba import cuda, float32

TILE = 16


@cuda.jit
def dense_weight_gradient(x, grad_z, out):
    partial = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    o = cuda.grid(1)
    i = cuda.blockIdx.y
    total = float32(0)
    if o < out.shape[1]:
        for n in range(ty, x.shape[0], TILE):
            # load, compute
            total += x[i, n] * grad_z[n, o]  # fault: bounds
    partial[ty, tx] = total
    # wait
    cuda.syncthreads()
    # compute
    if ty == 0 and o < out.shape[1]:
        total = float32(0)
        for k in range(TILE):
            total += partial[k, tx]
        # store
        out[i, o] = total
