"""Update the parameters: p -= rate · (g + l2 · p),
L2 for the first weight_count ones only.

Write it.
"""

from numba import cuda, float32


@cuda.jit
def sgd(p, g, rate, l2, weight_count):
    i = cuda.grid(1)
    if i < p.shape[0]:
        # load
        value = p[i]
        # compute
        # store
        p[i] = value
