"""Odd-even sort: pairs by turns, a barrier after each round."""

# args = "a: int32[n], out: int32[n]"
# grid = "1"
# block = "16"
# sizes = "n=16"
# expect = "out = np.sort(a)"

from numba import cuda, int32


@cuda.jit
def sort(a, out):
    shared = cuda.shared.array(16, int32)
    t = cuda.threadIdx.x
    shared[t] = a[t]
    cuda.syncthreads()
    for turn in range(16):
        if t % 2 == turn % 2 and t < 15 and shared[t] > shared[t + 1]:
            larger = shared[t]
            shared[t] = shared[t + 1]
            shared[t + 1] = larger
        cuda.syncthreads()
    out[t] = shared[t]
