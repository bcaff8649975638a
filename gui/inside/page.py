"""The interface between the Inside tab and its views."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.data.dataset import Dataset
from core.inference.model_file import Model

if TYPE_CHECKING:
    from core.inspection.inspector import Inspector


@dataclass(frozen=True, slots=True)
class InspectedInput:
    """What the views show. `input`: (*input shape), uint8 image or float32 point; None for an empty canvas.

    `answer`: the label or target of a test example; None for a drawing. `dataset`: fits the model; None if not read.
    `kept`: (epoch, parameters) of the model's run, as far as they are kept. `training`: whether it still learns;
    `diverged`: whether its run ended because the loss was not finite.
    """

    model: Model
    input: np.ndarray | None
    answer: Any
    dataset: Dataset | None
    kept: tuple[tuple[int, np.ndarray], ...] = ()
    training: bool = False
    diverged: bool = False


# Runs in a background thread. The second argument is to be called now and then; it raises Cancelled.
Computation = Callable[["Inspector", Callable[[], None]], Any]


class Page(QWidget):
    """A view. The tab calls `computation` when the subject has changed, and `show_result` with what it returned."""

    recompute = Signal()  # a control of the page was changed
    slow = Signal(object)  # a Computation that takes long; `show_slow` is called with its result

    needs_input: ClassVar[bool] = True
    needs_dataset: ClassVar[bool] = False
    needs_image: ClassVar[bool] = False
    """Whether it needs a network that classifies images."""

    snapshot_milliseconds: ClassVar[int] = 500
    """While a network learns, its newest parameters are shown this often. A drawing is followed at once."""

    def __init__(self, name: str, title: str, explanation: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.title, self.explanation = title, explanation
        self.setAccessibleName(title)

    @property
    def wants_dataset(self) -> bool:
        """Whether the page would show more with a data set."""
        return self.needs_dataset

    def computation(self, subject: InspectedInput) -> Computation:
        """What to compute for the subject; called in the window's thread."""
        raise NotImplementedError

    def show_result(self, subject: InspectedInput, result: Any) -> None:
        """Show what the computation returned."""
        raise NotImplementedError

    def show_slow(self, result: Any) -> None:
        """Show what a slow computation returned."""
