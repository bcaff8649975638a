"""Counts in shared memory, then one atomic addition for each block and bin."""

# args = "labels: int32[n] < 8, counts: int32[8] = 0"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"

from numba import cuda, int32

BINS = 8


@cuda.jit
def histogram(labels, counts):
    shared = cuda.shared.array(BINS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    shared[t] = 0
    cuda.syncthreads()
    if i < labels.shape[0]:
        cuda.atomic.add(shared, labels[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(counts, t, shared[t])
