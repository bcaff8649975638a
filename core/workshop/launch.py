"""How a kernel is launched: arguments, grid, block and sizes, written as texts (docs/workshop.md, Options)."""

import ast
import itertools
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.errors import InputError
from core.workshop.checker.dialect import OPERATORS, nodes_of
from core.workshop.checker.dialect import TYPES as KERNEL_TYPES

TYPES = tuple(name.rstrip("_") for name in KERNEL_TYPES)
MAX_SHAPES = 64
MAX_BYTES = 256 << 20
_MAX_TEXT = 2000
_MAX_DIGITS = 9
_LARGEST = 1 << 40
_ARGUMENT = re.compile(
    r"(?P<name>[A-Za-z_]\w*)\s*(:\s*(?P<type>\w+)\s*(\[(?P<shape>[^\]]*)\])?\s*((?P<kind>[=<])\s*(?P<value>.+))?)?"
)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a kernel. `shape`: expressions, None for a number. `kind`: "=", "<" or "" for random."""

    name: str
    type: str
    shape: tuple[str, ...] | None = None
    kind: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel with its arguments, and the shapes to check it on.

    `reference`: the text of a reference.py, empty where nothing is compared. `par`: limits of counts, by the names of
    `Totals`.
    """

    kernel: str
    arguments: tuple[Argument, ...]
    grid: tuple[str, ...]
    block: tuple[str, ...]
    shapes: tuple[dict[str, int], ...]
    reference: str = ""
    par: Mapping[str, float] = field(default_factory=dict)

    def dimensions(self, sizes: Mapping[str, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Grid and block of a shape. Raises InputError where a card could not launch them."""
        grid = tuple(evaluate(text, sizes) for text in self.grid)
        block = tuple(evaluate(text, sizes) for text in self.block)
        threads = int(np.prod(block))
        if min(block) < 1 or threads > 1024 or (len(block) > 2 and block[2] > 64):
            raise InputError(
                "The block {block} has {count} threads: a card takes from 1 to 1024 (and 64 in z).",
                block=list(block),
                count=threads,
            )
        if max(grid[1:], default=0) >= 1 << 16:
            raise InputError(
                "The grid {grid} has more than 65,535 blocks along y or z, which no card takes.",
                grid=list(grid),
            )
        if min(grid) < 0 or max(grid) >= 1 << 31 or int(np.prod(grid, dtype=object)) * threads > 1 << 22:
            raise InputError("The grid {grid} is too large to check: use smaller sizes.", grid=list(grid))
        return grid, block


def parse_launch(
    kernel: str,
    args: str,
    grid: str,
    block: str,
    sizes: str = "",
    reference: str = "",
    par: Mapping[str, float] | None = None,
) -> Launch:
    """The launch that the texts describe. Raises InputError that says which text is wrong."""
    arguments = parse_arguments(args)
    dimensions = {"grid": _expressions(grid, "grid"), "block": _expressions(block, "block")}
    for name, given in dimensions.items():
        if not 1 <= len(given) <= 3:
            raise InputError(
                "{name} “{text}”: give one to three numbers, x first.", name=name, text=", ".join(given)
            )
    texts = [*dimensions["grid"], *dimensions["block"]]
    for argument in arguments:
        texts += [*(argument.shape or ()), *([argument.value] if argument.value else [])]
    used = {name for text in texts for name in _names(text)}
    used |= {argument.name for argument in arguments if not argument.type}
    shapes = (
        _parse_sizes(sizes, used) if sizes.strip() else _default_shapes(sorted(used), dimensions["block"])
    )
    launch = Launch(
        kernel, arguments, dimensions["grid"], dimensions["block"], shapes, reference, dict(par or {})
    )
    for shape in shapes:
        missing = sorted(used - shape.keys())
        if missing:
            raise InputError(
                "There is no value of {names}: give it in sizes, “{example}”.",
                names=missing,
                example=f"{missing[0]}=1,7,8",
            )
        launch.dimensions(shape)
        check_array_bytes(launch, shape)
    return launch


def parse_arguments(text: str) -> tuple[Argument, ...]:
    found: list[Argument] = []
    for part in _split(_limited(text)):
        match = _ARGUMENT.fullmatch(part)
        if match is None:
            raise InputError(
                "args “{part}” cannot be read: write “name: float32[n]”, “name: float32 = 0.5” or the name of a size.",
                part=part,
            )
        kind = match["type"] or ""
        if kind and kind not in TYPES:
            raise InputError(
                "args “{part}”: “{type}” is no type: choose one of {types}.",
                part=part,
                type=kind,
                types=TYPES,
            )
        shape = None if match["shape"] is None else _expressions(match["shape"], "args")
        if shape is not None and not 1 <= len(shape) <= 4:
            raise InputError("args “{part}”: an array has one to four dimensions.", part=part)
        if any(match["name"] == other.name for other in found):
            raise InputError("args: “{name}” is given twice.", name=match["name"])
        found.append(
            Argument(match["name"], kind, shape, match["kind"] or "", (match["value"] or "").strip())
        )
    if not found:
        raise InputError("args is empty: write the kernel's arguments, “out: float32[n], a: float32[n]”.")
    return tuple(found)


def _limited(text: str) -> str:
    if len(text) > _MAX_TEXT:
        raise InputError(
            "A text of {count:,} characters is too long: use at most {most:,}.",
            count=len(text),
            most=_MAX_TEXT,
        )
    return text


def _split(text: str) -> list[str]:
    """The parts between commas that are in no bracket."""
    parts = [""]
    depth = 0
    for character in text:
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _expressions(text: str, what: str) -> tuple[str, ...]:
    parts = _split(_limited(str(text)).strip())
    if len(parts) == 1 and re.fullmatch(r"\(.*,.*\)", parts[0]) and len(_split(parts[0][1:-1])) > 1:
        parts = _split(parts[0][1:-1])
    for part in parts:
        try:
            _names(part)
        except InputError as error:
            raise InputError("{what}: {reason}", what=what, reason=error) from None
    return tuple(parts)


def _parse_sizes(text: str, used: set[str]) -> tuple[dict[str, int], ...]:
    """`n=1,7 m=3,5`: every combination."""
    lists: dict[str, list[int]] = {}
    for part in re.split(r"[;\s]+(?=[A-Za-z_])|;", re.sub(r"\s*([=,])\s*", r"\1", _limited(text).strip())):
        name, _, values = part.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or not re.fullmatch(r"\d+(,\d+)*", values):
            raise InputError("sizes “{part}” cannot be read: write “n=1,7,8” or “n=1,7 m=3,5”.", part=part)
        if any(len(value.lstrip("0")) > _MAX_DIGITS for value in values.split(",")):
            raise InputError(
                "sizes “{part}” is too large: use at most {most} digits.", part=part, most=_MAX_DIGITS
            )
        lists[name] = [int(value) for value in values.split(",")]
    unused = sorted(lists.keys() - used)
    if unused and used:
        raise InputError("sizes: {names} appears neither in args nor in grid or block.", names=unused)
    combinations = [dict(zip(lists, values, strict=True)) for values in itertools.product(*lists.values())]
    if len(combinations) > MAX_SHAPES:
        raise InputError(
            "sizes: {count:,} combinations are too many: at most {most}.",
            count=len(combinations),
            most=MAX_SHAPES,
        )
    return tuple(combinations)


def _default_shapes(names: list[str], block: tuple[str, ...]) -> tuple[dict[str, int], ...]:
    """Less than a block, a block, one more, several blocks with a ragged edge; sizes differ from each other."""
    if not names:
        return ({},)
    try:
        side = evaluate(block[0], {})
    except InputError:
        side = 8
    values = [1, max(side - 1, 2), side, side + 1, 3 * side + 5, 4 * side, 5 * side - 1]
    return tuple(
        {name: values[(index + 2 * place) % len(values)] for place, name in enumerate(names)}
        for index in range(len(values))
    )


def evaluate(text: str, sizes: Mapping[str, int], *, whole: bool = True) -> Any:
    """The value of an expression of sizes: whole numbers, + - * // % / and ** with small exponents, min and max.

    Raises InputError for everything else, and for a value that is no whole number where `whole`.
    """
    try:
        value = _value(_parsed(text).body, text, sizes)
    except RecursionError:
        raise InputError("“{text}” is nested too deeply.", text=text) from None
    if whole and type(value) is not int:
        raise InputError("“{text}” is no whole number: divide with //.", text=text)
    return value


def _parsed(text: str) -> ast.Expression:
    try:
        return ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError("“{text}” is no expression of sizes, as in “(n + 7) // 8”.", text=text) from None


def _value(node: ast.AST, text: str, sizes: Mapping[str, int]) -> Any:
    found: Any
    match node:
        case ast.Constant(value=int() | float() as found) if type(found) is not bool:
            pass
        case ast.Name(id=name) if name in sizes:
            found = sizes[name]
        case ast.Name(id=name):
            raise InputError(
                "“{text}”: “{name}” has no value: give it in sizes, “{name}=1,7,8”.", text=text, name=name
            )
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            found = -_value(operand, text, sizes)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            found = _value(operand, text, sizes)
        case ast.BinOp() if type(node.op) in OPERATORS:
            left = _value(node.left, text, sizes)
            right = _value(node.right, text, sizes)
            _check_operands(node.op, left, right, text)
            found = OPERATORS[type(node.op)](left, right)
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, *_] as parts, keywords=[]):
            values = [_value(part, text, sizes) for part in parts]
            found = min(values) if name == "min" else max(values)
        case _:
            raise InputError(
                "“{text}” is no expression of sizes: use numbers, names of sizes, + - * // %, min and max.",
                text=text,
            )
    if abs(found) > _LARGEST:
        raise InputError("“{text}” is too large.", text=text)
    return found


def _check_operands(operation: ast.operator, left: Any, right: Any, text: str) -> None:
    """Raise InputError for a division by 0, and for a power that is too large."""
    match operation:
        case ast.Div() | ast.FloorDiv() | ast.Mod() if right == 0:
            raise InputError("“{text}” divides by 0.", text=text)
        case ast.Pow() if type(left) is not int or not 0 <= right <= 40 or abs(left) > 1 << 20:
            raise InputError("“{text}”: the power is too large.", text=text)


def _names(text: str) -> set[str]:
    """The sizes that an expression uses. Raises InputError where it is none."""
    tree = _parsed(text)
    names = {name.id for name in nodes_of(ast.Name, tree)} - {"min", "max"}
    evaluate(text, dict.fromkeys(names, 7), whole=False)
    return names


def shape_of(argument: Argument, sizes: Mapping[str, int]) -> tuple[int, ...]:
    shape = tuple(evaluate(text, sizes) for text in argument.shape or ())
    if any(side < 0 for side in shape):
        raise InputError(
            "The array {name} would have a side of {side}: change its shape or the sizes.",
            name=argument.name,
            side=min(shape),
        )
    return shape


def check_array_bytes(launch: Launch, sizes: Mapping[str, int]) -> None:
    """Raise InputError where the arrays of a shape are too large."""
    total = sum(
        int(np.prod(shape_of(argument, sizes), dtype=object)) * np.dtype(argument.type).itemsize
        for argument in launch.arguments
        if argument.shape is not None
    )
    if total > MAX_BYTES:
        raise InputError(
            "The arrays take {size:,} bytes, more than {most:,}: use smaller sizes.",
            size=total,
            most=MAX_BYTES,
        )


def make_inputs(launch: Launch, sizes: Mapping[str, int], seed: int, poisoned: set[str]) -> dict[str, Any]:
    """The arguments before the launch, by name: arrays, and numbers as NumPy scalars.

    `poisoned`: arrays that the kernel has to fill. The same seed and sizes give the same values in every process.
    """
    values: dict[str, Any] = {}
    for argument in launch.arguments:
        key = repr((argument.name, sorted(sizes.items()))).encode()
        generator = np.random.default_rng([seed, zlib.crc32(key)])
        if not argument.type:
            values[argument.name] = np.int64(sizes[argument.name])
            continue
        dtype = np.dtype(argument.type)
        shape = shape_of(argument, sizes)
        if argument.kind:
            known = {name: int(size) for name, size in sizes.items()}
            limit = evaluate(argument.value, known, whole=False)
        if argument.name in poisoned and not argument.kind and argument.shape is not None:
            array = np.full(shape, poison(dtype))
        elif argument.kind == "=":
            array = np.full(shape, limit).astype(dtype)
        elif dtype.kind == "f":
            low, high = (0.0, float(limit)) if argument.kind else (-1.0, 1.0)
            array = (high - (high - low) * generator.random(shape)).astype(dtype)
        elif dtype.kind == "b":
            array = generator.integers(0, 2, shape).astype(dtype)
        elif argument.kind:
            array = generator.integers(0, max(int(limit), 1), shape).astype(dtype)
        else:
            low, high = (-50, 50) if dtype.kind == "i" else (0, 100)
            array = generator.integers(low, high + 1, shape).astype(dtype)
        values[argument.name] = dtype.type(array) if argument.shape is None else array
    return values


def poison(dtype: np.dtype) -> Any:
    """What an output holds before the launch."""
    if dtype.kind == "f":
        return dtype.type("nan")
    return dtype.type(1) if dtype.kind == "b" else dtype.type(np.iinfo(dtype).max - 20)
