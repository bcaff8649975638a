"""A generator of 32 bits that wraps around."""

# args = "out: uint32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"

from numba import cuda, uint32


@cuda.jit
def hash_of(out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        x = uint32(i) * uint32(747796405) + uint32(2891336453)
        x = x ^ (x >> uint32(16))
        out[i] = x * uint32(277803737)
