"""The block `predict`: a choice, a number or a curve that a person expects before the run shows
it.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import inf, isfinite
from typing import Any, ClassVar

import numpy as np

from core.data import functions
from core.errors import InputError
from core.html.page import paragraph, table
from core.labs.attempt import QUANTITIES, Attempt, Given, Point, Said
from core.labs.block_reader import BlockReader, Keys, Values
from core.labs.blocks.exercise import EXERCISE_KEYS, ExerciseBlock, Marks
from core.labs.forms import LINE, PageWriter, details, empty_axes, plain_list, unit, words
from core.text import Sentence

MAX_CURVE = 1000  # points of a predicted curve
_LARGEST = 1e15
_NUMBER = (int, float)
_GRAY = 6  # the series of curves that are many
WriteValue = Callable[[float, str], str]
"""Writes a value of a quantity as a text."""


@dataclass(frozen=True, slots=True)
class PredictBlock(ExerciseBlock):
    """What to expect of the run `run`; "": of the next one. `variant`: of which of its trainings.

    A number or a curve is compared with the `quantity` of that training, a number at `epoch` (None:
    the last). `key`: of the form of a prediction, in the block.
    """

    order: ClassVar = 2
    name: ClassVar = "predict"
    key: ClassVar[str]
    keys: ClassVar[Keys] = {
        **EXERCISE_KEYS,
        "choices": list,
        "right": str,
        "number": str,
        "curve": str,
        "epoch": int,
        "run": str,
        "variant": int,
        "highest": _NUMBER,
    }
    needs_run: ClassVar[bool] = True

    quantity: str = ""
    epoch: int | None = None
    run: str = ""
    variant: int = 0

    @classmethod
    def read(cls, reader: BlockReader, values: Values) -> "PredictBlock":
        shared = reader.shared_values("predict", values)
        # An empty list is as good as no key: it asks to choose among nothing.
        given = [form for form in FORMS if form.key in values and values[form.key] != []]
        if len(given) > 1:
            text = (
                "a prediction is a choice, a number or a curve: give one of choices, number, curve."
            )
            raise reader.error(text)
        if not given or not values[given[0].key]:
            raise reader.error("a prediction needs “choices”, “number” or “curve”.")
        shared["epoch"] = reader.at_least(1, values, "epoch")
        shared["run"] = values.get("run", "")
        # Persons count from 1.
        shared["variant"] = values.get("variant", 1) - 1
        return given[0](**shared, **given[0].own_values(reader, values))

    @classmethod
    @abstractmethod
    def own_values(cls, reader: BlockReader, values: Values) -> Values:
        """The fields of this form of prediction. Raises InputError."""

    def is_done(self, given: Given) -> bool:
        return given.prediction is not None

    @abstractmethod
    def compare(self, expected: Any, attempt: Attempt | None, write: WriteValue) -> Sentence | None:
        """What was expected and what the attempt at the run gave, in a sentence; None where it gave
        nothing.
        """

    def written(self, expected: Any, write: WriteValue) -> str:
        """What was expected as a text; empty for a curve."""
        return ""

    def was_right(self, expected: object) -> bool | None:
        """Whether the choice was the right one; None for what is only more or less near."""
        return None

    def _no_prediction(self, kind: str) -> InputError:
        return InputError("The prediction {id} must be {kind}.", id=self.id, kind=kind)


@dataclass(frozen=True, slots=True)
class ChoicePrediction(PredictBlock):
    """`right`: the choice that turns out; "" where none does."""

    key: ClassVar = "choices"
    needs_run: ClassVar = False

    choices: tuple[str, ...] = ()
    right: str = ""

    @classmethod
    def own_values(cls, reader: BlockReader, values: Values) -> Values:
        choices = tuple(reader.short_text(choice) for choice in values["choices"])
        reader.check_choices(choices)
        if "right" in values:
            reader.one_of("choice", values["right"], choices)
        return {"choices": choices, "right": values.get("right", "")}

    def checked(self, value: object) -> str:
        if value not in self.choices:
            raise self._no_prediction("one of its choices")
        return str(value)

    def compare(self, expected: str, attempt: Attempt | None, write: WriteValue) -> Sentence | None:
        if not self.right:
            return None
        template = "Expected “{expected}”; it is “{right}”."
        if expected == self.right:
            template = "Expected “{expected}”, and so it is."
        return Sentence(template, {"expected": expected, "right": self.right})

    def written(self, expected: str, write: WriteValue) -> str:
        return expected

    def was_right(self, expected: object) -> bool | None:
        return expected == self.right if self.right else None

    def form_html(self, writer: PageWriter) -> str:
        if writer.on_paper:
            return plain_list(writer.box(choice == self.right) + choice for choice in self.choices)
        radio = f'<label><input type="radio" name="{escape(self.id)}"> {{}}</label>'
        right = details("What turned out", paragraph(self.right)) if self.right else ""
        return plain_list(self.choices, radio) + right

    def outcome(self, given: Given, marks: Marks) -> str:
        value = given.prediction
        if value is None or not self.right:
            return str(value or "")
        return f"{value} (right)" if value == self.right else f"{value} (wrong)"

    def is_right(self, given: Given, marks: Marks) -> bool | None:
        return None if given.prediction is None else self.was_right(given.prediction)

    def class_html(self, said: Said, real: Sequence[Point]) -> str:
        counts = Counter(value for _, value in said)
        return table(("choice", "persons"), [(choice, counts[choice]) for choice in self.choices])


@dataclass(frozen=True, slots=True)
class NumberPrediction(PredictBlock):
    key: ClassVar = "number"

    @classmethod
    def own_values(cls, reader: BlockReader, values: Values) -> Values:
        return {"quantity": reader.one_of("quantity", values["number"], QUANTITIES)}

    def checked(self, value: Any) -> float:
        if not _is_number(value):
            raise self._no_prediction("a number")
        return float(value)

    def check_kept(self, value: float) -> None:
        low, high = self._limits()
        if not low <= value <= high:
            raise self.number_error()

    def _limits(self) -> tuple[float, float]:
        """The least and the greatest number that may be predicted, as far as the lab's data are
        known before a run.
        """
        data = self.setup.plan.data
        if not self.quantity.endswith("accuracy"):
            return 0.0, inf
        has_targets = functions.is_function(data) or data.lower().endswith((".csv", ".tsv"))
        return (-inf, 1.0) if has_targets else (0.0, 100.0)  # R², or percent

    def number_error(self) -> InputError:
        """Says which numbers may be predicted."""
        low, high = self._limits()
        if isfinite(low) and isfinite(high):
            return InputError("Type a number from {low:g} to {high:g}.", low=low, high=high)
        if isfinite(low):
            return InputError("Type a number of {low:g} or more.", low=low)
        return InputError("Type a number of at most {high:g}.", high=high)

    def compare(
        self, expected: float, attempt: Attempt | None, write: WriteValue
    ) -> Sentence | None:
        real = attempt.values(self.quantity) if attempt is not None else []
        if attempt is None or not real:
            return None
        quantity = attempt.shown_as(self.quantity)
        epoch = self.epoch or real[-1][0]
        # The nearest one: of many epochs some are not kept, and the run may have ended before.
        value = min(real, key=lambda point: abs(point[0] - epoch))[1]
        texts = {"expected": write(expected, quantity), "value": write(value, quantity)}
        return Sentence("Expected {expected}; it was {value}.", texts)

    def written(self, expected: float, write: WriteValue) -> str:
        return write(expected, self.quantity)

    def form_html(self, writer: PageWriter) -> str:
        return f"<p>{escape(words(self.quantity))}: {LINE}</p>"

    def outcome(self, given: Given, marks: Marks) -> str:
        return "" if given.prediction is None else f"{given.prediction:.5g}"

    def class_html(self, said: Said, real: Sequence[Point]) -> str:
        given = [value for _, value in said]
        limits = (
            [f"{value:.5g}" for value in np.quantile(given, (0, 0.5, 1))] if given else [""] * 3
        )
        return table(("persons", "least", "median", "most"), [(len(given), *limits)])


@dataclass(frozen=True, slots=True)
class CurvePrediction(PredictBlock):
    """A curve over the epochs. `highest`: the end of the axis to draw on; 0: the plot's own."""

    key: ClassVar = "curve"

    highest: float = 0.0

    @classmethod
    def own_values(cls, reader: BlockReader, values: Values) -> Values:
        quantity = reader.one_of("quantity", values["curve"], QUANTITIES)
        return {"quantity": quantity, "highest": float(reader.at_least(0, values, "highest") or 0)}

    def checked(self, value: object) -> list[Point]:
        if (
            isinstance(value, list | tuple)
            and 2 <= len(value) <= MAX_CURVE
            and all(map(_is_point, value))
        ):
            points = [(float(x), float(y)) for x, y in value]
            if all(before < after for (before, _), (after, _) in pairwise(points)):
                return points
        raise self._no_prediction("a curve of at least two points")

    def compare(
        self, expected: list[Point], attempt: Attempt | None, write: WriteValue
    ) -> Sentence | None:
        real = attempt.values(self.quantity) if attempt is not None else []
        if attempt is None or not real:
            return None
        return compare_curves(expected, real, attempt.shown_as(self.quantity), write)

    def form_html(self, writer: PageWriter) -> str:
        return empty_axes(
            self.quantity,
            # Between one epoch and itself the axis would have no length.
            max(2, writer.epochs[self.id]),
            100 if unit(self.quantity) else self.highest,
        )

    def outcome(self, given: Given, marks: Marks) -> str:
        return "" if given.prediction is None else "drawn"

    def class_html(self, said: Said, real: Sequence[Point]) -> str:
        from core.html.chart import Axis, Figure, Line, figure_html

        lines = [
            Line.through(name, points, series=_GRAY, listed=False, width=1, opacity=0.4)
            for name, points in said
        ]
        if real:
            lines.append(Line.through("the run", real, marks=True, series=0, listed=True, width=3))
        name = words(self.quantity)
        caption = paragraph(f"Drawn by {len(said)}; rest the pointer on a curve for the name.")
        return figure_html(Figure(name, Axis("epoch"), Axis(name), lines)) + caption


