"""Thread i makes i rounds; no barrier in the loop."""

# args = "out: int64[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = np.arange(out.shape[0]) * (np.arange(out.shape[0]) + 1) // 2"

from numba import cuda


@cuda.jit
def triangular(out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        total = 0
        for k in range(i + 1):
            total += k
        out[i] = total
