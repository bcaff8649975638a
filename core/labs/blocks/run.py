"""The block `run`: trainings to watch."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from core.errors import InputError
from core.html.chart import Axis, Figure, Line, figure_html
from core.html.page import table
from core.labs.attempt import QUANTITIES, Attempt, Given
from core.labs.block_reader import BlockReader, Keys, Values
from core.labs.blocks.block import LabFinding
from core.labs.blocks.exercise import EXERCISE_KEYS, TrainedBlock
from core.labs.forms import LINE, PageWriter, details, plain_list, unit, words
from core.labs.trial import LabCheck
from core.runs.comparison import short_value
from core.runs.plan import RunPlan

SHOWN = ("curves", "results", "race")
_EARLIER = "inside"  # of earlier versions; the band below the picture shows what it had
MAX_SECONDS = 20.0
"""How long a run of a lab should take at most on two cores."""
_MAX_VARIANTS = 6
_MAX_EPOCHS = 1000
_NUMBER = (int, float)


@dataclass(frozen=True, slots=True)
class RunBlock(TrainedBlock):
    """Trainings to watch.

    `figures`: what the runs reach at their ends, by quantity, one number a variant, within
    `tolerance`, as `lab check` tests it. `devices`: of a race, one run each.
    """

    order: ClassVar = 3
    name: ClassVar = "run"
    hides_rest: ClassVar = True
    keys: ClassVar[Keys] = {
        **EXERCISE_KEYS,
        "variants": list,
        "show": str,
        "quantity": str,
        "figures": dict,
        "tolerance": _NUMBER,
        "devices": list,
    }

    show: str = "curves"
    quantity: str = "test_accuracy"
    figures: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    devices: tuple[str, ...] = ()

    @classmethod
    def read(cls, reader: BlockReader, values: Values) -> Self:
        shared = reader.shared_values("run", values)
        variants, titles = _variants(reader, values)
        devices = tuple(reader.short_text(name) for name in values.get("devices", ()))
        if devices:
            if len(devices) > _MAX_VARIANTS or "variants" in values:
                raise reader.error(
                    "devices: give 1 to {most}, without “variants”.", most=_MAX_VARIANTS
                )
            for device in devices:
                reader.check_device(device, "devices")
            variants = [{} for _ in devices]
            titles = [*devices]
        view = values.get("show", "curves")
        run = cls(
            **shared,
            variants=tuple(variants),
            titles=tuple(titles),
            figures=_figures(reader, values.get("figures", {}), len(variants)),
            show=reader.one_of("view", "curves" if view == _EARLIER else view, SHOWN),
            quantity=reader.one_of("quantity", values.get("quantity", "test_accuracy"), QUANTITIES),
            tolerance=float(reader.at_least(0, {"tolerance": 1.0, **values}, "tolerance")),
            devices=devices,
        )
        for plan in run.plans(""):
            if plan.settings.epochs > _MAX_EPOCHS:
                raise reader.error("epochs: a run of a lab has at most {most}.", most=_MAX_EPOCHS)
        return run

    @property
    def is_race(self) -> bool:
        return self.show == "race" or bool(self.devices)

    def plans(self, name: str) -> list[RunPlan]:
        if self.devices:
            plan = self.setup.plan_of(name)
            return [replace(plan, device=device, parsed=None) for device in self.devices]
        return TrainedBlock.plans(self, name)

    def is_done(self, given: Given) -> bool:
        return given.variants >= {*range(len(self.variants))}

    def percentages(self) -> set[str]:
        return {f"{number:.1f}" for numbers in self.figures.values() for number in numbers}

    def compared(
        self, index: int, attempt: Attempt
    ) -> Iterator[tuple[str, float, float | None, bool]]:
        """(quantity, stated figure, found one, whether it holds) for each figure of a training of
        the run.
        """
        for quantity, numbers in self.figures.items():
            stated = numbers[index]
            values = attempt.values(quantity)
            # The figures are those at the end of a run.
            found = values[-1][1] if values else None
            # Losses are compared as shares of the figure, R² in hundredths. Half of the last digit
            # is for rounding.
            shares = {
                "test_accuracy": (1.0, 0.05),
                "train_accuracy": (1.0, 0.05),
                "r2": (0.01, 0.0005),
            }
            scale, half = shares.get(attempt.shown_as(quantity), (abs(stated) / 10, 0.0005))
            holds = found is not None and abs(found - stated) <= self.tolerance * scale + half
            yield quantity, stated, found, holds

    def iter_check(self, check: LabCheck) -> Iterator[LabFinding]:
        attempts = []
        for index, plan in enumerate(self.plans("")):
            place = f"line {self.line}, {self.id}, {self.titles[index] or plan.settings.network}"
            try:
                # Before training: a network that does not fit is found also without it.
                check.data.context(plan)
                if check.trains and not check.has_device(plan):
                    yield LabFinding(f"{place}: not trained, as this machine lacks it.")
                elif check.trains:
                    attempts.append(self.train(index, plan, check.data))
                    yield from self._compare(place, index, attempts[-1])
            except InputError as error:
                yield LabFinding(f"{place}: {error}", True)
        # A race shows the speed; what its runs reach is no figure of it.
        if len(attempts) == len(self.variants) and not self.figures and not self.devices:
            numbers = ", ".join(_last_numbers(attempts, self.quantity))
            text = f"to keep what it reaches: figures = {{ {self.quantity} = [{numbers}] }}"
            yield LabFinding(f"line {self.line}, {self.id}, {text}")

    def _compare(self, place: str, index: int, attempt: Attempt) -> Iterator[LabFinding]:
        result = attempt.result
        if attempt.is_regression:
            result += " (1 where every value is met)"
        said = f"{place}: {result}, {attempt.seconds:.1f} s"
        wrong = [
            f"{quantity} is {found or 0:.4g}, not {stated:g}"
            for quantity, stated, found, holds in self.compared(index, attempt)
            if not holds
        ]
        yield LabFinding(f"{said}; {'; '.join(wrong)}" if wrong else said, bool(wrong))
        if attempt.seconds > MAX_SECONDS:
            yield LabFinding(f"{said}: longer than the {MAX_SECONDS:g} s that a class waits for.")

    def form_html(self, writer: PageWriter) -> str:
        if writer.attempts is not None:
            found = self._results_html(writer.attempts.get(self.id, ()))
            if found:
                return details("Show what the runs gave", found)
        lines = []
        for index, title in enumerate(self.titles):
            figures = [
                f"{words(quantity)} {numbers[index]:g}{unit(quantity)}"
                for quantity, numbers in self.figures.items()
            ]
            lines.append(f"▷ {title or 'Train'}: {', '.join(figures) if writer.teacher else LINE}")
        return plain_list(lines)

    def _results_html(self, attempts: Sequence[Attempt]) -> str:
        """The curves of the attempts, or the figures of the run in a table; "" where it has
        neither.
        """
        plans = self.plans("")
        names = [
            title or plan.settings.network for title, plan in zip(self.titles, plans, strict=True)
        ]
        if attempts:
            label = words(self.quantity)
            tried = [*zip(names, attempts, strict=True)]
            curves = ((name, attempt.values(self.quantity)) for name, attempt in tried)
            lines = [Line.through(name, points) for name, points in curves if points]
            chart = figure_html(Figure(label, Axis("epoch"), Axis(label), lines)) if lines else ""
            rows = [(name, each.result, f"{each.seconds:.1f}") for name, each in tried]
            return chart + table(("run", "test score", "seconds"), rows)
        if not self.figures:
            return ""
        columns = ([f"{number:g}" for number in numbers] for numbers in self.figures.values())
        return table(("run", *map(words, self.figures)), [*zip(names, *columns, strict=True)])


def _variants(reader: BlockReader, values: Values) -> tuple[list[Values], list[str]]:
    """The changes and the titles of the variants."""
    given = values.get("variants", [{}])
    if not 1 <= len(given) <= _MAX_VARIANTS or not all(isinstance(each, dict) for each in given):
        raise reader.error("variants: give 1 to {most} tables of settings.", most=_MAX_VARIANTS)
    variants: list[Values] = []
    titles = []
    for each in given:
        changes = reader.changes({name: value for name, value in each.items() if name != "title"})
        variants.append(changes)
        if "title" in each:
            titles.append(reader.short_text(each["title"]))
        else:
            titles.append(", ".join(short_value(name, value) for name, value in changes.items()))
    return variants, titles


def _figures(reader: BlockReader, figures: Values, count: int) -> dict[str, tuple[float, ...]]:
    """The figures of the runs, of which there are `count`, by their quantities."""
    stated = {}
    for quantity, numbers in figures.items():
        reader.one_of("quantity", quantity, QUANTITIES)
        listed = numbers if isinstance(numbers, list) else [numbers]
        if len(listed) != count or not {*map(type, listed)} <= {*_NUMBER}:
            raise reader.error(
                "figures.{name}: give one number for each of the runs.", name=quantity
            )
        stated[quantity] = tuple(float(number) for number in listed)
    return stated


def _last_numbers(attempts: Sequence[Attempt], quantity: str) -> Iterator[str]:
    for attempt in attempts:
        values = attempt.values(quantity)
        if values:
            last = values[-1][1]
            # Percentages are given with one digit, losses and R² with three.
            yield f"{last:.1f}" if last > 2 else f"{last:.3f}"
