"""Threads leave a loop at different rounds."""

# args = "a: int32[n, 5], out: int32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"

from numba import cuda


@cuda.jit
def first_positive(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        at = -1
        for k in range(a.shape[1]):
            if a[i, k] <= 0:
                continue
            at = k
            break
        out[i] = at
