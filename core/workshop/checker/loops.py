"""Loops of kernels: which lanes take another turn, the numbers of `range`, and the elements of
arrays and tuples.
"""

import ast
from collections.abc import Callable, Sequence
from functools import partial, reduce

import numpy as np

from core.workshop.checker.dialect import DialectError, all_nodes, nodes_of, stored
from core.workshop.checker.frame import NUMBERS, Frame, View, check_one_type
from core.workshop.checker.lanes import Place
from core.workshop.checker.mask import Mask, union
from core.workshop.checker.numeric import Value

_MAY_END = (ast.Call, ast.Break, ast.Return)
"""Nodes in the body of a loop that may end it, or change what it reads."""


class Loop:
    """A loop of the file, with the lanes that left this turn or the loop: no function is running
    twice at a time.
    """

    continued: Mask | None = None
    broken: Mask | None = None

    def leave_turn(self, mask: Mask) -> None:
        """`continue` in these lanes."""
        self.continued = _joined(self.continued, mask)

    def leave(self, mask: Mask) -> None:
        """`break` in these lanes."""
        self.broken = _joined(self.broken, mask)

    def repeat(
        self,
        frame: Frame,
        mask: Mask,
        place: Place,
        holds: Callable[[Mask], Value],
        body: Callable[[Mask], Mask],
        other: Callable[[Mask], Mask],
    ) -> Mask:
        """Run the body while the condition holds in any lane, then `other` in the lanes that did
        not break.

        Returns the lanes that go on after the loop.
        """
        self.broken = None
        before = {
            name: kept for name, (kept, _) in frame.variables.items() if type(kept) in NUMBERS
        }
        active = mask
        done = no_lanes(mask)
        while active.count:
            condition = holds(active)
            going = active
            if condition.ndim:
                going = frame.machine.branch(condition, active, place)
                if going is not active:
                    done = union(done, active.without(going), mask)
            elif not condition:
                done = union(done, active, mask)
                break
            if not going.count:
                break
            frame.machine.turn(place[0], going)
            self.continued = None
            active = body(going)
            if self.continued is not None:
                active = union(active, self.continued, mask)
            if before:
                frame.unify(before)
                before = {}
        broken = self.broken
        if done.count:
            done = other(done)
        return done if broken is None else union(done, broken, mask)


class Elements:
    """What a loop runs over.

    `length`: how many, of each lane; `at`: gives the element with an index, which is the same in
    all lanes of the mask.
    """

    def __init__(self, length: int | Value, at: Callable[[int, Frame, Mask], object]) -> None:
        self.length: Value = np.asarray(length)[()]
        self.at = at
        self._index = 0

    def holds(self, active: Mask) -> Value:
        """Where there is a next element."""
        return self._index < self.length

    def next(self, frame: Frame, going: Mask) -> object:
        self._index += 1
        return self.at(self._index - 1, frame, going)


def range_of(values: Sequence[Value], mask: Mask, line: int) -> Elements:
    """The numbers of `range(...)`. Raises DialectError for no whole numbers, and for a step of
    0.
    """
    if any(value.dtype.kind == "f" for value in values):
        text = "range takes whole numbers: divide with //, or convert with int(...)."
        raise DialectError(line, text, "type")
    kind = np.result_type(*(value.dtype for value in values))
    if kind.kind == "f":  # of uint64 and int64
        kind = np.dtype(np.int64)
    whole = [value.astype(np.int64) for value in values]
    if len(whole) == 1:
        whole.insert(0, np.int64(0))
    start, stop, step = [*whole, np.int64(1)][:3]
    if not np.all(step[mask.index] if step.ndim else step):
        raise DialectError(line, "The step of range is 0: the loop would never end.")
    steps = np.where(step == 0, 1, step)  # 0 in lanes that do not come here
    # As Python counts the numbers of a range, for steps up and down.
    length = np.maximum((stop - start + steps - np.sign(steps)) // steps, 0)[()]

    def at(index: int, frame: Frame, mask: Mask) -> Value:
        return (start + np.int64(index) * step).astype(kind)

    return Elements(length, at)


def elements_of_value(value: object, place: Place) -> Elements:
    """The elements of a tuple, of an array of one dimension, or the rows of one with more.

    Raises DialectError for other values, and for a tuple of several types.
    """
    line = place[0]
    match value:
        case tuple():
            check_one_type(value, line)
            return Elements(len(value), partial(_item, value))
        case View() if value.left:
            return Elements(value.shape[0], partial(_row, value, place))
    raise DialectError(line, "A loop runs over range(...), an array or a tuple.", "type")


def _item(items: tuple[object, ...], index: int, frame: Frame, mask: Mask) -> object:
    return items[index]


def _row(array: View, place: Place, index: int, frame: Frame, mask: Mask) -> object:
    """An element of an array, or a part of one with several dimensions."""
    view = array.at([np.int64(index)], place[0])
    return view if view.left else frame.machine.read(view.memory, view.given, mask, place)


def numbered(elements: Elements, start: Value) -> Elements:
    """`enumerate`: each element with its number."""
    first = start.astype(np.int64)

    def at(index: int, frame: Frame, mask: Mask) -> tuple[object, ...]:
        return first + np.int64(index), elements.at(index, frame, mask)

    return Elements(elements.length, at)


def zipped(parts: Sequence[Elements]) -> Elements:
    """`zip`: the elements of several, as many as the shortest has."""

    def at(index: int, frame: Frame, mask: Mask) -> tuple[object, ...]:
        return tuple(part.at(index, frame, mask) for part in parts)

    return Elements(reduce(np.minimum, [part.length for part in parts]), at)


def _joined(first: Mask | None, second: Mask) -> Mask:
    return second if first is None else Mask(first.array | second.array)


def no_lanes(mask: Mask) -> Mask:
    return Mask(np.zeros(len(mask.array), bool), mask)


def only_waits(node: ast.While) -> bool:
    """Whether another thread must change the condition: the loop reads it from memory, and changes
    nothing of it.
    """
    calls = [*nodes_of(ast.Call, node.test)]
    if not calls and not any(nodes_of(ast.Subscript, node.test)):
        return False
    if all(_does_nothing(part) for part in node.body):
        return True
    body = [part for statement in node.body for part in all_nodes(statement)]
    if not all(map(_only_reads, calls)) or any(type(part) in _MAY_END for part in body):
        return False
    used = {name.id for name in nodes_of(ast.Name, node.test)}
    changed = {name for statement in node.body for name in stored(statement)}
    for part in body:
        match part:
            case ast.Subscript(ctx=ast.Store()):
                changed |= {name.id for name in nodes_of(ast.Name, part.value)}
    return not used & changed


def _only_reads(node: ast.Call) -> bool:
    """Whether it is an atomic operation that changes nothing, or a try to take a lock."""
    match node:
        case ast.Call(func=ast.Attribute(attr="cas")):
            return True
        case ast.Call(
            func=ast.Attribute(attr="add" | "sub" | "or_" | "xor"),
            args=[_, _, ast.Constant(value=0)],
        ):
            return True
    return False


def _does_nothing(node: ast.stmt) -> bool:
    match node:
        case ast.Pass() | ast.Continue() | ast.Expr(value=ast.Constant()):
            return True
    return False
