"""Blocks write every second element: neighbors in memory, but different elements."""

# args = "out: int32[2 * n]"
# grid = "2"
# block = "8"
# sizes = "n=8"
# expect = "out = np.arange(out.shape[0]) % 2"

from numba import cuda


@cuda.jit
def stripes(out):
    out[2 * cuda.threadIdx.x + cuda.blockIdx.x] = cuda.blockIdx.x
