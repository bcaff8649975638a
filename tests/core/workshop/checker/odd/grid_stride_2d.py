"""Strides in two directions."""

# args = "a: float32[n, m], out: float32[m, n]"
# grid = "1, 2"
# block = "4, 2"
# sizes = "n=1,5 m=3,9"
# expect = "out = a.T"

from numba import cuda


@cuda.jit
def transpose(a, out):
    x, y = cuda.grid(2)
    step_x, step_y = cuda.gridsize(2)
    for row in range(y, a.shape[0], step_y):
        for column in range(x, a.shape[1], step_x):
            out[column, row] = a[row, column]
