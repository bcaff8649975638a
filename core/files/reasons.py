"""Why a file could not be read or written, in words for the user: the one place that knows the
texts of Python.
"""

import csv
import errno
import json
import pickle
import re
import socket
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.errors import InputError, limited

READ_ERRORS = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    OSError,
    EOFError,
    RuntimeError,
    MemoryError,
    SyntaxError,
    csv.Error,
    pickle.PickleError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What the standard library and NumPy raise for files that are damaged, whatever is in them."""
_DAMAGED = "it is damaged"
# Texts of Python's own ValueErrors, and what they mean.
_TEXTS = (
    (
        re.compile(r"Exceeds the limit \(.*\) for integer string conversion"),
        "a number has too many digits",
    ),
    (re.compile(r"could not convert string to float: (.*)"), r"\1 is no number"),
    (re.compile(r"invalid literal for int\(\) with base 10: (.*)"), r"\1 is no whole number"),
    (re.compile(r"embedded null (byte|character).*"), "its name holds a character of code 0"),
    (re.compile(r"cannot convert float (NaN|infinity) to integer.*"), "a number is not finite"),
)


def reason_of(error: BaseException) -> str:
    """Why reading or writing failed, in words that stand in brackets in a message.

    The text of a ValueError, OSError or RuntimeError is kept, as those of the program say what is
    wrong; for what only Python or NumPy raise there are words here.

    >>> reason_of(KeyError("labels"))
    '“labels” is missing'
    """
    for kind, words in _WORDS:
        if isinstance(error, kind):
            return words if isinstance(words, str) else words(error)
    return _DAMAGED


@contextmanager
def refusing(
    template: str, kinds: tuple[type[Exception], ...] | type[Exception] = READ_ERRORS, **values: Any
) -> Iterator[None]:
    """Raise an error of these kinds in the block as an InputError with its reason."""
    try:
        yield
    except InputError:  # it says what is wrong already
        raise
    except kinds as error:
        raise InputError(template, reason=reason_of(error), **values) from None


def is_too_long(error: BaseException) -> bool:
    """Whether a file could not be found or written because of the length of its name or path."""
    return isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG


def _own_words(error: Exception) -> str:
    """The error's own text; other words where Python or NumPy have written it."""
    text = " ".join(str(error).split())
    for pattern, words in _TEXTS:
        if found := pattern.match(text):
            return str(limited(found.expand(words)))
    return str(limited(text)) or _DAMAGED


def _missing(error: KeyError) -> str:
    return f"“{limited(str(error.args[0]))}” is missing" if error.args else _DAMAGED


def _of_system(error: OSError) -> str:
    """In the system's words, where it has some."""
    return "its name is too long" if is_too_long(error) else error.strerror or _own_words(error)


def _of_python(error: SyntaxError) -> str:
    return f"line {error.lineno}: {error.msg}" if error.lineno else _DAMAGED


def _of_json(error: json.JSONDecodeError) -> str:
    return f"line {error.lineno} is not JSON"


# The first that an error is of; words, or a function of the error.
_WORDS: tuple[tuple[type[BaseException], str | Callable[[Any], str]], ...] = (
    (RecursionError, "it is nested too deeply"),
    (NotImplementedError, "it is packed in a way that is not read"),
    (UnicodeError, "it is not UTF-8 text"),
    (MemoryError, "there is not enough memory for it"),
    (EOFError, "it ends too early"),
    (socket.gaierror, "the server is not found: is there a network connection"),
    (socket.herror, "the server is not found: is there a network connection"),
    (ModuleNotFoundError, "a part of the program is missing"),
    (zipfile.BadZipFile, "the zip file is damaged"),
    (json.JSONDecodeError, _of_json),
    (KeyError, _missing),
    (OSError, _of_system),
    (SyntaxError, _of_python),
    (TypeError, "it is of another form"),
    (AttributeError, "it is of another form"),
    (InputError, str),
    (ValueError, _own_words),
    (RuntimeError, _own_words),
)
