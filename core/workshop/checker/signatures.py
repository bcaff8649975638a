"""Signatures and options of the decorator `@cuda.jit`, read from its text and never evaluated."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.workshop.checker.dialect import (
    TYPES,
    DialectError,
    Program,
    decorator_arguments,
    elements_of,
    parse_python,
)
from core.workshop.checker.frame import View
from core.workshop.checker.numeric import cast

_LETTERS = {"b": "bool_", "i": "int", "u": "uint", "f": "float"}
_NAMES = {
    **{
        f"{letter}{size}": f"{kind}{size * 8}"
        for letter, kind in _LETTERS.items()
        for size in (1, 2, 4, 8)
    },
    "b1": "bool_", "boolean": "bool_", "bool8": "bool_", "double": "float64", "float_": "float32",
    "intp": "int64", "uintp": "uint64", "int_": "int64", "uint": "uint64", "intc": "int32",
    "uintc": "uint32", "short": "int16", "ushort": "uint16", "long_": "int64", "ulong": "uint64",
    "longlong": "int64", "ulonglong": "uint64",
    "char": "int8", "uchar": "uint8", "byte": "uint8", "size_t": "uint64", "ssize_t": "int64",
}  # fmt: skip
_REFUSED = {
    "argtypes": "write the signature first, as in @cuda.jit(“void(float32[:], int64)”)",
    "restype": "write the signature first, as in @cuda.jit(“float32(float32)”, device=True)",
    "bind": "leave it out",
    "boundscheck": "the indices are not checked on a card: leave it out",
}
OTHER_STATEMENTS = "The file has other statements"
_EXAMPLE = "write it as in @cuda.jit(“void(float32[:], int64)”), or @cuda.jit alone"


@dataclass(frozen=True, slots=True)
class Type:
    """A type of a signature. `name`: of TYPES; `dimensions`: of an array, or 0; `layout`: "A" for
    any, "C" or "F".
    """

    name: str
    dimensions: int = 0
    layout: str = "A"

    def __str__(self) -> str:
        if not self.dimensions:
            return self.name
        sides = [":"] * self.dimensions
        if self.layout != "A":
            sides[-1 if self.layout == "C" else 0] = "::1"
        return f"{self.name}[{', '.join(sides)}]"

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.name.rstrip("_"))

    def fits(self, value: Any) -> bool:
        """Whether Numba takes the value for this type: an array of the same type, or a number that
        it converts.
        """
        match value:
            case View():
                return self._fits_array(value)
            case tuple() | None:
                return False
        return not self.dimensions and (value.dtype.kind != "f" or self.dtype.kind == "f")

    def _fits_array(self, value: View) -> bool:
        if (self.dtype, self.dimensions) != (value.memory.data.dtype, len(value.shape)):
            return False
        # The elements are neighbors unless an index is left before one that is given.
        left = [index is None for index in value.indices]
        is_contiguous = left == sorted(left) and (self.layout == "C" or len(left) == 1)
        return self.layout == "A" or is_contiguous


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function is compiled for. `result`: None where the signature names none."""

    parameters: tuple[Type, ...]
    result: Type | None = None

    def __str__(self) -> str:
        return f"{self.result or 'void'}({', '.join(map(str, self.parameters))})"

    @property
    def typed(self) -> str:
        """The text that Numba reads; without a result it infers one."""
        parameters = "".join(f"{each}, " for each in self.parameters)
        return f"{self.result or ''}({parameters})"

    def fits(self, values: list[Any]) -> bool:
        pairs = zip(self.parameters, values, strict=False)
        return len(self.parameters) == len(values) and all(
            kind.fits(value) for kind, value in pairs
        )

    def converted(self, values: list[Any]) -> list[Any]:
        """The values with numbers in the types of the signature."""
        pairs = zip(self.parameters, values, strict=True)
        return [value if kind.dimensions else cast(value, kind.dtype) for kind, value in pairs]


def choose(signatures: tuple[Signature, ...], values: list[Any]) -> Signature | None:
    """The signature that fits; that of the same types of numbers, if there are several. None if
    none fits.
    """
    fitting = [each for each in signatures if each.fits(values)]
    for each in fitting:
        pairs = zip(each.parameters, values, strict=True)
        if all(kind.dimensions or kind.dtype == value.dtype for kind, value in pairs):
            return each
    return fitting[0] if fitting else None


