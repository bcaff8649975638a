"""What the kernel must compute, in NumPy."""

import numpy as np


def sums(a):
    padded = np.zeros((a.shape[0] + 7) // 8 * 8)
    padded[: a.shape[0]] = a
    return padded.reshape(-1, 8).sum(axis=1)
