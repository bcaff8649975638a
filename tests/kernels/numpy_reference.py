"""The operators as formulas in NumPy, independent of all devices: what the devices are compared
with.

Every formula is written from the definition in `kernels.device` and its sources, in float64, for
whole arrays.
"""

import numpy as np

from kernels.activations import ACTIVATIONS


def activation_of(z, name):
    """f(z) by the text that exported scripts compute with; tests/kernels/test_activations.py
    compares it.
    """
    cls = ACTIVATIONS[name]
    if cls.numpy:
        return eval(cls.numpy.format(z="z"), {"np": np, "z": z})
    return np.vectorize(lambda number: cls.value(number, float), otypes=[float])(z)


def derivative_at(y, name):
    """f'(z) from y, or from z where the activation needs it; tests/kernels/test_activations.py
    compares it with f.
    """
    return np.vectorize(lambda number: ACTIVATIONS[name].derivative(number, float), otypes=[float])(
        y
    )


class NumpyReference:
    """The operators with the signatures of `kernels.device.Device`, for the cases of
    `operator_cases`.
    """

    def upload(self, array):
        return array.copy()

    def download(self, array):
        return array

    def synchronize(self):
        pass

    # -- dense layers ------------------------------------------------------------------------------

    def dense(self, x, w, b, activation, out):
        out[:] = activation_of(np.einsum("ni,io->no", x, w) + b, activation)

    def dense_input_gradient(self, grad_z, w, y, activation, out):
        out[:] = np.einsum("no,io->ni", grad_z, w) * derivative_at(y, activation)

    def dense_weight_gradient(self, x, grad_z, out):
        out[:] = np.einsum("ni,no->io", x, grad_z)

    def dense_update(self, x, grad_z, w, b, rate, l2, gradients):
        w -= rate * (x.T @ grad_z + l2 * w)
        b -= rate * grad_z.sum(0)

    def bias_gradient(self, grad_z, out):
        out[:] = grad_z.reshape(-1, grad_z.shape[-1]).sum(axis=0)

    # -- batch normalization: the chain rule as Ioffe and Szegedy write it, step by step (section 3)
    # -------------------

    def batch_statistics(self, x, mean, variance):
        axes = tuple(range(x.ndim - 1))
        mean[:], variance[:] = x.mean(axes), x.var(axes)

    def normalize(self, x, mean, variance, scale, shift, activation, out):
        out[:] = activation_of(scale * (x - mean) / np.sqrt(variance + 1e-5) + shift, activation)

    def normalize_parameter_gradient(
        self, grad_z, x, mean, variance, scale_gradient, shift_gradient
    ):
        axes = tuple(range(x.ndim - 1))
        scale_gradient[:] = (grad_z * (x - mean) / np.sqrt(variance + 1e-5)).sum(axes)
        shift_gradient[:] = grad_z.sum(axes)

    def normalize_input_gradient(self, grad_z, x, mean, variance, scale, sums, activation, out):
        axes, m, spread = tuple(range(x.ndim - 1)), x.size / x.shape[-1], np.sqrt(variance + 1e-5)
        by_normalized = grad_z * scale
        by_x = by_normalized / spread
        if sums is not None:
            by_variance = (by_normalized * (x - mean)).sum(axes) * -0.5 * spread**-3
            by_mean = (
                -by_normalized.sum(axes) / spread + by_variance * (-2 * (x - mean)).sum(axes) / m
            )
            by_x = by_x + by_variance * 2 * (x - mean) / m + by_mean / m
        out[:] = by_x * derivative_at(x, activation)

    # -- element by element ------------------------------------------------------------------------

    def add(self, x, y, out):
        out[:] = x + y

    def subtract(self, x, y, out):
        out[:] = x - y

    def multiply(self, x, y, out):
        out[:] = x * y

    def dot(self, x, y, out):
        out[:] = np.einsum("ni,io->no", x, y)

    def activate(self, z, activation, out):
        out[:] = activation_of(z, activation)

    def multiply_by_derivative(self, y, activation, out):
        out *= derivative_at(y, activation)

    # -- losses ------------------------------------------------------------------------------------

    def softmax(self, z, out):
        exponentials = np.exp(z)
        out[:] = exponentials / exponentials.sum(axis=1, keepdims=True)

    def softmax_cross_entropy(self, z, labels, metrics, out):
        self.softmax(z, out)
        metrics += -np.log(out[np.arange(len(z)), labels]).sum(), (z.argmax(axis=1) == labels).sum()
        out[:] = (out - np.eye(z.shape[1])[labels]) / len(z)

    def squared_error(self, y, targets, activation, metrics, out):
        metrics[0] += ((y - targets) ** 2).sum() / 2
        out[:] = (y - targets) * derivative_at(y, activation) / len(y)

    def squared_error_classes(self, y, labels, activation, metrics, out):
        self.squared_error(y, np.eye(y.shape[1])[labels], activation, metrics, out)
        metrics[1] += (y.argmax(axis=1) == labels).sum()

    # -- optimizers: L2 as weight decay of the gradient (Kingma and Ba 2015, algorithm 1; Sutskever
    # et al. 2013) ----

    def _decayed(self, p, g, l2, weight_count):
        return g + l2 * np.concatenate([p[:weight_count], np.zeros(p.size - weight_count)])

    def add_l1_gradient(self, p, g, l1, weight_count):
        g[:weight_count] += l1 * np.sign(p[:weight_count])

    def sgd(self, p, g, rate, l2, weight_count):
        p -= rate * self._decayed(p, g, l2, weight_count)

    def momentum(self, p, g, v, rate, beta, nesterov, l2, weight_count):
        gradient = self._decayed(p, g, l2, weight_count)
        v[:] = beta * v + gradient
        p -= rate * (gradient + beta * v if nesterov else v)

    def adam(self, p, g, m, v, rate, counters, l2, weight_count):
        gradient, t = self._decayed(p, g, l2, weight_count), counters[1] + 1
        m[:] = 0.9 * m + 0.1 * gradient
        v[:] = 0.999 * v + 0.001 * gradient**2
        unbiased_m, unbiased_v = m / (1 - 0.9**t), v / (1 - 0.999**t)
        p -= rate * unbiased_m / (np.sqrt(unbiased_v) + 1e-8)

    def rmsprop(self, p, g, v, rate, l2, weight_count):
        gradient = self._decayed(p, g, l2, weight_count)
        v[:] = 0.9 * v + 0.1 * gradient**2
        p -= rate * gradient / (np.sqrt(v) + 1e-8)

    def average(self, gradients, out):
        out[:] = np.mean(gradients, axis=0)

    # -- batches -----------------------------------------------------------------------------------

    def gather(self, source, order, counters, out):
        batch = np.take(source, order[counters[0] : counters[0] + len(out)], axis=0)
        out[:] = batch / 255 if source.dtype == np.uint8 else batch

    def advance(self, counters, examples, metrics=None, history=None):
        if history is not None:
            history[counters[1] % len(history)] = metrics
            metrics[:] = 0
        counters += examples, 1
