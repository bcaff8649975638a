"""HTML of what a person fills in, chooses or unfolds on the page of a lab."""

import re
from collections.abc import Iterable
from html import escape

LINE = "_" * 40
"""To write on, on paper."""


def unit(quantity: str) -> str:
    return " %" if "accuracy" in quantity else ""


def words(name: str) -> str:
    """The name of a quantity or a setting as words.

    >>> words("test_accuracy")
    'test accuracy'
    """
    return name.replace("_", " ")


def plain_list(items: Iterable[str], form: str = "{}") -> str:
    """A list without marks. `form`: HTML around each item."""
    return '<ul class="plain">' + "".join(f"<li>{form.format(escape(item))}</li>" for item in items) + "</ul>"


def details(summary: str, html: str) -> str:
    """HTML behind a line that a click unfolds."""
    return f"<details><summary>{escape(summary)}</summary>\n{html}</details>"


def empty_axes(quantity: str, epochs: int, highest: float) -> str:
    """Axes to draw a curve on by hand. `highest`: 0 for an axis without numbers."""
    name = escape(words(quantity))
    lines = []
    for index in range(11):
        x = 60 + 74 * index
        y = 20 + 24 * index
        lines.append(f'<path d="M{x} 20V260M60 {y}H800" stroke="currentColor" stroke-opacity=".25"/>')
        lines.append(f'<text x="{x - 6}" y="278">{epochs * index / 10:g}</text>')
        if highest:
            lines.append(f'<text x="22" y="{y + 4}">{highest * (10 - index) / 10:g}</text>')
    lines.append(f'<text x="60" y="14">{name}</text><text x="750" y="296">epoch</text>')
    head = f'<svg viewBox="0 0 820 300" role="img" aria-label="{name} over the epochs, to draw">'
    return f"<figure>{head}{''.join(lines)}</svg></figure>"


def plain(text: str) -> str:
    """Markdown of a question on one line, without the marks of emphasis and code.

    >>> plain("Which rate *learns* `best`?")
    'Which rate learns best?'
    """
    return " ".join(re.sub(r"[*_`]+", "", text).split())
