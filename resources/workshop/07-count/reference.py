"""What the kernel must compute, in NumPy."""


def total(pixels, total):
    return total + (pixels > 0.5).sum()
