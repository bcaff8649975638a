"""Tests a lab: whether all that it sets can be trained, and whether its runs reach the figures that it states."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from core.errors import InputError
from core.labs.answers import Attempt
from core.labs.lab import Lab, Question, Run, Setup, Task, Text
from core.labs.sheet import figures_in
from core.labs.trial import DataSets, iter_attempt
from core.runs.plan import RunPlan

MAX_SECONDS = 20.0
"""How long a run of a lab should take at most on two cores."""


@dataclass(frozen=True, slots=True)
class Finding:
    text: str
    fault: bool = False


def iter_check(lab: Lab, train: bool = True, name: str = "") -> Generator[Finding]:
    """Yields what was tested, as it is tested. `name`: whose constants and seed are used where the lab varies them."""
    data = DataSets(lab)
    for part in lab.parts():
        if isinstance(part, Setup):
            yield from _check_setup(part, data)
        elif isinstance(part, Run):
            for index, plan in enumerate(part.plans(name)):
                title = part.titles[index] or plan.settings.network
                try:
                    dataset = data.of(plan)
                    plan.network(dataset.input_shape, dataset.outputs, dataset.kind)
                    if train:
                        yield from _compare(
                            part, index, title, _finish(iter_attempt(part, index, plan, data))
                        )
                except InputError as error:
                    yield Finding(f"line {part.line}, {part.id}, {title}: {error}", True)
        elif isinstance(part, Task) and part.on:
            try:
                data.of(RunPlan(part.setup.plan.settings, part.on))
            except InputError as error:
                yield Finding(f"line {part.line}, {part.id}: {error}", True)
    yield from _check_figures(lab)


def _check_setup(setup: Setup, data: DataSets) -> Iterator[Finding]:
    try:
        dataset = data.of(setup.plan)
        setup.plan.network(dataset.input_shape, dataset.outputs, dataset.kind)
    except InputError as error:
        yield Finding(f"line {setup.line}: {error}", True)


def _finish(trial: Generator[object, None, Attempt]) -> Attempt:
    while True:
        try:
            next(trial)
        except StopIteration as end:
            return end.value


def _compare(run: Run, index: int, title: str, attempt: Attempt) -> Iterator[Finding]:
    said = f"line {run.line}, {run.id}, {title}: {attempt.score:.1%}, {attempt.seconds:.1f} s"
    wrong = []
    for quantity, numbers in run.figures.items():
        values = attempt.values(quantity)
        found = values[-1][1] if values else None
        # Losses are compared as shares of the figure.
        scale = 1.0 if quantity.endswith("accuracy") else max(abs(numbers[index]), 1e-9) / 10
        if found is None or abs(found - numbers[index]) > run.tolerance * scale + 0.05:
            wrong.append(f"{quantity} is {found or 0:.4g}, not {numbers[index]:g}")
    yield Finding(f"{said}; {'; '.join(wrong)}" if wrong else said, bool(wrong))
    if attempt.seconds > MAX_SECONDS:
        yield Finding(f"{said}: longer than the {MAX_SECONDS:g} s that a class waits for.")


def _check_figures(lab: Lab) -> Iterator[Finding]:
    """Each percentage with a decimal in a text has to be a figure of a run, which is trained and compared."""
    known = {f"{number:.1f}" for part in lab.asked() if isinstance(part, Run)
             for numbers in part.figures.values() for number in numbers}  # fmt: skip
    for part in lab.parts():
        texts = [part.markdown] if isinstance(part, Text) else [getattr(part, "ask", "")]
        if isinstance(part, Question):
            texts += [text for choice in part.choices for text in (choice.text, choice.reply)]
        for figure in figures_in("\n".join(texts)):
            if figure not in known:
                yield Finding(
                    f"line {part.line}: {figure} % is a figure of no run: add it to a run's figures.", True
                )
