"""Statements of kernels as functions of (frame, mask), which return the lanes that go on.

Building these functions is the check of the dialect: what is not listed here is refused before
anything runs.
"""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from core.workshop.checker import numeric
from core.workshop.checker.calls import Calls
from core.workshop.checker.dialect import (
    ATOMICS,
    FUNCTIONS,
    DialectError,
    Program,
    elements_of,
    stored,
    stores,
)
from core.workshop.checker.expressions import (
    Expression,
    compute,
    construct,
    number_of,
    place_of,
    value_of,
)
from core.workshop.checker.frame import Frame, Grid, Sides, View, merge
from core.workshop.checker.lanes import Place
from core.workshop.checker.loops import Loop, no_lanes, only_waits
from core.workshop.checker.machine import Machine
from core.workshop.checker.mask import Mask, union
from core.workshop.checker.numeric import Value
from core.workshop.checker.signatures import Signature, choose, read_signatures, refusal
from core.workshop.checker.trace import Dims

Statement = Callable[[Frame, Mask], Mask]


@dataclass(slots=True)
class Function:
    """A function of the file. `body` runs it; `parameters`: their names; `stores`: where each is
    first written to.

    `signatures`: of its decorator, at `decorator_line`; empty where it takes any types.
    """

    name: str
    parameters: list[str]
    body: Statement
    line: int
    stores: dict[str, int]
    signatures: tuple[Signature, ...]
    decorator_line: int
    has_grid_barrier: bool = False
    shared_bytes: int = 0
    """Of all shared arrays of a block, without those whose size the launch gives."""

    def converted(self, values: Sequence[Any]) -> list[Any]:
        """Values for the parameters, arrays as views, with numbers in the types of the decorator's
        signature.

        Raises DialectError where no signature fits.
        """
        if not self.signatures:
            return [*values]
        signature = choose(self.signatures, [*values])
        if signature is None:
            given = dict(zip(self.parameters, values, strict=True))
            raise refusal(self.name, self.decorator_line, self.signatures, given)
        return signature.converted([*values])

    def result_of(self, value: object) -> Any:
        """What the function returns, in the type of the signature."""
        kind = self.signatures[0].result if self.signatures else None
        if kind is None or isinstance(value, View | Grid | tuple | None):
            return value
        return numeric.cast(value, kind.dtype)


