"""What a kernel must compute: functions in NumPy of a text that may come from a stranger
(docs/workshop.md).

Syntax, names and attributes are checked against lists before the text runs, and it runs in a
process with limits.
"""

import ast
import importlib
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.reasons import refusing
from core.workshop.checker.dialect import MATH, all_nodes, nearest, nodes_of, parse_python
from core.workshop.checker.trace import Sizes
from core.workshop.sizes import evaluate, split

MAX_CHARACTERS = 20_000
_NUMPY = (
    "abs add all any arange arccos arcsin arctan arctan2 argmax argmin argsort array array_equal "
    "asarray atleast_1d atleast_2d bincount bool_ broadcast_to ceil clip column_stack concatenate "
    "convolve copysign correlate cos cosh count_nonzero cumprod cumsum diag diff divide dot e "
    "empty equal exp expand_dims expm1 eye flip float32 float64 floor floor_divide full full_like "
    "greater hypot identity inf int8 int16 int32 int64 uint8 uint16 uint32 uint64 isfinite isinf "
    "isnan less linspace log log10 log1p log2 logical_and logical_not logical_or matmul max "
    "maximum mean median meshgrid min minimum mod moveaxis multiply nan negative newaxis nonzero "
    "not_equal ones ones_like outer pad pi power prod ravel reciprocal repeat reshape roll rot90 "
    "round sign sin sinh sort split sqrt square squeeze stack std subtract sum swapaxes take tan "
    "tanh tensordot tile trace transpose tril triu trunc unique vstack hstack where zeros "
    "zeros_like einsum inner kron vdot left_shift right_shift bitwise_and bitwise_or bitwise_xor "
    "searchsorted"
)
_METHODS = (
    "T all any argmax argmin astype clip copy cumsum diagonal dot dtype flatten max mean min ndim "
    "prod ravel repeat reshape shape size sort sum swapaxes transpose at"
)
_NUMPY_NAMES = frozenset(_NUMPY.split(" "))
_METHOD_NAMES = frozenset(_METHODS.split(" "))
_MATH_NAMES = frozenset(
    (*MATH, "pi", "e", "tau", "inf", "nan", "gcd", "isqrt", "dist", "fsum", "isclose", "sumprod")
)
"""Those that make no whole numbers without end, as math.factorial does."""
_UFUNCS = frozenset(("add", "subtract", "multiply", "maximum", "minimum"))
_BUILTINS = {
    each.__name__: each
    for each in (abs, bool, enumerate, float, int, len, max, min, range, round, sum, tuple, zip)
}
_SYNTAX = (
    "Module FunctionDef arguments arg Return Assign AugAssign For If Pass Expr BoolOp BinOp "
    "UnaryOp IfExp Compare Call Constant Attribute Subscript Name List Tuple Slice ListComp "
    "comprehension keyword Starred Import ImportFrom alias operator unaryop cmpop boolop "
    "expr_context Break Continue"
)
_NODES = tuple(vars(ast)[name] for name in _SYNTAX.split(" "))


_ANY_ORDER = "any_order"
"""The name of a text in a reference: arrays whose elements may have any order, `out[:count[0]],
pairs`.
"""
_FREE = re.compile(r"(?P<name>[A-Za-z_]\w*)(\[:(?P<length>.+)\])?")


def reference_of(expect: str, names: Iterable[str]) -> str:
    """The text of a reference.py for `out = a + 10; sorted(list[:count[0]]) = a[a > 0]`. Raises
    InputError.

    `names`: of arguments and sizes.
    """
    known = set(names)
    functions = []
    free = []
    for part in expect.split(";"):
        if not part.strip():
            continue
        sorted_part = re.match(r"\s*sorted\((?P<array>[^=]*)\)\s*=(?!=)", part)
        if sorted_part is not None:
            array = sorted_part["array"].strip()
            free.append(array)
            part = f"{array.partition('[')[0]} = {part[sorted_part.end() :]}"
        match _parse(part.strip(), known).body:
            case [ast.Assign(targets=[ast.Name(id=name), *_], value=value)]:
                used = {each.id for each in nodes_of(ast.Name, value)} & known
            case _:
                raise InputError("expect “{part}” cannot be read: write “out = a + 10”.", part=part)
        # The text of the expression; `ast.unparse` would fail where it is nested deeply.
        text = ast.get_source_segment(part.strip(), value)
        functions.append(f"def {name}({', '.join(sorted(used))}):\n    return ({text})\n")
    if free:
        functions.insert(0, f"{_ANY_ORDER} = {', '.join(free)!r}\n")
    return "\n".join(functions)


