"""Several steps of training in one launch.

The weights are in global memory: keep those of the block's
units in shared memory. And a barrier of the grid is missing.
"""

from numba import cuda, float32

INPUTS, UNITS, ROWS = 8, 2, 8


@cuda.jit
def train(w, v, parts, x, targets, rate, steps):
    y = cuda.shared.array((ROWS, UNITS), float32)
    error = cuda.shared.array(ROWS, float32)
    thread = cuda.threadIdx.x
    block = cuda.blockIdx.x
    row, unit = thread // UNITS, thread % UNITS
    first = block * UNITS
    grid = cuda.cg.this_grid()
    for _ in range(steps):
        # compute: the outputs of the block's units
        total = float32(0)
        for k in range(INPUTS):
            total += x[row, k] * w[k, first + unit]
        y[row, unit] = max(total, float32(0))
        cuda.syncthreads()
        # part: what they add to the answers
        if thread < ROWS:
            total = float32(0)
            for u in range(UNITS):
                total += y[thread, u] * v[first + u]
            parts[block, thread] = total
        # wait: for the parts of all blocks
        grid.sync()
        # error: of each answer, the sum of all parts
        if thread < ROWS:
            total = -targets[thread]
            for other in range(cuda.gridDim.x):
                total += parts[other, thread]
            error[thread] = total / float32(ROWS)
        # wait: until all blocks have read the parts
        cuda.syncthreads()
        # update: the weights of the block's units
        change = float32(0)
        for r in range(ROWS):
            if y[r, unit] > 0:
                change += error[r] * x[r, row]
        w[row, first + unit] -= rate * change * v[first + unit]
        cuda.syncthreads()
        if thread < UNITS:
            change = float32(0)
            for r in range(ROWS):
                change += error[r] * y[r, thread]
            v[first + thread] -= rate * change
        cuda.syncthreads()