def refusal(
    name: str, line: int, signatures: tuple[Signature, ...], values: Mapping[str, Any]
) -> DialectError:
    """No signature fits the values, which have the names of the parameters."""
    given = ", ".join(f"{parameter}: {_type_of(value)}" for parameter, value in values.items())
    known = " and ".join(f"“{each}”" for each in signatures)
    text = (
        f"No matching definition: {name} is compiled for {known} only, but is given {given}. "
        "Write the types that it "
        "is given, or @cuda.jit without a signature."
    )
    return DialectError(line, text, "type")


def _type_of(value: Any) -> str:
    match value:
        case View():
            return str(Type(str(value.memory.data.dtype), len(value.shape)))
        case None:
            return "nothing"
        case tuple():
            return "a tuple"
        case _:
            return str(value.dtype)


def read_signatures(program: Program, node: ast.FunctionDef) -> tuple[Signature, ...]:
    """The signatures that the function is compiled for; empty where it is compiled for what it is
    given.

    Raises DialectError for an argument of the decorator that is none.
    """
    arguments, keywords = decorator_arguments(node)
    for keyword in keywords:
        if keyword.arg in _REFUSED:
            text = f"Numba refuses “{keyword.arg}” in @cuda.jit: {_REFUSED[keyword.arg]}."
            raise DialectError(keyword.value.lineno, text, "type")
    if not arguments:
        return ()
    given = arguments[0]
    if len(arguments) > 1:
        raise _unreadable(given.lineno, f"has {len(arguments)} arguments without a name")
    parts = given.elts if isinstance(given, ast.List) else [given]
    signatures = tuple(_signature(program, part) for part in parts)
    for each in signatures:
        if node.name in program.kernels and each.result is not None:
            text = f"A kernel returns nothing: its signature begins with void, not {each.result}."
            raise DialectError(given.lineno, text, "type")
    return signatures


def remarks_on(program: Program) -> tuple[str, ...]:
    """Sentences about what of the file the check does not consider."""
    lines: dict[str, int] = {}
    for node in program.functions.values():
        _, keywords = decorator_arguments(node)
        for keyword in keywords:
            if keyword.arg != "device":
                lines.setdefault(keyword.arg or "**", keyword.value.lineno)
    found = [
        f"The check does not consider “{name}” of @cuda.jit (line {line})."
        for name, line in lines.items()
    ]
    if program.others:
        shown = [str(line) for line in program.others[:3]]
        if len(program.others) > 3:
            shown.append("…")
        found.append(f"{OTHER_STATEMENTS}, line {', '.join(shown)}: the check does not run them.")
    return tuple(found)


def _signature(program: Program, node: ast.expr) -> Signature:
    line = node.lineno
    match node:
        case ast.Constant(value=str(text)):
            try:
                node = parse_python(text.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                raise _unreadable(line, "has a signature that is no Python") from None
    match node:
        case ast.Tuple(elts=parts):
            return Signature(tuple(_type(program, each, line) for each in parts))
        case ast.Call(func=function, args=parts, keywords=[]):
            is_void = _last(program, function) in ("void", "none")
            result = None if is_void else _type(program, function, line)
            return Signature(tuple(_type(program, each, line) for each in parts), result)
    raise _unreadable(line, "has an argument that is no signature")


def _type(program: Program, node: ast.expr, line: int) -> Type:
    if not isinstance(node, ast.Subscript):
        name = _last(program, node)
        name = _NAMES.get(name, name)
        if name not in TYPES:
            raise DialectError(
                line, f"The signature of @cuda.jit has a type that is not covered: {_EXAMPLE}."
            )
        return Type(name)
    steps = [_step(part, line) for part in elements_of(node.slice)]
    layout = "A"
    if any(steps):
        layout = "C" if steps[-1] else "F"
    return Type(_type(program, node.value, line).name, len(steps), layout)


def _step(node: ast.expr, line: int) -> bool:
    """Whether a side of an array is written “::1”, not “:”."""
    match node:
        case ast.Slice(lower=None, upper=None, step=step):
            return step is not None
    raise _unreadable(line, "has a signature with an array that has no “:” for each dimension")


def _last(program: Program, node: ast.expr) -> str:
    """The last part of a name as the file imports it."""
    return program.canonical(node).rpartition(".")[2]


def _unreadable(line: int, what: str) -> DialectError:
    return DialectError(line, f"@cuda.jit {what}: {_EXAMPLE}.", "type")
