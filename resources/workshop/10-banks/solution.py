"""Transpose by tiles without bank conflicts: one column more than needed.

Element [row, column] of a tile of width 32 lies in bank column mod 32: a column lies in one bank, and 32
threads that read it wait 32 times. With width 33 the next row begins one bank further, so a column lies in
all 32 banks.
"""

from numba import cuda, float32

TILE = 32
WIDTH = TILE + 1


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
