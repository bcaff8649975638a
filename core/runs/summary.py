"""What a list of runs shows of a run's history: the last and the best epoch, and a short curve."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

Row = dict[str, float | None]
CURVE_POINTS = 24


@dataclass(frozen=True, slots=True)
class Summary:
    """`best_epoch`: by validation loss, or by test score where there is no validation split; scores of the test split.

    `curve`: losses of at most CURVE_POINTS epochs, evenly spaced: validation, or test where there is no validation.
    """

    epoch: int
    step: int
    seconds: float
    train_loss: float
    test_loss: float
    test_score: float
    validation_loss: float | None
    best_epoch: int
    best_score: float
    curve: tuple[float, ...]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Summary | None":
        """The summary of a history; None if it has no epoch."""
        if not rows:
            return None
        best, last = best_row(rows), rows[-1]
        name = "test_loss" if last["validation_loss"] is None else "validation_loss"
        every = max(1, -(-len(rows) // CURVE_POINTS))
        points = [*rows[:-1:every], last]
        return cls(
            epoch=int(last["epoch"] or 0),
            step=int(last["step"] or 0),
            seconds=last["seconds"] or 0.0,
            train_loss=_number(last["train_loss"]),
            test_loss=_number(last["test_loss"]),
            test_score=_number(last["test_score"]),
            validation_loss=last["validation_loss"],
            best_epoch=int(best["epoch"] or 0),
            best_score=_number(best["test_score"]),
            curve=tuple(float(f"{row[name]:.5g}") for row in points if row[name] is not None),
        )

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Any) -> "Summary | None":
        """The summary that `as_dict` returned; None for other values."""
        try:
            made = cls(**{**values, "curve": tuple(float(y) for y in values["curve"])})
            numbers = [getattr(made, field.name) for field in fields(cls) if field.name != "curve"]
            valid = all(number is None or isfinite(number) for number in numbers)
        except (TypeError, KeyError, ValueError, OverflowError):
            return None
        return made if valid else None


def best_row(rows: Sequence[Row]) -> Row:
    """The row of the best epoch: lowest validation loss, or highest test score without one; the first of equals."""
    best = rows[0]
    for row in rows[1:]:
        if is_better(row, best):
            best = row
    return best


def is_better(row: Row, best: Row) -> bool:
    """Whether the epoch of `row` is better than that of `best`."""
    new, old = row["validation_loss"], best["validation_loss"]
    if new is not None and old is not None:
        return new < old
    return _number(row["test_score"]) > _number(best["test_score"])


def _number(value: float | None) -> float:
    return float("-inf") if value is None else value
