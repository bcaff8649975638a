"""Finds the point of a plot's curves that is under the mouse pointer."""

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF

from gui.text import number

NEAR = 24  # pixels


def nearest_point_text(plot: Any, position: QPointF) -> str:
    """Name, x and y of the point nearest to `position`, in the scene of a PlotItem; empty if none is within NEAR."""
    best, text = float(NEAR), ""
    at, (width, height) = plot.vb.mapSceneToView(position), plot.vb.viewPixelSize()
    for item in plot.listDataItems():
        x, y = item.getData()  # as drawn: logarithms on a logarithmic axis
        if not item.isVisible() or x is None or not len(x):
            continue
        distances = np.hypot((x - at.x()) / width, (y - at.y()) / height)
        index = int(np.nanargmin(distances)) if np.isfinite(distances).any() else -1
        if index >= 0 and distances[index] < best:
            best = float(distances[index])
            log_x, log_y = (plot.getAxis(side).logMode for side in ("bottom", "left"))
            values = (10.0 ** x[index] if log_x else x[index], 10.0 ** y[index] if log_y else y[index])
            name = item.name()
            text = ", ".join(number(float(value)) for value in values)
            text = f"{name}: {text}" if name else text
    return text
