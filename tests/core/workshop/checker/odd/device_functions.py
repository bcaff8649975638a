"""Device functions that call each other and return several values."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = np.abs(a) + np.sign(a)"

from numba import cuda, float32


@cuda.jit(device=True)
def sign_of(value):
    if value > 0:
        return float32(1)
    return float32(-1) if value < 0 else float32(0)


@cuda.jit(device=True)
def parts(value):
    sign = sign_of(value)
    return sign, value * sign


@cuda.jit
def both(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        sign, magnitude = parts(a[i])
        out[i] = magnitude + sign
