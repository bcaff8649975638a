"""Expressions of kernels as functions of (frame, mask), which compute vectors of threads.

Building these functions is the check of the dialect: what is not listed here is refused before
anything runs.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from math import e, inf, nan, pi, prod
from typing import Any

import numpy as np

from core.workshop.checker import numeric
from core.workshop.checker.dialect import (
    VALUES,
    DialectError,
    Program,
    Typed,
    elements_of,
    nearest,
    nodes_of,
    reason,
    root_of,
)
from core.workshop.checker.frame import (
    Frame,
    Grid,
    Part,
    Sides,
    View,
    ViewIndex,
    is_left,
    item_in_lanes,
    merge,
    no_number,
)
from core.workshop.checker.lanes import Place
from core.workshop.checker.mask import Mask
from core.workshop.checker.numeric import OperandError, Value

Expression = Callable[[Frame, Mask], Any]
_MAX_DEPTH = 60
_CONSTANTS = {"pi": pi, "e": e, "inf": inf, "nan": nan}
_SCALARS: dict[type, Callable[[Any], Value]] = {
    Typed: Typed.number,
    bool: np.bool_,
    int: np.int64,
    float: np.float64,
}
_KINDS = {type(None): "None", str: "a text"}
_CONSTRUCTS = {
    ast.ImportFrom: "import",
    ast.ClassDef: "class",
    ast.Delete: "del",
    ast.FunctionDef: "a function within a function",
    ast.AsyncFor: "async",
    ast.AsyncWith: "async",
    ast.ListComp: "a list comprehension",
    ast.List: "a list",
    ast.GeneratorExp: "a generator",
    ast.Dict: "a dictionary",
    ast.DictComp: "a dictionary",
    ast.Set: "a set",
    ast.SetComp: "a set",
    ast.JoinedStr: "a text",
    ast.YieldFrom: "yield",
    ast.NamedExpr: ":=",
    ast.Starred: "*",
    ast.Slice: "a slice of an array",
}


def place_of(node: ast.expr | ast.stmt) -> Place:
    """Where the node begins."""
    return node.lineno, node.col_offset


def construct(node: ast.AST) -> str:
    """What a beginner calls this node of Python's syntax tree."""
    return _CONSTRUCTS.get(type(node), type(node).__name__.lower())


def _tuple(items: list[Expression]) -> Expression:
    return lambda frame, mask: tuple(item(frame, mask) for item in items)


def _numbers(sides: Sides) -> tuple[Value, ...]:
    return tuple(np.asarray(side, np.int64)[()] for side in sides)


def _product(sides: Sides) -> Value:
    return np.asarray(prod(_numbers(sides), start=np.int64(1)))[()]


def _count(sides: Sides) -> Value:
    return np.int64(len(sides))


_ATTRIBUTES: dict[str, Callable[[Sides], Any]] = {
    "shape": _numbers,
    "size": _product,
    "ndim": _count,
}
"""Attributes of an array, computed from its sides."""


