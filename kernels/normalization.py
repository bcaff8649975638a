"""The constant of batch normalization on every device."""

EPSILON = 1e-5
"""Added to each variance, so that the square root of a constant's variance is not 0."""
