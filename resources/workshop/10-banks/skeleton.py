"""Transpose by tiles.

Right, and 4 sectors, but reading the tile takes 32
ways: make it 1.
"""

from numba import cuda, float32

TILE = 32
WIDTH = TILE


@cuda.jit
def transpose(a, out):
    tile = cuda.shared.array((TILE, WIDTH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + ty
    column = cuda.blockIdx.x * TILE + tx
    # load
    if row < a.shape[0] and column < a.shape[1]:
        tile[ty, tx] = a[row, column]
    # wait
    cuda.syncthreads()
    # compute
    out_row = cuda.blockIdx.x * TILE + ty
    out_column = cuda.blockIdx.y * TILE + tx
    # store
    if out_row < out.shape[0] and out_column < out.shape[1]:
        out[out_row, out_column] = tile[tx, ty]
