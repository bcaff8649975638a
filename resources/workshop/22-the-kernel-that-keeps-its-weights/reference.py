"""What the kernel must compute, in NumPy."""

import numpy as np


def trained(w, v, x, targets, rate, steps):
    for _ in range(int(steps)):
        y = np.maximum(x @ w, 0)
        error = (y @ v - targets) / len(x)
        slopes = (y > 0) * error[:, None] * v
        w, v = w - rate * (x.T @ slopes), v - rate * (error @ y)
    return w, v


def w(w, v, x, targets, rate, steps):
    return trained(w, v, x, targets, rate, steps)[0]


def v(w, v, x, targets, rate, steps):
    return trained(w, v, x, targets, rate, steps)[1]
