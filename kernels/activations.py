"""The activations by name, with the number that compiled loops and CUDA kernels know each by.

Every derivative is written in the *output* y = f(z), so that a layer keeps y and forgets z.
"""

LINEAR, SIGMOID, TANH, RELU, LEAKY_RELU, CLIPPED_LEAKY_RELU = range(6)

# Slope of both leaky activations outside their steep part.
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
