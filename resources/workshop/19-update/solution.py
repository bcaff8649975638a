"""Update by gradient descent: p -= rate · (g + l2 · p), in place; L2 for the weights only, which come
first.

The rate is an array of one element, because it may change from step to step while the launch stays as it
was recorded. All threads read it, none writes it: that is no race.
"""

from numba import cuda, float32


@cuda.jit
def sgd(p, g, rate, l2, weight_count):
    i = cuda.grid(1)
    if i < p.shape[0]:
        # load
        value = p[i]
        # compute
        gradient = g[i] + (l2 * value if i < weight_count else float32(0))
        # store
        p[i] = value - rate[0] * gradient
