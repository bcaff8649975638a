"""Reads a Python file with kernels: which functions, constants and names of it the checker knows.

The file is parsed, never executed. Imports of numba, math and numpy, constants and functions with
`@cuda.jit` are kept; everything else is ignored, and a kernel that uses it is refused.
"""

import ast
import operator
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeVar

import numpy as np

MAX_CHARACTERS = 100_000
_TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 bool_"
TYPES = tuple(_TYPES.split(" "))
_TYPE_NAMES = {
    "boolean": "bool_",
    "intp": "int64",
    "uintp": "uint64",
    "bool8": "bool_",
    "intc": "int32",
}
AXES = ("x", "y", "z")
VALUES = (
    *(
        f"cuda.{name}.{axis}"
        for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")
        for axis in AXES
    ),
    "cuda.laneid", "cuda.warpsize",
    "math.pi", "math.e", "math.inf", "math.nan", "numpy.pi", "numpy.inf", "numpy.nan",
)  # fmt: skip
"""Names with a value."""
ATOMICS = ("add", "sub", "max", "min", "and_", "or_", "xor", "exch", "inc", "dec", "cas")
_MATH = (
    "acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees erf erfc exp expm1 fabs "
    "floor fmod gamma hypot isfinite isinf isnan lgamma log log10 log1p log2 pow radians sin sinh "
    "sqrt tan tanh trunc"
)
MATH = tuple(_MATH.split(" "))
_OF_TWO = ("atan2", "copysign", "fmod", "hypot", "pow")
_COUNTS = {
    (0, 0): "cuda.syncthreads cuda.activemask cuda.cg.this_grid",
    (0, 1): "cuda.syncwarp",
    (1, 1): "abs bool float int len round cuda.grid cuda.gridsize cuda.syncthreads_and "
    "cuda.syncthreads_count cuda.syncthreads_or cuda.popc cuda.brev cuda.clz cuda.ffs",
    (1, 2): "enumerate",
    (1, 3): "range",
    (2, 2): "divmod pow cuda.shared.array cuda.local.array cuda.all_sync cuda.any_sync "
    "cuda.ballot_sync cuda.eq_sync",
    (2, 8): "max min zip",
    (3, 3): "cuda.selp cuda.fma cuda.shfl_sync cuda.shfl_up_sync cuda.shfl_down_sync "
    "cuda.shfl_xor_sync",
}
FUNCTIONS: dict[str, tuple[int, int]] = {
    **{name: counts for counts, names in _COUNTS.items() for name in names.split(" ")},
    **{f"cuda.atomic.{name}": (4, 4) if name == "cas" else (3, 3) for name in ATOMICS},
    **dict.fromkeys((f"math.{name}" for name in MATH), (1, 1)),
    **dict.fromkeys((f"math.{name}" for name in _OF_TWO), (2, 2)),
    **dict.fromkeys(TYPES, (1, 1)),
}
"""Functions that a kernel may call, with the least and the most number of arguments."""
_REASONS = {
    "cuda.threadfence": "fences are not covered: let each block write elements of its own",
    "cuda.threadfence_block": "fences are not covered: use cuda.syncthreads()",
    "cuda.threadfence_system": "fences are not covered",
    "cuda.cg": "of cooperative groups only cuda.cg.this_grid().sync() is covered",
    "cuda.wmma": "tensor cores are not covered: multiply element by element",
    "cuda.device_array": "memory is allocated by the host: give the kernel an array",
    "cuda.const": "constant memory is not covered: give the kernel an array",
    "cuda.atomic.compare_and_swap": "use cuda.atomic.cas(array, index, old, value)",
    "cuda.match_any_sync": "the lanes with an equal value are not covered: use cuda.ballot_sync "
    "for each value",
    "cuda.match_all_sync": "the lanes with an equal value are not covered: use cuda.ballot_sync "
    "for each value",
    "cuda.grid_sync": "write cuda.cg.this_grid().sync()",
    "cuda.random": "random numbers are not covered: give the kernel an array of them",
    "cuda.cluster": "clusters of blocks are not covered",
    "cuda.atomic.nanmax": "it leaves out NaN, which cuda.atomic.max does not",
    "cuda.atomic.nanmin": "it leaves out NaN, which cuda.atomic.min does not",
    "cuda.nanosleep": "waiting for other threads is not covered",
    "print": "a kernel that prints is not checked: remove it",
    "numpy.zeros": "a kernel makes arrays with cuda.shared.array or cuda.local.array",
    "numpy.empty": "a kernel makes arrays with cuda.shared.array or cuda.local.array",
    "open": "a kernel cannot use files",
    "sum": "write a loop",
    "sorted": "write a loop",
}
OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
"""Of constants, and of sizes in the texts of a launch."""
_BITS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
"""Of constants: “WIDTH = 1 << 4”, with whole numbers."""
# The packages whose types and functions a kernel may name.
COMPILERS = ("numba_cuda_mlir", "numba_cuda", "numba")
_MODULES = (*COMPILERS, "numba.cuda", "numba.cuda.random", "math", "numpy")
_DECORATORS = ("cuda.jit",)
_LINE_END = re.compile(r"\r\n|\n|\r")
# Control characters, and separators that end a line for some programs and not for Python.
_NOT_SHOWN = re.compile("[^\\n\\r\\t -~\u00a0-\u2027\u202a-\U0010ffff]")
_Node = TypeVar("_Node", bound=ast.AST)


