"""Uses L2 only."""

from numba import cuda, float32


@cuda.jit
def sgd(p, g, rate, l2, weight_count):
    i = cuda.grid(1)
    if i < p.shape[0]:
        # load
        value = p[i]
        # compute
        gradient = l2 * value if i < weight_count else float32(0)
        # store
        p[i] = value - rate[0] * gradient  # fault: wrong-result
