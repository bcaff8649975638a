"""One thread does everything."""

# args = "a: float32[n], out: float32[1]"
# grid = "1"
# block = "1"
# sizes = "n=1,8,9,30"
# expect = "out = np.sum(a)"

from numba import cuda, float32


@cuda.jit
def total(a, out):
    value = float32(0)
    for k in range(len(a)):
        value += a[k]
    out[0] = value
