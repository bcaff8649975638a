"""Compiles a checked kernel: for a card, for its types alone, or to a loop over all blocks and
threads.

Numba's own type inference says what is no CUDA Python. A loop is possible where no thread waits for
another one: without barriers, shared memory and shuffles. Its threads run one after the other, so
an atomic operation is an ordinary one.

Only what `dialect` has read and `interpreter` has accepted is compiled: functions without
decorators, defaults and annotations, constants, and the names of numba, math and numpy. Compiling
to PTX needs numba-cuda, but no card.
"""

import ast
import math
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from time import perf_counter
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.workshop.checker.dialect import AXES, COMPILERS, DialectError, Program, Typed
from core.workshop.checker.signatures import read_signatures
from core.workshop.checker.trace import Dims, Fault

if TYPE_CHECKING:
    from kernels.cuda.card import Card

FILE = "kernel.py"
_CAPABILITY = (8, 0)
_TIMINGS = 5
_LINE = re.compile(rf'File "{re.escape(FILE)}", line (\d+)|{re.escape(FILE)} \((\d+)\)')
_COLORS = re.compile(r"\x1b\[[0-9;]*m|\[\d+m")
_PLACES = {
    f"cuda.{name}.{axis}": f"digitlab_{name}_{axis}"
    for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")
    for axis in AXES
}


def _same(value: ast.expr) -> ast.expr:
    return value


def _zero(*_: ast.expr) -> ast.expr:
    return ast.Constant(0)


def _second(mask: ast.expr, value: ast.expr, lane: ast.expr) -> ast.expr:
    return value


def _condition(mask: ast.expr, value: ast.expr) -> ast.expr:
    return ast.Compare(value, [ast.NotEq()], [ast.Constant(0)])


def _bits(mask: ast.expr, value: ast.expr) -> ast.expr:
    return ast.IfExp(value, ast.Constant(1), ast.Constant(0))


_PLAIN: dict[str, Callable[..., ast.expr]] = {
    "cuda.selp": lambda c, a, b: ast.IfExp(c, a, b),
    "cuda.fma": lambda a, b, c: ast.BinOp(ast.BinOp(a, ast.Mult(), b), ast.Add(), c),
    **{f"cuda.{name}": _same for name in ("popc", "brev", "clz", "ffs")},
    **{f"cuda.{name}": _zero for name in ("syncthreads", "syncwarp", "activemask")},
    **{f"cuda.syncthreads_{name}": _same for name in ("and", "count", "or")},
    **{f"cuda.shfl_{name}sync": _second for name in ("", "up_", "down_", "xor_")},
    **{f"cuda.{name}_sync": _condition for name in ("all", "any", "eq")},
    "cuda.ballot_sync": _bits,
}
"""Python with the type that a function of CUDA has, not with its value."""
_CHANGES: dict[str, ast.operator] = {
    "add": ast.Add(),
    "sub": ast.Sub(),
    "and_": ast.BitAnd(),
    "or_": ast.BitOr(),
    "xor": ast.BitXor(),
}


def check_types(program: Program, kernel: str, arguments: list[Any]) -> tuple[str, Fault | None]:
    """How the types were checked, as a sentence, and the fault that Numba found, or None.

    `arguments`: arrays and NumPy scalars of the launch, for their types.
    """
    if find_spec("numba_cuda") is None:
        return _check_on_cpu(program, kernel, arguments)
    # Imported here: interpreting needs no Numba. See kernels/cuda/toolkit.py for `row_stack`.
    vars(np).setdefault("row_stack", np.vstack)
    from numba import cuda
    from numba.cuda import dispatcher

    # Device functions are compiled for the card of this machine, which may have none.
    device = dispatcher.get_current_device
    dispatcher.get_current_device = _Card
    try:
        function = define(program, kernel, cuda, cuda.jit)
        # As a kernel: what is compiled as a function with the interface of C cannot have arrays of
        # constants.
        cuda.compile(function, argument_types(arguments), cc=_CAPABILITY, device=False, abi="numba")
    except Exception as error:
        return "Numba cannot compile it to PTX.", explain(error, program.functions[kernel].lineno)
    finally:
        dispatcher.get_current_device = device
    return "Numba compiled it to PTX.", None


class _Card:
    compute_capability = _CAPABILITY


_ON_CPU = (
    "Numba checked the types for the CPU, which is not as strict: with numba-cuda they are checked "
    "as for a card."
)


