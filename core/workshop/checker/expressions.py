"""Expressions of kernels as functions of (frame, mask), which compute vectors of threads.

Building these functions is the check of the dialect: what is not listed here is refused before anything runs.
"""

import ast
from collections.abc import Callable
from math import e, inf, nan, pi
from typing import Any

import numpy as np

from core.workshop.checker import numeric
from core.workshop.checker.dialect import (
    AXES,
    FUNCTIONS,
    TYPES,
    VALUES,
    DialectError,
    Program,
    Typed,
    nearest,
    reason,
)
from core.workshop.checker.frame import Frame, Mask, View, merge, whole_array
from core.workshop.checker.numeric import OperandError, Value

Expression = Callable[[Frame, Mask], Any]
_MAX_DEPTH = 60
_CONSTANTS = {"pi": pi, "e": e, "inf": inf, "nan": nan}
_ARRAYS = ("cuda.shared.array", "cuda.local.array")
_MOST_BYTES = {"shared": 48 << 10, "local": 512 << 10}
_ALL = slice(None)
_CONSTRUCTS = {
    ast.ImportFrom: "import", ast.ClassDef: "class", ast.Delete: "del", ast.FunctionDef: "a function within a function",
    ast.AsyncFor: "async", ast.AsyncWith: "async", ast.ListComp: "a list comprehension", ast.List: "a list",
    ast.GeneratorExp: "a generator", ast.Dict: "a dictionary", ast.DictComp: "a dictionary", ast.Set: "a set",
    ast.SetComp: "a set", ast.JoinedStr: "a text", ast.YieldFrom: "yield", ast.NamedExpr: ":=", ast.Starred: "*",
    ast.Slice: "a slice of an array",
}  # fmt: skip


def construct(node: ast.AST) -> str:
    """What a beginner calls this node of Python's syntax tree."""
    return _CONSTRUCTS.get(type(node), type(node).__name__.lower())