FORMS: tuple[type[PredictBlock], ...] = (ChoicePrediction, NumberPrediction, CurvePrediction)


def _is_number(value: Any) -> bool:
    return type(value) in _NUMBER and abs(value) <= _LARGEST


def _is_point(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value))


def compare_curves(
    expected: Sequence[Point], real: Sequence[Point], quantity: str, write: WriteValue
) -> Sentence:
    """Where the curves differ most, and whether the drawn one settled too late or too early."""
    drawn = np.array(sorted(expected))
    epochs, values = np.array(real).T
    # Beyond its ends the drawn curve says nothing.
    inside = (epochs >= drawn[0, 0]) & (epochs <= drawn[-1, 0])
    at = epochs[inside] if inside.any() else epochs[-1:]
    guess = np.interp(at, drawn[:, 0], drawn[:, 1])
    truth = np.interp(at, epochs, values)
    worst = int(np.argmax(abs(guess - truth)))
    texts = {
        "expected": write(float(guess[worst]), quantity),
        "value": write(float(truth[worst]), quantity),
        "epoch": f"{at[worst]:g}",
    }
    first = "Expected {expected} after epoch {epoch}; it was {value}."
    # Of the larger of both: a curve that is flat changes by nothing.
    if abs(guess - truth).max() <= 0.05 * max(float(np.ptp(truth)), abs(float(truth[-1])), 1e-9):
        return Sentence(
            "The curve is close: {expected} after epoch {epoch}, where it was {value}.", texts
        )
    late = _settled(at, guess) - _settled(at, truth)
    if abs(late) <= ((at[-1] - at[0]) / 5 if len(at) > 1 else 1):
        return Sentence(first, texts)
    remark = (
        " The expected curve moved for too long."
        if late > 0
        else " The expected curve settled too early."
    )
    return Sentence(first + remark, texts)


def _settled(at: np.ndarray, values: np.ndarray) -> float:
    """The epoch from which on a curve stays within a tenth of its whole change from its last
    value.
    """
    limit = 0.1 * float(np.ptp(values))
    far = np.flatnonzero(abs(values - values[-1]) > limit)
    return float(at[min(far[-1] + 1, len(at) - 1)]) if far.size else float(at[0])
