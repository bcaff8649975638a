"""More blocks than needed: the last ones do nothing."""

# args = "a: float32[n], out: float32[n]"
# grid = "n + 3"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = a"

from numba import cuda


@cuda.jit
def copy(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        out[i] = a[i]
