"""The widgets of the parts of a lab, a module for each kind of block, found by the kind."""

from core.labs.blocks.block import Part
from gui.labs.blocks.part import PartWidget
from kernels.discovery import classes_in

WIDGETS: dict[type[Part], type[PartWidget]] = {
    widget.block: widget
    for widget in classes_in(__name__, __path__, PartWidget)
    if "block" in vars(widget)
}


def widget_class(part: Part) -> type[PartWidget] | None:
    """The widget for the part; None for one that only sets something."""
    # Also by a base class: the kinds of text share one widget.
    return next((WIDGETS[kind] for kind in type(part).__mro__ if kind in WIDGETS), None)
