"""syncthreads_or decides for the block."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=8,16"
# expect = "out = np.maximum(a, -2)"

from numba import cuda


@cuda.jit
def clip(a, out):
    i = cuda.grid(1)
    if cuda.syncthreads_or(1 if a[i] < -2 else 0):
        out[i] = max(a[i], -2)
    else:
        out[i] = a[i]
