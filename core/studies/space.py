"""What a study varies: lists of values and ranges of numbers, for one setting each."""

from dataclasses import dataclass
from math import exp, log
from typing import Any

from core.errors import InputError
from core.training.run_settings import BY_NAME

Value = str | int | float | bool
MAX_VALUES = 1000
MAX_LIMIT = 1e15
_RANGE_KEYS = {"from", "to", "log", "count"}


@dataclass(frozen=True, slots=True)
class Values:
    """A list of values, each of which is one that the setting allows."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """All numbers from `low` to `high`; `logarithmic`: each factor is equally likely, as for learning rates."""

    low: float
    high: float
    logarithmic: bool
    whole: bool


Variation = Values | Range


def parse_variation(name: str, given: Any) -> Variation:
    """The variation of the setting `name` (or `data`), as a TOML file gives it.

    A list of values; or a table with `from` and `to`, with `log = true` for a logarithmic range, and with `count` for
    so many evenly spaced values of it. Raises InputError for anything else.
    """
    if isinstance(given, list) and 1 <= len(given) <= MAX_VALUES:
        return _checked(name, given)
    if isinstance(given, dict) and {"from", "to"} <= given.keys() <= _RANGE_KEYS:
        return _parse_range(name, given)
    raise InputError(
        "vary.{name}: give a list of 1 to {most} values, or a range such as {{ from = 0.001, to = 0.1, log = true }}.",
        name=name, most=MAX_VALUES,
    )  # fmt: skip


def _parse_range(name: str, given: dict[str, Any]) -> Variation:
    kind = BY_NAME[name].kind if name in BY_NAME else "text"
    low, high, count = given["from"], given["to"], given.get("count")
    logarithmic = given.get("log", False)
    numbers = all(type(number) in (int, float) and abs(number) <= MAX_LIMIT for number in (low, high))
    if kind not in ("integer", "number") or not numbers or type(logarithmic) is not bool:
        raise InputError(
            "vary.{name}: a range needs a setting that is a number, and limits of at most {most:g}.",
            name=name, most=MAX_LIMIT,
        )  # fmt: skip
    if not low < high or (logarithmic and low <= 0):
        raise InputError(
            "vary.{name}: from {low} to {high} is no range: `from` must be less than `to`, and more than 0 with `log`.",
            name=name, low=low, high=high,
        )  # fmt: skip
    whole = kind == "integer"
    _checked(name, [low, high])
    if count is None:
        return Range(low, high, logarithmic, whole)
    if type(count) is not int or not 2 <= count <= MAX_VALUES:
        raise InputError("vary.{name}: count must be 2 to {most}.", name=name, most=MAX_VALUES)
    parts = [index / (count - 1) for index in range(count)]
    if logarithmic:
        values = [exp(log(low) + (log(high) - log(low)) * part) for part in parts]
    else:
        values = [low + (high - low) * part for part in parts]
    rounded = [round(value) if whole else float(f"{value:.6g}") for value in values]
    return _checked(name, list(dict.fromkeys(rounded)))


def _checked(name: str, values: list[Any]) -> Values:
    """The values as the setting converts them. Raises InputError for one that it does not allow."""
    if name == "data":
        return Values(tuple(str(value) for value in values))
    setting = BY_NAME[name]
    checked = [setting.check(value) for value in values]
    if None in checked:
        raise InputError("vary.{name}: leave the setting out instead of giving no value.", name=name)
    return Values(tuple(dict.fromkeys(checked)))