class DialectError(Exception):
    """The file has something that the checker does not cover, at `line`. `kind`: of the fault that
    it becomes.
    """

    def __init__(self, line: int, text: str, kind: str = "unsupported") -> None:
        super().__init__(text)
        self.line = line
        self.text = text
        self.kind = kind


def nodes_of(kind: type[_Node], tree: ast.AST) -> Iterator[_Node]:
    """All nodes of this kind in a syntax tree."""
    return (node for node in all_nodes(tree) if isinstance(node, kind))


def all_nodes(tree: ast.AST) -> list[ast.AST]:
    """A syntax tree's nodes in the order of `ast.walk`, which takes three times as long."""
    found = [tree]
    for node in found:  # grows meanwhile
        for value in vars(node).values():
            match value:
                case ast.AST():
                    found.append(value)
                case list():
                    found += [each for each in value if isinstance(each, ast.AST)]
    return found


def parse_python(text: str, mode: str = "exec") -> Any:
    """The syntax tree of the text, without the warnings that Python would print."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        return ast.parse(text, mode=mode)


def lines_of(source: str) -> list[str]:
    """The lines of a file as Python numbers them; `str.splitlines` ends lines at further
    characters.
    """
    return _LINE_END.split(source)


def functions_of(module: ast.Module) -> dict[str, ast.FunctionDef]:
    """The functions that a file defines, by name."""
    return {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}


def root_of(node: ast.AST) -> ast.AST:
    """What the attributes of `a.b.c` begin with: `a`, which may be another expression than a
    name.
    """
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def elements_of(node: ast.expr) -> list[ast.expr]:
    """The parts of a tuple; any other expression is one part."""
    match node:
        case ast.Tuple(elts=elements):
            return elements
    return [node]


def decorator_arguments(node: ast.FunctionDef) -> tuple[list[ast.expr], list[ast.keyword]]:
    """What the first decorator of a function is called with; nothing where it is not called."""
    match node.decorator_list[0]:
        case ast.Call(args=arguments, keywords=keywords):
            return arguments, keywords
    return [], []


@dataclass(slots=True)
class Program:
    """What a file gives to a kernel. `names`: what imports call by which name; `ignored`: other
    names, by line.

    `others`: the lines of statements that Python would run, and the checker does not.
    """

    source: str
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    kernels: list[str] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, int] = field(default_factory=dict)
    others: list[int] = field(default_factory=list)

    def canonical(self, node: ast.AST) -> str:
        """The dotted name as FUNCTIONS and VALUES write it, whatever the file imported it as; empty
        for no name.
        """
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        unknown = "numpy" if node.id == "np" else node.id  # `check_imported` names it
        name = ".".join([self.names.get(node.id, unknown), *parts])
        for module in COMPILERS:
            name = name.removeprefix(f"{module}.")
        last = name.rpartition(".")[2]
        last = _TYPE_NAMES.get(last, last)
        if last in TYPES and name.partition(".")[0] in (
            "numpy",
            "types",
            last,
            "cuda",
            *_TYPE_NAMES,
        ):
            return last
        return name

    def check_imported(self, node: ast.expr) -> None:
        """Raise DialectError where a name of a module was not imported."""
        match root_of(node):
            case ast.Name(id=name) if name not in self.names:
                if name in FUNCTIONS and name not in TYPES:
                    return
            case _:
                return
        where = f"import {name}"
        if name == "np":
            where = "import numpy as np"
        elif name == "cuda" or name in TYPES or name in _TYPE_NAMES:
            where = f"from numba import {name}"
        text = f"The name {name} is not known: write “{where}” at the top of the file."
        raise DialectError(node.lineno, text, "type")

    def fold(self, node: ast.AST) -> Any:
        """The value of an expression of constants: a number, a tuple or the name of a type; None
        where it is none.
        """
        match node:
            case ast.Constant(value=int() | float() as value):
                return value
            case ast.Name(id=name) if name in self.constants:
                return self.constants[name]
            case ast.Name() | ast.Attribute():
                name = self.canonical(node)
                if name not in TYPES:
                    return None
                self.check_imported(node)
                return name
            case ast.Tuple(elts=parts):
                values = [self.fold(part) for part in parts]
                return None if None in values else tuple(values)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self.fold(operand)
                return -value if _is_number(value) else None
            case ast.BinOp():
                left = self.fold(node.left)
                right = self.fold(node.right)
                return (
                    _folded(node.op, left, right)
                    if _is_number(left) and _is_number(right)
                    else None
                )
            case ast.Call(func=function, args=[argument], keywords=[]):
                value = self.fold(argument)
                name = self.canonical(function)
                if name not in TYPES or not (_is_number(value) or type(value) is bool):
                    return None
                self.check_imported(function)
                return Typed(name, value)
        return None


@dataclass(frozen=True, slots=True)
class Typed:
    """A constant with a type: `HALF = float32(0.5)`."""

    type: str
    value: float

    def number(self) -> np.generic:
        """As NumPy has it."""
        return np.dtype(self.type.rstrip("_")).type(self.value)


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def _folded(operation: ast.operator, left: Any, right: Any) -> Any:
    # A power of two short numbers can have millions of digits.
    if isinstance(operation, ast.Pow) and not (abs(left) <= 1024 and 0 <= right <= 60):
        return None
    if type(operation) in _BITS:
        if type(left) is not int or type(right) is not int:
            return None
        is_shift = type(operation) in (ast.LShift, ast.RShift)
        return None if is_shift and not 0 <= right < 63 else _BITS[type(operation)](left, right)
    try:
        value = OPERATORS[type(operation)](left, right)
    except (KeyError, ZeroDivisionError, OverflowError):
        return None
    return value if abs(value) < 1e300 else None


def read_program(source: str) -> Program:
    """What the file defines. Raises DialectError where it is no Python."""
    if len(source) > MAX_CHARACTERS:
        raise DialectError(
            0, f"The file is too long: at most {MAX_CHARACTERS:,} characters are read."
        )
    hidden = _NOT_SHOWN.search(source)
    if hidden is not None:
        line = len(lines_of(source[: hidden.start()]))
        text = (
            f"The line has the character U+{ord(hidden[0]):04X}, which most editors do not show: "
            "remove it."
        )
        raise DialectError(line, text)
    try:
        tree = parse_python(source)
    except SyntaxError as error:
        raise DialectError(
            error.lineno or 0, f"This is no Python: {error.msg}.", "syntax"
        ) from None
    except ValueError as error:
        raise DialectError(0, f"This is no Python: {error}.", "syntax") from None
    except (RecursionError, MemoryError):
        raise DialectError(
            0, "The file is nested too deeply: write the expression in several lines."
        ) from None
    program = Program(source)
    for node in tree.body:
        _read_statement(program, node)
        if _does_more(program, node):
            program.others.append(node.lineno)
    return program


def _does_more(program: Program, node: ast.stmt) -> bool:
    """Whether a statement of the file does more than import, and define functions and constants."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return False
        case ast.Assign(value=value) | ast.AnnAssign(value=value):
            return value is not None and program.fold(value) is None and _calls(value)
        case ast.FunctionDef():
            parts = [
                part for part in _iter_decorator_parts(node) if not _is_signature(program, part)
            ]
            return _calls(node.args) or any(_calls(part) for part in parts)
    return True


