"""Takes the bias by the number within the tile."""

from numba import cuda, float32

ROWS, COLUMNS, DEPTH = 32, 32, 8
PITCH = 36
THREADS, ACROSS, EACH = 64, 8, 4


@cuda.jit
def dense(x, w, b, out):
    tile_x = cuda.shared.array((DEPTH, PITCH), float32)
    tile_w = cuda.shared.array((DEPTH, COLUMNS), float32)
    total = cuda.local.array((EACH, EACH), float32)
    x_values = cuda.local.array(EACH, float32)
    thread = cuda.threadIdx.x
    across, down = thread % ACROSS, thread // ACROSS
    first_row = cuda.blockIdx.y * ROWS
    first_column = cuda.blockIdx.x * COLUMNS
    for p in range(EACH):
        for q in range(EACH):
            total[p, q] = float32(0)
    for start in range(0, x.shape[1], DEPTH):
        # load: 0 beyond the edges
        for e in range(thread, ROWS * DEPTH, THREADS):
            k, row = e % DEPTH, e // DEPTH
            inside = first_row + row < x.shape[0] and start + k < x.shape[1]
            tile_x[k, row] = x[first_row + row, start + k] if inside else float32(0)
        for e in range(thread, DEPTH * COLUMNS, THREADS):
            k, column = e // COLUMNS, e % COLUMNS
            inside = start + k < w.shape[0] and first_column + column < w.shape[1]
            tile_w[k, column] = w[start + k, first_column + column] if inside else float32(0)
        # wait
        cuda.syncthreads()
        # compute
        for k in range(DEPTH):
            for p in range(EACH):
                x_values[p] = tile_x[k, down + p * ACROSS]
            for q in range(EACH):
                w_value = tile_w[k, across + q * ACROSS]
                for p in range(EACH):
                    total[p, q] += x_values[p] * w_value
        # wait
        cuda.syncthreads()
    # store: bias and ReLU
    for p in range(EACH):
        for q in range(EACH):
            row = first_row + down + p * ACROSS
            column = first_column + across + q * ACROSS
            if row < out.shape[0] and column < out.shape[1]:
                out[row, column] = max(total[p, q] + b[column % COLUMNS], float32(0))  # fault: wrong-result
