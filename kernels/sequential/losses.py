"""The losses in plain loops: gradient, summed loss and number of right answers in one pass.

Each writes the gradient by z of the last layer, divided by n: the gradient of the batch's mean
loss.
"""

from math import exp, inf, log, log1p

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled, compiled_operator
from kernels.sequential.activations import derivative


@compiled
def _largest(row: np.ndarray) -> int:
    """Index of the first largest element."""
    best = 0
    for o in range(1, row.shape[0]):
        if row[o] > row[best]:
            best = o
    return best


@compiled
def loop_squared_error_classes(
    y: np.ndarray, labels: np.ndarray, code: int, metrics: np.ndarray, out: np.ndarray
) -> None:
    rows, units = y.shape
    loss = 0.0
    right = 0
    for n in range(rows):
        label = labels[n]
        right += _largest(y[n]) == label
        for o in range(units):
            error = y[n, o] - (1.0 if o == label else 0.0)
            loss += 0.5 * error * error
            out[n, o] = error * derivative(y[n, o], code) / rows
    metrics[0] += loss
    metrics[1] += right


@compiled
def loop_squared_error(
    y: np.ndarray, targets: np.ndarray, code: int, metrics: np.ndarray, out: np.ndarray
) -> None:
    rows, units = y.shape
    loss = 0.0
    for n in range(rows):
        for o in range(units):
            error = y[n, o] - targets[n, o]
            loss += 0.5 * error * error
            out[n, o] = error * derivative(y[n, o], code) / rows
    metrics[0] += loss


