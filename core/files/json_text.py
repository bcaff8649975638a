"""The JSON of the program's files and output."""

import json
from math import isfinite
from typing import Any

JsonObject = dict[str, Any]
"""Values that JSON has, by their names."""


def json_object(content: bytes, form: str, what: str) -> JsonObject:
    """The table in a JSON file of the program, whose entry `format` is `form`.

    Raises ValueError where it is another file: “it does not `what`”.
    """
    values = json.loads(content)
    if not isinstance(values, dict) or values.get("format") != form:
        raise ValueError(f"it does not {what}")
    return values


def without_nan(value: object) -> object:
    """The value with null in place of NaN and infinity, which JSON has not."""
    match value:
        case dict():
            return {key: without_nan(item) for key, item in value.items()}
        case list() | tuple():
            return [without_nan(item) for item in value]
        case float() if not isfinite(value):
            return None
        case _:
            return value
