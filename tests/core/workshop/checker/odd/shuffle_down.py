"""The sum of a warp by shuffles, without shared memory."""

# args = "a: float32[n], out: float32[n // 32]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,64"
# expect = "out = np.sum(a.reshape(-1, 32), axis=1)"

from numba import cuda


@cuda.jit
def warp_sums(a, out):
    value = a[cuda.grid(1)]
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, offset)
        offset //= 2
    if cuda.laneid == 0:
        out[cuda.blockIdx.x] = value