def _check_on_cpu(program: Program, kernel: str, arguments: list[Any]) -> tuple[str, Fault | None]:
    """As `check_types` where numba-cuda is not installed."""
    from numba import njit

    plain = without_cuda(program, kernel, is_loop=False)
    try:
        njit(define(plain, kernel, None, njit)).compile(argument_types(arguments))
    except Exception as error:
        return _ON_CPU, explain(error, program.functions[kernel].lineno)
    return _ON_CPU, None


@dataclass(frozen=True, slots=True)
class CardStep:
    """A launch on a card. `shared`: bytes of dynamic shared memory; `arguments`: arrays and NumPy
    scalars.
    """

    program: Program
    kernel: str
    grid: Dims
    block: Dims
    shared: int
    arguments: list[Any]


def run_on_card(card: "Card", steps: Sequence[CardStep]) -> float:
    """Launch kernels that were found without fault on the card, one after the other; arrays are
    changed in place. Returns the seconds of the fastest of some turns, without copies."""
    from kernels.cuda.toolkit import cuda, require_compiler, types

    require_compiler()
    stream = card.new_stream()
    # Each kernel once, however often it is launched.
    kernels = {step.kernel: step.program for step in steps}
    compiled = {
        name: cuda.jit(define(program, name, cuda, cuda.jit, types))
        for name, program in kernels.items()
    }
    arrays: dict[int, np.ndarray] = {}
    for step in steps:
        arrays |= {id(each): each for each in step.arguments if isinstance(each, np.ndarray)}

    def launch() -> tuple[dict[int, Any], float]:
        """The arrays on the card after all launches, by `id`, and the seconds."""
        copies = {key: card.upload(array, stream) for key, array in arrays.items()}
        card.synchronize(stream)
        begin = perf_counter()
        for step in steps:
            given = [copies.get(id(each), each) for each in step.arguments]
            compiled[step.kernel][step.grid, step.block, stream.of_compiler, step.shared](*given)
        card.synchronize(stream)
        return copies, perf_counter() - begin

    copies, _ = launch()  # compiles
    seconds = min(launch()[1] for _ in range(_TIMINGS))
    for key, array in arrays.items():
        card.copy_to_host(copies[key], array, stream)
    card.synchronize(stream)
    return seconds


def define(
    program: Program,
    kernel: str,
    cuda: object,
    jit: Callable[..., Any],
    types: ModuleType | None = None,
) -> Any:
    """The kernel as a Python function that `jit` takes; its device functions are compiled by `jit`.

    `cuda`: what the function calls by that name. `types`: the compiler's types of numbers, Numba's
    by default.
    """
    builtins = (abs, bool, divmod, float, int, len, max, min, pow, range, round)
    space: dict[str, Any] = {"__builtins__": {each.__name__: each for each in builtins}}
    if types is None:
        from numba import types
    compiler = SimpleNamespace(**vars(types) | {"types": types})
    roots = {"math": math, "numpy": np, **dict.fromkeys(COMPILERS, compiler)}
    for name, meaning in program.names.items():
        parts = meaning.split(".")
        value: Any = roots[parts[0]]
        for part in parts[1:]:
            value = cuda if part == "cuda" else getattr(value, part, None)
        space[name] = value
    for name, constant in program.constants.items():
        space[name] = _constant(constant)
    for name in program.functions:
        function = _function(program, name, space)
        signatures = [each.typed for each in read_signatures(program, program.functions[name])]
        if name in program.kernels:
            space[name] = function
        else:
            space[name] = _compile_device(function, signatures, jit, is_for_card=cuda is not None)
    return space[kernel]


def _compile_device(
    function: object, signatures: list[str], jit: Callable[..., Any], *, is_for_card: bool
) -> Any:
    options = {"device": True} if is_for_card else {}
    return jit(signatures, **options)(function) if signatures else jit(**options)(function)


def _constant(value: object) -> Any:
    match value:
        case Typed():
            return value.number()
        case str():
            return np.dtype(value.rstrip("_")).type
    return value


