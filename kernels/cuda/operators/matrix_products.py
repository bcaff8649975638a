"""Chooses tile and split-K slices of a matrix product for the card, and launches its kernel."""

from typing import Any

from kernels.cuda.launcher import Launcher
from kernels.cuda.operators.product import product_kernel
from kernels.cuda.operators.tiles import Plan, Tile, plan, slices


class MatrixProducts:
    """Launches matrix products on a card with this number of multiprocessors."""

    def __init__(self, launcher: Launcher, multiprocessors: int, tile: Tile | None = None) -> None:
        """`tile` replaces the planned tiles; tests choose small ones for the simulator."""
        self._launcher, self._multiprocessors, self._tile = launcher, multiprocessors, tile

    def launch(
        self,
        loads: tuple[Any, Any],
        along_k: tuple[bool, bool],
        epilogue: Any,
        a: Any,
        b: Any,
        c: Any,
        k: int,
        extra: Any,
        reads: tuple[Any, ...],
    ) -> None:
        """c (m, n) = epilogue(A (m, k) · B (k, n)), float32.

        `loads` are the device functions (load_a, load_b) that return elements of A and B from the arrays `a` and `b`;
        `along_k`: for A and B, whether consecutive addresses are along k; `extra` is the epilogue's array; `reads` are
        the arrays that the kernel reads. See `kernels.cuda.operators.product`.
        """
        m, n = c.shape
        chosen = self._plan(m, n, k)
        tile = chosen.tile
        kernel = product_kernel(tile, *loads, epilogue, *along_k, chosen.slices > 1)
        # Rows along x: a convolution has more row tiles than the 65,535 blocks that y and z allow.
        grid = (-(-m // tile.rows), -(-n // tile.columns), chosen.slices)
        self._launcher.launch(
            kernel,
            grid,
            (tile.threads, 1, 1),
            lambda workspace: (a, b, c, m, n, k, extra, workspace.partials, workspace.arrivals),
            reads,
            (c,),
        )

    def _plan(self, m: int, n: int, k: int) -> Plan:
        if self._tile is None:
            return plan(m, n, k, self._multiprocessors)
        return Plan(self._tile, slices(self._tile, m, n, k, self._multiprocessors))