def lines(z: np.ndarray, out: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Views (n, columns, o) of answers for each column of n lines, and of their gradient."""
    shape = len(z), -1, z.shape[-1]
    return z.reshape(shape), out.reshape(shape)


@compiled
def _log_of_sum(a: float, b: float) -> float:
    """log(e^a + e^b)."""
    high = max(a, b)
    # -inf - -inf would be NaN. Without the larger one in front, exp could overflow or vanish.
    return high if high == -inf else high + log1p(exp(min(a, b) - high))


@compiled
def _extended(target: np.ndarray, nothing: int) -> np.ndarray:
    """The classes of a line with "nothing" before, between and behind them."""
    count = 0
    while count < target.shape[0] and target[count] >= 0:
        count += 1
    symbols = np.full(2 * count + 1, nothing, np.int64)
    for i in range(count):
        symbols[2 * i + 1] = target[i]
    return symbols


@compiled
def _reads(z: np.ndarray, symbols: np.ndarray) -> bool:
    """Whether the best path, the largest answer of each column, gives the classes of a line."""
    nothing = z.shape[1] - 1
    before = nothing
    found = 0
    for t in range(z.shape[0]):
        answer = _largest(z[t])
        # Repeated answers count once, unless "nothing" stands between them.
        if answer not in (before, nothing):
            if 2 * found + 1 >= symbols.shape[0] or symbols[2 * found + 1] != answer:
                return False
            found += 1
        before = answer
    return 2 * found + 1 == symbols.shape[0]


@compiled
def _log_paths(logs: np.ndarray, symbols: np.ndarray) -> np.ndarray:
    """(t, s): log of the summed probability of the first t + 1 columns over all paths that end in
    symbol s: α of the paper.
    """
    columns = logs.shape[0]
    count = symbols.shape[0]
    paths = np.full((columns, count), -inf)
    paths[0, 0] = logs[0, symbols[0]]
    # A path begins with "nothing" or with the first class.
    if count > 1:
        paths[0, 1] = logs[0, symbols[1]]
    for t in range(1, columns):
        for s in range(count):
            total = paths[t - 1, s]
            if s > 0:
                total = _log_of_sum(total, paths[t - 1, s - 1])
            # Two equal classes need "nothing" between them, and no class may be left out.
            if s > 1 and symbols[s] != symbols[s - 2]:
                total = _log_of_sum(total, paths[t - 1, s - 2])
            paths[t, s] = total + logs[t, symbols[s]]
    return paths


@compiled
def loop_ctc(
    z: np.ndarray, targets: np.ndarray, line: int, results: np.ndarray, out: np.ndarray
) -> None:
    """The gradient of one line, out[line], and its loss and whether it is read, results[line]."""
    lines, columns, units = z.shape
    logs = np.empty((columns, units))  # of the softmax
    for t in range(columns):
        top = z[line, t, _largest(z[line, t])]
        total = 0.0
        for o in range(units):
            total += exp(z[line, t, o] - top)
        for o in range(units):
            logs[t, o] = z[line, t, o] - top - log(total)
    symbols = _extended(targets[line], units - 1)
    before = _log_paths(logs, symbols)
    # The same sums from the right: those of the reversed line.
    behind = _log_paths(logs[::-1], symbols[::-1])[::-1, ::-1]
    whole = before[-1, -1]
    if symbols.shape[0] > 1:
        whole = _log_of_sum(whole, before[-1, -2])
    results[line, 0] = -whole
    results[line, 1] = _reads(z[line], symbols)
    if whole == -inf:  # no path: the classes need more columns
        out[line] = 0
        return
    for t in range(columns):
        for o in range(units):
            out[line, t, o] = exp(logs[t, o]) / lines
        for s in range(symbols.shape[0]):
            o = symbols[s]
            # Both sums have the answer of this column as a factor.
            through = before[t, s] + behind[t, s] - logs[t, o]
            out[line, t, o] -= exp(through - whole) / lines


class LossOperators:
    """The losses and softmax. `metrics` is (2,) float64: the summed loss and the number of right
    answers.
    """

    @compiled_operator
    def softmax_cross_entropy(
        z: np.ndarray, labels: np.ndarray, metrics: np.ndarray, out: np.ndarray
    ) -> None:
        """out (n, o) = (softmax(z (n, o)) - onehot(labels (n,))) / n; adds Σ E to metrics[0], right
        answers to [1].

        Derivation: with p = softmax(z) the loss of an example is E = -log p[label] = log Σⱼ e^z[j]
        - z[label]. The first term's derivative by z[o] is e^z[o] / Σⱼ e^z[j] = p[o], the second's
        is 1 for o = label and else 0. Source: Bridle (1990).
        """
        rows, units = z.shape
        loss = 0.0
        right = 0
        for n in range(rows):
            label = labels[n]
            best = _largest(z[n])
            # Subtracting the largest z changes no quotient, and no exponential overflows.
            top = z[n, best]
            total = 0.0
            for o in range(units):
                total += exp(z[n, o] - top)
            loss += log(total) - (z[n, label] - top)
            right += best == label
            for o in range(units):
                probability = exp(z[n, o] - top) / total
                out[n, o] = (probability - (1.0 if o == label else 0.0)) / rows
        metrics[0] += loss
        metrics[1] += right

    def ctc(self, z: np.ndarray, targets: np.ndarray, metrics: np.ndarray, out: np.ndarray) -> None:
        """The loss of lines whose answers have no known place (connectionist temporal
        classification, Graves et al. 2006); shapes as in `kernels.device`.

        A path takes one answer of each column t; it reads as its answers with repeated ones once
        and without "nothing". With p[t] = softmax(z[t]) its probability is the product of its p[t,
        o], and E = -log p(targets), p(targets) the sum over all paths that read so.

        Derivation: such a path goes through the symbols l = (nothing, target 1, nothing, target 2,
        ..., nothing) from left to right. From one column to the next it stays, goes on by one, or
        by two where the symbol between is "nothing" and those around it differ. So α[t, s], the sum
        over all beginnings that are in symbol s at column t, is p[t, l[s]] · (α[t-1, s] + α[t-1,
        s-1] + α[t-1, s-2], the last where it is allowed), and β[t, s], the same from right to left,
        is computed alike from the reversed line. α[t, s] · β[t, s] / p[t, l[s]] is the sum over all
        paths through s at t, since both contain p[t, l[s]]; over all s it is p(targets). A path is
        linear in the p of its symbol at t, so ∂p(targets)/∂p[t, o] · p[t, o] = γ[t, o], the sum
        over the s with l[s] = o. With the derivative of the softmax, ∂E/∂z[t, o] = p[t, o] - γ[t,
        o] / p(targets). All of it is computed in logarithms, for the products of many p are too
        small for a float.
        """
        # A result for each line, added at the end: so lines can be divided among threads.
        results = np.empty((len(z), 2))
        rows, gradients = lines(z, out)
        for line in range(len(z)):
            loop_ctc(rows, targets, line, results, gradients)
        metrics += results.sum(axis=0)

    def squared_error_classes(
        self,
        y: np.ndarray,
        labels: np.ndarray,
        activation: str,
        metrics: np.ndarray,
        out: np.ndarray,
    ) -> None:
        """As `squared_error` with the targets onehot(labels (n,)); adds the number of right answers
        to metrics[1].
        """
        loop_squared_error_classes(y, labels, CODES[activation], metrics, out)

    def squared_error(
        self,
        y: np.ndarray,
        targets: np.ndarray,
        activation: str,
        metrics: np.ndarray,
        out: np.ndarray,
    ) -> None:
        """out (n, o) = (y (n, o) - targets (n, o)) ⊙ f'(y) / n; adds Σ E to metrics[0].

        Derivation: the loss of an example is E = ½ Σₒ (y[o] - target[o])², so ∂E/∂y[o] = y[o] -
        target[o]. Since y = f(z), the chain rule multiplies this by f'(z).
        """
        loop_squared_error(y, targets, CODES[activation], metrics, out)

    @compiled_operator
    def softmax(z: np.ndarray, out: np.ndarray) -> None:
        """out (n, o) = e^(z - max z) / Σ e^(z - max z), by row: positive numbers with the sum 1."""
        rows, units = z.shape
        for n in range(rows):
            top = z[n, _largest(z[n])]
            total = 0.0
            for o in range(units):
                total += exp(z[n, o] - top)
            for o in range(units):
                out[n, o] = exp(z[n, o] - top) / total
