"""Tiles of matrix products, and the choice of tile and split-K slices for the size of a product.

A tile is the part of the result that one block computes. Large tiles load less: a 128 x 128 tile
does 64 multiplications for each float that it loads from global memory. But products of small
networks have few large tiles (100 x 512 has four of 128 x 128), and a card has up to 132
multiprocessors. Small tiles, and sums over k that are split into slices (split-K), give all
multiprocessors work.

All blocks that fit on the card at once are a wave. The plan is the one whose waves are estimated to
take the least time; no card was measured for that.
"""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Tile:
    """`rows` x `columns` of the result, `depth` of k at a time; a thread computes `thread_rows` x
    `thread_columns`.

    `blocks_per_multiprocessor` is a launch bound; 0 leaves the number of registers to the compiler.
    `registers` of a thread and `efficiency`, the share of multiplications among the instructions,
    are those of the compiled kernels. `is_split`: whether products may be split along k.

    Raises ValueError if the threads of a block cannot load the tile evenly.
    """

    rows: int
    columns: int
    depth: int
    thread_rows: int
    thread_columns: int
    blocks_per_multiprocessor: int = 0
    registers: int = 96
    efficiency: float = 0.46
    is_split: bool = True

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

    @property
    def shared_bytes(self) -> int:
        """Shared memory of a block: both halves of the operands, padded, and the system's part."""
        return 8 * self.depth * (self.rows + self.columns + 8) + _SYSTEM_BYTES

    def blocks(self, rows: int, columns: int) -> int:
        """Number of tiles that cover a result of `rows` x `columns`."""
        return -(-rows // self.rows) * -(-columns // self.columns)


# Of a multiprocessor, on all cards.
_REGISTERS = 65536


@dataclass(frozen=True, slots=True)
class Multiprocessors:
    """How many a card has, and the shared memory in bytes and the threads of each."""

    count: int
    shared_bytes: int
    threads: int

    def resident(self, tile: Tile) -> int:
        """Blocks of a tile that one of them holds at once."""
        return min(
            self.shared_bytes // tile.shared_bytes,
            self.threads // tile.threads,
            _REGISTERS // (tile.registers * tile.threads),
        )


# 64 sums a thread; two blocks on a multiprocessor leave 128 registers to each thread, which is just
# enough, but not for adding partial sums.
LARGE = Tile(128, 128, 8, 8, 8, 2, registers=128, efficiency=0.74, is_split=False)
MEDIUM = Tile(64, 64, 16, 4, 4, registers=80, efficiency=0.6)
SMALL = Tile(32, 32, 32, 2, 4)
# For results of at most 16 columns: output layers.
NARROW = Tile(32, 16, 32, 2, 2, efficiency=0.32)

# Of its shared memory, the system takes so much for each block from 8.0 on.
_SYSTEM_BYTES = 1024

# With more slices than these, adding the partial sums takes longer than the slices save.
_MAX_SLICES = 64

# A multiprocessor with one block waits for its loads: the block takes as long as two together.
_LEAST_RESIDENT = 2

# What it takes to meet and to add the sums of a slice, in steps of a block along k.
_MEETING = 5
_ADDING = 0.7


@dataclass(frozen=True, slots=True)
class Plan:
    """With `slices` > 1, each block sums over its part of k; the last block to finish adds the
    partial sums.
    """

    tile: Tile
    slices: int


@cache
def plan(
    rows: int, columns: int, depth: int, card: Multiprocessors, only: Tile | None = None
) -> Plan:
    """The plan for a product with a result of `rows` x `columns` and sums over `depth`, of all
    tiles or of `only` one.
    """
    tiles = [NARROW] if columns <= NARROW.columns else [SMALL, MEDIUM, LARGE]
    plans = [
        Plan(tile, slices)
        for tile in ([only] if only else tiles)
        for slices in range(1, _most_slices(tile, rows, columns, depth, card) + 1)
    ]
    return min(plans, key=lambda found: _time(found, rows, columns, depth, card))


def _most_slices(tile: Tile, rows: int, columns: int, depth: int, card: Multiprocessors) -> int:
    """Two steps of `depth` or more a slice, and as many as the workspace has room for."""
    if not tile.is_split:
        return 1
    room = partial_floats(card.count) // (tile.blocks(rows, columns) * tile.rows * tile.columns)
    return max(1, min(room, -(-depth // tile.depth) // 2, _MAX_SLICES))


def _time(found: Plan, rows: int, columns: int, depth: int, card: Multiprocessors) -> float:
    """An estimate, in arbitrary units."""
    tile = found.tile
    resident = max(1, card.resident(tile))
    waves, rest = divmod(tile.blocks(rows, columns) * found.slices, resident * card.count)
    # Steps of a block that a multiprocessor does one after the other.
    turns = waves * max(resident, _LEAST_RESIDENT)
    if rest:
        turns += max(-(-rest // card.count), _LEAST_RESIDENT)
    steps = -(-depth // tile.depth)
    taken = float(turns * -(-steps // found.slices))
    if found.slices > 1:
        taken += _MEETING + _ADDING * found.slices
    return taken * tile.rows * tile.columns * tile.depth / tile.efficiency


def partial_floats(multiprocessors: int) -> int:
    """Floats of the workspace for the partial sums of split products."""
    return 2 * multiprocessors * MEDIUM.rows * MEDIUM.columns
