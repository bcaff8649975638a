"""Several steps of training in one launch: the weights stay in shared memory.

A block has 2 hidden units. It loads their weights once and stores them once. In each step all blocks wait for each
other twice: before they add the parts of all blocks, and before the next step overwrites the parts.
"""

from numba import cuda, float32

INPUTS, UNITS, ROWS = 8, 2, 8


@cuda.jit
def train(w, v, parts, x, targets, rate, steps):
    kept_w = cuda.shared.array((INPUTS, UNITS), float32)
    kept_v = cuda.shared.array(UNITS, float32)
    y = cuda.shared.array((ROWS, UNITS), float32)
    error = cuda.shared.array(ROWS, float32)
    thread = cuda.threadIdx.x
    block = cuda.blockIdx.x
    row, unit = thread // UNITS, thread % UNITS
    first = block * UNITS
    grid = cuda.cg.this_grid()
    # load
    kept_w[row, unit] = w[row, first + unit]
    if thread < UNITS:
        kept_v[thread] = v[first + thread]
    cuda.syncthreads()
    for _ in range(steps):
        # compute: the outputs of the block's units
        total = float32(0)
        for k in range(INPUTS):
            total += x[row, k] * kept_w[k, unit]
        y[row, unit] = max(total, float32(0))
        cuda.syncthreads()
        # part: what they add to the answers
        if thread < ROWS:
            total = float32(0)
            for u in range(UNITS):
                total += y[thread, u] * kept_v[u]
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
        grid.sync()
        # update: the weights of the block's units
        change = float32(0)
        for r in range(ROWS):
            if y[r, unit] > 0:
                change += error[r] * x[r, row]
        kept_w[row, unit] -= rate * change * kept_v[unit]
        cuda.syncthreads()
        if thread < UNITS:
            change = float32(0)
            for r in range(ROWS):
                change += error[r] * y[r, thread]
            kept_v[thread] -= rate * change
        cuda.syncthreads()
    # store
    w[row, first + unit] = kept_w[row, unit]
    if thread < UNITS:
        v[first + thread] = kept_v[thread]
