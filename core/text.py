"""Numbers as texts for people, texts of people as numbers, and texts of files that are safe to show
on one line.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

# Control characters and line breaks could move the cursor of a terminal, marks of direction could
# reorder or hide text, and half of a character of UTF-16 cannot be written.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English template and its values. The window translates it and the sentences among its
    values, and writes numbers as its language does. `count`, if it is among the values, is the
    number that the form of the words follows.
    """

    template: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        values = dict(self.values)
        for name, value in values.items():
            if type(value) is int:
                values[name] = f"{value:,}"
        return self.template.format(**values)


def printable(text: str) -> str:
    """`text` on one line, with a question mark for each character that is not to be printed."""
    return _UNPRINTABLE.sub("?", " ".join(text.splitlines()))


def counted(count: int, noun: str) -> str:
    """`1 writer` and `1,200 writers`, for messages of the command line.

    >>> counted(1, "lab"), counted(0, "lab")
    ('1 lab', '0 labs')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def format_bytes(count: float) -> str:
    """`count` bytes in decimal units with three digits, for example `1.5 GB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        # From 999.5 on, three digits would be written as 1e+03.
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"


def format_probability(value: float, decimals: int = 1) -> str:
    """`98.1 %` for 0.9812. No answer is certain: what would round to 100 % is a lower limit.

    >>> format_probability(0.99997)
    '> 99.9 %'
    """
    highest = 100 - 10.0**-decimals
    if 100 * value >= highest + 0.5 * 10.0**-decimals:
        return f"> {highest:.{decimals}f} %"
    return f"{100 * value:.{decimals}f} %"


def format_percent(share: float, decimals: int = 2) -> str:
    """`90.67 %` for 0.90667, as the window writes it."""
    return f"{100 * share:.{decimals}f} %"


def format_r2(score: float) -> str:
    """R² with four decimals; a network that has diverged gets one that is short only with an
    exponent.
    """
    return f"R² {score:.4f}" if abs(score) < 1e4 else f"R² {score:.3e}"


def parse_integer(text: str) -> int:
    """The whole number in the text. Raises ValueError for any but ASCII digits, and for 1_000,
    which `int` reads.
    """
    return int(_plain(text))


def parse_number(text: str) -> float:
    """The number in the text. Raises ValueError as `parse_integer` does."""
    return float(_plain(text))


def _plain(text: str) -> str:
    if not text.isascii() or "_" in text:
        raise ValueError(f"no plain number: {text[:40]}")
    return text