def _iter_decorator_parts(node: ast.FunctionDef) -> Iterator[ast.AST]:
    """The arguments of called decorators, and the other decorators."""
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(args=arguments, keywords=keywords):
                yield from arguments
                yield from keywords
            case _:
                yield decorator


def _is_signature(program: Program, node: ast.AST) -> bool:
    """Whether it calls types only, as in `float32(float32, int64)`."""
    names = [program.canonical(call.func).rpartition(".")[2] for call in nodes_of(ast.Call, node)]
    return all(name in (*TYPES, "void", "none") for name in names)


def _calls(node: ast.AST) -> bool:
    return any(nodes_of(ast.Call, node))


def _read_statement(program: Program, node: ast.stmt) -> None:
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                meaning = alias.name if alias.asname else alias.name.partition(".")[0]
                known = alias.name in _MODULES
                _read_import(program, alias.asname or meaning, meaning, known, node.lineno)
        case ast.ImportFrom(module=module, names=aliases, level=level):
            for alias in aliases:
                known = module in _MODULES and level == 0
                meaning = f"{module}.{alias.name}"
                _read_import(program, alias.asname or alias.name, meaning, known, node.lineno)
        case ast.FunctionDef():
            _read_function(program, node)
        case ast.Assign(targets=targets, value=value):
            _read_assignment(program, targets, value, node.lineno)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            _read_assignment(program, [target], value, node.lineno)
        case _:
            for part in _tried_imports(node):
                _read_statement(program, part)
            for name in stored(node):
                _set_constant(program, name, None, node.lineno)