class Builder(Calls):
    """Builds the functions that one file's kernel needs."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.functions: dict[str, Function | None] = {}  # None: being built
        self._loops: list[Loop] = []

    def function(self, node: ast.FunctionDef) -> Function:
        arguments = node.args
        others = arguments.kwonlyargs, arguments.defaults, arguments.posonlyargs
        if arguments.vararg or arguments.kwarg or any(others):
            raise DialectError(
                node.lineno,
                f"The parameters of {node.name}: write plain names, without defaults or *.",
            )
        outer = self._locals
        outer_loops = self._loops
        parameters = [each.arg for each in arguments.args]
        self._loops = []
        self._locals = {*parameters, *stored(node)}
        self.functions[node.name] = None
        signatures = read_signatures(self._program, node)
        line = node.decorator_list[0].lineno
        body = self._body(node.body)
        function = Function(
            node.name,
            parameters,
            body,
            node.lineno,
            stores(self._program, node),
            signatures,
            line,
            self.has_grid_barrier,
            self._bytes["shared"],
        )
        self.functions[node.name] = function
        self._locals = outer
        self._loops = outer_loops
        return function

    # Statements

    def _body(self, nodes: Sequence[ast.stmt]) -> Statement:
        built = [self._statement(node) for node in nodes]

        def run(frame: Frame, mask: Mask) -> Mask:
            for statement in built:
                frame.machine.steps += 1 + mask.count // 1024
                mask = statement(frame, mask)
                if not mask.count:
                    break
            return mask

        return run

    def _statement(self, node: ast.stmt) -> Statement:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return _do_nothing
            case ast.Expr(value=ast.Call() as call):
                return self._call_statement(call)
            case ast.Assign(targets=targets, value=value):
                return self._assign(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value, simple=1):
                return self._assign([target], value)
            case ast.AugAssign():
                return self._augmented(node)
            case ast.If():
                return self._if(node)
            case ast.While():
                return self._while(node)
            case ast.For():
                return self._for(node)
            case ast.Return():
                return self._return(node)
            case ast.Break():
                return _leaving(self._innermost_loop(node).leave)
            case ast.Continue():
                return _leaving(self._innermost_loop(node).leave_turn)
        match node:
            case ast.Expr(value=ast.Name() | ast.Attribute() as value) if (
                self._program.canonical(value) in FUNCTIONS
            ):
                name = self._program.canonical(value)
                text = f"{name} is named, not called, so it does nothing: write {name}()."
                raise self._refuse(node, text, "barrier" if "sync" in name else "unsupported")
        raise self._refuse(node, _refused_statement(node))

    def _innermost_loop(self, node: ast.stmt) -> Loop:
        if not self._loops:
            raise self._refuse(node, "break and continue belong into a loop.")
        return self._loops[-1]

    def _assign(self, left: Sequence[ast.expr], right: ast.expr) -> Statement:
        first = left[0]
        self._assigned = first.id if isinstance(first, ast.Name) else ""
        value = self._expression(right)
        targets = [self._target(target) for target in left]

        def assign(frame: Frame, mask: Mask) -> Mask:
            found = value(frame, mask)
            for target in targets:
                target(frame, mask, found)
            return mask

        return assign

    def _target(self, node: ast.expr) -> Callable[[Frame, Mask, Any], None]:
        match node:
            case ast.Name(id=name):
                line = node.lineno
                return lambda frame, mask, value: frame.assign(
                    name, value_of(value, line), mask, line
                )
            case ast.Tuple(elts=elements):
                targets = [self._target(each) for each in elements]
                line = node.lineno

                def unpack(frame: Frame, mask: Mask, value: object) -> None:
                    if not isinstance(value, tuple) or len(value) != len(targets):
                        raise DialectError(
                            line, f"This needs {len(targets)} values on the right.", "type"
                        )
                    for target, each in zip(targets, value, strict=True):
                        target(frame, mask, each)

                return unpack
            case ast.Subscript():
                element = self._located(node)
                place = place_of(node)

                def store(frame: Frame, mask: Mask, value: object) -> None:
                    view = element(frame, mask)
                    if not view.left:
                        frame.machine.write(
                            view.memory, view.given, number_of(value, place[0]), mask, place
                        )
                    else:
                        _store_part(frame.machine, view, value, mask, place)

                return store
        raise self._refuse(node, "A kernel assigns to names and to elements of arrays only.")

    def _augmented(self, node: ast.AugAssign) -> Statement:
        line = node.lineno
        match node.target:
            case ast.Name(id=name):
                before = ast.copy_location(ast.Name(name, ast.Load()), node)
                changed = ast.copy_location(ast.BinOp(before, node.op, node.value), node)
                return self._assign([node.target], changed)
            case ast.Attribute():
                raise self._refuse(
                    node, "A kernel assigns to names and to elements of arrays only."
                )
        operation = self._operation(node.op, node)
        value = self._expression(node.value)
        element = self._located(node.target)
        place = place_of(node.target)

        def update(frame: Frame, mask: Mask) -> Mask:
            view = element(frame, mask)
            if view.left:
                raise view.wrong_indices(line)
            before = frame.machine.read(view.memory, view.given, mask, place)
            found = compute(
                line, numeric.binary, operation, before, number_of(value(frame, mask), line)
            )
            frame.machine.totals.operations += mask.count
            frame.machine.write(view.memory, view.given, found, mask, place)
            return mask

        return update

    def _if(self, node: ast.If) -> Statement:
        test = self._expression(node.test)
        body = self._body(node.body)
        other = self._body(node.orelse)
        place = place_of(node)

        def run(frame: Frame, mask: Mask) -> Mask:
            condition = numeric.truth(number_of(test(frame, mask), place[0]))
            if not condition.ndim:
                return body(frame, mask) if condition else other(frame, mask)
            taken = frame.machine.branch(condition, mask, place)
            if taken is mask:
                return body(frame, mask)
            if not taken.count:
                return other(frame, mask)
            rest = mask.without(taken)
            return union(body(frame, taken), other(frame, rest), mask)

        return run

    def _loop(self, node: ast.For | ast.While) -> tuple["Loop", Statement, Statement]:
        """The loop, its body, and what runs where it was not left by `break`."""
        self._loops.append(Loop())
        body = self._body(node.body)
        loop = self._loops.pop()
        return loop, body, self._body(node.orelse)

    def _while(self, node: ast.While) -> Statement:
        test = self._expression(node.test)
        if only_waits(node):
            text = (
                "This loop changes nothing of its condition, so it waits for what another thread "
                "does (a lock, a flag): that is not covered, as it depends on which threads run "
                "at the same time."
            )
            raise self._refuse(node, text)
        loop, body, other = self._loop(node)
        place = place_of(node)

        def run(frame: Frame, mask: Mask) -> Mask:
            def holds(active: Mask) -> Value:
                return numeric.truth(number_of(test(frame, active), place[0]))

            return loop.repeat(
                frame, mask, place, holds, partial(body, frame), partial(other, frame)
            )

        return run

    def _for(self, node: ast.For) -> Statement:
        if not all(type(name) is ast.Name for name in elements_of(node.target)):
            raise self._refuse(node, "A loop gives its values to names only.")
        elements = self._elements(node.iter)
        target = self._target(node.target)
        loop, body, other = self._loop(node)
        place = place_of(node)

        def run(frame: Frame, mask: Mask) -> Mask:
            values = elements(frame, mask)

            def turn(going: Mask) -> Mask:
                target(frame, going, values.next(frame, going))
                return body(frame, going)

            return loop.repeat(frame, mask, place, values.holds, turn, partial(other, frame))

        return run

    def _return(self, node: ast.Return) -> Statement:
        line = node.lineno
        value = None if node.value is None else self._expression(node.value)

        def run(frame: Frame, mask: Mask) -> Mask:
            if value is not None:
                if frame.is_kernel:
                    raise DialectError(
                        line, "A kernel returns nothing: write the result to an array.", "type"
                    )
                found = value_of(value(frame, mask), line)
                if isinstance(found, View) and found.left < len(found.indices):
                    text = (
                        "A function cannot return a part of an array: give it to the function that "
                        "uses it."
                    )
                    raise DialectError(line, text, "type")
                before = frame.result
                frame.result = (
                    found if before is None else merge(mask, found, before, "the result", line)
                )
            if frame.is_kernel:
                # Barriers name the threads that have returned.
                frame.machine.left[mask.index] = line
            return no_lanes(mask)

        return run

    def _call_statement(self, node: ast.Call) -> Statement:
        name = self._program.canonical(node.func)
        if name.startswith("cuda.atomic.") and name.removeprefix("cuda.atomic.") in ATOMICS:
            self._program.check_imported(node.func)
            value = self._atomic(node, name.removeprefix("cuda.atomic."), is_used=False)
        else:
            value = self._expression(node)

        def run(frame: Frame, mask: Mask) -> Mask:
            value(frame, mask)
            return mask

        return run

    def _device_call(self, node: ast.Call, name: str) -> Expression:
        line = node.lineno
        if name in self._program.kernels:
            raise self._refuse(
                node,
                f"{name} is a kernel: a kernel calls functions with @cuda.jit(device=True) only.",
            )
        if name in self.functions and self.functions[name] is None:
            raise self._refuse(node, f"{name} calls itself: recursion is not covered.")
        if name not in self.functions:
            depth = self._depth
            self._depth = 0
            self.function(self._program.functions[name])
            self._depth = depth
        function = self.functions[name]
        assert function is not None
        if node.keywords or len(node.args) != len(function.parameters):
            raise self._refuse(
                node,
                f"{name} takes {len(function.parameters)} values "
                f"({', '.join(function.parameters)}).",
                "type",
            )
        values = [self._expression(each) for each in node.args]

        def run(frame: Frame, mask: Mask) -> Any:
            frame.machine.turn(line, mask, is_loop=False)
            inner = Frame(frame.machine, function=name)
            given = function.converted([value(frame, mask) for value in values])
            if frame.machine.recorder is not None:
                frame.machine.recorder.keep_call(frame.machine, name, mask)
            for parameter, value in zip(function.parameters, given, strict=True):
                inner.assign(parameter, value, mask, function.line)
            rest = function.body(inner, mask)
            if rest.count and inner.result is not None:
                raise DialectError(
                    line, f"{name} returns a value on some paths only: return one on each.", "type"
                )
            return function.result_of(inner.result)

        return run


def _store_part(machine: Machine, view: View, value: object, mask: Mask, place: Place) -> None:
    """Each thread writes a number, or an array of the same shape, to all elements of its part, one
    after the other.
    """
    sides = [_in_lanes(side, mask) for side in view.shape]
    if isinstance(value, View):
        others = [_in_lanes(side, mask) for side in value.shape]
        are_equal = len(sides) == len(others) and all(
            np.array_equal(one, other) for one, other in zip(sides, others, strict=True)
        )
        if not are_equal:
            text = (
                f"{view.name} and {value.name} have parts of different shapes here: that is not "
                "covered."
            )
            raise DialectError(place[0], text)
        source: View | None = value
    else:
        source = None
        number = number_of(value, place[0])
    for element in np.ndindex(*(int(side.max(initial=0)) for side in sides)):
        machine.turn(place[0], mask)
        going = _lanes_with(element, view.shape, mask)
        indices: list[Value] = [np.int64(index) for index in element]
        if source is not None:
            from_part = source.at(indices, place[0])
            number = machine.read(from_part.memory, from_part.given, going, place)
        machine.write(view.memory, view.at(indices, place[0]).given, number, going, place)


def _in_lanes(side: int | Value, mask: Mask) -> np.ndarray:
    """A side of a view in each lane of the mask."""
    return np.broadcast_to(side, len(mask.array))[mask.index]


def _lanes_with(element: Dims, sides: Sides, mask: Mask) -> Mask:
    """The lanes whose part has this element."""
    for index, side in zip(element, sides, strict=True):
        here = np.broadcast_to(np.asarray(side) > index, len(mask.array))
        if not here[mask.index].all():
            mask = mask.of(here)
    return mask


def _refused_statement(node: ast.stmt) -> str:
    """Why a kernel cannot have this statement."""
    match node:
        case ast.Expr(
            value=ast.Yield()
            | ast.YieldFrom()
            | ast.Await()
            | ast.NamedExpr()
            | ast.Lambda() as value
        ):
            return f"A kernel cannot use {construct(value)}: it is not covered by the check."
        case ast.Expr(value=ast.Compare(ops=[ast.Eq()])):
            return "This compares, and uses the answer for nothing: write “=” to assign."
        case ast.Expr():
            return "This computes a value, and uses it for nothing: assign it to a name."
    return f"A kernel cannot use {construct(node)} here: it is not covered by the check."


def _do_nothing(frame: Frame, mask: Mask) -> Mask:
    return mask


def _leaving(leave: Callable[[Mask], None]) -> Statement:
    """A statement after which no lane goes on."""

    def run(frame: Frame, mask: Mask) -> Mask:
        leave(mask)
        return no_lanes(mask)

    return run
