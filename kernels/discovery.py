"""Finds the classes that the modules of a package define, so that a new one is a new file and
nothing else.
"""

import importlib
import pkgutil
from inspect import isabstract
from typing import TypeVar

T = TypeVar("T")


def classes_in(package: str, path: list[str], base: type[T]) -> tuple[type[T], ...]:
    """The classes derived from `base` in the modules of `package`, ordered by their attribute
    `order`.

    Abstract ones, which others share, are left out.
    `path` is the package's `__path__`. Every module of the package is imported.
    """
    classes: dict[str, type[T]] = {}
    for module_info in pkgutil.iter_modules(path):
        module = importlib.import_module(f"{package}.{module_info.name}")
        for value in vars(module).values():
            if (
                isinstance(value, type)
                # Not the classes that a module imports from another.
                and value.__module__ == module.__name__
                and issubclass(value, base)
            ):
                classes[value.__name__] = value
    complete = [cls for cls in classes.values() if not isabstract(cls)]
    return tuple(sorted(complete, key=lambda cls: cls.order))  # type: ignore[attr-defined]