def _tried_imports(node: ast.stmt) -> list[ast.stmt]:
    """The imports of a statement that tries them."""
    match node:
        case ast.Try(body=body):
            return [part for part in body if isinstance(part, ast.Import | ast.ImportFrom)]
    return []


def _read_import(program: Program, name: str, meaning: str, is_known: bool, line: int) -> None:
    if is_known:
        program.names[name] = meaning
    else:
        program.ignored[name] = line


def _read_function(program: Program, node: ast.FunctionDef) -> None:
    """Keep a function with the decorator @cuda.jit alone."""
    name = node.name
    decorators = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    if len(decorators) != 1 or program.canonical(decorators[0]) not in _DECORATORS:
        program.ignored[name] = node.lineno
        return
    program.check_imported(decorators[0])
    program.functions[name] = node
    _, keywords = decorator_arguments(node)
    devices = [program.fold(each.value) for each in keywords if each.arg == "device"]
    program.kernels = [other for other in program.kernels if other != name]
    if None in devices:
        del program.functions[name]
        program.ignored[name] = node.lineno
    elif not any(devices):
        program.kernels.append(name)


def _read_assignment(
    program: Program, targets: Sequence[ast.expr], value: ast.expr, line: int
) -> None:
    """Keep a constant, or several of a tuple; the names of other values are ignored."""
    folded = program.fold(value)
    for target in targets:
        names = stored(target)
        values: Sequence[object]
        match target, folded:
            case ast.Tuple(), tuple():
                values = folded
            case ast.Tuple(), _:
                values = ()
            case _:
                values = [folded]
        are_names = all(isinstance(part, ast.Name) for part in elements_of(target))
        if len(values) != len(names) or not are_names:
            values = [None] * len(names)
        for name, each in zip(names, values, strict=True):
            _set_constant(program, name, each, line)


