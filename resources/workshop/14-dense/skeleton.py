"""Dense layer with ReLU: add bias and activation to
the product, with a single store.
"""

from numba import cuda, float32

TILE = 16


@cuda.jit
def dense(x, w, b, out):
    tile_x = cuda.shared.array((TILE, TILE), float32)
    tile_w = cuda.shared.array((TILE, TILE), float32)
    column, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for start in range(0, x.shape[1], TILE):
        # load: 0 beyond the edges
        at = start + tx
        tile_x[ty, tx] = x[row, at] if row < x.shape[0] and at < x.shape[1] else float32(0)
        at = start + ty
        tile_w[ty, tx] = w[at, column] if at < w.shape[0] and column < w.shape[1] else float32(0)
        # wait
        cuda.syncthreads()
        # compute
        for k in range(TILE):
            total += tile_x[ty, k] * tile_w[k, tx]
        # wait
        cuda.syncthreads()
    # store
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = total
