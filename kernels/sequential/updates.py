"""The optimizers' updates of flat arrays of parameters, in plain loops, and the average of several
gradients.

Each takes p (k,), its gradient g (k,) and the optimizer's state, and changes p and the state in
place. L2 adds l2 · p to the gradient of the first `weight_count` numbers: these are the weights,
since biases are not regularized.
"""

from math import sqrt

import numpy as np

from kernels.compiled import compiled_operator
from kernels.device import ADAM_EPSILON, BETA1, BETA2, RHO, RMSPROP_EPSILON


class UpdateOperators:
    """The optimizers. `rate` (1,) is the learning rate."""

    @compiled_operator
    def add_l1_gradient(p: np.ndarray, g: np.ndarray, l1: float, weight_count: int) -> None:
        """L1 regularization adds l1 · |p| to the loss, whose derivative is l1 · sign(p): g += l1 ·
        sign(p).

        |p| has no derivative at 0; its subgradient 0 is used there (Bertsekas 1999, Nonlinear
        programming, B.5).
        """
        for i in range(weight_count):
            if p[i] > 0:
                g[i] += l1
            elif p[i] < 0:
                g[i] -= l1

    @compiled_operator
    def sgd(p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float, weight_count: int) -> None:
        """Stochastic gradient descent: p -= rate · (g + l2 · p).

        L2 regularization adds ½ · l2 · p² to the loss, whose derivative is l2 · p.
        """
        for i in range(p.size):
            p[i] -= rate[0] * (g[i] + (l2 * p[i] if i < weight_count else 0.0))

    @compiled_operator
    def momentum(
        p: np.ndarray,
        g: np.ndarray,
        v: np.ndarray,
        rate: np.ndarray,
        beta: float,
        nesterov: bool,
        l2: float,
        weight_count: int,
    ) -> None:
        """Momentum (Polyak 1964): v = beta · v + g', p -= rate · v, with g' = g + l2 · p.

        `nesterov`: p -= rate · (g' + beta · v), the form of Sutskever et al. (2013) in which the
        gradient is taken at p itself. `v` (k,) is the velocity, 0 before the first step.
        """
        for i in range(p.size):
            grad = g[i] + (l2 * p[i] if i < weight_count else 0.0)
            v[i] = beta * v[i] + grad
            p[i] -= rate[0] * (grad + beta * v[i] if nesterov else v[i])

    @compiled_operator
    def adam(
        p: np.ndarray,
        g: np.ndarray,
        m: np.ndarray,
        v: np.ndarray,
        rate: np.ndarray,
        counters: np.ndarray,
        l2: float,
        weight_count: int,
    ) -> None:
        """Adam (Kingma and Ba 2015, algorithm 1), with g' = g + l2 · p and t = counters[1] + 1,
        from 1 on:

            m = β₁ m + (1 - β₁) g'        v = β₂ v + (1 - β₂) g'²
            p -= rate · (m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) + ε)

        The divisors correct the bias of means that begin at 0: if g' were constant, m after t steps
        were (1 - β₁ᵗ) g'. `m` and `v` (k,) are 0 before the first step; β₁ 0.9, β₂ 0.999, ε 1e-8.
        """
        t = counters[1] + 1
        bias_correction1 = 1.0 - BETA1**t
        bias_correction2 = 1.0 - BETA2**t
        for i in range(p.size):
            grad = g[i] + (l2 * p[i] if i < weight_count else 0.0)
            m[i] = BETA1 * m[i] + (1.0 - BETA1) * grad
            v[i] = BETA2 * v[i] + (1.0 - BETA2) * grad * grad
            p[i] -= (
                rate[0] * (m[i] / bias_correction1) / (sqrt(v[i] / bias_correction2) + ADAM_EPSILON)
            )

    @compiled_operator
    def rmsprop(
        p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, l2: float, weight_count: int
    ) -> None:
        """RMSProp (Tieleman and Hinton 2012, lecture 6.5), with g' = g + l2 · p:

            v = ρ v + (1 - ρ) g'²        p -= rate · g' / (√v + ε)

        Each step has about the size of the rate, however large the gradient is. `v` (k,) is 0
        before the first step; ρ 0.9, ε 1e-8.
        """
        for i in range(p.size):
            grad = g[i] + (l2 * p[i] if i < weight_count else 0.0)
            v[i] = RHO * v[i] + (1.0 - RHO) * grad * grad
            p[i] -= rate[0] * grad / (sqrt(v[i]) + RMSPROP_EPSILON)

    @compiled_operator
    def average(gradients: np.ndarray, out: np.ndarray) -> None:
        """out (k,) = mean of gradients (group, k) over the first axis, summed in its order."""
        group, size = gradients.shape
        for i in range(size):
            out[i] = gradients[0, i]
        for k in range(1, group):
            for i in range(size):
                out[i] += gradients[k, i]
        for i in range(size):
            out[i] /= group
