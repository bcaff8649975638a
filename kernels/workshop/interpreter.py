"""Runs a kernel of a file: its syntax tree becomes functions of (frame, mask) that work on vectors of threads.

Building these functions is the check of the dialect: what is not listed here is refused before anything runs.
"""

import ast
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import e, inf, nan, pi
from typing import Any

import numpy as np

from kernels.workshop import numeric
from kernels.workshop.dialect import (
    ATOMICS,
    FUNCTIONS,
    TYPES,
    VALUES,
    DialectError,
    Program,
    Typed,
    choose_kernel,
    nearest,
    read_program,
    reason,
)
from kernels.workshop.machine import Frame, LaunchError, Machine, Mask, Memory, merge, union
from kernels.workshop.numeric import OperandError, Value
from kernels.workshop.trace import Fault

Expression = Callable[[Frame, Mask], Any]
Statement = Callable[[Frame, Mask], Mask]
_MAX_DEPTH = 60
_CONSTANTS = {"pi": pi, "e": e, "inf": inf, "nan": nan}
_ARRAYS = ("cuda.shared.array", "cuda.local.array")
_STATEMENTS = {
    ast.Raise: "raise", ast.Try: "try", ast.With: "with", ast.Assert: "assert", ast.Import: "import",
    ast.ImportFrom: "import", ast.Global: "global", ast.Nonlocal: "nonlocal", ast.ClassDef: "class", ast.Delete: "del",
    ast.FunctionDef: "a function within a function", ast.Match: "match", ast.AsyncFor: "async", ast.AsyncWith: "async",
    ast.ListComp: "a list comprehension", ast.GeneratorExp: "a generator", ast.Lambda: "lambda", ast.List: "a list",
    ast.Dict: "a dictionary", ast.Set: "a set", ast.JoinedStr: "a text", ast.Await: "await", ast.Yield: "yield",
    ast.YieldFrom: "yield", ast.NamedExpr: ":=", ast.Starred: "*", ast.Slice: "a slice of an array",
    ast.DictComp: "a dictionary", ast.SetComp: "a set",
}  # fmt: skip


@dataclass(slots=True)
class Function:
    """A function of the file. `body` runs it; `parameters`: their names."""

    name: str
    parameters: list[str]
    body: Statement
    line: int


@dataclass(slots=True)
class _Loop:
    """The lanes that left this turn or the loop."""

    continued: Mask | None = None
    broken: Mask | None = None


def build_kernel(source: str, name: str) -> tuple[Program, Function]:
    """The kernel of a file, ready to run. Raises DialectError with the line of what is not covered."""
    program = read_program(source)
    node = choose_kernel(program, name)
    builder = _Builder(program)
    try:
        return program, builder.function(node)
    except RecursionError:
        raise DialectError(node.lineno, "The kernel is nested too deeply.") from None


def run_kernel(
    function: Function, machine: Machine, arguments: Mapping[str, Any], poisoned: Collection[str] = ()
) -> None:
    """Run a kernel. `arguments`: in order, by the names that the launch gives them; contiguous arrays, which are
    changed in place, and NumPy scalars. `poisoned`: arrays whose elements must be written before they are read.

    Faults are in `machine.faults`.
    """
    if len(arguments) != len(function.parameters):
        machine.report(
            Fault(
                "type", function.line,
                f"{function.name} has {len(function.parameters)} parameters ({', '.join(function.parameters)}), but "
                f"the launch gives {len(arguments)} ({', '.join(arguments)}).",
            )
        )  # fmt: skip
        machine.complete = False
        return
    values: list[Any] = []
    for (name, value), own in zip(arguments.items(), function.parameters, strict=True):
        is_array = isinstance(value, np.ndarray)
        values.append(machine.add_global(own, value, name in poisoned) if is_array else value)

    def start(machine: Machine, mask: Mask) -> None:
        frame = Frame(machine, is_kernel=True)
        frame.variables = {
            name: (value, mask) for name, value in zip(function.parameters, values, strict=True)
        }
        function.body(frame, mask)

    try:
        machine.run(start)
    except DialectError as refusal:
        machine.report(Fault(refusal.kind, refusal.line, refusal.text, sizes=machine.sizes))
        machine.complete = False


