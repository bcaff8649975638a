"""Reads the TOML texts of files that may come from strangers."""

import re
import tomllib
from typing import Any

MAX_KEY_PARTS = 5  # of a dotted key; the time of tomllib grows with their square
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')


def parse_toml(text: str) -> dict[str, Any]:
    """The table that the TOML text describes. Raises ValueError with the reason in one line.

    The caller limits the length of the text.
    """
    try:
        for line in _STRING.sub('""', text).splitlines():
            keys = re.split(r"[=\[\]{},]", line.partition("#")[0].replace(" ", "").replace("\t", ""))
            if max(key.count(".") for key in keys) >= MAX_KEY_PARTS:
                raise ValueError("a key has too many parts")
        return tomllib.loads(text)
    except (ValueError, RecursionError, MemoryError) as error:
        raise ValueError(" ".join(str(error).split())[:200] or "it is nested too deeply") from None
