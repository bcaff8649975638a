"""Threads beyond the last parameter go on."""

from numba import cuda, float32


@cuda.jit
def sgd(p, g, rate, l2, weight_count):
    i = cuda.grid(1)
    if i >= 0:
        # load
        value = p[i]  # fault: bounds
        # compute
        gradient = g[i] + (l2 * value if i < weight_count else float32(0))
        # store
        p[i] = value - rate[0] * gradient
