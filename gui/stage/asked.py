"""What is asked about: a unit or map on the stage, how it got its value, and what leads to it."""

from dataclasses import dataclass

import numpy as np

from core.inspection.stage_content import Links, StageContent, shares
from core.inspection.units import UnitValue, unit_value
from core.network.parameters import views
from gui.stage.captions import role_of

SHOWN_SOURCES = 8  # of a unit: the strongest
SHOWN_OF_EACH = 5  # units that speak for an answer, and for the other
LIT = 64  # connections into what is asked about


@dataclass(frozen=True, slots=True)
class Asked:
    """`position`: of the column; `index`: of the unit or map among `items_of` it; `value`: how it
    is computed.

    `into`: the connections that are lit, `onward`: those to the answers; None for none. `lit`:
    (position, index) of the tiles at full strength.
    """

    content: StageContent
    position: int
    index: int
    value: UnitValue
    into: Links | None
    onward: Links | None
    lit: frozenset[tuple[int, int]]

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the layer's output."""
        return self.content.network.shapes[self.value.layer + 1]

    def place_at(self, across: float, down: float) -> tuple[int, int]:
        """Row and column of its map at these shares of the width and height; the nearest ones."""
        rows, columns = self.shape[:2]
        row = min(max(int(down * rows), 0), rows - 1)
        return row, min(max(int(across * columns), 0), columns - 1)

    @property
    def is_answer(self) -> bool:
        """Whether it is asked why one class is the answer, and not another."""
        return self.value.other >= 0

    @property
    def names(self) -> tuple[str, str]:
        """The classes of an answer: the one that is asked about, and the other."""
        return self.content.classes[self.value.unit], self.content.classes[self.value.other]


def items_of(content: StageContent, position: int) -> tuple[int, ...]:
    """The units or maps of a column that can be asked; of a thin one those before it."""
    column = content.columns[position]
    before = sources_of(content, position)
    if column.thin and before >= 0:
        return content.columns[before].shown
    return column.shown


def sources_of(content: StageContent, position: int) -> int:
    """The position of the last column before one that is not thin; -1 for the input."""
    for before in range(position - 1, -1, -1):
        if not content.columns[before].thin:
            return before
    return -1


def owner_of(content: StageContent, position: int) -> int:
    """The layer that decides which units or maps a column shows: of pooling that before it."""
    while content.columns[position].thin or content.links[position] is None:
        before = sources_of(content, position)
        if before < 0:
            break
        position = before
    return content.columns[position].layer


def strongest_item(content: StageContent, position: int) -> int:
    """The index of the item with the largest output, of the answers that of the answer."""
    column = content.columns[position]
    if column.thin:
        before = sources_of(content, position)
        return strongest_item(content, before) if before >= 0 else 0
    if column.values is None or not len(column.values):
        return 0
    return int(np.nan_to_num(column.values).argmax())


def ask(
    content: StageContent,
    position: int,
    index: int,
    place: tuple[int, int] | None = None,
    other: int = -1,
) -> Asked | None:
    """Ask about an item of a column; None where it has none.

    place: row and column in a map, None for its largest output. other: the class with which an
    answer is compared, -1 for the best other one.
    """
    items = items_of(content, position)
    if not 0 <= index < len(items):
        return None
    layer = content.columns[position].layer
    if len(content.classes) > 1 and role_of(content.network, layer) == "answers":
        if other < 0 or other == items[index]:
            other = _best_other(content, items[index])
    else:
        other = -1
    shape = content.network.shapes[layer + 1]
    if place is not None and (len(shape) == 1 or place[0] >= shape[0] or place[1] >= shape[1]):
        # Of a map that was larger, or of another layer.
        place = None
    value = unit_value(content.model, content.values, layer, items[index], place, other=other)
    into = _links_into(content, position, index, value)
    onward = _links_onward(content, position, index, value)
    return Asked(
        content, position, index, value, into, onward, _lit(content, position, index, into)
    )


def _best_other(content: StageContent, unit: int) -> int:
    """The class with the largest output beside `unit`, or the next one without an input."""
    if not content.values:
        return (unit + 1) % len(content.classes)
    outputs = np.nan_to_num(content.values[-1])
    outputs[unit] = -np.inf
    return int(outputs.argmax())