def _function(program: Program, name: str, space: dict[str, Any]) -> Any:
    node = program.functions[name]
    parameters = [ast.copy_location(ast.arg(each.arg), each) for each in node.args.args]
    arguments = ast.arguments(
        posonlyargs=[], args=parameters, kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    plain = ast.FunctionDef(
        name=node.name, args=arguments, body=node.body, decorator_list=[], returns=None
    )
    ast.copy_location(plain, node)
    module = ast.fix_missing_locations(ast.Module([plain], []))
    exec(compile(module, FILE, "exec"), space)
    return space[name]


def argument_types(arguments: list[Any]) -> tuple[Any, ...]:
    """Numba's types: arrays are contiguous."""
    import numba
    from numba.np import numpy_support

    return tuple(
        numba.types.Array(numpy_support.from_dtype(value.dtype), value.ndim, "C")
        if isinstance(value, np.ndarray)
        else numpy_support.from_dtype(value.dtype)
        for value in arguments
    )


def explain(error: Exception, line: int) -> Fault:
    """The fault that an error of Numba's compiler describes, in a sentence; `line`: where it names
    none.
    """
    text = _COLORS.sub("", str(error))
    line = _line_of(error, line)
    place = _LINE.search(text)
    if place is not None:
        line = int(place[1] or place[2])
    return Fault("type", line, f"Numba cannot compile this: {_explanation(text)}")


def _explanation(text: str) -> str:
    """What the compiler refuses, from its message."""
    for pattern, meaning in _EXPLANATIONS:
        match = re.search(pattern, text)
        if match is not None:
            return meaning.format(*map(_type, match.groups()))
    lines = [each.strip() for each in text.splitlines()]
    reasons = [each for each in lines if each and not each.startswith("Failed in")]
    reasons.append("the compiler gave no reason")
    return reasons[0][:300].rstrip(".") + "."


_NO_FUNCTION = "there is no “{}” for {}."
_EXPLANATIONS = (
    (
        r"Unsupported array index type (\w+)",
        "an index must be a whole number, not {}. Divide with //, or convert with int(...).",
    ),
    (
        r"cannot index array\(\w+, (\d)d, \w\) with (\d) indices",
        "an array with {} dimension(s) is indexed with {}.",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(\w*)[\w.]*'",
        "{2} is {0} on one way and {1} on another. Give it one type.",
    ),
    (
        r"(?s)No implementation of function Function\(<.*?(\w+)(?: at \w+)?>\)"
        r".*?>>> \w+\((.*?)\)\n",
        _NO_FUNCTION,
    ),
    (
        r"Invalid use of type\(\w+Dispatcher\(<function (\w+).*?with parameters \((.*)\)",
        _NO_FUNCTION,
    ),
)
"""Patterns of the compiler's messages, and what they mean, with the groups of the pattern."""


def _line_of(error: Exception, line: int) -> int:
    """The line of the statement that the compiler was at: its message does not always have it."""
    trace = error.__traceback__
    while trace is not None:
        for value in list(trace.tb_frame.f_locals.values()):
            place = getattr(value, "loc", None)
            if getattr(place, "filename", "") == FILE:
                line = int(getattr(place, "line", line))
        trace = trace.tb_next
    return line


def _type(text: str) -> str:
    """A type as a beginner reads it."""
    text = re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"array\((\w+), (\d)d, \w\)", r"an array of \1 with \2 dimension(s)", text)
    return text.replace("unicode_type", "a text")


def compile_loop(program: Program, kernel: str) -> Callable[..., None]:
    """A function (grid, block, *arguments) that does what a launch of the kernel does.

    Raises DialectError, with the line, where threads wait for each other. An index out of bounds is
    an IndexError.
    """
    from numba import njit

    threads = without_cuda(program, kernel, is_loop=True)
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": True}
    run_thread = njit(**options)(define(threads, kernel, None, partial(njit, **options)))

    @njit(**options)
    def run(grid: tuple[int, int, int], block: tuple[int, int, int], arguments: Any) -> None:
        for bz in range(grid[2]):
            for by in range(grid[1]):
                for bx in range(grid[0]):
                    for tz in range(block[2]):
                        for ty in range(block[1]):
                            for tx in range(block[0]):
                                run_thread(*arguments, tx, ty, tz, bx, by, bz, *block, *grid)

    def launch(grid: Dims, block: Dims, *arguments: object) -> None:
        run((*grid, 1, 1)[:3], (*block, 1, 1)[:3], arguments)

    return launch