def free_parts(reference: str) -> dict[str, str]:
    """The arrays whose elements may have any order, and how many of them count: an expression, or
    empty for all.

    Raises InputError.
    """
    found: dict[str, str] = {}
    if _ANY_ORDER not in reference:  # parsing takes longer than comparing the results of a shape
        return found
    for node in _parse(reference).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))) if (
                name == _ANY_ORDER
            ):
                pass
            case _:
                continue
        for part in split(text):
            match_of_part = _FREE.fullmatch(part)
            if match_of_part is None:
                raise InputError(
                    "{name} “{part}” cannot be read: write “out” or “out[:count[0]]”.",
                    name=_ANY_ORDER,
                    part=part,
                )
            found[match_of_part["name"]] = (match_of_part["length"] or "").strip()
    return found


def free_lengths(
    reference: str, sizes: Sizes, expected: Mapping[str, np.ndarray]
) -> dict[str, int]:
    """How many elements of the arrays count whose elements may have any order. `expected`: what was
    computed.

    Raises InputError where an expression of sizes and of expected elements cannot be computed.
    """
    lengths = {}
    for name, text in free_parts(reference).items():
        if name not in expected or expected[name].ndim != 1:
            raise InputError(
                "{any_order} “{name}” is no array of one dimension that a function computes.",
                any_order=_ANY_ORDER,
                name=name,
            )
        known = {**sizes}
        for element in re.finditer(r"([A-Za-z_]\w*)\[(\d+)\]", text):
            array = expected.get(element[1])
            if array is None or array.ndim != 1 or int(element[2]) >= len(array):
                raise InputError(
                    "“{text}”: the reference computes no {name}.", text=text, name=element[0]
                )
            known[f"{element[1]}_{element[2]}"] = int(array[int(element[2])])
        plain = re.sub(r"([A-Za-z_]\w*)\[(\d+)\]", r"\1_\2", text)
        length = evaluate(plain, known) if plain else len(expected[name])
        lengths[name] = min(max(length, 0), len(expected[name]))
    return lengths


def outputs_of(
    reference: str, arguments: Iterable[str], sizes: Iterable[str] = ()
) -> dict[str, bool]:
    """The arguments that the reference computes; whether their old values are used by any of its
    functions.

    `sizes`: names that its functions may take, too.

    Raises InputError for a reference that is no Python, computes nothing or uses what is not
    allowed.
    """
    return dict(_outputs(reference, tuple(arguments), tuple(sizes)))


@lru_cache(maxsize=16)
def _outputs(reference: str, known: tuple[str, ...], sizes: tuple[str, ...]) -> dict[str, bool]:
    """`outputs_of`: many kernels are checked with one reference."""
    functions = [node for node in _parse(reference).body if isinstance(node, ast.FunctionDef)]
    outputs = [node for node in functions if node.name in known]
    used = {argument.arg for node in outputs for argument in node.args.args}
    found = {node.name: node.name in used for node in outputs}
    if not found:
        raise InputError(
            "reference: no function has the name of an argument ({names}): the array that a "
            "function computes gives it its name.",
            names=list(known),
        )
    for node in outputs:
        unknown = [each.arg for each in node.args.args if each.arg not in (*known, *sizes)]
        if unknown:
            raise InputError(
                "reference, line {line}: “{name}” is no argument of the kernel and no size "
                "({names}).",
                line=node.lineno,
                name=unknown[0],
                names=[*known, *sizes],
            )
    return found


def _parse(text: str, known: Iterable[str] = ()) -> ast.Module:
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            "The reference is too long: at most {most:,} characters are read.", most=MAX_CHARACTERS
        )
    with refusing(
        "The reference is no Python ({reason}): write functions with NumPy.",
        (SyntaxError, ValueError, RecursionError, MemoryError),
    ):
        tree = parse_python(text)
    _check(tree, set(known))
    return tree


def _check(tree: ast.Module, stored: set[str]) -> None:
    """Raise InputError for syntax, names and attributes that are not on the lists; `stored`:
    further names.
    """
    nodes = [node for node in all_nodes(tree) if not isinstance(node, ast.expr_context)]
    for node in nodes:
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.arg(arg=name)
            ):
                stored.add(name)
    for node in nodes:
        _check_node(node, stored)


