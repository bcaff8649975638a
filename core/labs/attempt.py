"""What a person gives at one part of a lab: a prediction, answers, attempts, a kernel; as it is
kept and handed in.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.files.json_text import JsonObject
from core.runs.plan import RunPlan
from core.text import format_percent, format_r2
from core.training.records import Epoch, Finished
from core.training.run_settings import RunSettings
from core.version import VERSION as PROGRAM_VERSION
from core.workshop.checker.trace import WARNINGS
from kernels.host import arithmetic

QUANTITIES = {
    "test_accuracy": "test_score",
    "train_accuracy": "train_score",
    "test_loss": "test_loss",
    "train_loss": "train_loss",
    "validation_loss": "validation_loss",
}
"""What a lab predicts and shows, and the field of `Epoch` that holds it. An accuracy is in percent;
where the data have targets instead of classes it is R²."""
CURVE = ("epoch", "train_loss", "train_score", "test_loss", "test_score", "validation_loss")
"""The numbers of an epoch that are kept."""
LARGEST = 1e100
"""Of all numbers; a network that diverges has larger losses for a moment."""
MAX_POINTS = 2
"""Of a kernel."""
Point = tuple[float, float]
Prediction = str | float | list[Point] | list[int]
Said = Sequence[tuple[str, Any]]
"""Names of persons with what each predicted."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A run that a person made for the part `part`. `variant`: which of the part's runs, from 0.

    `settings`: those that differ from the defaults. `epochs`: rows with the numbers of CURVE, in
    the order of the epochs; of many epochs some are left out. `score`: on the data of a task that
    names its own, else that of the last epoch. `digest`: SHA-256 of the parameters at the end, as
    little-endian float32. `arithmetic`, `program`: what computed it, as of
    `kernels.host.arithmetic`, and the version; empty in files of earlier versions.
    """

    part: str
    variant: int
    settings: JsonObject
    data: str
    device: str
    epochs: list[list[float | None]]
    score: float
    seconds: float
    parameters: int
    digest: str
    arithmetic: str = ""
    program: str = ""

    @property
    def plan(self) -> RunPlan:
        return RunPlan(RunSettings(**self.settings), self.data, self.device)

    @property
    def is_regression(self) -> bool:
        """Whether it learned targets: then its scores are R², and there are none of the training
        data.
        """
        return bool(self.epochs) and all(
            row[CURVE.index("train_score")] is None for row in self.epochs
        )

    @property
    def result(self) -> str:
        # Without epochs only a score below 0 tells that it is R².
        is_r2 = self.is_regression or self.score < 0
        return format_r2(self.score) if is_r2 else format_percent(self.score)

    @property
    def epochs_done(self) -> int:
        return int(self.epochs[-1][0] or 0) if self.epochs else 0

    @property
    def last(self) -> dict[str, float | None]:
        """The numbers of the last epoch by their names in CURVE; empty where there is no epoch."""
        return dict(zip(CURVE, self.epochs[-1], strict=True)) if self.epochs else {}

    @property
    def is_complete(self) -> bool:
        """Whether the run went as far as its settings say. One that diverged did not."""
        settings = self.plan.settings
        if self.epochs_done == settings.epochs:
            return True
        if not self.epochs:
            return False
        accuracy = settings.target_accuracy
        error = settings.target_error
        by_score = accuracy is not None and (self.last["test_score"] or 0) >= accuracy
        by_loss = error is not None and (self.last["train_loss"] or 0) <= error
        # With patience a run may end after any epoch.
        return by_score or by_loss or settings.patience is not None

    def thinned(self, most: int, needed: Iterable[int] = ()) -> "Attempt":
        """The attempt with about `most` of its epochs, evenly spaced: the first, the last, the best
        and the `needed` ones among them."""
        if len(self.epochs) <= most:
            return self
        # One fewer: the best epoch comes in addition.
        places = {*np.linspace(0, len(self.epochs) - 1, most - 1).round().astype(int).tolist()}
        scores = [row[CURVE.index("test_score")] or 0.0 for row in self.epochs]
        places.add(scores.index(max(scores)))
        wanted = {*needed}
        places |= {place for place, row in enumerate(self.epochs) if row[0] in wanted}
        return replace(self, epochs=[self.epochs[place] for place in sorted(places)])

    def values(self, quantity: str) -> list[Point]:
        """(epoch, value) of the epochs that are kept and have the quantity."""
        column = CURVE.index(QUANTITIES[quantity])
        factor = 100 if self.shown_as(quantity).endswith("accuracy") else 1
        values = ((float(row[0] or 0), row[column]) for row in self.epochs)
        return [(epoch, value * factor) for epoch, value in values if value is not None]

    def shown_as(self, quantity: str) -> str:
        """The quantity, or "r2" for an accuracy where it is R²."""
        return "r2" if self.is_regression and quantity.endswith("accuracy") else quantity


@dataclass(frozen=True, slots=True)
class KernelAnswer:
    """The best kernel that a person checked, of several equally good ones the last.

    `faults`: kinds that the check found, with warnings; never trusted when it is marked: the kernel
    is checked again.
    """

    source: str
    faults: list[str]

    @property
    def points(self) -> int:
        """0: with faults; 1: right, but a count is worse than the par; 2: right."""
        # A warning says how a kernel could be better, not that it is wrong.
        if any(kind not in WARNINGS for kind in self.faults):
            return 0
        return 1 if "par" in self.faults else MAX_POINTS

    @property
    def is_solved(self) -> bool:
        return self.points == MAX_POINTS

    @property
    def result(self) -> str:
        if self.points == 0:
            return f"wrong: {', '.join(self.faults)}"
        return "right, par missed" if self.points == 1 else "right"


@dataclass(frozen=True, slots=True)
class Given:
    """What a person gave at one part. `tries`: answers to a question, the first one first."""

    prediction: Prediction | None = None
    tries: Sequence[str] = ()
    attempts: Sequence[Attempt] = ()
    kernel: KernelAnswer | None = None

    @property
    def points(self) -> list[Point]:
        """The curve that was drawn; empty for another prediction."""
        return [*self.prediction] if isinstance(self.prediction, list) else []

    @property
    def variants(self) -> set[int]:
        """The variants of which there is an attempt."""
        return {attempt.variant for attempt in self.attempts}


def attempt_of(
    part: str,
    variant: int,
    plan: RunPlan,
    epochs: Sequence[Epoch],
    finished: Finished,
    score: float,
) -> Attempt:
    """The attempt that a run with these records was. `part`: its id. `score`: the one that counts
    for the part.
    """
    parameters = finished.checkpoint.parameters
    return Attempt(
        part=part,
        variant=variant,
        settings=plan.settings.changed(),
        data=plan.data,
        device=plan.device,
        epochs=[[_bounded(name, getattr(epoch, name)) for name in CURVE] for epoch in epochs],
        score=_bounded("test_score", score) or 0.0,
        seconds=finished.seconds,
        parameters=parameters.size,
        # Little-endian on each machine: the digests of two machines are compared.
        digest=hashlib.sha256(np.ascontiguousarray(parameters, dtype="<f4").tobytes()).hexdigest(),
        arithmetic=arithmetic(),
        program=PROGRAM_VERSION,
    )


def _bounded(name: str, value: float | None) -> float | None:
    """The number as it can be written: near divergence a loss may be infinite, and R² minus
    infinite.
    """
    if value is None or -LARGEST <= value <= LARGEST:
        return value
    return -LARGEST if name.endswith("score") else LARGEST
