"""What the kernel must compute, in NumPy."""

import numpy as np


def logarithms(z):
    shifted = z - z.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def is_label(z, labels):
    return labels[:, None] == np.arange(z.shape[1])


def out(z, labels):
    return (np.exp(logarithms(z)) - is_label(z, labels)) / z.shape[0]


def metrics(z, labels, metrics):
    loss = -(logarithms(z) * is_label(z, labels)).sum()
    right = (z.argmax(axis=1) == labels).sum()
    return metrics + np.array([loss, right])
