"""The names of the activations, and the number of each in compiled loops and CUDA kernels.

Every derivative is computed from the *output* y = f(z), so that a layer need not keep z.
"""

LINEAR, SIGMOID, TANH, RELU, LEAKY_RELU, CLIPPED_LEAKY_RELU = range(6)

# Derivative of both leaky activations outside of their steep part.
LEAK = 0.01

CODES: dict[str, int] = {
    "sigmoid": SIGMOID,
    "tanh": TANH,
    "relu": RELU,
    "leaky-relu": LEAKY_RELU,
    "clipped-leaky-relu": CLIPPED_LEAKY_RELU,
    "linear": LINEAR,
}

NAMES: tuple[str, ...] = tuple(CODES)
