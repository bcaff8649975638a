"""Uses a tile, and loads it from different rows all the same."""

from numba import cuda, float32

TILE = 16
WIDTH = TILE + 1


@cuda.jit
def dense_input_gradient(grad_z, w, y, out):
    tile_g = cuda.shared.array((TILE, TILE), float32)
    tile_w = cuda.shared.array((TILE, WIDTH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    first = cuda.blockIdx.x * TILE
    i, n = cuda.grid(2)
    total = float32(0)
    for start in range(0, w.shape[1], TILE):
        # load: 0 beyond the edges
        o = start + tx
        tile_g[ty, tx] = grad_z[n, o] if n < grad_z.shape[0] and o < w.shape[1] else float32(0)
        row, o = first + tx, start + ty
        tile_w[tx, ty] = w[row, o] if row < w.shape[0] and o < w.shape[1] else float32(0)  # fault: par
        # wait
        cuda.syncthreads()
        # compute
        for k in range(TILE):
            total += tile_g[ty, k] * tile_w[tx, k]
        # wait
        cuda.syncthreads()
    # store: the derivative of ReLU is 1 above 0
    if n < out.shape[0] and i < out.shape[1]:
        out[n, i] = total if y[n, i] > float32(0) else float32(0)
