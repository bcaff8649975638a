"""Arithmetic with Numba's types on NumPy scalars and arrays.

Numba's rules, as its type inference resolves them: two numbers of integer types give int64 (uint64
if both are unsigned); a float32 with an integer type of at most 16 bits or a bool gives float32,
with others float64; a constant is an int64 or a float64. All integers wrap around.
"""

import ast
import math
from collections.abc import Callable, Sequence
from functools import cache, partial, reduce
from typing import Any

import numpy as np

Value = Any
"""A NumPy scalar, the same for all threads, or an array with one element a thread."""


class OperandError(Exception):
    """An operation that Numba has not for these types."""


@cache
def arithmetic_type(left: np.dtype, right: np.dtype) -> np.dtype:
    """The type in which +, -, *, //, % of numbers of these types are computed."""
    if left.kind != "f" and right.kind != "f":
        return np.dtype(np.uint64 if left.kind == right.kind == "u" else np.int64)
    return np.result_type(left, right)


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.remainder,
    ast.Pow: np.power,
    ast.LShift: np.left_shift,
    ast.RShift: np.right_shift,
    ast.BitAnd: np.bitwise_and,
    ast.BitOr: np.bitwise_or,
    ast.BitXor: np.bitwise_xor,
}
BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor)
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
OPERATORS = tuple(_BINARY)


def binary(operation: type[ast.operator], left: Value, right: Value) -> Value:
    """left (operation) right. Raises OperandError for bits of a floating-point number."""
    kind = arithmetic_type(left.dtype, right.dtype)
    if operation is ast.Div:
        if kind.kind != "f":
            kind = np.dtype(np.float64)
    elif operation is ast.Pow:
        if kind.kind == "f" and right.dtype.kind != "f":
            kind = left.dtype  # a float raised to a whole power keeps its type
        # NumPy refuses a negative exponent of a whole number.
        elif kind.kind == "i" and np.any(right < 0):
            return np.where(
                right < 0, 0, np.power(left.astype(kind), np.maximum(right, 0).astype(kind))
            )
    elif operation in BITWISE or operation in (ast.LShift, ast.RShift):
        if kind.kind == "f":
            raise OperandError("bits of a floating-point number: convert it with int(...)")
        if left.dtype.kind == right.dtype.kind == "b" and operation in BITWISE:
            kind = left.dtype
        elif operation in (ast.LShift, ast.RShift):
            kind = np.dtype(np.uint64 if left.dtype.kind == "u" else np.int64)
    return _BINARY[operation](left.astype(kind, copy=False), right.astype(kind, copy=False))


def negative(value: Value) -> Value:
    return np.negative(value.astype(arithmetic_type(value.dtype, value.dtype), copy=False))


def invert(value: Value) -> Value:
    if value.dtype.kind == "f":
        raise OperandError("~ of a floating-point number: it needs a whole number")
    return np.invert(
        value
        if value.dtype.kind == "b"
        else value.astype(arithmetic_type(value.dtype, value.dtype))
    )


def cast(value: Value, kind: np.dtype) -> Value:
    """The value in another type. A floating-point number that does not fit becomes what PTX's
    cvt.rzi makes of it.

    That is the nearest number of the type. NaN becomes 0; from float64 or to 64 bits it becomes the
    smallest signed number, or the middle of the unsigned ones.
    """
    if value.dtype.kind != "f" or kind.kind not in "iu":
        return value.astype(kind, copy=False)
    # Numba converts to 8 bits by 16, and cuts off.
    wide = np.dtype(f"{kind.kind}{max(kind.itemsize, 2)}")
    limits = np.iinfo(wide)
    whole = np.trunc(value.astype(np.float64, copy=False))
    low = whole <= float(limits.min)
    high = whole >= float(limits.max)
    no_number = np.isnan(whole)
    middle = 0
    if value.dtype.itemsize == 8 or wide.itemsize == 8:
        middle = limits.max // 2 + 1 if wide.kind == "u" else limits.min
    found = np.where(low | high | no_number, 0, whole).astype(wide)
    found = np.where(low, wide.type(limits.min), np.where(high, wide.type(limits.max), found))
    found = np.where(no_number, wide.type(middle), found).astype(kind)
    return found if np.ndim(value) else found[()]


def largest(*values: Value) -> Value:
    """`max` as Numba compiles it: of two floating-point numbers PTX's max, which prefers a number
    to NaN.
    """
    return _extreme("max", np.fmax, np.greater, values)


def smallest(*values: Value) -> Value:
    """`min` as Numba compiles it, as `largest`."""
    return _extreme("min", np.fmin, np.less, values)


def _extreme(name: str, of_floats: np.ufunc, is_better: np.ufunc, values: Sequence[Value]) -> Value:
    _refuse_truth(name, values)
    kinds = [value.dtype for value in values]
    if len(values) == 2 and all(kind.kind == "f" for kind in kinds):
        common = np.result_type(*kinds)
        return of_floats(*(value.astype(common, copy=False) for value in values))
    return reduce(lambda best, value: select(is_better(value, best), value, best), values)


def _refuse_truth(name: str, values: Sequence[Value]) -> None:
    if any(value.dtype.kind == "b" for value in values):
        raise OperandError(f"{name} of a truth value, which Numba has not: write 1 if ... else 0")


def multiply_add(a: Value, b: Value, c: Value) -> Value:
    """a * b + c, rounded once where the numbers are float32."""
    kind = np.result_type(a.dtype, b.dtype, c.dtype)
    if kind == np.float32:
        # The product of two float32 is exact in float64.
        a, b, c = (each.astype(np.float64) for each in (a, b, c))
        return (a * b + c).astype(np.float32)
    return binary(ast.Add, binary(ast.Mult, a, b), c)


