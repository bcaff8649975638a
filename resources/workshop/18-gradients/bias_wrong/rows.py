"""Adds along the rows: the sum of an example, not of a unit."""

from numba import cuda, float32

TILE = 16


@cuda.jit
def bias_gradient(grad_z, out):
    partial = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    o = cuda.grid(1)
    total = float32(0)
    if o < out.shape[0]:
        for n in range(ty, grad_z.shape[0], TILE):
            # load, compute
            total += grad_z[o, n]  # fault: bounds
    partial[ty, tx] = total
    # wait
    cuda.syncthreads()
    # compute
    if ty == 0 and o < out.shape[0]:
        total = float32(0)
        for k in range(TILE):
            total += partial[k, tx]
        # store
        out[o] = total
