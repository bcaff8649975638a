"""Many threads write the same 1: allowed, and worth a warning."""

# args = "a: float32[n], found: int32[1] = 0"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# warns = "same-value"

from numba import cuda


@cuda.jit
def any_negative(a, found):
    i = cuda.grid(1)
    if i < a.shape[0] and a[i] < 2:
        found[0] = 1
