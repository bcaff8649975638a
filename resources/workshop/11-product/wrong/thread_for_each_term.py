"""Every thread of a block adds to the same element, without an atomic addition."""

from numba import cuda


@cuda.jit
def dot(x, y, out):
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    first_column = cuda.blockIdx.x * cuda.blockDim.x
    first_row = cuda.blockIdx.y * cuda.blockDim.y
    for row in range(first_row + ty, min(first_row + cuda.blockDim.y, out.shape[0]), cuda.blockDim.y):
        for column in range(first_column, min(first_column + cuda.blockDim.x, out.shape[1])):
            for k in range(tx, x.shape[1], cuda.blockDim.x):
                # load, compute, store
                out[row, column] += x[row, k] * y[k, column]  # fault: race
