"""float64 and int64 beside each other."""

# args = "a: float64[n], k: int64[n], out: float64[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = a * k"

from numba import cuda


@cuda.jit
def scale(a, k, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i] * k[i]
