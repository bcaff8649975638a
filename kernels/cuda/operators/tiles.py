"""A tile is the part of a product that one block of threads computes, and a plan says which tile, how often.

Two things fight. A large tile reads each operand less often: 128 x 128 does 64 multiplications for each float
it loads, and a thread with an 8 x 8 patch in registers needs 16 floats of shared memory for 64 of them. But
the products of a small network have few large tiles: 100 x 512 is four of 128 x 128, on a card with 132
multiprocessors. Small tiles, and a sum cut into several slices, keep the whole card at work.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tile:
    """`rows` x `columns` of the result, `depth` of the sum at a time; `row_patch` x `column_patch` a thread."""

    rows: int
    columns: int
    depth: int
    row_patch: int
    column_patch: int
    blocks_per_multiprocessor: int = 0  # 0: as many as fit without limiting registers

    def __post_init__(self) -> None:
        # The loaders give each thread every n-th row or slice of a tile; it has to come out even.
        for side in (self.rows, self.columns, self.depth):
            if self.threads % side:
                raise ValueError(f"{self}: {side} does not divide the {self.threads} threads")
        for side in (self.rows, self.columns):
            if side * self.depth % self.threads:
                raise ValueError(f"{self}: {self.threads} threads do not share {side} x {self.depth} evenly")

    @property
    def threads(self) -> int:
        return (self.rows // self.row_patch) * (self.columns // self.column_patch)

    def blocks(self, rows: int, columns: int) -> int:
        """How many of this tile cover a result of `rows` x `columns`."""
        return -(-rows // self.rows) * -(-columns // self.columns)


# 64 sums a thread: two blocks on a multiprocessor leave each thread 128 registers, just enough.
LARGE = Tile(128, 128, 8, 8, 8, blocks_per_multiprocessor=2)
MEDIUM = Tile(64, 64, 16, 4, 4)
SMALL = Tile(32, 32, 32, 2, 4)
# For results of at most 16 columns: output layers.
NARROW = Tile(32, 16, 32, 2, 2)

# Slices of one sum beyond this number take the last block longer to add than they save.
_MOST_SLICES = 64


@dataclass(frozen=True, slots=True)
class Plan:
    """`slices` > 1: each block sums its share of the depth, the last to finish adds the shares in order."""

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
    """Into how many slices to cut the sum: two blocks a multiprocessor, two steps or more a slice."""
    steps = -(-depth // tile.depth)
    return max(1, min(2 * multiprocessors // tile.blocks(rows, columns), steps // 2, _MOST_SLICES))
