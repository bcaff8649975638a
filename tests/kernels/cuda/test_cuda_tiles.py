"""Plans of products: small results give all multiprocessors work, large ones load little."""

import pytest

from kernels.cuda.operators.tiles import LARGE, MEDIUM, NARROW, SMALL, Tile, partial_floats, plan

H100 = 132
CARDS = (8, 46, H100)  # multiprocessors of a small card, an RTX 3070 or 4070, an H100
STEP = [
    (100, 512, 784),
    (100, 10, 512),
    (512, 10, 100),
    (784, 512, 100),
    (25, 32, 78400),
    (800, 64, 19600),
]


@pytest.mark.parametrize(
    ("rows", "columns", "depth", "tile"),
    [
        (4096, 4096, 4096, LARGE),
        (1024, 1024, 1024, MEDIUM),
        (100, 512, 784, SMALL),
        (784, 512, 100, SMALL),
        (100, 10, 512, NARROW),
        (78400, 32, 25, SMALL),
        (78400, 64, 800, MEDIUM),
    ],
)
def test_tile_for_a_size(rows, columns, depth, tile):
    assert plan(rows, columns, depth, H100).tile is tile


@pytest.mark.parametrize("cores", CARDS)
@pytest.mark.parametrize("size", STEP)
def test_split_products_give_a_multiprocessor_four_blocks_where_the_sums_are_long_enough(
    size, cores
):
    found = plan(*size, cores)
    blocks = found.tile.blocks(*size[:2])
    if found.slices > 1:
        assert blocks * found.slices * found.tile.rows * found.tile.columns <= partial_floats(cores)
    steps = -(-size[2] // found.tile.depth)
    as_many_as_possible = found.slices in (64, max(1, steps // 2))
    per_multiprocessor = blocks * found.slices * found.tile.threads / cores / 128
    assert as_many_as_possible or per_multiprocessor > 2.6
    assert found.slices == 1 or per_multiprocessor < 8


def test_the_first_layer_is_split_on_cards_of_medium_size():
    """Cards with 33 to 63 multiprocessors would have one or two blocks each, of 25 steps."""
    assert all(plan(100, 512, 784, cores).slices >= 2 for cores in range(24, 64))


def test_short_sums_are_not_split():
    assert plan(784, 512, 100, H100).slices <= 2
    assert plan(100, 512, 10, H100).slices == 1
    assert plan(4096, 4096, 4096, H100).slices == 1


def test_a_tile_that_its_threads_cannot_load_is_refused():
    with pytest.raises(ValueError, match="evenly"):
        Tile(32, 24, 32, 2, 2)
