"""Atomics of several blocks on whole numbers."""

# args = "a: int32[n], out: int32[1] = 1000"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = np.min(a)"

from numba import cuda


@cuda.jit
def smallest(a, out):
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        cuda.atomic.min(out, 0, a[i])
