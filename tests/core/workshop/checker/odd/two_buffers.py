"""Two halves of shared memory by turns: one barrier a round is enough."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=8,16"

from numba import cuda, float32


@cuda.jit
def rotate_three_times(a, out):
    shared = cuda.shared.array((2, 8), float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    shared[0, t] = a[i]
    cuda.syncthreads()
    for turn in range(3):
        shared[(turn + 1) % 2, t] = shared[turn % 2, (t + 1) % 8]
        cuda.syncthreads()
    out[i] = shared[1, t]
