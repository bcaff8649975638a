"""Calls of functions in kernels: of numbers, of threads that wait for each other, and arrays of
their own.
"""

import ast
from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np

from core.workshop.checker import numeric
from core.workshop.checker.dialect import (
    AXES,
    FUNCTIONS,
    TYPES,
    DialectError,
    Program,
    elements_of,
    nearest,
    reason,
)
from core.workshop.checker.expressions import (
    Expression,
    Expressions,
    compute,
    names_of,
    number_of,
    place_of,
    view_of,
)
from core.workshop.checker.frame import Frame, Grid, View, whole_array
from core.workshop.checker.lanes import ALL_LANES, Place
from core.workshop.checker.loops import Elements, elements_of_value, numbered, range_of, zipped
from core.workshop.checker.machine import Machine
from core.workshop.checker.mask import Mask
from core.workshop.checker.numeric import Value
from core.workshop.checker.trace import MAX_SHARED_BYTES

_GRID = Grid()
_LOOPED = ("range", "enumerate", "zip")
_ARRAYS = ("cuda.shared.array", "cuda.local.array")
_MOST_BYTES = {"shared": MAX_SHARED_BYTES, "local": 512 << 10}
_LOOP = "write total = 0.0, then a loop, as for k in range(a.shape[0]): total += a[k]"


Looped = Callable[[Frame, Mask], Elements]
"""Gives the elements that a loop runs over."""


