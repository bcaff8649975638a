"""Numbers of the benchmark tables for people: times with their unit, small ratios as fractions."""

import re
from collections.abc import Sequence
from math import floor, log10
from typing import Any

from PySide6.QtCore import QCoreApplication

from gui.text import about, common_unit, count, duration, fixed, in_unit, number

_SECONDS = re.compile(r"\bseconds\b")
_RATIO = re.compile(r"times as fast|speed-up|\bover\b")
_SMALL_RATIO = 0.1
_MOST_DECIMALS = 6


def is_time(heading: str) -> bool:
    return bool(_SECONDS.search(heading))


def time_heading(heading: str) -> str:
    """The heading without the unit of time, which the cells contain."""
    return _SECONDS.sub(QCoreApplication.translate("Figures", "time"), heading, count=1)


def is_small_ratio(heading: str, value: Any) -> bool:
    return isinstance(value, float) and 0 < value < _SMALL_RATIO and bool(_RATIO.search(heading))


def format_cells(heading: str, values: Sequence[Any]) -> list[str]:
    """The cells of a column: times have one unit, other numbers the same decimals in the whole column."""
    if is_time(heading):
        numbers = [value for value in values if isinstance(value, int | float)]
        unit = common_unit(numbers)
        return [in_unit(value, unit) if isinstance(value, int | float) else format_cell(heading, value)
                for value in values]  # fmt: skip
    ratios = [value for value in values if isinstance(value, float) and value > 0]
    if ratios and _RATIO.search(heading) and max(ratios) < 1 and min(ratios) < _SMALL_RATIO:
        return [f"1/{_rounded(1 / value)}" if isinstance(value, float) and value > 0 else format_cell(heading, value)
                for value in values]  # fmt: skip
    is_ratio = bool(_RATIO.search(heading))
    if ratios and max(ratios) >= 1e6:
        return [_in_prefix(value, min(ratios)) if isinstance(value, float) else format_cell(heading, value)
                for value in values]  # fmt: skip
    if len(ratios) < (1 if is_ratio else 2) or max(ratios) >= 1000:
        return [format_cell(heading, value) for value in values]
    decimals = _decimals(ratios, 3 if is_ratio else 4)
    return [
        fixed(value, decimals) if isinstance(value, float) else format_cell(heading, value)
        for value in values
    ]


def _in_prefix(value: float, least: float) -> str:
    """`value` in a column with a prefix for all numbers: that of the least of them."""
    prefix, size = next(((name, size) for name, size in (("G", 1e9), ("M", 1e6)) if least >= size), ("", 1.0))
    scaled = value / size
    return f"{number(scaled, 3) if abs(scaled) < 999.5 else count(scaled)} {prefix}".rstrip()


def _decimals(values: Sequence[float], digits: int) -> int:
    """The decimals with which the largest value has this many digits, and the smallest at least two."""
    needed = max(digits - 1 - floor(log10(max(values))), 1 - floor(log10(min(values))))
    return min(max(needed, 0), _MOST_DECIMALS)


def format_cell(heading: str, value: Any) -> str:
    """The text of one cell: 12.3 ms, 1,234, 51.8 M."""
    if value is None:
        return "–"
    if isinstance(value, str | bool):
        return str(value)
    if is_time(heading):
        return duration(value)
    if isinstance(value, int):
        return count(value)
    if abs(value) >= 1e6:
        return about(round(value))
    return count(value) if abs(value) >= 1000 else number(value, 4 if abs(value) >= 0.01 else 3)


def describe_ratio(heading: str, value: Any) -> str:
    """`19 times slower` for a small ratio, else an empty text."""
    if not is_small_ratio(heading, value):
        return ""
    return QCoreApplication.translate("Figures", "{n} times slower").format(n=_rounded(1 / value))


def _rounded(value: float) -> str:
    return number(value, 2) if value < 99.5 else count(value)
