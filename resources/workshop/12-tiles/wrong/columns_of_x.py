"""Right, but neighboring threads load from different rows of x."""

from numba import cuda, float32

TILE = 16


@cuda.jit
def dot(x, y, out):
    tile_x = cuda.shared.array((TILE, TILE), float32)
    tile_y = cuda.shared.array((TILE, TILE), float32)
    column, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for start in range(0, x.shape[1], TILE):
        # load: 0 beyond the edges
        at = start + ty
        other = row - ty + tx
        tile_x[tx, ty] = x[other, at] if other < x.shape[0] and at < x.shape[1] else float32(0)  # fault: par
        tile_y[ty, tx] = y[at, column] if at < y.shape[0] and column < y.shape[1] else float32(0)
        # wait
        cuda.syncthreads()
        # compute
        for k in range(TILE):
            total += tile_x[ty, k] * tile_y[k, tx]
        # wait
        cuda.syncthreads()
    # store
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = total