def without_cuda(program: Program, kernel: str, *, is_loop: bool) -> Program:
    """The program in plain Python. `is_loop`: the kernel has its place as further parameters, and
    what waits for other threads is a DialectError; otherwise the types are right, and the values
    are not."""
    # The rewriter changes the nodes that it visits.
    functions = deepcopy(program.functions)
    for name, node in functions.items():
        if is_loop and name == kernel:
            node.args.args += [ast.arg(place) for place in _PLACES.values()]
        rewriter = _Rewriter(program, is_loop, name == kernel)
        node.body = [rewriter.visit(statement) for statement in node.body]
        ast.fix_missing_locations(node)
    names = program.names | {"digitlab_empty": "numpy.empty"}
    places = (
        {} if is_loop else dict.fromkeys([*_PLACES.values(), "digitlab_laneid"], Typed("int32", 1))
    )
    return replace(program, functions=functions, names=names, constants=program.constants | places)


class _Rewriter(ast.NodeTransformer):
    """Writes a thread's place as variables, and what waits for no thread as plain Python."""

    def __init__(self, program: Program, is_loop: bool, is_kernel: bool) -> None:
        self._program = program
        self._is_loop = is_loop
        self._is_kernel = is_kernel

    def visit(self, node: ast.AST) -> Any:
        # A refusal, by this program or by Numba, names the line.
        return ast.copy_location(super().visit(node), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        name = self._program.canonical(node)
        if name == "cuda.warpsize":
            return ast.Constant(32)
        if name in _PLACES or (name == "cuda.laneid" and not self._is_loop):
            return self._place(node, name)
        if name.startswith("cuda."):
            raise self._refusal(node, name)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        name = self._program.canonical(node.value.func) if isinstance(node.value, ast.Call) else ""
        if not name.startswith("cuda.atomic."):
            return self.generic_visit(node)
        assert isinstance(node.value, ast.Call)
        array, index, value, *others = (self.visit(each) for each in node.value.args)
        kind = name.removeprefix("cuda.atomic.")
        element = ast.Subscript(array, index, ast.Store())
        if kind in _CHANGES:
            return ast.AugAssign(element, _CHANGES[kind], value)
        if kind not in ("max", "min"):
            if self._is_loop:
                raise self._refusal(node, name)
            return ast.Assign([element], others[0] if others else value)
        before = ast.Subscript(deepcopy(array), deepcopy(index), ast.Load())
        call = ast.Call(ast.Name(kind, ast.Load()), [before, value], [])
        return ast.Assign([element], call)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = self._program.canonical(node.func)
        if name.startswith("cuda.atomic."):
            return self._before_change(node, name)
        count = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else 0
        if name in ("cuda.grid", "cuda.gridsize") and count in (1, 2, 3):
            axes = [self._along(node, name, axis) for axis in AXES[:count]]  # type: ignore[index]
            return axes[0] if count == 1 else ast.Tuple(axes, ast.Load())
        if name in _PLAIN and not self._is_loop:
            return _PLAIN[name](*map(self.visit, node.args))
        if name == "cuda.local.array" or (name == "cuda.shared.array" and not self._is_loop):
            node.func = ast.Name("digitlab_empty", ast.Load())
        return self.generic_visit(node)

    def _before_change(self, node: ast.Call, name: str) -> ast.AST:
        """The element that an atomic operation changes, as its value has the same type."""
        if self._is_loop:
            raise self._refusal(node, name)
        array, index, *_ = (self.visit(each) for each in node.args)
        return ast.Subscript(array, index, ast.Load())

    def _along(self, node: ast.AST, name: str, axis: str) -> ast.expr:
        """cuda.grid or cuda.gridsize along an axis."""
        size = self._place(node, f"cuda.blockDim.{axis}")
        blocks = self._place(
            node, f"cuda.{'blockIdx' if name == 'cuda.grid' else 'gridDim'}.{axis}"
        )
        found: ast.expr = ast.BinOp(blocks, ast.Mult(), size)
        if name == "cuda.grid":
            found = ast.BinOp(found, ast.Add(), self._place(node, f"cuda.threadIdx.{axis}"))
        return found

    def _place(self, node: ast.AST, name: str) -> ast.Name:
        if self._is_loop and not self._is_kernel:
            raise self._refusal(node, name)
        return ast.Name(_PLACES.get(name, "digitlab_laneid"), ast.Load())

    def _refusal(self, node: ast.AST, name: str) -> DialectError:
        return DialectError(
            getattr(node, "lineno", 0),
            f"{name} cannot be compiled for the processor: it is interpreted there.",
        )