class Expressions:
    """Builds the expressions of one file's kernel."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._locals: set[str] = set()
        self._assigned = ""  # the variable that the statement assigns to
        self._depth = 0
        self._bytes = dict.fromkeys(_MOST_BYTES, 0)  # of the arrays of all functions

    def _device_call(self, node: ast.Call, name: str) -> Expression:
        raise NotImplementedError

    def _refuse(self, node: ast.AST, text: str, kind: str = "unsupported") -> DialectError:
        return DialectError(getattr(node, "lineno", 0), text, kind)

    def _expression(self, node: ast.expr) -> Expression:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._refuse(node, "The expression is nested too deeply.")
        try:
            return self._build(node)
        finally:
            self._depth -= 1

    def _build(self, node: ast.expr) -> Expression:
        builders: dict[type[ast.expr], Callable[[Any], Expression]] = {
            ast.Constant: lambda node: self._constant(node.value, node), ast.Name: self._name,
            ast.Attribute: self._name, ast.Tuple: self._tuple, ast.BinOp: self._binary, ast.UnaryOp: self._unary,
            ast.BoolOp: self._bool, ast.Compare: self._compare, ast.IfExp: self._conditional,
            ast.Subscript: self._element, ast.Call: self._call,
        }  # fmt: skip
        if type(node) in builders:
            return builders[type(node)](node)
        raise self._refuse(node, f"A kernel cannot use {construct(node)}: it is not covered by the check.")

    def _tuple(self, node: ast.Tuple) -> Expression:
        items = [self._expression(each) for each in node.elts]
        return lambda frame, mask: tuple(item(frame, mask) for item in items)

    def _constant(self, value: Any, node: ast.expr) -> Expression:
        if isinstance(value, tuple):
            items = [self._constant(each, node) for each in value]
            return lambda frame, mask: tuple(item(frame, mask) for item in items)
        if isinstance(value, Typed):
            scalar: Any = np.dtype(value.type.rstrip("_")).type(value.value)
        elif type(value) is bool:
            scalar = np.bool_(value)
        elif type(value) is int:
            if not -(1 << 63) <= value < 1 << 63:
                raise self._refuse(node, f"The number {value} does not fit into 64 bits.")
            scalar = np.int64(value)
        elif type(value) is float:
            scalar = np.float64(value)
        else:
            kind = "None" if value is None else "a text" if isinstance(value, str) else type(value).__name__
            raise self._refuse(node, f"A kernel computes with numbers: {kind} is not covered.")
        return lambda frame, mask: scalar

    def _name(self, node: ast.Name | ast.Attribute) -> Expression:
        """A variable, a constant of the file, a value of CUDA, or an attribute of an array."""
        line = node.lineno
        if isinstance(node, ast.Name) and node.id in self._locals:
            local = node.id
            return lambda frame, mask: frame.read(local, mask, line)
        if isinstance(node, ast.Attribute):
            root: ast.expr = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if not isinstance(root, ast.Name) or root.id in self._locals:
                return self._attribute(node)
        program = self._program
        if isinstance(node, ast.Name) and node.id in program.constants:
            value = program.constants[node.id]
            if isinstance(value, str):
                raise self._refuse(node, f"{node.id} is a type, not a number.")
            return self._constant(value, node)
        name = program.canonical(node)
        if name in VALUES:
            program.check_imported(node)
            last = name.rpartition(".")[2]
            if last in _CONSTANTS:
                return self._constant(_CONSTANTS[last], node)
            return lambda frame, mask: frame.machine.values[name]
        if isinstance(node, ast.Name) and name == node.id:
            where = program.ignored.get(name)
            if where:
                raise self._refuse(
                    node, f"{name} (line {where}) is no constant that the check can read: write a number, or a "
                    "product of numbers.",
                )  # fmt: skip
            known = [*self._locals, *program.constants, *program.functions, *program.names]
            raise self._refuse(node, f"The name {name} is not known{nearest(name, known)}.", "type")
        raise DialectError(line, f"{name} is not covered by the check{reason(name)}.")

    def _attribute(self, node: ast.Attribute) -> Expression:
        value, name, line = self._expression(node.value), node.attr, node.lineno
        if name not in ("shape", "size", "ndim"):
            raise self._refuse(node, f".{name} is not covered: an array has .shape, .size and .ndim.")

        def run(frame: Frame, mask: Mask) -> Any:
            sides = view_of(value(frame, mask), line).shape
            if name == "shape":
                return tuple(np.int64(side) for side in sides)
            return np.int64(np.prod(sides, dtype=np.int64) if name == "size" else len(sides))

        return run

    def _operation(self, operation: ast.operator, node: ast.AST) -> type[ast.operator]:
        if type(operation) not in numeric.OPERATORS:
            raise self._refuse(node, "@ multiplies matrices: a kernel writes the loop.")
        return type(operation)

    def _binary(self, node: ast.BinOp) -> Expression:
        left, right = self._expression(node.left), self._expression(node.right)
        operation, line = self._operation(node.op, node), node.lineno

        def run(frame: Frame, mask: Mask) -> Any:
            frame.machine.totals.operations += mask.count
            values = [number_of(each(frame, mask), line) for each in (left, right)]
            return compute(line, numeric.binary, operation, *values)

        return run

    def _unary(self, node: ast.UnaryOp) -> Expression:
        value, line = self._expression(node.operand), node.lineno
        change = numeric.UNARY.get(type(node.op))
        if change is None:
            return value

        def run(frame: Frame, mask: Mask) -> Any:
            frame.machine.totals.operations += mask.count
            return compute(line, change, number_of(value(frame, mask), line))

        return run

    def _bool(self, node: ast.BoolOp) -> Expression:
        parts = [self._expression(each) for each in node.values]
        is_and, line = isinstance(node.op, ast.And), node.lineno

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
        first, line = self._expression(node.left), node.lineno
        rest = []
        for operation, value in zip(node.ops, node.comparators, strict=True):
            if type(operation) not in numeric.COMPARISONS:
                raise self._refuse(node, "A kernel compares with <, <=, >, >=, == and != only.")
            rest.append((numeric.COMPARISONS[type(operation)], self._expression(value)))

        def run(frame: Frame, mask: Mask) -> Any:
            left, found = number_of(first(frame, mask), line), None
            for compare, value in rest:
                going = mask if found is None or not found.ndim else mask.of(found)
                if not going.count or (found is not None and not found.ndim and not found):
                    return found
                right = number_of(value(frame, going), line)
                frame.machine.totals.operations += going.count
                here = compare(left, right)
                found = here if found is None else found & here
                left = right
            return found

        return run

    def _conditional(self, node: ast.IfExp) -> Expression:
        test, yes, no = (self._expression(each) for each in (node.test, node.body, node.orelse))
        place, line = (node.lineno, node.col_offset), node.lineno

        parts = ast.Tuple([node.body, node.orelse])
        names = _names(parts) & self._locals
        # Numba leaves out the branch that a constant decides against; what a call computes may need all its threads.
        is_constant = _names(node.test) <= self._program.constants.keys() - self._locals
        is_fixed = is_constant or any(isinstance(each, ast.Call) for each in ast.walk(parts))

        def one(frame: Frame, mask: Mask, taken: Expression, other: Expression) -> Any:
            """The value for all threads, in the type that both fit into; that of the other is found with no thread."""
            value = taken(frame, mask)
            if is_fixed or isinstance(value, View | tuple) or not names <= frame.variables.keys():
                return value
            kind = np.result_type(value.dtype, number_of(other(frame, mask.without(mask)), line).dtype)
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

    def _indices(self, node: ast.Subscript) -> Callable[[Frame, Mask], list[Value | None]]:
        """The indices; None for “:”, which leaves all of a dimension."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        indices: list[Expression] = []
        for part in parts:
            if not isinstance(part, ast.Slice):
                indices.append(self._expression(part))
            elif part.lower or part.upper or part.step:
                text = "A slice with limits is not covered by the check: use the whole array, and add to the index."
                raise self._refuse(node, text)
            else:
                indices.append(lambda frame, mask: _ALL)
        line = node.lineno

        def find(frame: Frame, mask: Mask) -> list[Value | None]:
            values = [index(frame, mask) for index in indices]
            flat = [each for value in values for each in (value if isinstance(value, tuple) else (value,))]
            return [None if each is _ALL else number_of(each, line) for each in flat]

        return find

    def _located(self, node: ast.Subscript) -> Callable[[Frame, Mask], View]:
        """An array with these indices given: a[i, j] and a[i][j] are the same."""
        array, indices, line = self._expression(node.value), self._indices(node), node.lineno
        return lambda frame, mask: view_of(array(frame, mask), line).at(indices(frame, mask), line)

    def _element(self, node: ast.Subscript) -> Expression:
        """An element of a tuple or an array; the part of an array where indices are left."""
        array, indices = self._expression(node.value), self._indices(node)
        place, constant = (node.lineno, node.col_offset), self._program.fold(node.slice)

        def item(base: tuple[Any, ...], frame: Frame, mask: Mask) -> Any:
            number = constant
            if number is None:
                value = indices(frame, mask)[0]
                number = int(value) if isinstance(value, np.generic) else None
            if isinstance(number, int) and -len(base) <= number < len(base):
                return base[number]
            text = f"A tuple of {len(base)} values takes an index that is a constant."
            raise DialectError(place[0], text, "type")

        def run(frame: Frame, mask: Mask) -> Any:
            base = array(frame, mask)
            if isinstance(base, tuple):
                return item(base, frame, mask)
            view = view_of(base, place[0]).at(indices(frame, mask), place[0])
            return frame.machine.read(view.memory, view.given, mask, place) if not view.left else view

        return run

    def _arguments(self, node: ast.Call, name: str) -> list[ast.expr]:
        """The arguments in order. Raises DialectError where there are too few or too many."""
        least, most = FUNCTIONS[name]
        given = list(node.args)
        if name in _ARRAYS:
            given += [each.value for key in ("shape", "dtype") for each in node.keywords if each.arg == key]
        elif node.keywords:
            raise self._refuse(node, f"{name}: give the values without names.")
        if any(isinstance(each, ast.Starred) for each in given) or len(node.keywords) + len(node.args) != len(
            given
        ):
            raise self._refuse(node, f"{name}: of its options only shape and dtype are covered.")
        if not least <= len(given) <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            raise self._refuse(node, f"{name} takes {count} values, not {len(given)}.", "type")
        return given

    def _call(self, node: ast.Call) -> Expression:
        func, program = node.func, self._program
        if isinstance(func, ast.Name) and func.id in self._locals:
            raise self._refuse(node, f"{func.id} is a value of the kernel, no function.", "type")
        if isinstance(func, ast.Name) and func.id in program.functions:
            return self._device_call(node, func.id)
        if not isinstance(func, ast.Name | ast.Attribute):
            raise self._refuse(node, "A kernel calls functions by their names.")
        kind = program.constants.get(func.id) if isinstance(func, ast.Name) else None
        name = kind if isinstance(kind, str) else program.canonical(func)
        if name not in FUNCTIONS:
            if isinstance(func, ast.Name) and name in program.ignored:
                raise self._refuse(
                    node, f"{name} (line {program.ignored[name]}) is no device function: write "
                    "@cuda.jit(device=True) above it.",
                )  # fmt: skip
            known = nearest(name, program.functions) if isinstance(func, ast.Name) else ""
            raise self._refuse(
                node, f"{name or 'This function'} is not covered by the check{known or reason(name)}."
            )
        if not isinstance(kind, str):
            program.check_imported(func)
        if name.startswith("cuda.atomic."):
            raise self._refuse(
                node, f"The value that {name} returns depends on the order of the threads: it is not covered. Write it "
                "as a statement of its own.",
            )  # fmt: skip
        arguments = self._arguments(node, name)
        if name in _ARRAYS:
            return self._array(node, name, arguments)
        if name in ("cuda.grid", "cuda.gridsize"):
            return self._grid(node, name, arguments[0])
        if name == "range":
            raise self._refuse(node, "range belongs into “for i in range(...)”.")
        return self._function_call(node, name, [self._expression(each) for each in arguments])

    def _function_call(self, node: ast.Call, name: str, values: list[Expression]) -> Expression:
        place = (node.lineno, node.col_offset)
        line = node.lineno
        if name == "len":

            def length(frame: Frame, mask: Mask) -> Any:
                value = values[0](frame, mask)
                return np.int64(len(value) if isinstance(value, tuple) else view_of(value, line).shape[0])

            return length
        if name == "cuda.syncwarp" and values:
            raise self._refuse(node, "cuda.syncwarp with a mask is not covered: write cuda.syncwarp().")
        if name.startswith("cuda.shfl"):
            if self._program.fold(node.args[0]) not in (0xFFFFFFFF, -1):
                raise self._refuse(node, f"{name}: only the mask of all lanes, 0xffffffff, is covered.")
            values = values[1:]
        operation = numeric.FUNCTIONS.get(name)
        numba_type = np.dtype(name.rstrip("_")) if name in TYPES else None

        def run(frame: Frame, mask: Mask) -> Any:
            given = [number_of(value(frame, mask), line) for value in values]
            machine = frame.machine
            machine.totals.operations += mask.count
            if numba_type is not None:
                return numeric.cast(given[0], numba_type)
            if operation is not None:
                return compute(line, operation, *given)
            if name.startswith("math."):
                return numeric.call_math(name.removeprefix("math."), given)
            if name.startswith("cuda.shfl"):
                return machine.shuffle(name.removeprefix("cuda."), given[0], given[1], mask, place)
            if name == "cuda.syncwarp":
                machine.warp_barrier(mask, place, "cuda.syncwarp()")
                return np.int64(0)
            machine.barrier(mask, place, f"{name}()")
            if name == "cuda.syncthreads":
                return np.int64(0)
            if given[0].dtype.kind not in "iu":
                raise DialectError(
                    line, f"{name} takes a whole number in Numba: write 1 if ... else 0.", "type"
                )
            count = machine.block_sum(numeric.truth(given[0]), mask)
            if name == "cuda.syncthreads_count":
                return count
            return ((count == machine.threads) if name == "cuda.syncthreads_and" else (count > 0)).astype(
                np.int32
            )

        return run

    def _grid(self, node: ast.Call, name: str, argument: ast.expr) -> Expression:
        count = self._program.fold(argument)
        if count not in (1, 2, 3) or type(count) is not int:
            raise self._refuse(node, f"{name} takes 1, 2 or 3: the number of dimensions.", "type")
        axes = AXES[:count]

        def run(frame: Frame, mask: Mask) -> Any:
            found = tuple(frame.machine.values[f"{name}.{axis}"] for axis in axes)
            return found[0] if count == 1 else found

        return run

    def _array(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> Expression:
        space = name.split(".")[1]
        shape, dtype = self._program.fold(arguments[0]), self._program.fold(arguments[1])
        shape = (shape,) if type(shape) is int else shape
        sides = arguments[0].elts if isinstance(arguments[0], ast.Tuple) else [arguments[0]]
        if any(
            isinstance(side, ast.BinOp) and any(isinstance(each, ast.Name) for each in ast.walk(side))
            for side in sides
        ):
            raise self._refuse(
                node, f"Numba does not compute with names in the shape of {name}: write WIDTH = TILE + 1 at the top "
                "of the file, and WIDTH here.", "type",
            )  # fmt: skip
        if not isinstance(shape, tuple) or not all(type(side) is int for side in shape):
            raise self._refuse(
                node, f"The shape of {name} must be a constant, written at the top of the file or here."
            )
        if not 1 <= len(shape) <= 4 or min(shape) < 1:
            hint = " (shared memory whose size the launch gives is not covered)" if shape == (0,) else ""
            raise self._refuse(node, f"The shape {shape} of {name} needs one to four sides from 1 on{hint}.")
        if dtype not in TYPES:
            raise self._refuse(node, f"The type of {name} must be one of {', '.join(TYPES)}.")
        kind, key = np.dtype(dtype.rstrip("_")), (node.lineno, node.col_offset)
        title = self._assigned or f"the {space} array of line {node.lineno}"
        self._take_bytes(node, space, int(np.prod(shape, dtype=object)) * kind.itemsize)
        return lambda frame, mask: whole_array(frame.machine.allocate(key, title, space, shape, kind, key[0]))

    def _take_bytes(self, node: ast.AST, space: str, size: int) -> None:
        """Count the bytes of an array. Raises DialectError where all arrays of the kernel are more than a card has."""
        self._bytes[space] += size
        most, whose = _MOST_BYTES[space], {"shared": "a block", "local": "a thread"}[space]
        if self._bytes[space] > most:
            others = (
                "" if self._bytes[space] == size else f", with the arrays before it {self._bytes[space]:,}"
            )
            text = f"This array takes {size:,} bytes of {space} memory{others}: {whose} has {most:,} at most."
            raise self._refuse(node, text)


def compute(line: int, function: Callable[..., Value], *values: Any) -> Value:
    try:
        return function(*values)
    except OperandError as fault:
        raise DialectError(line, f"This computes {fault}.", "type") from None


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def number_of(value: Any, line: int) -> Value:
    if isinstance(value, np.generic | np.ndarray):
        return value
    if isinstance(value, View):
        if len(value.shape) < len(value.memory.shape):
            raise value.wrong_indices(line)
        what = f"the array {value.name}"
    else:
        what = "a tuple" if isinstance(value, tuple) else "nothing"
    raise DialectError(line, f"A number is needed here, not {what}: write its index, as in a[i].", "type")


def value_of(value: Any, line: int) -> Any:
    if value is None:
        raise DialectError(line, "This function returns nothing.", "type")
    return value


def view_of(value: Any, line: int) -> View:
    if isinstance(value, View):
        return value
    raise DialectError(line, "An array is needed here: a number has no elements.", "type")