def truth(value: Value) -> Value:
    """As `if` sees it."""
    return value if value.dtype.kind == "b" else value != 0


def select(condition: Value, yes: Value, no: Value) -> Value:
    """`yes` where the condition holds, in the type that both fit into."""
    kind = np.result_type(yes.dtype, no.dtype)
    return np.where(condition, yes.astype(kind, copy=False), no.astype(kind, copy=False))


def popcount(value: Value) -> Value:
    bits = value if value.dtype.kind in "iu" else value.astype(np.int8)
    return np.bitwise_count(bits.view(f"u{bits.dtype.itemsize}")).astype(bits.dtype)


def _bits(value: Value) -> Value:
    """A whole number without sign, of as many bits."""
    return value.view(f"u{value.dtype.itemsize}")


def leading_zeros(value: Value) -> Value:
    """`cuda.clz`: how many bits are 0 above the highest one, in the type of the number."""
    bits = _bits(value)
    width = 8 * bits.dtype.itemsize
    for shift in (1, 2, 4, 8, 16, 32):
        if shift < width:
            bits = bits | np.right_shift(bits, bits.dtype.type(shift))
    return (width - np.bitwise_count(bits)).astype(value.dtype)


def first_bit(value: Value) -> Value:
    """`cuda.ffs`: the place of the lowest bit that is 1, counted from 1, or 0; uint32."""
    bits = _bits(value)
    lowest = bits & (~bits + bits.dtype.type(1))
    return np.where(bits == 0, 0, np.bitwise_count(lowest - bits.dtype.type(1)) + 1).astype(
        np.uint32
    )


def reversed_bits(value: Value) -> Value:
    """`cuda.brev`: the bits in reverse order; uint32, or uint64 for a number of 64 bits."""
    kind = np.dtype(np.uint64 if value.dtype.itemsize == 8 else np.uint32)
    octets = np.ascontiguousarray(_bits(value).astype(kind).reshape(-1, 1)).view(np.uint8)
    found = np.packbits(np.unpackbits(octets, axis=1, bitorder="little"), axis=1).copy()
    return found.view(kind.newbyteorder(">")).astype(kind).reshape(value.shape)


@cache
def _function(name: str) -> Callable[..., Any]:
    # NumPy has none of these, and Python's raise where a card gives infinity or NaN.
    if name in ("erf", "erfc", "gamma", "lgamma"):
        scalar = getattr(math, name)

        def safe(value: float) -> float:
            try:
                return float(scalar(value))
            except OverflowError:
                return math.inf
            except ValueError:
                if name == "lgamma":
                    return math.inf
                return math.copysign(math.inf, value) if value == 0 else math.nan

        return np.vectorize(safe, otypes=[np.float64])
    found: Callable[..., Any] = getattr(np, name)
    return found


def _math_type(name: str, kinds: list[np.dtype]) -> np.dtype:
    """The type of `math.name`: float32 where one argument is and no other is wider, else
    float64.
    """
    are_short = [kind.kind != "f" and kind.itemsize <= 2 for kind in kinds]
    if name in ("pow", "fmod", "copysign") and all(are_short):
        return np.dtype(np.float32)
    if name == "pow" and kinds[1].kind != "f":
        # Numba has a power of a float32 and an int32; numbers that fit into these are converted.
        is_narrow = are_short[1] or kinds[1] == np.int32
        is_single = kinds[0] == np.float32 or are_short[0]
        return np.dtype(np.float32 if is_narrow and is_single else np.float64)
    kind = np.result_type(*kinds)
    return kind if kind.kind == "f" else np.dtype(np.float64)


def call_math(name: str, *arguments: Value) -> Value:
    """`math.name` of the arguments."""
    kind = _math_type(name, [value.dtype for value in arguments])
    found = _function(name)(*(value.astype(kind, copy=False) for value in arguments))
    found = np.asarray(found)
    found = found if found.dtype.kind == "b" else found.astype(kind, copy=False)
    return found if found.ndim else found[()]


def to_integer(value: Value) -> Value:
    """`int` of a number."""
    return value if value.dtype.kind in "iu" else cast(value, np.dtype(np.int64))


def to_float(value: Value) -> Value:
    """`float` of a number."""
    _refuse_truth("float", [value])
    return value if value.dtype.kind == "f" else value.astype(np.float64)


def magnitude(value: Value) -> Value:
    """`abs` of a number."""
    return value.astype(np.int8) if value.dtype.kind == "b" else np.abs(value)


def rounded(value: Value) -> Value:
    """`round` of a number: half to even, int64."""
    return cast(np.rint(value.astype(np.float64)), np.dtype(np.int64))


def negated(value: Value) -> Value:
    """`not` of a number."""
    return np.logical_not(truth(value))


def divided(left: Value, right: Value) -> tuple[Value, Value]:
    """`divmod` of two numbers."""
    return binary(ast.FloorDiv, left, right), binary(ast.Mod, left, right)


def chosen(condition: Value, yes: Value, no: Value) -> Value:
    """`cuda.selp`."""
    return select(truth(condition), yes, no)


UNARY: dict[type[ast.unaryop], Callable[[Value], Value]] = {
    ast.USub: negative,
    ast.Invert: invert,
    ast.Not: negated,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": magnitude,
    "bool": truth,
    "divmod": divided,
    "float": to_float,
    "int": to_integer,
    "max": largest,
    "min": smallest,
    "pow": partial(binary, ast.Pow),
    "round": rounded,
    "cuda.selp": chosen,
    "cuda.popc": popcount,
    "cuda.fma": multiply_add,
    "cuda.brev": reversed_bits,
    "cuda.clz": leading_zeros,
    "cuda.ffs": first_bit,
}
"""Functions of numbers that a kernel may call, but casts and those of math."""
