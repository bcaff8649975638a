"""Where the parts of the stage lie, at the measures of the design."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from PySide6.QtCore import QRect, QSize

from core.inspection.stage_content import weights_content
from gui.stage.layout import Frame, lay_out
from tests.gui.stage.test_stage import made

NETWORKS = [
    "784-10",
    "784-128-10",
    "784-512-10",
    "8C5-MP2-16C5-MP2-64N-10N",
    "32C5-MP2-64C5-MP2-512N-10N",
    "784-64-48-48-32-32-32-24-10",
    "8C3-BN-MP2-D25-64N-BN-D50-10N",
]


@cache
def content_of(text, classes):
    return weights_content(replace(made(text), classes=classes))


def laid_out(text, size, scale=1.0, *, canvas_width=1, has_tools=True, classes=()):
    content = content_of(text, classes)
    return lay_out(content, Frame(QSize(*size), scale, 1.0, canvas_width, 10, has_tools))


@pytest.mark.parametrize("text", NETWORKS)
@pytest.mark.parametrize("size", [(1248, 356), (1872, 568), (960, 300)])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_columns_lie_beside_each_other(text, size, scale):
    layout = laid_out(text, size, scale)
    areas = [block.area for block in layout.blocks]
    for left, right in pairwise(areas):
        assert left.right() < right.left()
    for block in layout.blocks[:-1]:
        for index, tile in enumerate(block.tiles):
            assert block.area.contains(tile)
            assert block.index_at(tile.center()) == index
        for first, second in pairwise(block.tiles):
            assert not first.intersects(second)
    gaps = [right.left() - left.right() for left, right in pairwise(areas[:-1])]
    assert all(gap >= 4 for gap in gaps)


@pytest.mark.parametrize(("size", "side"), [((1248, 356), 264), ((1872, 568), 456)])
def test_the_canvas_has_the_size_of_the_design(size, side):
    layout = laid_out("784-128-10", size)
    assert layout.canvas.width() == layout.canvas.height() == side
    assert layout.side == side


def test_without_a_canvas_the_columns_take_its_place():
    layout = laid_out("784-128-10", (1248, 356), canvas_width=0)
    assert layout.canvas.isNull()
    assert layout.input.left() < 30


@pytest.mark.parametrize("layers", [20, 60])
def test_many_layers_are_smaller_with_room_between_them(layers):
    layout = laid_out("-".join(["784", *["30"] * layers, "10"]), (1248, 356))
    areas = [block.area for block in layout.blocks]
    assert all(right.left() - left.right() > 2 for left, right in pairwise(areas))
    assert all(tile.width() >= 2 for block in layout.blocks for tile in block.tiles)


@pytest.mark.parametrize("size", [(1248, 402), (992, 392)])
def test_in_presenter_mode_the_network_of_the_program_fits_beside_large_text(size):
    layout = laid_out("16C5-MP2-48C5-MP2-128N-10N", size, 2.0, has_tools=False)
    assert layout.side == layout.canvas.height()
    assert all(layout.view.contains(block.area) for block in layout.blocks[:-1])


@pytest.mark.parametrize("text", ["16C5-MP2-48C5-MP2-128N-10N", *NETWORKS])
@pytest.mark.parametrize("width", [960, 1248, 1334, 1600, 1872])
def test_more_height_never_shows_less(text, width):
    shown = []
    for height in range(264, 900, 11):
        layout = laid_out(text, (width, height), classes=tuple("0123456789"))
        shown.append(layout.answers.has_percent)
    assert shown == sorted(shown)


def test_the_network_of_the_program_is_larger_in_a_higher_stage():
    both, alone = (
        laid_out("16C5-MP2-48C5-MP2-128N-10N", (1334, height), classes=tuple("0123456789"))
        for height in (356, 610)
    )
    for layout in (both, alone):
        assert layout.answers.has_percent
    assert alone.side > both.side


def test_the_parts_do_not_cover_each_other():
    layout = laid_out("784-128-10", (1248, 356))
    parts = [
        layout.canvas,
        layout.input,
        layout.view.intersected(layout.blocks[0].area),
        layout.answer,
    ]
    for first, second in pairwise(parts):
        assert not QRect(first).intersects(second)