class Calls(Expressions):
    """Builds the expressions of one file's kernel, calls among them; those of functions of the file
    are left open.
    """

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._bytes = dict.fromkeys(_MOST_BYTES, 0)  # of the arrays of all functions
        self._dynamic = ""  # the type of dynamic shared memory
        self.has_grid_barrier = False

    def _device_call(self, node: ast.Call, name: str) -> Expression:
        raise NotImplementedError

    def _arguments(self, node: ast.Call, name: str) -> list[ast.expr]:
        """The arguments in order. Raises DialectError where there are too few or too many."""
        least, most = FUNCTIONS[name]
        given = list(node.args)
        if name in _ARRAYS:
            named = {each.arg: each.value for each in node.keywords}
            given += [named[key] for key in ("shape", "dtype") if key in named]
        elif node.keywords:
            raise self._refuse(node, f"{name}: give the values without names.")
        has_others = len(node.keywords) + len(node.args) != len(given)
        if has_others or any(isinstance(each, ast.Starred) for each in given):
            raise self._refuse(node, f"{name}: of its options only shape and dtype are covered.")
        if not least <= len(given) <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            raise self._refuse(node, f"{name} takes {count} values, not {len(given)}.", "type")
        return given

    def _call(self, node: ast.Call) -> Expression:
        func = node.func
        program = self._program
        match func:
            case ast.Name(id=called):
                pass
            case ast.Attribute(attr="sync", value=group) if self._is_value(group):
                return self._grid_barrier(node, group)
            case ast.Attribute():
                called = ""
            case ast.Subscript():
                text = (
                    "A kernel that launches a kernel (dynamic parallelism) is not covered: launch "
                    "it from the host."
                )
                raise self._refuse(node, text)
            case _:
                raise self._refuse(node, "A kernel calls functions by their names.")
        if called in self._locals:
            raise self._refuse(node, f"{called} is a value of the kernel, no function.", "type")
        if called in program.functions:
            return self._device_call(node, called)
        constant = program.constants.get(called)
        name = constant if isinstance(constant, str) else program.canonical(func)
        if name not in FUNCTIONS:
            raise self._unknown_function(node, name, called)
        if name != constant:
            program.check_imported(func)
        if name.startswith("cuda.atomic."):
            return self._atomic(node, name.removeprefix("cuda.atomic."), is_used=True)
        arguments = self._arguments(node, name)
        if name in _ARRAYS:
            return self._array(node, name, arguments)
        if name in ("cuda.grid", "cuda.gridsize"):
            return self._grid(node, name, arguments[0])
        if name in _LOOPED:
            raise self._refuse(node, f"{name} belongs into “for ... in {name}(...)”.")
        if name == "cuda.cg.this_grid":
            return lambda frame, mask: _GRID
        values = [self._expression(each) for each in arguments]
        if name == "len":
            return _length(values[0], node.lineno)
        function = _function_of_numbers(name)
        if function is not None:
            return _calculation(function, values, node.lineno)
        return self._synchronization(node, name, values)

    def _elements(self, node: ast.expr) -> Looped:
        """What a loop runs over, as `range`, `enumerate` or `zip` give it."""
        name = self._program.canonical(node.func) if isinstance(node, ast.Call) else ""
        place = place_of(node)
        line = node.lineno
        if not isinstance(node, ast.Call) or name not in _LOOPED:
            value = self._expression(node)
            return lambda frame, mask: elements_of_value(value(frame, mask), place)
        given = self._arguments(node, name)
        if name == "zip":
            parts = [self._elements(each) for each in given]
            return lambda frame, mask: zipped([part(frame, mask) for part in parts])
        if name == "range":
            limits = [self._expression(each) for each in given]
            return lambda frame, mask: range_of(
                [number_of(limit(frame, mask), line) for limit in limits], mask, line
            )
        elements = self._elements(given[0])
        start = self._expression(given[1]) if len(given) > 1 else self._constant(0, node)
        return lambda frame, mask: numbered(
            elements(frame, mask), number_of(start(frame, mask), line)
        )

    def _is_value(self, node: ast.expr) -> bool:
        """Whether it is a variable or the result of a call, not a name of a module."""
        match node:
            case ast.Name(id=name):
                return name in self._locals
            case ast.Call():
                return True
        return False

    def _grid_barrier(self, node: ast.Call, group: ast.expr) -> Expression:
        """`grid.sync()`: all threads of the launch wait for each other."""
        value = self._expression(group)
        place = place_of(node)
        self.has_grid_barrier = True
        if node.args or node.keywords:
            raise self._refuse(node, "sync() takes no values.", "type")

        def run(frame: Frame, mask: Mask) -> Value:
            if value(frame, mask) is not _GRID:
                raise DialectError(
                    place[0], "Only a grid has sync(): write cuda.cg.this_grid().sync().", "type"
                )
            frame.machine.grid_barrier(mask, place, "sync()")
            return np.int64(0)

        return run

    def _atomic(self, node: ast.Call, name: str, *, is_used: bool) -> Expression:
        """An atomic operation, and what the element held before it; `is_used`: whether the kernel
        uses that.
        """
        array, index, *operands = self._arguments(node, f"cuda.atomic.{name}")
        place = place_of(node)
        element = self._located(ast.copy_location(ast.Subscript(array, index, ast.Store()), node))
        values = [self._expression(each) for each in operands]

        def run(frame: Frame, mask: Mask) -> Value:
            view = element(frame, mask)
            if view.left:
                raise view.wrong_indices(place[0])
            given = [number_of(value(frame, mask), place[0]) for value in values]
            return frame.machine.change(name, view.memory, view.given, given, mask, place, is_used)

        return run

    def _unknown_function(self, node: ast.Call, name: str, called: str) -> DialectError:
        """`called`: the name in the file; empty for an attribute."""
        program = self._program
        if called and name in program.ignored:
            where = program.ignored[name]
            text = (
                f"{name} (line {where}) is no device function: write @cuda.jit(device=True) above "
                "it."
            )
            return self._refuse(node, text)
        if name in ("sum", "numpy.sum") and node.args and names_of(node.args[0]) & self._locals:
            return self._refuse(node, f"{name}() is not covered by the check: {_LOOP}")
        match node.func:
            case ast.Attribute(attr=method, value=array) if names_of(array) & self._locals:
                loop = _LOOP if method == "sum" else "write a loop."
                text = f".{method}() of an array is not covered by the check: {loop}"
                return self._refuse(node, text)
        known = nearest(name, program.functions) if called else ""
        return self._refuse(
            node, f"{name or 'This function'} is not covered by the check{known or reason(name)}."
        )

    def _synchronization(self, node: ast.Call, name: str, values: list[Expression]) -> Expression:
        """A barrier, with what the threads tell each other there."""
        place = place_of(node)
        if name == "cuda.syncwarp" and not values:
            values = [self._constant(ALL_LANES, node)]

        def run(frame: Frame, mask: Mask) -> Value:
            given = [number_of(value(frame, mask), place[0]) for value in values]
            frame.machine.totals.operations += mask.count
            return _synchronize(frame.machine, name, given, mask, place)

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
        shape = self._program.fold(arguments[0])
        dtype = self._program.fold(arguments[1])
        shape = (shape,) if type(shape) is int else shape
        computed = [side for side in elements_of(arguments[0]) if isinstance(side, ast.BinOp)]
        if any(names_of(side) for side in computed):
            text = (
                f"Numba does not compute with names in the shape of {name}: write WIDTH = TILE + "
                "1 at the top of the "
                "file, and WIDTH here."
            )
            raise self._refuse(node, text, "type")
        if not isinstance(shape, tuple) or not all(type(side) is int for side in shape):
            raise self._refuse(
                node,
                f"The shape of {name} must be a constant, written at the top of the file or here.",
            )
        if dtype not in TYPES:
            raise self._refuse(node, f"The type of {name} must be one of {', '.join(TYPES)}.")
        kind = np.dtype(dtype.rstrip("_"))
        key = place_of(node)
        title = self._assigned or f"the {space} array of line {node.lineno}"
        if shape == (0,) and space == "shared":
            return self._dynamic_array(node, title, kind)
        if not 1 <= len(shape) <= 4 or min(shape) < 1:
            raise self._refuse(
                node, f"The shape {shape} of {name} needs one to four sides from 1 on."
            )
        self._take_bytes(node, space, prod(shape) * kind.itemsize)
        return lambda frame, mask: whole_array(
            frame.machine.allocate(key, title, space, shape, kind, key[0])
        )

    def _dynamic_array(self, node: ast.expr, title: str, kind: np.dtype) -> Expression:
        """Shared memory whose size the launch gives: all such arrays of a kernel are the same
        memory.
        """
        if self._dynamic not in ("", kind.name):
            text = (
                f"Dynamic shared memory of two types, {self._dynamic} and {kind.name}, is not "
                "covered: both arrays "
                "begin at the same byte."
            )
            raise self._refuse(node, text)
        self._dynamic = kind.name
        line = node.lineno

        def run(frame: Frame, mask: Mask) -> View:
            machine = frame.machine
            shape = (machine.shared_bytes // kind.itemsize,)
            return whole_array(machine.allocate("dynamic", title, "shared", shape, kind, line))

        return run

    def _take_bytes(self, node: ast.expr, space: str, size: int) -> None:
        """Count the bytes of an array. Raises DialectError where all arrays of the kernel are more
        than a card has.
        """
        self._bytes[space] += size
        most = _MOST_BYTES[space]
        whose = {"shared": "a block", "local": "a thread"}[space]
        if self._bytes[space] > most:
            others = (
                ""
                if self._bytes[space] == size
                else f", with the arrays before it {self._bytes[space]:,}"
            )
            text = (
                f"This array takes {size:,} bytes of {space} memory{others}: {whose} has {most:,} "
                "at most."
            )
            raise self._refuse(node, text)


def _length(value: Expression, line: int) -> Expression:
    """`len` of a tuple or an array."""

    def length(frame: Frame, mask: Mask) -> Value:
        found = value(frame, mask)
        return np.int64(len(found) if isinstance(found, tuple) else view_of(found, line).shape[0])

    return length


def _function_of_numbers(name: str) -> Callable[..., Value] | None:
    """What computes a function of numbers, which is the same for each thread; None for the
    others.
    """
    if name in TYPES:
        return partial(numeric.cast, kind=np.dtype(name.rstrip("_")))
    if name.startswith("math."):
        return partial(numeric.call_math, name.removeprefix("math."))
    return numeric.FUNCTIONS.get(name)


def _calculation(function: Callable[..., Value], values: list[Expression], line: int) -> Expression:
    def run(frame: Frame, mask: Mask) -> Value:
        given = [number_of(value(frame, mask), line) for value in values]
        frame.machine.totals.operations += mask.count
        return compute(line, function, *given)

    return run


def _synchronize_warp(
    machine: Machine, name: str, given: list[Value], mask: Mask, place: Place
) -> Value:
    """A function of the lanes of a warp; the first value of all of them names the lanes that take
    part.
    """
    members = given[0]
    if members.dtype.kind not in "iu":
        raise DialectError(
            place[0],
            f"The mask of cuda.{name} is a whole number: 0xffffffff for all lanes.",
            "type",
        )
    if name == "syncwarp":
        machine.warp_barrier(mask, place, "cuda.syncwarp()", members)
        return np.int64(0)
    if name.startswith("shfl"):
        return machine.shuffle(mask, place, name, *given)
    if given[1].dtype.kind not in "iub":
        raise DialectError(place[0], f"cuda.{name} takes a condition or a whole number.", "type")
    return machine.vote(mask, place, name, members, numeric.truth(given[1]))


def _synchronize(
    machine: Machine, name: str, given: list[Value], mask: Mask, place: Place
) -> Value:
    if name == "cuda.activemask":
        return machine.active_mask(mask)
    if name.endswith("_sync") or name == "cuda.syncwarp":
        return _synchronize_warp(machine, name.removeprefix("cuda."), given, mask, place)
    if name == "cuda.syncthreads":
        machine.barrier(mask, place, f"{name}()")
        return np.int64(0)
    if given[0].dtype.kind not in "iu":
        raise DialectError(
            place[0], f"{name} takes a whole number in Numba: write 1 if ... else 0.", "type"
        )
    count = machine.block_sum(mask, place, f"{name}()", numeric.truth(given[0]))
    if name == "cuda.syncthreads_count":
        return count
    if name == "cuda.syncthreads_and":
        return (count == machine.threads).astype(np.int32)
    assert name == "cuda.syncthreads_or", f"{name} is in dialect.FUNCTIONS, but nothing computes it"
    return (count > 0).astype(np.int32)
