"""The moments of a run at which its parameters are known: the start, the ends of epochs, now."""

import numpy as np
from PySide6.QtCore import QCoreApplication

from core.inspection.kept_parameters import starting_parameters
from gui.inside.page import InspectedInput

# Name and parameters.
Moment = tuple[str, np.ndarray]


def start_name() -> str:
    return QCoreApplication.translate("Inside", "start")


def moments_of(subject: InspectedInput) -> list[Moment]:
    """All moments that are known, in order; the last one has the subject's own parameters."""
    start = starting_parameters(subject.model)
    moments = [] if start is None else [(start_name(), start)]
    epoch_name = QCoreApplication.translate("Inside", "epoch {n}")
    moments += [(epoch_name.format(n=epoch), array) for epoch, array in subject.kept]
    if not subject.kept or not np.array_equal(subject.kept[-1][1], subject.model.parameters):
        moments.append((QCoreApplication.translate("Inside", "now"), subject.model.parameters))
    return moments