def _check_node(node: ast.AST, stored: set[str]) -> None:
    line = getattr(node, "lineno", 1)
    match node:
        case ast.FunctionDef(decorator_list=[_, *_]):
            raise _not_allowed(line, node)
        case ast.ImportFrom():
            raise _other_import(line)
        case ast.Import(names=names) if not {each.name for each in names} <= {"numpy", "math"}:
            raise _other_import(line)
        case ast.Attribute():
            _check_attribute(node, line)
        case ast.Name(id="np" | "math", ctx=ast.Load()):
            pass
        case ast.Name(id=name) if name.startswith("__") or name in ("np", "math"):
            raise InputError(
                "reference, line {line}: the name “{name}” is not allowed.", line=line, name=name
            )
        case ast.Name(id=name) if name not in stored and name not in _BUILTINS:
            raise _unknown(line, name, [*stored, *_BUILTINS])
        case _ if not isinstance(node, _NODES):
            raise _not_allowed(line, node)


def _not_allowed(line: int, node: ast.AST) -> InputError:
    return InputError(
        "reference, line {line}: {what} is not allowed: use functions, for, if and NumPy.",
        line=line,
        what=type(node).__name__,
    )


def _other_import(line: int) -> InputError:
    return InputError(
        "reference, line {line}: only “import numpy as np” and “import math” are allowed.",
        line=line,
    )


def _check_attribute(node: ast.Attribute, line: int) -> None:
    match node.value:
        case ast.Name(id="np"):
            if node.attr not in _NUMPY_NAMES:
                raise _unknown(line, f"np.{node.attr}", [f"np.{name}" for name in _NUMPY_NAMES])
        case ast.Name(id="math"):
            if node.attr not in _MATH_NAMES:
                raise _unknown(line, f"math.{node.attr}", [f"math.{name}" for name in _MATH_NAMES])
        case ast.Attribute(attr=name) if node.attr == "at" and name in _UFUNCS:
            pass
        case _ if node.attr == "at":
            raise _unknown(line, ".at", ["np.add.at"])
        case _ if node.attr not in _METHOD_NAMES:
            raise _unknown(line, f".{node.attr}", [f".{name}" for name in _METHOD_NAMES])


def _unknown(line: int, name: str, known: Iterable[str]) -> InputError:
    near = nearest(name, known)
    hint = f"{near}?" if near else ": docs/workshop.md lists what it may use."
    return InputError(
        "reference, line {line}: “{name}” is not allowed{hint}", line=line, name=name, hint=hint
    )


def compute(reference: str, values: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The arrays that the kernel must compute, in their types and shapes, from the arguments before
    the launch.

    Raises InputError where a function fails or returns another shape.
    """
    code, functions = _compiled(reference)
    # NumPy imports parts of itself at their first use, through the frame that calls; no text can
    # name `__import__`. Not the builtin: PySide replaces it by one that ends the process where the
    # frame has not all builtins.
    builtins = {**_BUILTINS, "__import__": importlib.__import__}
    space: dict[str, Any] = {"__builtins__": builtins, "np": np, "math": math}
    # Each function gets the values before the launch: none may change those of another.
    wide = {name: _wide(value) for name, value in values.items()}
    found = {}
    free = free_parts(reference)
    with np.errstate(all="ignore"):
        try:
            exec(code, space)
        except Exception as error:
            raise _failed("reference.py", error) from None
        for name, parameters in functions:
            if name not in values:
                continue
            target = values[name]
            given = {each: wide[each] for each in parameters}
            try:
                result = np.asarray(space[name](**given))
                if result.dtype.kind not in "biuf":
                    raise TypeError("it returns no numbers")
                if name in free and result.ndim == 1 and len(result) < len(target):
                    result = np.pad(result, (0, len(target) - len(result)))
                # Into the kernel's type at last: sums in 32 bits would be no reference.
                found[name] = np.broadcast_to(result, np.shape(target)).astype(target.dtype)
            except Exception as error:
                raise _failed(name, error) from None
    return found


@lru_cache(maxsize=16)
def _compiled(reference: str) -> tuple[CodeType, list[tuple[str, list[str]]]]:
    """Its code, and its functions with their parameters."""
    tree = _parse(reference)
    # The names are given to it; importing would need the real builtins.
    tree.body = [node for node in tree.body if not isinstance(node, ast.Import)]
    functions = [
        (node.name, [each.arg for each in node.args.args])
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    ]
    try:
        return compile(tree, "reference.py", "exec"), functions
    except Exception as error:
        raise _failed("reference.py", error) from None


def _wide(value: Any) -> Any:
    """A copy in which the reference computes: float64, int64 or bool; numbers as Python's."""
    if not isinstance(value, np.ndarray):
        return value.item()
    return value.astype({"f": np.float64, "b": np.bool_}.get(value.dtype.kind, np.int64))


def _failed(name: str, error: Exception) -> InputError:
    reason = str(error) or type(error).__name__
    return InputError(
        "The reference of {name} cannot be computed ({reason}).", name=name, reason=reason
    )
