"""Names of classes: those of the known data sets, and which texts can be one."""

import re

Classes = tuple[str, ...]
"""The names of the classes, by their numbers."""
DIGITS = tuple("0123456789")

_MAX_LENGTH = 255  # characters; those of a folder's name

# Line breaks and other control characters; half of a character of UTF-16, which stands for a byte
# that is not UTF-8.
_REFUSED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def is_name(text: str) -> bool:
    """Whether `text` can stand as a name in a model file and in a line of output."""
    return bool(text.strip()) and _REFUSED.search(text) is None


def is_class_name(text: object) -> bool:
    """Whether `text` can name a class, in a model file and as a folder."""
    return isinstance(text, str) and len(text) <= _MAX_LENGTH and is_name(text)
