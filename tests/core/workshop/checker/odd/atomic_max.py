"""All threads compete for a maximum."""

# args = "a: float32[n], out: float32[1] = -2"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = np.max(a)"

from numba import cuda


@cuda.jit
def largest(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        cuda.atomic.max(out, 0, a[i])
