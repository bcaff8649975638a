"""Two indices one after the other, and a shape that is taken apart."""

# args = "a: float32[n, m], out: float32[n, m]"
# grid = "(m + 7) // 8, (n + 3) // 4"
# block = "8, 4"
# sizes = "n=1,5 m=7,8"
# expect = "out = np.maximum(a, 0)"

from numba import cuda


@cuda.jit
def relu(a, out):
    x, y = cuda.grid(2)
    rows, columns = a.shape
    if y < rows and x < columns:
        value = a[y][x]
        if value < 0:
            value = 0
        out[y][x] = value
