"""Reads TOML texts of files that may come from strangers, and writes values as TOML."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from core.files.reasons import READ_ERRORS, reason_of

TomlTable = dict[str, Any]
"""Values that TOML has, by their keys."""

MAX_KEY_PARTS = 5  # of a dotted key; the time of tomllib grows with their square
# A comment or a string, of one or several lines.
_TEXT = re.compile(
    r"""(?P<comment>\#[^\n]*)|"{3}(?:[^"\\]|\\.|"(?!""))*"{3,5}|'{3}(?:[^']|'(?!''))*'{3,5}"""
    r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""",
    re.DOTALL,
)


def parse_toml(text: str) -> TomlTable:
    """The table that the TOML text describes. Raises ValueError with the reason in one line.

    The caller limits the length of the text.
    """
    try:
        for line in _TEXT.sub(_blank, text).splitlines():
            keys = re.split(r"[=\[\]{},]", line.replace(" ", "").replace("\t", ""))
            if max(key.count(".") for key in keys) >= MAX_KEY_PARTS:
                raise ValueError("a key has too many parts")
        return tomllib.loads(text)
    except READ_ERRORS as error:
        raise ValueError(reason_of(error)) from None


def _blank(found: re.Match[str]) -> str:
    """Nothing for a comment; an empty string for a string."""
    return "" if found["comment"] else '""'


def toml_lines(values: Mapping[str, Any]) -> list[str]:
    """A line for each of the values that is not None."""
    return [f"{key} = {toml_value(value)}" for key, value in values.items() if value is not None]


def toml_value(value: object) -> str:
    """A text, number, flag, list or table as a TOML value on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, float):
        return repr(value)  # JSON has no infinity
    # The text of other JSON values is TOML, but for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
