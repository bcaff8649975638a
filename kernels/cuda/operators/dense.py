"""Dense layers on the card: three products whose operands are fetched as they lie, with fused ends."""

from typing import Any

from numba import int32

from kernels.activations import CODES
from kernels.cuda.operators.activations import bend, bias_and_activate, identity
from kernels.cuda.operators.product import product_kernel
from kernels.cuda.operators.tiles import MEDIUM, Plan, Tile, plan, slices
from kernels.cuda.queue import Queue
from kernels.cuda.toolkit import inlined, is_float32, load


@inlined
def as_stored(matrix: Any, i: int, j: int) -> Any:
    """matrix[i, j]."""
    return load(matrix, int32(i * int32(matrix.shape[1]) + j))


@inlined
def transposed(matrix: Any, i: int, j: int) -> Any:
    """matrix[j, i]: the transpose that is never made."""
    return load(matrix, int32(j * int32(matrix.shape[1]) + i))


def share_floats(multiprocessors: int) -> int:
    """The work space of sliced products: there are at most two slices a multiprocessor, none of a large tile."""
    return 2 * multiprocessors * MEDIUM.rows * MEDIUM.columns


class Products:
    """Launches products on a queue, each with the plan for its size."""

    def __init__(self, queue: Queue, multiprocessors: int, tile: Tile | None = None) -> None:
        """`tile` takes the place of the planned ones: tests choose small ones for the simulator."""
        self._queue, self._multiprocessors, self._tile = queue, multiprocessors, tile

    def launch(
        self,
        fetches: tuple[Any, Any],
        along_k: tuple[bool, bool],
        finish: Any,
        a: Any,
        b: Any,
        c: Any,
        k: int,
        extra: Any,
        reads: tuple[Any, ...],
        aside: bool,
    ) -> None:
        """c (m, n) = finish(A (m, k) · B (k, n)), where the fetches say what A and B are."""
        m, n = c.shape
        chosen = self._plan(m, n, k)
        tile = chosen.tile
        kernel = product_kernel(tile, *fetches, finish, *along_k, chosen.slices > 1)
        # Rows along x: a convolution has more of them than the 65,535 blocks that the other axes allow.
        grid = (-(-m // tile.rows), -(-n // tile.columns), chosen.slices)
        self._queue.launch(
            kernel,
            grid,
            (tile.threads, 1, 1),
            lambda scratch: (a, b, c, m, n, k, extra, scratch.shares, scratch.tickets),
            reads,
            (c,),
            aside=aside,
        )

    def _plan(self, m: int, n: int, k: int) -> Plan:
        if self._tile is None:
            return plan(m, n, k, self._multiprocessors)
        return Plan(self._tile, slices(self._tile, m, n, k, self._multiprocessors))


class DenseOperators:
    """Of the device contract; `_products` and `_queue` are the device's."""

    _products: Products
    _queue: Queue

    def dense(self, x: Any, w: Any, b: Any, activation: str, out: Any) -> None:
        is_float32(x, w, b, out)
        self._products.launch(
            (as_stored, as_stored), (True, False), bias_and_activate(CODES[activation]),
            x, w, out, x.shape[1], b, (x, w, b), aside=False,
        )  # fmt: skip

    def dense_input_gradient(self, grad_z: Any, w: Any, y: Any, activation: str, out: Any) -> None:
        # With "linear" y may be anything: `out` stands in, unread.
        y = out if activation == "linear" else y
        is_float32(grad_z, w, y, out)
        self._products.launch(
            (as_stored, transposed), (True, True), bend(CODES[activation]),
            grad_z, w, out, grad_z.shape[1], y, (grad_z, w, y), aside=False,
        )  # fmt: skip

    def dense_weight_gradient(self, x: Any, grad_z: Any, out: Any) -> None:
        is_float32(x, grad_z, out)
        self._products.launch(
            (transposed, as_stored), (False, False), identity,
            x, grad_z, out, x.shape[0], grad_z, (x, grad_z), aside=True,
        )  # fmt: skip
