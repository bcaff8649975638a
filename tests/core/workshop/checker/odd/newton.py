"""A loop whose end depends on the data."""

# args = "a: float32[n] < 9, out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = np.sqrt(a)"

from numba import cuda, float32


@cuda.jit
def square_root(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        value = a[i]
        root = max(value, float32(1))
        while root * root - value > float32(1e-6) * max(value, float32(1e-3)):
            smaller = float32(0.5) * (root + value / root)
            if smaller >= root:
                break
            root = smaller
        out[i] = root
