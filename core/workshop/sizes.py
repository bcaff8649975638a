"""Expressions of sizes, such as “(n + 7) // 8”: the texts of a launch are made of them
(docs/workshop.md, Options).
"""

import ast
import re
from functools import lru_cache
from typing import Any

from core.errors import InputError
from core.workshop.checker.dialect import OPERATORS, nodes_of, parse_python
from core.workshop.checker.trace import Sizes

_MAX_TEXT = 2000
_LARGEST = 1 << 40


def limited_text(text: str) -> str:
    """The text. Raises InputError where it is too long to be read."""
    if len(text) > _MAX_TEXT:
        raise InputError(
            "A text of {count:,} characters is too long: use at most {most:,}.",
            count=len(text),
            most=_MAX_TEXT,
        )
    return text


def split(text: str) -> list[str]:
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


def expressions(text: str, what: str) -> tuple[str, ...]:
    """The expressions between the commas. Raises InputError, with `what` in front, where one is
    none.
    """
    parts = split(limited_text(str(text)).strip())
    if len(parts) == 1 and re.fullmatch(r"\(.*,.*\)", parts[0]) and len(split(parts[0][1:-1])) > 1:
        parts = split(parts[0][1:-1])
    for part in parts:
        try:
            names_in(part)
        except InputError as error:
            raise InputError("{what}: {reason}", what=what, reason=error) from None
    return tuple(parts)


def evaluate(text: str, sizes: Sizes, *, whole: bool = True) -> Any:
    """The value of an expression of sizes: whole numbers, + - * // % / and ** with small exponents,
    min and max.

    Raises InputError for everything else, and for a value that is no whole number where `whole`.
    """
    try:
        value = _value(_parsed(text).body, text, sizes)
    except RecursionError:
        raise InputError("“{text}” is nested too deeply.", text=text) from None
    if whole and type(value) is not int:
        raise InputError("“{text}” is no whole number: divide with //.", text=text)
    return value


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.Expression:
    try:
        return parse_python(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(
            "“{text}” is no expression of sizes, as in “(n + 7) // 8”.", text=text
        ) from None


def _value(node: ast.AST, text: str, sizes: Sizes) -> Any:
    found: Any
    match node:
        # True and false are integers to a pattern of classes.
        case ast.Constant(value=int() | float() as found) if type(found) is not bool:
            pass
        case ast.Name(id=name) if name in sizes:
            found = sizes[name]
        case ast.Name(id=name):
            raise InputError(
                "“{text}”: “{name}” has no value: give it in sizes, “{name}=1,7,8”.",
                text=text,
                name=name,
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
                "“{text}” is no expression of sizes: use numbers, names of sizes, + - * // %, min "
                "and max.",
                text=text,
            )
    # At each step: a chain of products must not grow before it is refused.
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


def names_in(text: str) -> set[str]:
    """The sizes that an expression uses. Raises InputError where it is none."""
    tree = _parsed(text)
    names = {name.id for name in nodes_of(ast.Name, tree)} - {"min", "max"}
    # With any value: what is no expression of sizes is refused before sizes are known.
    evaluate(text, dict.fromkeys(names, 7), whole=False)
    return names
