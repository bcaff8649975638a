"""What the kernel must compute, in NumPy."""

import numpy as np


def out(z):
    return np.maximum(z, 0)