class Expressions:
    """Builds the expressions of one file's kernel; calls are left open."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._locals: set[str] = set()
        self._assigned = ""  # the variable that the statement assigns to
        self._depth = 0

    def _call(self, node: ast.Call) -> Expression:
        raise NotImplementedError

    def _refuse(
        self, node: ast.expr | ast.stmt, text: str, kind: str = "unsupported"
    ) -> DialectError:
        return DialectError(node.lineno, text, kind)

    def _expression(self, node: ast.expr) -> Expression:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._refuse(node, "The expression is nested too deeply.")
        try:
            return self._build(node)
        finally:
            self._depth -= 1

    def _build(self, node: ast.expr) -> Expression:
        match node:
            case ast.Constant(value=value):
                return self._constant(value, node)
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Tuple(elts=parts):
                return _tuple([self._expression(part) for part in parts])
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BoolOp():
                return self._bool(node)
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp():
                return self._conditional(node)
            case ast.Subscript():
                return self._element(node)
            case ast.Call():
                return self._call(node)
        raise self._refuse(
            node, f"A kernel cannot use {construct(node)}: it is not covered by the check."
        )

    def _constant(self, value: object, node: ast.expr) -> Expression:
        if isinstance(value, tuple):
            return _tuple([self._constant(each, node) for each in value])
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise self._refuse(node, f"The number {value} does not fit into 64 bits.")
        make = _SCALARS.get(type(value))
        if make is None:
            name = _KINDS.get(type(value), type(value).__name__)
            raise self._refuse(node, f"A kernel computes with numbers: {name} is not covered.")
        scalar = make(value)
        return lambda frame, mask: scalar

    def _name(self, node: ast.Name) -> Expression:
        """A variable, a constant of the file, or a value that was imported by this name."""
        name = node.id
        line = node.lineno
        program = self._program
        if name in self._locals:
            return lambda frame, mask: frame.read(name, mask, line)
        if name in program.constants:
            value = program.constants[name]
            if isinstance(value, str):
                raise self._refuse(node, f"{name} is a type, not a number.")
            return self._constant(value, node)
        if program.canonical(node) != name:
            return self._imported(node)
        if name in program.ignored:
            where = program.ignored[name]
            text = (
                f"{name} (line {where}) is no constant that the check can read: write a number, "
                "or a product of "
                "numbers."
            )
            raise self._refuse(node, text)
        known = [*self._locals, *program.constants, *program.functions, *program.names]
        raise self._refuse(node, f"The name {name} is not known{nearest(name, known)}.", "type")

    def _attribute(self, node: ast.Attribute) -> Expression:
        """A value of a module, or an attribute of an array."""
        match root_of(node):
            case ast.Name(id=name) if name not in self._locals:
                return self._imported(node)
        return self._attribute_of_array(node)

    def _imported(self, node: ast.Name | ast.Attribute) -> Expression:
        """A value of CUDA, or a constant of math or NumPy."""
        name = self._program.canonical(node)
        if name not in VALUES:
            raise self._refuse(node, f"{name} is not covered by the check{reason(name)}.")
        self._program.check_imported(node)
        last = name.rpartition(".")[2]
        if last in _CONSTANTS:
            return self._constant(_CONSTANTS[last], node)
        return lambda frame, mask: frame.machine.values[name]

    def _attribute_of_array(self, node: ast.Attribute) -> Expression:
        value = self._expression(node.value)
        line = node.lineno
        find = _ATTRIBUTES.get(node.attr)
        if find is None:
            raise self._refuse(
                node, f".{node.attr} is not covered: an array has .shape, .size and .ndim."
            )

        return lambda frame, mask: find(view_of(value(frame, mask), line).shape)

    def _operation(self, operation: ast.operator, node: ast.expr | ast.stmt) -> type[ast.operator]:
        if type(operation) not in numeric.OPERATORS:
            raise self._refuse(node, "@ multiplies matrices: a kernel writes the loop.")
        return type(operation)

    def _binary(self, node: ast.BinOp) -> Expression:
        left = self._expression(node.left)
        right = self._expression(node.right)
        operation = self._operation(node.op, node)
        line = node.lineno

        def run(frame: Frame, mask: Mask) -> Any:
            frame.machine.totals.operations += mask.count
            values = [number_of(each(frame, mask), line) for each in (left, right)]
            return compute(line, numeric.binary, operation, *values)

        return run

    def _unary(self, node: ast.UnaryOp) -> Expression:
        value = self._expression(node.operand)
        line = node.lineno
        change = numeric.UNARY.get(type(node.op))
        if change is None:
            return value

        def run(frame: Frame, mask: Mask) -> Value:
            frame.machine.totals.operations += mask.count
            return compute(line, change, number_of(value(frame, mask), line))

        return run

    def _bool(self, node: ast.BoolOp) -> Expression:
        parts = [self._expression(each) for each in node.values]
        is_and = isinstance(node.op, ast.And)
        line = node.lineno

        def run(frame: Frame, mask: Mask) -> Any:
            found = number_of(parts[0](frame, mask), line)
            for part in parts[1:]:
                holds = numeric.truth(found)
                if not holds.ndim:
                    if bool(holds) == is_and:
                        found = number_of(part(frame, mask), line)
                        continue
                    return found
                going = mask.of(holds if is_and else ~holds)
                if going.count:
                    found = numeric.select(going.array, number_of(part(frame, going), line), found)
            return found

        return run

    def _compare(self, node: ast.Compare) -> Expression:
        first = self._expression(node.left)
        line = node.lineno
        rest = []
        for operation, value in zip(node.ops, node.comparators, strict=True):
            if type(operation) not in numeric.COMPARISONS:
                raise self._refuse(node, "A kernel compares with <, <=, >, >=, == and != only.")
            rest.append((numeric.COMPARISONS[type(operation)], self._expression(value)))

        def run(frame: Frame, mask: Mask) -> Any:
            left = first(frame, mask)
            found: Value | None = None
            for compare, value in rest:
                going = mask if found is None or not found.ndim else mask.of(found)
                if found is not None and (not going.count or (not found.ndim and not found)):
                    return found
                right = value(frame, going)
                frame.machine.totals.operations += going.count
                here = _compared(compare, left, right, line)
                found = here if found is None else found & here
                left = right
            return found

        return run

    def _conditional(self, node: ast.IfExp) -> Expression:
        test = self._expression(node.test)
        yes = self._expression(node.body)
        no = self._expression(node.orelse)
        place = place_of(node)
        line = node.lineno

        parts = ast.Tuple([node.body, node.orelse])
        names = names_of(parts) & self._locals
        # Numba leaves out the branch that a constant decides against; what a call computes may need
        # all its threads.
        is_constant = names_of(node.test) <= self._program.constants.keys() - self._locals
        is_fixed = is_constant or any(nodes_of(ast.Call, parts))

        def one(frame: Frame, mask: Mask, taken: Expression, other: Expression) -> Any:
            """The value for all threads, in the type that both fit into; that of the other is found
            with no thread.
            """
            value = taken(frame, mask)
            if is_fixed or isinstance(value, View | tuple) or not names <= frame.variables.keys():
                return value
            kind = np.result_type(
                value.dtype, number_of(other(frame, mask.without(mask)), line).dtype
            )
            return value.astype(kind, copy=False)

        def run(frame: Frame, mask: Mask) -> Any:
            condition = numeric.truth(number_of(test(frame, mask), line))
            if not condition.ndim:
                return one(frame, mask, yes, no) if condition else one(frame, mask, no, yes)
            taken = frame.machine.branch(condition, mask, place)
            if taken is mask:
                return one(frame, mask, yes, no)
            if not taken.count:
                return one(frame, mask, no, yes)
            first = value_of(yes(frame, taken), line)
            second = value_of(no(frame, mask.without(taken)), line)
            return merge(taken, first, second, "The value", line)

        return run

    def _indices(self, node: ast.Subscript) -> Callable[[Frame, Mask], list["Index"]]:
        """The indices: numbers; slices with numbers or None as limits, and negative constants, as
        they are written.
        """
        indices = [self._index(part) for part in elements_of(node.slice)]
        line = node.lineno

        def find(frame: Frame, mask: Mask) -> list["Index"]:
            values = [index(frame, mask) for index in indices]
            flat = [
                each
                for value in values
                for each in (value if isinstance(value, tuple) else (value,))
            ]
            return [each if type(each) in _RELATIVE else number_of(each, line) for each in flat]

        return find

    def _index(self, node: ast.expr) -> Expression:
        match node:
            case ast.Slice(step=None):
                return self._slice(node)
            case ast.Slice():
                text = (
                    "A slice with a step is not covered: use the whole array, and multiply the "
                    "index."
                )
                raise self._refuse(node, text)
        constant = None if names_of(node) & self._locals else self._program.fold(node)
        if type(constant) is int and constant < 0:
            from_end = _FromEnd(-constant)
            return lambda frame, mask: from_end
        return self._expression(node)

    def _slice(self, node: ast.Slice) -> Expression:
        lower, upper = (
            None if limit is None else self._expression(limit) for limit in (node.lower, node.upper)
        )
        line = node.lineno

        def limits(frame: Frame, mask: Mask) -> slice:
            found = [
                None if limit is None else number_of(limit(frame, mask), line)
                for limit in (lower, upper)
            ]
            if any(each is not None and each.dtype.kind == "f" for each in found):
                text = "The limits of a slice are whole numbers: divide with //."
                raise DialectError(line, text, "type")
            return slice(*found)

        return limits

    def _located(self, node: ast.Subscript) -> Callable[[Frame, Mask], View]:
        """An array with these indices given: a[i, j] and a[i][j] are the same."""
        array = self._expression(node.value)
        indices = self._indices(node)
        line = node.lineno
        return lambda frame, mask: _view_at(
            frame, view_of(array(frame, mask), line), indices(frame, mask), mask, line
        )

    def _element(self, node: ast.Subscript) -> Expression:
        """An element of a tuple or an array; the part of an array where indices are left."""
        array = self._expression(node.value)
        indices = self._indices(node)
        place = place_of(node)
        constant = self._program.fold(node.slice)

        def item(base: tuple[Any, ...], frame: Frame, mask: Mask) -> Any:
            number = constant
            if number is None:
                match indices(frame, mask)[0]:
                    case np.ndarray() as value if value.dtype.kind != "f":
                        return item_in_lanes(frame, base, value, mask, place[0])
                    case np.generic() as value:
                        number = int(value)
            if isinstance(number, int) and -len(base) <= number < len(base):
                return base[number]
            text = (
                f"The index of a tuple of {len(base)} values is a whole number, from 0 to "
                f"{len(base) - 1}."
            )
            raise DialectError(place[0], text, "type")

        def run(frame: Frame, mask: Mask) -> Any:
            base = array(frame, mask)
            if isinstance(base, tuple):
                return item(base, frame, mask)
            view = _view_at(frame, view_of(base, place[0]), indices(frame, mask), mask, place[0])
            return (
                frame.machine.read(view.memory, view.given, mask, place) if not view.left else view
            )

        return run


@dataclass(frozen=True, slots=True)
class _FromEnd:
    """A negative constant as an index: a[-1] is the last element."""

    count: int


_RELATIVE = {slice, _FromEnd}
"""Types of indices that follow from the side of their dimension."""
Index = ViewIndex | slice | _FromEnd


def _view_at(frame: Frame, view: View, further: list[Index], mask: Mask, line: int) -> View:
    """The view with further indices given."""
    if not _RELATIVE.isdisjoint(map(type, further)):
        if len(further) > view.left:
            raise view.wrong_indices(line)
        pairs = zip(further, view.shape, strict=False)
        further = [_resolved(index, np.asarray(side, np.int64)[()]) for index, side in pairs]
    if view.has_parts:
        _check_parts(frame, view, further, mask, line)
    return view.at(further, line)


def _check_parts(frame: Frame, view: View, further: list[Any], mask: Mask, line: int) -> None:
    """Report an index that leaves the part of an array which it belongs to, as in a[2:4][5]."""
    sides = [index for index in view.indices if is_left(index)]
    for part, index in zip(sides, further, strict=False):
        if part is None or is_left(index):
            continue
        if index.dtype.kind == "f":
            text = f"The index of {view.name} is a floating-point number: divide with //."
            raise DialectError(line, text, "type")
        outside = mask.array & ((index < 0) | (index >= part.length))
        if not outside.any():
            continue
        lane = int(np.argmax(outside))
        number, first, length = (
            int(each[lane] if each.ndim else each) for each in (index, part.first, part.length)
        )
        text = (
            f"uses element {number} of a part of {view.name} that has {length}, from "
            f"{view.name}[{first}] on: let "
            "only threads with an index in range go on."
        )
        frame.machine.report_lane("bounds", line, lane, text, array=view.name)


def _resolved(index: Index, side: Value) -> ViewIndex:
    """An index of a dimension with this side. The limits of a slice lie within it, as in Python."""
    match index:
        case _FromEnd():
            return np.where(side < index.count, np.int64(0), side)[()] - np.int64(index.count)
        case slice(start=None, stop=None):
            return None
        case slice():
            first, end = (
                default if limit is None else _within(limit.astype(np.int64), side)
                for limit, default in ((index.start, np.int64(0)), (index.stop, side))
            )
            return Part(first, np.maximum(end - first, np.int64(0)))
    return index


def _within(limit: Value, side: Value) -> Value:
    from_start = np.where(limit < 0, limit + side, limit)
    return np.clip(from_start, np.int64(0), side)[()]


def compute(line: int, function: Callable[..., Value], *values: object) -> Value:
    try:
        return function(*values)
    except OperandError as fault:
        raise DialectError(line, f"This computes {fault}.", "type") from None


def _compared(compare: Callable[[Any, Any], Any], left: object, right: object, line: int) -> Value:
    """The comparison of two numbers; of two tuples that of their first parts that differ, as in
    Python.
    """
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        of_numbers: Value = compare(number_of(left, line), number_of(right, line))
        return of_numbers
    found: Any = compare(np.int64(len(left)), np.int64(len(right)))
    for one, other in reversed([*zip(left, right, strict=False)]):
        differs = _compared(np.not_equal, one, other, line)
        found = np.where(differs, _compared(compare, one, other, line), found)
    return np.asarray(found)[()]


def names_of(node: ast.AST) -> set[str]:
    return {name.id for name in nodes_of(ast.Name, node)}


_NO_NUMBERS = {tuple: "a tuple", Grid: "the grid"}


def number_of(value: object, line: int) -> Value:
    if isinstance(value, np.generic | np.ndarray):
        return value
    if isinstance(value, View):
        raise value.no_number(line)
    raise no_number(_NO_NUMBERS.get(type(value), "nothing"), line)


def value_of(value: object, line: int) -> Any:
    if value is None:
        raise DialectError(line, "This function returns nothing.", "type")
    return value


def view_of(value: object, line: int) -> View:
    if isinstance(value, View):
        return value
    raise DialectError(line, "An array is needed here: a number has no elements.", "type")
