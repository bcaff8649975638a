"""Every number of a with every number of b: out[row, column] = a[row] + b[column].

The row chooses from a, the column from b. All threads of a row read the same a[row]: the card loads it once
for all of them.
"""

from numba import cuda


@cuda.jit
def add_each(a, b, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        # load
        left = a[row]
        right = b[column]
        # compute
        result = left + right
        # store
        out[row, column] = result