def stored(node: ast.AST) -> list[str]:
    """The names that are assigned to."""
    return [name.id for name in nodes_of(ast.Name, node) if isinstance(name.ctx, ast.Store)]


def stores(program: Program, function: ast.FunctionDef) -> dict[str, int]:
    """The arrays that a function writes to, by the line at which each is first written."""
    found: dict[str, int] = {}
    for node in all_nodes(function):
        array = _stored_array(program, node)
        if array is not None:
            found[array.id] = min(array.lineno, found.get(array.id, array.lineno))
    return found


def _stored_array(program: Program, node: ast.AST) -> ast.Name | None:
    """The name of the array that a node writes to."""
    match node:
        case ast.Subscript(ctx=ast.Store(), value=array):
            pass
        case ast.Call(args=[array, *_]) if program.canonical(node.func).startswith("cuda.atomic."):
            pass
        case _:
            return None
    while isinstance(array, ast.Subscript):
        array = array.value
    return array if isinstance(array, ast.Name) else None


def _set_constant(program: Program, name: str, value: object, line: int) -> None:
    program.constants.pop(name, None)
    if value is None:
        program.ignored[name] = line
    else:
        program.constants[name] = value


def choose_kernel(program: Program, name: str) -> ast.FunctionDef:
    """The kernel with this name, or the only one. Raises DialectError."""
    if not program.kernels:
        raise DialectError(
            0,
            "The file has no kernel: write @cuda.jit above a function, and “from numba import "
            "cuda”.",
        )
    if not name:
        if len(program.kernels) > 1:
            raise DialectError(
                0, f"The file has several kernels: choose one of {', '.join(program.kernels)}."
            )
        name = program.kernels[0]
    if name in program.kernels:
        return program.functions[name]
    near = nearest(name, program.kernels)
    line = program.ignored.get(name, 0)
    if line:
        raise DialectError(
            line, f"“{name}” is no kernel: write @cuda.jit above it, and nothing else."
        )
    raise DialectError(
        0, f"The file has no kernel “{name}”{near or ': it has ' + ', '.join(program.kernels)}."
    )


def nearest(name: str, known: Iterable[str]) -> str:
    """`: perhaps you mean “...”`, the end of a sentence, or empty."""
    return _nearest_of(name, known, 0.6)


def _nearest_of(name: str, known: Iterable[str], least: float) -> str:
    found = get_close_matches(name, list(known), 1, least)
    return f": perhaps you mean “{found[0]}”" if found else ""


def reason(name: str) -> str:
    """Why a name is not covered, or the nearest one that is, as the end of a sentence."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        text = _REASONS.get(".".join(parts[:length]))
        if text is not None:
            return f": {text}"
    if name.startswith("numpy."):
        return (
            f": use math.{parts[-1]}"
            if parts[-1] in MATH
            else ": a kernel uses the functions of math"
        )
    return _meant(name)


def _meant(name: str) -> str:
    """How a name that is covered is written right, as the end of a sentence; empty where it may
    mean something else.
    """
    known = [*FUNCTIONS, *VALUES]
    module, _, last = name.rpartition(".")
    if name in FUNCTIONS:
        return f": call it, {name}(...)"
    if f"{name}.x" in known:
        return f": write {name}.x, .y or .z"
    if module == "cuda" and last in MATH:
        return f": use math.{last}"
    here = [each.rpartition(".")[2] for each in known if each.rpartition(".")[0] == module]
    found = [f"{last}_sync"] if f"{last}_sync" in here else get_close_matches(last, here, 1, 0.8)
    if found:
        return f": perhaps you mean “{f'{module}.{found[0]}'.lstrip('.')}”"
    return _nearest_of(name, [each for each in known if each.rpartition(".")[2] == last], 0.85)
