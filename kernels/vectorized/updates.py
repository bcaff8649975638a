"""The optimizers' updates over flat arrays, in pieces by the pool; in a recorded step, float32 as rows."""

from collections.abc import Callable

import numpy as np

from kernels.vectorized import row_loops
from kernels.vectorized.compiled_step import RowOperators, has_row
from kernels.vectorized.thread_pool import ALIGNMENT, pieces_of_update
from kernels.vectorized.update_loops import adam_loop, l1_loop, momentum_loop, sgd_loop


class UpdateOperators(RowOperators):
    @has_row
    def add_l1_gradient(self, p: np.ndarray, g: np.ndarray, l1: float, weight_count: int) -> None:
        part, pieces = slice(0, weight_count), pieces_of_update(p.size)
        if not self._row(row_loops.L1, "ff", (p[part], g[part]), (weight_count,), pieces, (l1, 0.0)):
            self._by_pieces(part, l1, lambda k, pull: l1_loop(p[k], g[k], pull))

    @has_row
    def sgd(self, p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float, weight_count: int) -> None:
        for part, pull in _parts(p.size, l2, weight_count):
            if not self._row(
                row_loops.SGD, "fffff", (p[part], g[part], g, g, rate), (part.stop - part.start,),
                pieces_of_update(p.size), (pull, 0.0),
            ):  # fmt: skip
                self._by_pieces(part, pull, lambda k, pull: sgd_loop(p[k], g[k], rate, pull))

    @has_row
    def momentum(
        self, p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, beta: float, nesterov: bool,
        l2: float, weight_count: int,
    ) -> None:  # fmt: skip
        for part, pull in _parts(p.size, l2, weight_count):
            if not self._row(
                row_loops.MOMENTUM, "fffff", (p[part], g[part], v[part], g, rate),
                (part.stop - part.start, nesterov), pieces_of_update(p.size), (pull, beta),
            ):  # fmt: skip
                self._by_pieces(
                    part, pull, lambda k, pull: momentum_loop(p[k], g[k], v[k], rate, beta, nesterov, pull)
                )

    @has_row
    def adam(
        self, p: np.ndarray, g: np.ndarray, m: np.ndarray, v: np.ndarray, rate: np.ndarray,
        counters: np.ndarray, l2: float, weight_count: int,
    ) -> None:  # fmt: skip
        for part, pull in _parts(p.size, l2, weight_count):
            if not self._row(
                row_loops.ADAM, "fffffi", (p[part], g[part], m[part], v[part], rate, counters),
                (part.stop - part.start,), pieces_of_update(p.size), (pull, 0.0),
            ):  # fmt: skip
                self._by_pieces(
                    part, pull, lambda k, pull: adam_loop(p[k], g[k], m[k], v[k], rate, counters, pull)
                )

    def _by_pieces(self, part: slice, pull: float, update: Callable[[slice, float], None]) -> None:
        """Call update(piece, pull) for the pieces of `part`."""
        size = part.stop - part.start
        pieces = pieces_of_update(size)
        length = -(-size // pieces // ALIGNMENT) * ALIGNMENT

        def work(_: int, piece: int) -> None:
            start = part.start + piece * length
            update(slice(start, min(start + length, part.stop)), pull)

        self.pool.map(pieces, work)


def _parts(size: int, l2: float, weight_count: int) -> list[tuple[slice, float]]:
    """(part, factor of L2 there) for the weights and the biases, or for all where L2 is 0."""
    if not l2:
        return [(slice(0, size), 0.0)]
    return [(slice(0, weight_count), l2), (slice(weight_count, size), 0.0)]
