"""Keeps an error in an override of a Qt method from ending the process, with Python 3.11.

Where Python calls Qt and Qt an override (`show` and `showEvent`), PySide6 keeps the override's
error until Qt returns, and raises it then. Up to Python 3.11 an error that C code has raised
(`int("x")`) is no object yet. PySide6 6.10 and 6.11 treat it as one, and the process ends without a
message. When Python code catches it, it becomes an object.
"""

from collections.abc import Callable
from functools import wraps
from types import FunctionType

from shiboken6 import Shiboken


def guard_overrides() -> None:
    """Let the overrides of all classes that are made from now on raise errors that are objects."""
    # The base of all classes of Qt.
    setattr(Shiboken.Object, "__init_subclass__", classmethod(_guard_class))  # noqa: B010


def _guard_class(cls: type) -> None:
    qt_classes = [each for each in cls.__mro__ if each.__module__.startswith("PySide6")]
    # Qt does not make the bases that are not its own.
    bases = [each for each in cls.__bases__ if not issubclass(each, Shiboken.Object)]
    for owner in (*bases, cls):
        for name, value in list(vars(owner).items()):
            is_method = type(value) is FunctionType and not name.startswith("__")
            if is_method and any(name in vars(each) for each in qt_classes):
                setattr(cls, name, _raising_objects(value))


def _raising_objects(override: Callable[..., object]) -> Callable[..., object]:
    """The override; its errors are objects."""

    @wraps(override)
    def guarded(*arguments: object, **named: object) -> object:
        try:
            return override(*arguments, **named)
        except BaseException:  # catching it makes it an object
            raise

    return guarded
