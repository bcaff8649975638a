"""Finds the parts of the window by their object names."""

from typing import Any

from PySide6.QtWidgets import QWidget


def part(window: QWidget, name: str) -> Any:
    """The widget with this object name. Raises LookupError if there is none."""
    found = window.findChild(QWidget, name)
    if found is None:
        raise LookupError(f"the window has no part {name}")
    return found
