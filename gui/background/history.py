"""What is known of the past of a network: its parameters after each epoch, and its data."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.inference.model_file import Model, fits
from core.inspection.health import starting_parameters
from core.progress import Progress
from core.runs.folder import kept_of
from core.runs.plan import RunContext
from core.training.records import EpochDone, Finished, KeptParameters, Record

Moment = tuple[str, np.ndarray]
"""Name and parameters."""


@dataclass(frozen=True, slots=True)
class Inspected:
    """A model with its past. `dataset`: fits it; None if not read. `kept`: (epoch, parameters) of
    its run. `training`: whether it still learns; `diverged`: whether its loss was not finite at the
    end.
    """

    model: Model
    dataset: Dataset | None
    kept: tuple[tuple[int, np.ndarray], ...]
    training: bool = False
    diverged: bool = False


class RunHistory:
    """Keeps the parameters of the present run after each epoch.

    source: returns the name of the chosen data set, or an empty text.
    """

    def __init__(self, dataset_cache: DatasetCache, source: Callable[[], str]) -> None:
        self._dataset_cache = dataset_cache
        self._source = source
        self._dataset: Dataset | None = None
        self._settings: dict[str, Any] = {}
        self._kept = KeptParameters()
        self._training = False
        self._diverged = False
        # The last model of another run, and what the folder of that keeps.
        self._opened: tuple[Model, tuple[tuple[int, np.ndarray], ...]] | None = None

    def start_run(self, context: RunContext) -> None:
        self._dataset = context.dataset
        self._settings = context.plan.settings.as_dict()
        self._kept = KeptParameters()
        self._training = True
        self._diverged = False

    def add_records(self, records: list[Record]) -> None:
        for record in records:
            if isinstance(record, EpochDone):
                self._kept.add(record.epoch, record.checkpoint.parameters)
            elif isinstance(record, Finished):
                self._diverged = record.reason == "diverged"

    def end_run(self) -> None:
        self._training = False

    def remember(self) -> Callable[[], None]:
        """A function that knows again what is known now."""
        dataset = self._dataset
        settings = self._settings
        kept = self._kept
        diverged = self._diverged

        def put_back() -> None:
            self._dataset = dataset
            self._settings = settings
            self._kept = kept
            self._diverged = diverged

        return put_back

    def inspect(self, model: Model, dataset: Dataset | None = None) -> Inspected:
        """The model with what is known of it. dataset: what it is tested on, if that is known."""
        candidates = (dataset, self._dataset, self._dataset_cache.get_if_loaded(self._source()))
        fitting = next((data for data in candidates if data and fits(model, data)), None)
        of_run = model.run_settings == self._settings
        if not of_run and (self._opened is None or self._opened[0] is not model):
            self._opened = model, kept_of(model)
        kept = self._opened[1] if not of_run and self._opened else self._kept.epochs
        return Inspected(
            model,
            fitting,
            kept,
            training=of_run and self._training,
            diverged=of_run and self._diverged,
        )

    def reader(self, inspected: Inspected) -> Callable[[Progress], Inspected]:
        """A function for any thread that reads the chosen data where those of the model are not
        known, and returns the model with them if they fit.
        """
        source = self._source()

        def read(progress: Progress) -> Inspected:
            if inspected.dataset is not None or not source:
                return inspected
            dataset = self._dataset_cache.get(source, progress)
            return replace(inspected, dataset=dataset if fits(inspected.model, dataset) else None)

        return read


def start_name() -> str:
    return QCoreApplication.translate("History", "at the start")


def moments_of(inspected: Inspected) -> list[Moment]:
    """All moments that are known, in order; the last one has the model's own parameters."""
    start = starting_parameters(inspected.model)
    moments = [] if start is None else [(start_name(), start)]
    text = QCoreApplication.translate("History", "epoch {n}")
    moments += [(text.format(n=epoch), array) for epoch, array in inspected.kept]
    # In a replay the model has the parameters of one of the moments.
    now = inspected.model.parameters
    known = any(array is now for _, array in moments) or (
        start is not None and np.array_equal(start, now)
    )
    if not known and not (inspected.kept and np.array_equal(inspected.kept[-1][1], now)):
        moments.append((QCoreApplication.translate("History", "now"), now))
    return moments
