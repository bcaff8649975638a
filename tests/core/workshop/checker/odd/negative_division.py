"""// and % of negative whole numbers round down, as in Python."""

# args = "a: int32[n], q: int32[n], r: int32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "q = a // 7; r = a % 7"

from numba import cuda


@cuda.jit
def divide(a, q, r):
    i = cuda.grid(1)
    if i < a.shape[0]:
        q[i] = a[i] // 7
        r[i] = a[i] % 7
