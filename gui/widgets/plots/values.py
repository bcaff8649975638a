"""The values of a plot: in words for screen readers, as a table, and of the point under the pointer."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF
from PySide6.QtWidgets import QWidget

from gui.text import number

NEAR = 24  # pixels

Points = tuple[str, np.ndarray, np.ndarray]
"""The name, x and y of a series."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("Plot", text)


def in_words(series: Sequence[Points]) -> str:
    """The series in words, and how to get their values."""
    template = _tr("{name}: {first} at {start}, {last} at {end}; between {low} and {high}.")
    texts = [
        template.format(
            name=name, start=number(x[0], 3), first=number(y[0]), end=number(x[-1], 3), last=number(y[-1]),
            low=number(np.nanmin(y)), high=number(np.nanmax(y)),
        )
        for name, x, y in series
    ]  # fmt: skip
    return " ".join([*texts, _tr("Return shows the values as a table.")])


def show_table(parent: QWidget, plot: str, x_title: str, series: Sequence[Points]) -> None:
    """Show the values of the series as a table in a dialog. plot: the name of the plot."""
    from gui.widgets.dialogs import Dialog
    from gui.widgets.tables import Column, RecordModel, RecordTable

    title = _tr("{plot}: values").format(plot=plot)
    dialog = Dialog(parent, title, "plotTableDialog")
    columns: list[Column[Any]] = [
        Column(_tr("Curve"), "", lambda row: row[0]),
        Column("x", x_title, lambda row: number(row[1], 4), is_number=True),
        Column("y", plot, lambda row: number(row[2]), is_number=True),
    ]
    model = RecordModel(columns, dialog)
    rows = [(name, float(x), float(y)) for name, xs, ys in series for x, y in zip(xs, ys, strict=True)]
    model.show_records(rows)
    dialog.show_parts((RecordTable(model, "plotTable", title), 1), size=(420, 480))
    dialog.show()


def nearest_point_text(item: Any, drawn: Sequence[Points], position: QPointF) -> str:
    """Name, x and y of the point of `drawn` nearest to `position`, in the scene of `item`, a plot item of pyqtgraph.

    Empty if none is within NEAR.
    """
    best = float(NEAR)
    text = ""
    box = item.vb
    at = box.mapSceneToView(position)
    width, height = box.viewPixelSize()
    log_y, log_x = (item.getAxis(side).logMode for side in ("left", "bottom"))
    for name, x, y in drawn:
        distances = np.hypot((x - at.x()) / width, (y - at.y()) / height)
        index = int(np.nanargmin(distances)) if np.isfinite(distances).any() else -1
        if index >= 0 and distances[index] < best:
            best = float(distances[index])
            values = (10.0 ** x[index] if log_x else x[index], 10.0 ** y[index] if log_y else y[index])
            text = "; ".join(number(float(value)) for value in values)
            text = f"{name}: {text}" if name else text
    return text
