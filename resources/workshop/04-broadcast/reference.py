"""What the kernel must compute, in NumPy."""


def out(a, b):
    return a[:, None] + b[None, :]
