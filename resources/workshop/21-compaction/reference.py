"""What the kernel must compute, in NumPy. The numbers of the pixels may have any order."""

import numpy as np

any_order = "places[:count[0]]"


def count(pixels):
    return (pixels > 0.5).sum()


def places(pixels):
    return np.nonzero(pixels > 0.5)[0]
