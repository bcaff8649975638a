"""Only the chosen side of a conditional expression is read."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = a"

from numba import cuda, float32


@cuda.jit
def copy(a, out):
    i = cuda.grid(1)
    value = a[i] if i < a.shape[0] else float32(0)
    if i < out.shape[0]:
        out[i] = value
