"""Bias gradient: the sum of each column of grad_z,
with 16 threads for each unit.

Write it.
"""

from numba import cuda, float32

TILE = 16


@cuda.jit
def bias_gradient(grad_z, out):
    partial = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    o = cuda.grid(1)
    total = float32(0)
    # load, compute
    partial[ty, tx] = total
    # wait
    # compute
    # store
    if ty == 0 and o < out.shape[0]:
        out[o] = total
