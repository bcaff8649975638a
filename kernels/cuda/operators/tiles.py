"""Tiles of matrix products, and the choice of tile and split-K slices for the size of a product.

A tile is the part of the result that one block computes. Large tiles load less: a 128 x 128 tile
does 64 multiplications for each float that it loads from global memory. But products of small
networks have few large tiles (100 x 512 has four of 128 x 128), and a card has up to 132
multiprocessors. Small tiles, and sums over k that are split into slices (split-K), give all
multiprocessors work.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tile:
    """`rows` x `columns` of the result, `depth` of k at a time; a thread computes `thread_rows` x
    `thread_columns`.

    `blocks_per_multiprocessor` is a launch bound; 0 leaves the number of registers to the compiler.
    Raises ValueError if the threads of a block cannot load the tile evenly.
    """

    rows: int
    columns: int
    depth: int
    thread_rows: int
    thread_columns: int
    blocks_per_multiprocessor: int = 0

    def __post_init__(self) -> None:
        for side in (self.rows, self.columns, self.depth):
            if self.threads % side:
                raise ValueError(f"{self}: {side} does not divide the {self.threads} threads")
        for side in (self.rows, self.columns):
            if side * self.depth % self.threads:
                raise ValueError(
                    f"{self}: {self.threads} threads cannot load {side} x {self.depth} evenly"
                )

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return (self.rows // self.thread_rows) * (self.columns // self.thread_columns)

    def blocks(self, rows: int, columns: int) -> int:
        """Number of tiles that cover a result of `rows` x `columns`."""
        return -(-rows // self.rows) * -(-columns // self.columns)


# 64 sums a thread; two blocks on a multiprocessor leave 128 registers to each thread, which is just
# enough.
LARGE = Tile(128, 128, 8, 8, 8, blocks_per_multiprocessor=2)
MEDIUM = Tile(64, 64, 16, 4, 4)
SMALL = Tile(32, 32, 32, 2, 4)
# For results of at most 16 columns: output layers.
NARROW = Tile(32, 16, 32, 2, 2)

# Threads that a multiprocessor should have of a split product: enough to hide the latency of loads.
_THREADS_PER_MULTIPROCESSOR = 512

# With more slices than these, adding the partial sums takes longer than the slices save.
_MAX_SLICES = 64


@dataclass(frozen=True, slots=True)
class Plan:
    """With `slices` > 1, each block sums over its part of k; the last block to finish adds the
    partial sums.
    """

    tile: Tile
    slices: int


def plan(rows: int, columns: int, depth: int, multiprocessors: int) -> Plan:
    """The plan for a product with a result of `rows` x `columns` and sums over `depth`."""
    if columns <= NARROW.columns:
        tile = NARROW
    elif columns > MEDIUM.columns and LARGE.blocks(rows, columns) * 2 >= 3 * multiprocessors:
        tile = LARGE
    elif columns > SMALL.columns and MEDIUM.blocks(rows, columns) >= multiprocessors:
        tile = MEDIUM
    else:
        tile = SMALL
    return Plan(tile, slices(tile, rows, columns, depth, multiprocessors))


def slices(tile: Tile, rows: int, columns: int, depth: int, multiprocessors: int) -> int:
    """Slices of k: _THREADS_PER_MULTIPROCESSOR if there is enough to sum, and two steps of `depth`
    or more a slice.
    """
    blocks = tile.blocks(rows, columns)
    wanted = _THREADS_PER_MULTIPROCESSOR * multiprocessors / (tile.threads * blocks)
    room = partial_floats(multiprocessors) // (blocks * tile.rows * tile.columns)
    steps = -(-depth // tile.depth)
    return max(1, min(round(wanted), room, steps // 2, _MAX_SLICES))


def partial_floats(multiprocessors: int) -> int:
    """Floats of the workspace for the partial sums of split products."""
    return 2 * multiprocessors * MEDIUM.rows * MEDIUM.columns