class _Builder:
    """Builds the functions that one file's kernel needs."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._functions: dict[str, Function | None] = {}  # None: being built
        self._locals: set[str] = set()
        self._loops: list[str] = []
        self._depth = 0

    def function(self, node: ast.FunctionDef) -> Function:
        arguments = node.args
        if (
            arguments.vararg
            or arguments.kwarg
            or arguments.kwonlyargs
            or arguments.defaults
            or arguments.posonlyargs
        ):
            raise DialectError(
                node.lineno, f"The parameters of {node.name}: write plain names, without defaults or *."
            )
        outer, outer_loops = self._locals, self._loops
        parameters = [each.arg for each in arguments.args]
        self._loops = []
        self._locals = {*parameters} | {
            each.id
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        self._functions[node.name] = None
        function = Function(node.name, parameters, self._body(node.body), node.lineno)
        self._functions[node.name] = function
        self._locals, self._loops = outer, outer_loops
        return function

    def _refuse(self, node: ast.AST, text: str, kind: str = "unsupported") -> DialectError:
        return DialectError(getattr(node, "lineno", 0), text, kind)

    # Statements

    def _body(self, nodes: Sequence[ast.stmt]) -> Statement:
        built = [(self._statement(node), node.lineno) for node in nodes]

        def run(frame: Frame, mask: Mask) -> Mask:
            for statement, line in built:
                frame.machine.step(line, mask)
                mask = statement(frame, mask)
                if not mask.count:
                    break
            return mask

        return run

    def _statement(self, node: ast.stmt) -> Statement:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return lambda frame, mask: mask
            case ast.Expr(value=ast.Call() as call):
                return self._call_statement(call)
            case ast.Assign():
                value = self._expression(node.value)
                targets = [self._target(target) for target in node.targets]

                def assign(frame: Frame, mask: Mask) -> Mask:
                    found = value(frame, mask)
                    for target in targets:
                        target(frame, mask, found)
                    return mask

                return assign
            case ast.AnnAssign(value=ast.expr() as given, simple=1):
                return self._statement(ast.copy_location(ast.Assign([node.target], given), node))
            case ast.AugAssign():
                return self._augmented(node)
            case ast.If():
                return self._if(node)
            case ast.While(orelse=[]):
                return self._while(node)
            case ast.For(orelse=[]):
                return self._for(node)
            case ast.Return():
                return self._return(node)
            case ast.Break() | ast.Continue():
                attribute = "broken" if isinstance(node, ast.Break) else "continued"
                if not self._loops:
                    raise self._refuse(node, "break and continue belong into a loop.")
                key = self._loops[-1]

                def leave(frame: Frame, mask: Mask) -> Mask:
                    loop = frame.variables[key][0]
                    before = getattr(loop, attribute)
                    setattr(loop, attribute, mask if before is None else Mask(before.array | mask.array))
                    return _none(mask)

                return leave
        what = _STATEMENTS.get(type(node), type(node).__name__)
        if isinstance(node, ast.For | ast.While):
            what = "else after a loop"
        raise self._refuse(node, f"A kernel cannot use {what} here: it is not covered by the check.")

    def _target(self, node: ast.expr) -> Callable[[Frame, Mask, Any], None]:
        match node:
            case ast.Name(id=name):
                line = node.lineno
                return lambda frame, mask, value: frame.assign(name, _plain(value, line), mask, line)
            case ast.Tuple(elts=elements):
                targets = [self._target(each) for each in elements]
                line = node.lineno

                def unpack(frame: Frame, mask: Mask, value: Any) -> None:
                    if not isinstance(value, tuple) or len(value) != len(targets):
                        raise DialectError(line, f"This needs {len(targets)} values on the right.", "type")
                    for target, each in zip(targets, value, strict=True):
                        target(frame, mask, each)

                return unpack
            case ast.Subscript():
                array, indices = self._subscript(node)
                place = (node.lineno, node.col_offset)

                def store(frame: Frame, mask: Mask, value: Any) -> None:
                    memory = _memory(array(frame, mask), place[0])
                    where = [index(frame, mask) for index in indices]
                    frame.machine.write(
                        memory, _indices(where, place[0]), _number(value, place[0]), mask, place
                    )

                return store
        raise self._refuse(node, "A kernel assigns to names and to elements of arrays only.")

    def _augmented(self, node: ast.AugAssign) -> Statement:
        operation, line = self._operation(node.op, node), node.lineno
        value = self._expression(node.value)
        if isinstance(node.target, ast.Name):
            name = node.target.id

            def change(frame: Frame, mask: Mask) -> Mask:
                before = _number(frame.read(name, mask, line), line)
                found = _compute(operation, before, _number(value(frame, mask), line), line)
                frame.machine.totals.operations += mask.count
                frame.assign(name, found, mask, line)
                return mask

            return change
        if not isinstance(node.target, ast.Subscript):
            raise self._refuse(node, "A kernel assigns to names and to elements of arrays only.")
        array, indices = self._subscript(node.target)
        place = (line, node.target.col_offset)

        def update(frame: Frame, mask: Mask) -> Mask:
            memory = _memory(array(frame, mask), line)
            where = _indices([index(frame, mask) for index in indices], line)
            before = frame.machine.read(memory, where, mask, place)
            found = _compute(operation, before, _number(value(frame, mask), line), line)
            frame.machine.totals.operations += mask.count
            frame.machine.write(memory, where, found, mask, place)
            return mask

        return update

    def _if(self, node: ast.If) -> Statement:
        test = self._expression(node.test)
        body, other = self._body(node.body), self._body(node.orelse)
        place = (node.lineno, node.col_offset)

        def run(frame: Frame, mask: Mask) -> Mask:
            condition = numeric.truth(_number(test(frame, mask), place[0]))
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

    def _loop(self, node: ast.For | ast.While) -> tuple[str, Statement]:
        self._loops.append(f"<loop {len(self._loops)} at {node.lineno}:{node.col_offset}>")
        body = self._body(node.body)
        return self._loops.pop(), body

    def _while(self, node: ast.While) -> Statement:
        test = self._expression(node.test)
        key, body = self._loop(node)
        place = (node.lineno, node.col_offset)

        def run(frame: Frame, mask: Mask) -> Mask:
            loop = _Loop()
            frame.variables[key] = (loop, mask)
            active, done = mask, _none(mask)
            while True:
                frame.machine.step(place[0], active)
                condition = numeric.truth(_number(test(frame, active), place[0]))
                if condition.ndim:
                    going = frame.machine.branch(condition, active, place)
                else:
                    going = active if condition else _none(mask)
                if going is not active:
                    done = union(done, active.without(going), mask)
                if not going.count:
                    return _leave(loop, done, mask)
                active = _next_turn(frame, loop, body, going, mask)
                if not active.count:
                    return _leave(loop, done, mask)

        return run

    def _for(self, node: ast.For) -> Statement:
        call = node.iter
        if not isinstance(call, ast.Call) or self._program.canonical(call.func) != "range" or call.keywords:
            raise self._refuse(node, "A kernel loops over range(...) only.")
        if not isinstance(node.target, ast.Name) or not 1 <= len(call.args) <= 3:
            raise self._refuse(node, "Write “for i in range(...)” with one to three numbers.")
        limits = [self._expression(argument) for argument in call.args]
        name = node.target.id
        key, body = self._loop(node)
        place = (node.lineno, node.col_offset)
        line = node.lineno

        def run(frame: Frame, mask: Mask) -> Mask:
            values = [_whole(limit(frame, mask), line) for limit in limits]
            kind = np.result_type(*(value.dtype for value in values))
            kind = kind if kind.kind != "f" else np.dtype(np.int64)
            first, stop, step = _range(values)
            if not (np.all(step) if not step.ndim else step[mask.index].all()):
                raise frame.machine.stop(line, "The step of range is 0: the loop would never end.", mask)
            loop = _Loop()
            frame.variables[key] = (loop, mask)
            active, done = mask, _none(mask)
            if not (first.ndim or stop.ndim or step.ndim):
                for number in range(int(first), int(stop), int(step)):
                    frame.machine.step(line, active)
                    frame.assign(name, kind.type(number), active, line)
                    active = _next_turn(frame, loop, body, active, mask)
                    if not active.count:
                        break
                return _leave(loop, union(done, active, mask), mask)
            index = np.broadcast_to(first, frame.machine.lanes).astype(np.int64)
            while True:
                frame.machine.step(line, active)
                going = frame.machine.branch(np.where(step > 0, index < stop, index > stop), active, place)
                if going is not active:
                    done = union(done, active.without(going), mask)
                if not going.count:
                    return _leave(loop, done, mask)
                frame.assign(name, index.astype(kind), going, line)
                active = _next_turn(frame, loop, body, going, mask)
                if not active.count:
                    return _leave(loop, done, mask)
                index = index + step

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
                found = _plain(value(frame, mask), line)
                before = frame.result
                frame.result = found if before is None else merge(mask, found, before, "the result", line)
            if frame.is_kernel:
                frame.machine.left[mask.index] = line
            return _none(mask)

        return run

    # Expressions

    def _expression(self, node: ast.expr) -> Expression:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._refuse(node, "The expression is nested too deeply.")
        try:
            return self._build(node)
        finally:
            self._depth -= 1

    def _build(self, node: ast.expr) -> Expression:
        line = node.lineno
        match node:
            case ast.Constant():
                return self._constant(node.value, node)
            case ast.Name() if node.id in self._locals:
                name = node.id
                return lambda frame, mask: frame.read(name, mask, line)
            case ast.Name() | ast.Attribute():
                return self._name(node)
            case ast.Tuple():
                items = [self._expression(each) for each in node.elts]
                return lambda frame, mask: tuple(item(frame, mask) for item in items)
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
        what = _STATEMENTS.get(type(node), type(node).__name__)
        raise self._refuse(node, f"A kernel cannot use {what}: it is not covered by the check.")

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
        """A constant of the file, a value of CUDA, or an attribute of an array."""
        line = node.lineno
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
            memory = _memory(value(frame, mask), line)
            if name == "shape":
                return tuple(np.int64(side) for side in memory.shape)
            return np.int64(memory.size if name == "size" else len(memory.shape))

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
            return _compute(
                operation, _number(left(frame, mask), line), _number(right(frame, mask), line), line
            )

        return run

    def _unary(self, node: ast.UnaryOp) -> Expression:
        value, line = self._expression(node.operand), node.lineno
        change: Callable[[Value], Value]
        match node.op:
            case ast.USub():
                change = numeric.negative
            case ast.Invert():
                change = numeric.invert
            case ast.Not():
                change = _not
            case _:
                return value

        def run(frame: Frame, mask: Mask) -> Any:
            frame.machine.totals.operations += mask.count
            try:
                return change(_number(value(frame, mask), line))
            except OperandError as fault:
                raise DialectError(line, f"This computes {fault}.", "type") from None

        return run

    def _bool(self, node: ast.BoolOp) -> Expression:
        parts = [self._expression(each) for each in node.values]
        is_and, line = isinstance(node.op, ast.And), node.lineno

        def run(frame: Frame, mask: Mask) -> Any:
            found = _number(parts[0](frame, mask), line)
            for part in parts[1:]:
                holds = numeric.truth(found)
                if not holds.ndim:
                    if bool(holds) == is_and:
                        found = _number(part(frame, mask), line)
                        continue
                    return found
                going = mask.of(holds if is_and else ~holds)
                if going.count:
                    found = numeric.select(going.array, _number(part(frame, going), line), found)
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
            left, found = _number(first(frame, mask), line), None
            for compare, value in rest:
                going = mask if found is None or not found.ndim else mask.of(found)
                if not going.count or (found is not None and not found.ndim and not found):
                    return found
                right = _number(value(frame, going), line)
                frame.machine.totals.operations += going.count
                here = compare(left, right)
                found = here if found is None else found & here
                left = right
            return found

        return run

    def _conditional(self, node: ast.IfExp) -> Expression:
        test, yes, no = (self._expression(each) for each in (node.test, node.body, node.orelse))
        place, line = (node.lineno, node.col_offset), node.lineno

        def run(frame: Frame, mask: Mask) -> Any:
            condition = numeric.truth(_number(test(frame, mask), line))
            if not condition.ndim:
                return yes(frame, mask) if condition else no(frame, mask)
            taken = frame.machine.branch(condition, mask, place)
            if taken is mask:
                return yes(frame, mask)
            if not taken.count:
                return no(frame, mask)
            first = _number(yes(frame, taken), line)
            return numeric.select(taken.array, first, _number(no(frame, mask.without(taken)), line))

        return run

    def _subscript(self, node: ast.Subscript) -> tuple[Expression, list[Expression]]:
        """The array, and its indices: a[i, j] and a[i][j] are the same."""
        indices: list[Expression] = []
        value: ast.expr = node
        while isinstance(value, ast.Subscript):
            parts = value.slice.elts if isinstance(value.slice, ast.Tuple) else [value.slice]
            indices = [self._expression(part) for part in parts] + indices
            value = value.value
        return self._expression(value), indices

    def _element(self, node: ast.Subscript) -> Expression:
        array, indices = self._subscript(node)
        place = (node.lineno, node.col_offset)
        constant = self._program.fold(node.slice)

        def run(frame: Frame, mask: Mask) -> Any:
            base = array(frame, mask)
            if isinstance(base, tuple):
                number = constant
                if number is None:
                    value = indices[0](frame, mask)
                    number = int(value) if isinstance(value, np.generic) else None
                if not isinstance(number, int) or not -len(base) <= number < len(base):
                    raise DialectError(
                        place[0], f"A tuple of {len(base)} values takes an index that is a constant.", "type"
                    )
                return base[number]
            where = _indices([index(frame, mask) for index in indices], place[0])
            return frame.machine.read(_memory(base, place[0]), where, mask, place)

        return run

    # Calls

    def _call_statement(self, node: ast.Call) -> Statement:
        name = self._program.canonical(node.func)
        if name.startswith("cuda.atomic.") and name.removeprefix("cuda.atomic.") in ATOMICS:
            return self._atomic(node, name.removeprefix("cuda.atomic."))
        value = self._expression(node)

        def run(frame: Frame, mask: Mask) -> Mask:
            value(frame, mask)
            return mask

        return run

    def _atomic(self, node: ast.Call, name: str) -> Statement:
        array, index, value = (
            self._expression(each) for each in self._arguments(node, f"cuda.atomic.{name}")
        )
        place = (node.lineno, node.col_offset)

        def run(frame: Frame, mask: Mask) -> Mask:
            memory, where = _memory(array(frame, mask), place[0]), index(frame, mask)
            indices = _indices(list(where) if isinstance(where, tuple) else [where], place[0])
            frame.machine.atomic(name, memory, indices, _number(value(frame, mask), place[0]), mask, place)
            return mask

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
                return np.int64(len(value) if isinstance(value, tuple) else _memory(value, line).shape[0])

            return length
        if name == "cuda.syncwarp" and values:
            raise self._refuse(node, "cuda.syncwarp with a mask is not covered: write cuda.syncwarp().")
        if name.startswith("cuda.shfl"):
            if self._program.fold(node.args[0]) not in (0xFFFFFFFF, -1):
                raise self._refuse(node, f"{name}: only the mask of all lanes, 0xffffffff, is covered.")
            values = values[1:]
        operation = _FUNCTIONS.get(name)
        numba_type = np.dtype(name.rstrip("_")) if name in TYPES else None

        def run(frame: Frame, mask: Mask) -> Any:
            given = [_number(value(frame, mask), line) for value in values]
            machine = frame.machine
            machine.totals.operations += mask.count
            if numba_type is not None:
                return given[0].astype(numba_type)
            if operation is not None:
                return operation(*given)
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
        axes = "xyz"[:count]

        def run(frame: Frame, mask: Mask) -> Any:
            machine = frame.machine
            if name == "cuda.grid":
                found = tuple(machine.index_of(axis) for axis in axes)
            else:
                found = tuple(
                    np.int64(machine.values[f"cuda.gridDim.{axis}"])
                    * np.int64(machine.values[f"cuda.blockDim.{axis}"])
                    for axis in axes
                )
            return found[0] if count == 1 else found

        return run

    def _array(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> Expression:
        space = name.split(".")[1]
        shape, dtype = self._program.fold(arguments[0]), self._program.fold(arguments[1])
        shape = (shape,) if type(shape) is int else shape
        if not isinstance(shape, tuple) or not all(type(side) is int for side in shape):
            raise self._refuse(
                node, f"The shape of {name} must be a constant, written at the top of the file or here."
            )
        if not 1 <= len(shape) <= 3 or min(shape) < 1:
            hint = " (shared memory whose size the launch gives is not covered)" if shape == (0,) else ""
            raise self._refuse(node, f"The shape {shape} of {name} needs one to three sides from 1 on{hint}.")
        if dtype not in TYPES:
            raise self._refuse(node, f"The type of {name} must be one of {', '.join(TYPES)}.")
        kind, key = np.dtype(dtype.rstrip("_")), (node.lineno, node.col_offset)
        title = f"the {space} array of line {node.lineno}"
        for each in ast.walk(ast.parse(self._program.source)):
            if (
                isinstance(each, ast.Assign)
                and each.value.lineno == key[0]
                and each.value.col_offset == key[1]
            ):
                title = each.targets[0].id if isinstance(each.targets[0], ast.Name) else title
        return lambda frame, mask: frame.machine.allocate(key, title, space, shape, kind, key[0])

    def _device_call(self, node: ast.Call, name: str) -> Expression:
        line = node.lineno
        if name in self._program.kernels:
            raise self._refuse(
                node, f"{name} is a kernel: a kernel calls functions with @cuda.jit(device=True) only."
            )
        if name in self._functions and self._functions[name] is None:
            raise self._refuse(node, f"{name} calls itself: recursion is not covered.")
        if name not in self._functions:
            depth, self._depth = self._depth, 0
            self.function(self._program.functions[name])
            self._depth = depth
        function = self._functions[name]
        assert function is not None
        if node.keywords or len(node.args) != len(function.parameters):
            raise self._refuse(
                node,
                f"{name} takes {len(function.parameters)} values ({', '.join(function.parameters)}).",
                "type",
            )
        values = [self._expression(each) for each in node.args]

        def run(frame: Frame, mask: Mask) -> Any:
            inner = Frame(frame.machine)
            for parameter, value in zip(function.parameters, values, strict=True):
                inner.variables[parameter] = (value(frame, mask), mask)
            rest = function.body(inner, mask)
            if rest.count and inner.result is not None:
                raise DialectError(
                    line, f"{name} returns a value on some paths only: return one on each.", "type"
                )
            return inner.result

        return run


def _none(mask: Mask) -> Mask:
    return Mask(np.zeros(len(mask.array), bool), mask)


def _next_turn(frame: Frame, loop: _Loop, body: Statement, going: Mask, whole: Mask) -> Mask:
    """Run the body once; returns the lanes that go on with the next turn."""
    loop.continued = None
    after = body(frame, going)
    return after if loop.continued is None else union(after, loop.continued, whole)


def _leave(loop: _Loop, done: Mask, whole: Mask) -> Mask:
    """The lanes that go on after the loop."""
    return done if loop.broken is None else union(done, loop.broken, whole)


def _range(values: Sequence[Value]) -> tuple[Value, Value, Value]:
    zero, one = np.int64(0), np.int64(1)
    match [value.astype(np.int64) for value in values]:
        case [stop]:
            return zero, stop, one
        case [first, stop]:
            return first, stop, one
        case [first, stop, step]:
            return first, stop, step
    raise AssertionError


def _compute(operation: type[ast.operator], left: Value, right: Value, line: int) -> Value:
    try:
        return numeric.binary(operation, left, right)
    except OperandError as fault:
        raise DialectError(line, f"This computes {fault}.", "type") from None


def _not(value: Value) -> Value:
    return np.logical_not(numeric.truth(value))


def _number(value: Any, line: int) -> Value:
    if isinstance(value, np.generic | np.ndarray):
        return value
    what = {Memory: f"the array {getattr(value, 'name', '')}", tuple: "a tuple"}.get(type(value), "nothing")
    raise DialectError(line, f"A number is needed here, not {what}: write its index, as in a[i].", "type")


def _plain(value: Any, line: int) -> Any:
    if value is None:
        raise DialectError(line, "This function returns nothing.", "type")
    return value


def _whole(value: Any, line: int) -> Value:
    number = _number(value, line)
    if number.dtype.kind == "f":
        raise DialectError(
            line, "range takes whole numbers: divide with //, or convert with int(...).", "type"
        )
    return number


def _memory(value: Any, line: int) -> Memory:
    if isinstance(value, Memory):
        return value
    raise DialectError(line, "An array is needed here: a number has no elements.", "type")


def _indices(values: list[Any], line: int) -> list[Value]:
    flat = [each for value in values for each in (value if isinstance(value, tuple) else (value,))]
    return [_number(value, line) for value in flat]


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs, "bool": numeric.truth, "float": numeric.to_float, "int": numeric.to_int,
    "max": lambda *given: _fold(numeric.largest, given), "min": lambda *given: _fold(numeric.smallest, given),
    "pow": lambda left, right: numeric.binary(ast.Pow, left, right), "round": numeric.rounded,
    "cuda.selp": lambda condition, yes, no: numeric.select(numeric.truth(condition), yes, no),
    "cuda.popc": numeric.popcount,
    "cuda.fma": lambda a, b, c: numeric.binary(ast.Add, numeric.binary(ast.Mult, a, b), c),
}  # fmt: skip


def _fold(function: Callable[[Value, Value], Value], values: Sequence[Value]) -> Value:
    found = values[0]
    for value in values[1:]:
        found = function(found, value)
    return found


__all__ = ["Function", "LaunchError", "build_kernel", "run_kernel"]
