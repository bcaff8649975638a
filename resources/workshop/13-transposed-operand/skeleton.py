"""grad_z · wᵀ, times the derivative of ReLU.

Right, but a warp loads w from 16 sectors: make it
2.
"""

from numba import cuda, float32


@cuda.jit
def dense_input_gradient(grad_z, w, y, out):
    i, n = cuda.grid(2)
    if n < out.shape[0] and i < out.shape[1]:
        total = float32(0)
        for o in range(grad_z.shape[1]):
            # load
            left = grad_z[n, o]
            right = w[i, o]
            # compute
            total += left * right
        # store: the derivative of ReLU is 1 above 0
        out[n, i] = total if y[n, i] > float32(0) else float32(0)