def parts_of(value: UnitValue) -> np.ndarray | None:
    """float32: what each channel or number before it adds, or without an input its weights; None
    for layers without sums.
    """
    if value.sums is not None:
        return value.sums
    if value.weights is None or value.weights.ndim == 1:
        return value.weights
    return value.weights.sum(axis=(0, 1))


def parts_of_rows(value: UnitValue) -> np.ndarray | None:
    """The same of each row of an image, or of each number before it."""
    products = value.products if value.products is not None else value.weights
    if products is None or products.ndim == 1:
        return products
    return products.sum(axis=(1, 2))


def _links_into(content: StageContent, position: int, index: int, value: UnitValue) -> Links | None:
    column = content.columns[position]
    if column.thin:
        return None
    before = sources_of(content, position)
    parts = parts_of(value)
    alone = np.array([index])
    if before < 0:
        return _links_from_input(content, position, index, value)
    if (
        parts is None
        or content.links[position] is None
        or content.columns[before].layer == column.layer
    ):
        return Links(alone, alone, np.ones(1, np.float32))
    strengths = parts[list(content.columns[before].shown)]
    order = np.argsort(-np.abs(strengths), kind="stable")
    if value.other >= 0:
        raising = order[strengths[order] > 0]
        lowering = order[strengths[order] < 0]
        order = np.concatenate([raising[:SHOWN_OF_EACH], lowering[:SHOWN_OF_EACH]])
    elif value.weights is not None and len(content.network.shapes[column.layer + 1]) == 1:
        order = order[:SHOWN_SOURCES]
    order = order[strengths[order] != 0][:LIT]
    targets = np.full(len(order), index)
    if value.other in column.shown:
        targets[strengths[order] < 0] = column.shown.index(value.other)
    return Links(order, targets, shares(strengths)[order])


def _links_from_input(
    content: StageContent, position: int, index: int, value: UnitValue
) -> Links | None:
    """From the places of the input from its top to its bottom."""
    alone = np.array([index])
    shape = content.network.shapes[value.layer + 1]
    if len(shape) == 3:
        rows = len(content.columns[position].shown)
        return Links(alone, alone, np.ones(1, np.float32), rows)
    strengths = parts_of_rows(value)
    if strengths is None:
        return None
    order = np.argsort(-np.abs(strengths), kind="stable")[:LIT]
    order = order[strengths[order] != 0]
    return Links(order, np.full(len(order), index), shares(strengths)[order], len(strengths))


def _links_onward(
    content: StageContent, position: int, index: int, value: UnitValue
) -> Links | None:
    """What a unit adds to each of the answers behind it."""
    adds = added_to_answers(content, value)
    last = len(content.columns) - 1
    if adds is None or sources_of(content, last) != position:
        return None
    shown = adds[list(content.columns[last].shown)]
    rows = np.arange(len(shown))
    return Links(np.full(len(shown), index), rows, shares(shown))


def added_to_answers(content: StageContent, value: UnitValue) -> np.ndarray | None:
    """float32 (outputs,): a unit's output times its weights to the answers, or without an input
    these weights; None where they are not the next layer.
    """
    last = len(content.network.layers) - 1
    shape = content.network.shapes[last]
    if value.layer != last - 1 or len(shape) != 1 or not content.classes:
        return None
    params = views(content.network, content.model.parameters)[last]
    assert params is not None
    weights = params.weights[value.unit]
    return weights * np.float32(value.y) if content.values else weights


def _lit(
    content: StageContent, position: int, index: int, into: Links | None
) -> frozenset[tuple[int, int]]:
    """The item, those that lead to it, and those that go with one of them alone."""
    found = {(position, index)}
    before = sources_of(content, position)
    sources = {index} if content.columns[position].thin else set()
    if into is not None and not into.rows:
        sources = {int(source) for source in into.sources}
    while before >= 0 and sources:
        found |= {(before, source) for source in sources}
        if content.links[before] is not None or sources_of(content, before) < 0:
            break
        before = sources_of(content, before)
    for behind in range(position + 1, len(content.columns)):
        if content.columns[behind].thin:
            continue
        if content.links[behind] is not None or behind == len(content.columns) - 1:
            break
        found.add((behind, index))
    return frozenset(found)
