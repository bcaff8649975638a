"""Pulls the biases to 0 as well."""

from numba import cuda, float32


@cuda.jit
def sgd(p, g, rate, l2, weight_count):
    i = cuda.grid(1)
    if i < p.shape[0]:
        # load
        value = p[i]
        # compute
        gradient = g[i] + l2 * value
        # store
        p[i] = value - rate[0] * gradient  # fault: wrong-result
