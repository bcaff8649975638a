"""Bias gradient of a dense layer: the sum of each column of grad_z.

A block computes 16 sums. The thread (tx, ty) adds the examples ty, ty + 16, ... of the unit tx in a
variable of its own; after the barrier the threads with ty = 0 add the 16 partial sums. A warp reads two
rows of 16 neighbors: along the rows of grad_z, although each sum goes down a column.
"""

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
            total += grad_z[n, o]
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
