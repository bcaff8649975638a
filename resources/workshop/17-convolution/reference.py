"""What the kernel must compute, in NumPy."""

import numpy as np


def out(x, w, b, stride):
    n, height, width, channels = x.shape
    k = w.shape[0]
    rows = (height + stride - 1) // stride
    columns = (width + stride - 1) // stride
    top = max((rows - 1) * stride + k - height, 0) // 2
    left = max((columns - 1) * stride + k - width, 0) // 2
    padded = np.zeros((n, height + 2 * k, width + 2 * k, channels))
    padded[:, k : k + height, k : k + width] = x
    total = np.zeros((n, rows, columns, w.shape[3])) + b
    for a in range(k):
        for e in range(k):
            first_row, first_column = k + a - top, k + e - left
            last_row, last_column = first_row + rows * stride, first_column + columns * stride
            total = total + padded[:, first_row:last_row:stride, first_column:last_column:stride] @ w[a, e]
    return np.maximum(total, 0)
