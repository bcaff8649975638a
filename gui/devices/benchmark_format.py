"""Figures of a bench as people read them: times in their unit, ratios far below one as a fraction."""

import re
from typing import Any

from PySide6.QtCore import QCoreApplication

from gui.text import about, count, duration, number

_SECONDS = re.compile(r"\bseconds\b")
_RATIO = re.compile(r"times as fast|speed-up|\bover\b")
_SMALL = 0.1  # a ratio below this is told the other way round


def is_time(heading: str) -> bool:
    return bool(_SECONDS.search(heading))


def titled(heading: str) -> str:
    """The heading of a column whose figures say their unit themselves."""
    return _SECONDS.sub(QCoreApplication.translate("Figures", "time"), heading, count=1)


def figure(heading: str, value: Any) -> str:
    """What stands in a cell below `heading`: 0.0531 times as fast is 1/19."""
    if value is None:
        return "–"
    if isinstance(value, str | bool):
        return str(value)
    if is_time(heading):
        return duration(value)
    if is_small_ratio(heading, value):
        return f"1/{_rounded(1 / value)}"
    if isinstance(value, int):
        return count(value)
    if abs(value) >= 1e6:
        return about(round(value))
    return count(value) if abs(value) >= 1000 else number(value, 4 if abs(value) >= 0.01 else 3)


def in_words(heading: str, value: Any) -> str:
    """What a fraction means; empty where the figure speaks for itself."""
    if not is_small_ratio(heading, value):
        return ""
    return QCoreApplication.translate("Figures", "{n} times slower").format(n=_rounded(1 / value))


def is_small_ratio(heading: str, value: Any) -> bool:
    return isinstance(value, float) and 0 < value < _SMALL and bool(_RATIO.search(heading))


def _rounded(value: float) -> str:
    return number(value, 2) if value < 99.5 else count(value)
