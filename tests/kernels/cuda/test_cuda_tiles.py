"""Plans of products: small results give all multiprocessors work, large ones load little."""

import pytest

from kernels.cuda.operators.tiles import (
    LARGE,
    MEDIUM,
    NARROW,
    SMALL,
    Multiprocessors,
    Tile,
    partial_floats,
    plan,
)

H100 = Multiprocessors(132, 228 << 10, 2048)
T4 = Multiprocessors(40, 64 << 10, 1024)
RTX_4060 = Multiprocessors(24, 100 << 10, 1536)
CARDS = (T4, RTX_4060, H100)
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


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("size", STEP)
def test_split_products_fit_the_workspace_and_have_two_steps_a_slice(size, card):
    found = plan(*size, card)
    if found.slices > 1:
        blocks = found.tile.blocks(*size[:2]) * found.slices
        assert blocks * found.tile.rows * found.tile.columns <= partial_floats(card.count)
        assert -(-size[2] // found.tile.depth) >= 2 * found.slices


def test_shared_memory_limits_the_blocks_of_a_multiprocessor():
    assert [card.resident(SMALL) for card in CARDS] == [3, 5, 5]


@pytest.mark.parametrize("card", CARDS)
def test_no_second_wave_for_a_few_blocks(card):
    """By threads alone, a T4 and an RTX 4060 would have 128 blocks on 120 places."""
    for size in STEP:
        found = plan(*size, card)
        blocks = found.tile.blocks(*size[:2]) * found.slices
        places = card.resident(found.tile) * card.count
        assert blocks <= places or blocks >= 1.4 * places


def test_the_first_layer_is_split_where_multiprocessors_would_wait():
    assert plan(100, 512, 784, T4).slices > 1
    assert plan(100, 512, 784, H100).slices > 1


def test_short_sums_are_not_split():
    assert plan(784, 512, 100, H100).slices <= 2
    assert plan(100, 512, 10, H100).slices == 1
    assert plan(4096, 4096, 4096, H100).slices == 1


def test_a_tile_that_its_threads_cannot_load_is_refused():
    with pytest.raises(ValueError, match="evenly"):
        Tile(32, 24, 32, 2, 2)
