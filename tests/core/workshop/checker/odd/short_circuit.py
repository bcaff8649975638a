"""`and` does not read what the first condition excludes."""

# args = "a: float32[n], out: int32[n] = 0"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = a > 0"

from numba import cuda


@cuda.jit
def positive(a, out):
    i = cuda.grid(1)
    if i < a.shape[0] and a[i] > 0:
        out[i] = 1
