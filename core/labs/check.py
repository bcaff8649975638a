"""Tests a lab: whether all that it sets can be trained, and whether its runs reach the figures that it states."""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from core.errors import InputError
from core.labs import lab as labs
from core.labs.answers import Answers, Attempt
from core.labs.trial import DataSets, available_device, make_attempt
from core.runs.plan import RunPlan
from core.workshop.exercise import iter_exercise_check

MAX_SECONDS = 20.0
"""How long a run of a lab should take at most on two cores."""


@dataclass(frozen=True, slots=True)
class Finding:
    text: str
    fault: bool = False


def iter_check(lab: labs.Lab, train: bool = True, name: str = "") -> Generator[Finding]:
    """Yields what was tested, as it is tested. `name`: whose constants and seed are used where the lab varies them."""
    data = DataSets(lab)
    for part in lab.parts():
        if isinstance(part, labs.SetupBlock):
            try:
                data.context(part.plan)
            except InputError as error:
                yield Finding(f"line {part.line}: {error}", True)
        elif isinstance(part, labs.RunBlock):
            attempts = []
            for index, plan in enumerate(part.plans(name)):
                title = part.titles[index] or plan.settings.network
                try:
                    data.context(plan)
                    if train and plan.device not in ("auto", available_device(plan.device)):
                        text = "not trained, as this machine lacks it."
                        yield Finding(f"line {part.line}, {part.id}, {title}: {text}")
                    elif train:
                        attempts.append(make_attempt(part, index, plan, data))
                        yield from _compare(part, index, title, attempts[-1])
                except InputError as error:
                    yield Finding(f"line {part.line}, {part.id}, {title}: {error}", True)
            if len(attempts) == len(part.variants) and not part.figures and not part.devices:
                reached = (values[-1][1] for each in attempts if (values := each.values(part.quantity)))
                numbers = ", ".join(f"{value:.1f}" if value > 2 else f"{value:.3f}" for value in reached)
                text = f"to keep what it reaches: figures = {{ {part.quantity} = [{numbers}] }}"
                yield Finding(f"line {part.line}, {part.id}, {text}")
        elif isinstance(part, labs.TaskBlock):
            try:
                if part.on:
                    data.of(RunPlan(part.setup.plan.settings, part.on))
                if part.solution and train:
                    yield _solve(lab, part, data, name)
            except InputError as error:
                yield Finding(f"line {part.line}, {part.id}: {error}", True)
        elif isinstance(part, labs.KernelBlock) and train:
            for text, is_fault in iter_exercise_check(part.exercise):
                yield Finding(f"line {part.line}, {part.id}, {text}", is_fault)
    yield from _check_figures(lab)
    yield from _check_given_away(lab)


def _solve(lab: labs.Lab, task: labs.TaskBlock, data: DataSets, name: str) -> Finding:
    """Whether the solution that the lab gives meets the goals of the task."""
    plan = task.setup.plan_of(name).change(**task.solution)
    goals = Answers(lab).goals(task, make_attempt(task, 0, plan, data))
    reached = ((goal, value) for goal, (value, _) in goals.items() if value is not None)
    said = ", ".join(f"{goal} {task.goals[goal]:g}: {value:.5g}" for goal, value in reached)
    fault = not all(met for _, met in goals.values())
    return Finding(f"line {task.line}, {task.id}, solution: {said}", fault)


def compared(
    run: labs.RunBlock, index: int, attempt: Attempt
) -> Iterator[tuple[str, float, float | None, bool]]:
    """(quantity, stated figure, found one, whether it holds) for each figure of a training of the run."""
    for quantity, numbers in run.figures.items():
        stated, values = numbers[index], attempt.values(quantity)
        found = values[-1][1] if values else None
        # Losses are compared as shares of the figure, R² in hundredths. Half of the last digit is for rounding.
        shares = {"test_accuracy": (1.0, 0.05), "train_accuracy": (1.0, 0.05), "r2": (0.01, 0.0005)}
        scale, half = shares.get(attempt.shown_as(quantity), (abs(stated) / 10, 0.0005))
        holds = found is not None and abs(found - stated) <= run.tolerance * scale + half
        yield quantity, stated, found, holds


def _compare(run: labs.RunBlock, index: int, title: str, attempt: Attempt) -> Iterator[Finding]:
    result = f"{attempt.result} (1 where every value is met)" if attempt.is_regression else attempt.result
    said = f"line {run.line}, {run.id}, {title}: {result}, {attempt.seconds:.1f} s"
    wrong = [
        f"{quantity} is {found or 0:.4g}, not {stated:g}"
        for quantity, stated, found, holds in compared(run, index, attempt)
        if not holds
    ]
    yield Finding(f"{said}; {'; '.join(wrong)}" if wrong else said, bool(wrong))
    if attempt.seconds > MAX_SECONDS:
        yield Finding(f"{said}: longer than the {MAX_SECONDS:g} s that a class waits for.")


def _check_figures(lab: labs.Lab) -> Iterator[Finding]:
    """Each percentage with a decimal in a text has to be a figure of a run, which is trained and compared."""
    known: set[str] = set()
    for part in lab.parts():
        if isinstance(part, labs.RunBlock):
            known |= _figures_of(part)
        elif isinstance(part, labs.TaskBlock):
            known |= {f"{value:.1f}" for value in part.goals.values()}
    for part in lab.parts():
        for figure in _figures_in(_text_of(part)):
            if figure not in known:
                text = f"{figure} % is a figure of no run: add it to a run's figures."
                yield Finding(f"line {part.line}: {text}", True)


def _check_given_away(lab: labs.Lab) -> Iterator[Finding]:
    """No text that is to be seen before a run states a figure of it that is still to be predicted."""
    shown_before: set[str] = set()
    for number, step in enumerate(lab.steps):
        for place, run in enumerate(step.parts):
            if not isinstance(run, labs.RunBlock):
                continue
            secret = _figures_of(run) - shown_before
            shown_before |= secret
            if not labs.predictions_of(lab, run):
                continue
            # What stands after a run in its step is hidden until it has run.
            early = [part for before in lab.steps[:number] for part in before.parts] + [*step.parts[:place]]
            for part in early:
                for figure in _figures_in(_text_of(part)) if getattr(part, "hidden", "") != "teacher" else ():
                    if figure in secret:
                        yield Finding(
                            f"line {part.line}: {figure} % is a result of {run.id}, which is still to be predicted: "
                            "put it into a block “reveal” after the run.", True,
                        )  # fmt: skip


def _figures_in(text: str) -> list[str]:
    """The percentages with one decimal that a text states, such as `97.8`; with a decimal comma too."""
    return [figure.replace(",", ".") for figure in re.findall(r"(?<![\d.,])(\d{1,3}[.,]\d)\s?%", text)]


def _figures_of(run: labs.RunBlock) -> set[str]:
    return {f"{number:.1f}" for numbers in run.figures.values() for number in numbers}


def _text_of(part: labs.Part) -> str:
    texts = [getattr(part, "markdown", ""), getattr(part, "ask", "")]
    if isinstance(part, labs.QuestionBlock):
        texts += [text for choice in part.choices for text in (choice.text, choice.reply)]
    return "\n".join(texts)
