"""Plans of products: small results keep the card busy, large ones read little."""

import pytest

from kernels.cuda.operators.tiles import LARGE, MEDIUM, NARROW, SMALL, Tile, plan

MULTIPROCESSORS = 132  # of an H100


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
    assert plan(rows, columns, depth, MULTIPROCESSORS).tile is tile


@pytest.mark.parametrize("size", [(100, 512, 784), (100, 10, 512), (25, 32, 78400), (800, 64, 19600)])
def test_small_results_of_long_sums_are_cut_until_the_card_has_work(size):
    found = plan(*size, MULTIPROCESSORS)
    blocks = found.tile.blocks(*size[:2])
    assert found.slices > 1
    assert blocks * found.slices <= 2 * MULTIPROCESSORS
    assert (
        blocks * (found.slices + 1) > MULTIPROCESSORS
        or found.slices >= size[2] // found.tile.depth // 2 - 1
        or (found.slices == 64)
    )


def test_short_sums_are_not_cut():
    assert plan(784, 512, 100, MULTIPROCESSORS).slices == 1
    assert plan(100, 512, 10, MULTIPROCESSORS).slices == 1
    assert plan(4096, 4096, 4096, MULTIPROCESSORS).slices == 1


def test_a_tile_that_its_threads_cannot_load_is_refused():
    with pytest.raises(ValueError, match="evenly"):
        Tile(32, 24, 32, 2, 2)
