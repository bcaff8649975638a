"""A tile without padding: the column is changed by the row, so that no two threads meet in a bank."""

# args = "a: float32[n, m], out: float32[m, n]"
# grid = "(m + 31) // 32, (n + 31) // 32"
# block = "32, 32"
# sizes = "n=32,40 m=8,33"
# expect = "out = a.T"

from numba import cuda, float32

TILE = 32


@cuda.jit
def transpose(a, out):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, column = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    if row < a.shape[0] and column < a.shape[1]:
        tile[ty, tx ^ ty] = a[row, column]
    cuda.syncthreads()
    row, column = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = tile[tx, ty ^ tx]
