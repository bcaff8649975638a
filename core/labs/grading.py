"""Marks a folder of answers: who did what, wrong ideas, predicted curves, attempts run again.

Everything in the files comes from strangers. Nothing of it is executed; texts are escaped where tables and pages are
written (`csv_text`, `core.html.page`).
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.data.sources import SOURCES
from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.csv_text import csv_text
from core.html.chart import Axis, Figure, Line, figure_html
from core.html.page import page, paragraph, section, table
from core.labs import lab as labs
from core.labs.answers import Answers, Attempt, KernelAnswer, Point, read_answers
from core.labs.trial import DataSets, available_device, check_limits, make_attempt
from core.progress import Progress
from core.runs.plan import RunPlan
from core.text import format_bytes
from core.training.run_settings import RunSettings
from core.workshop.check import iter_check
from kernels.host import processor_count
from kernels.workshop.trace import Verdict

MAX_FILES = 5000
MAX_MEMORY = 200_000_000
"""Bytes of all answers together; in a file they take a tenth."""
SECONDS = 120.0
"""How long an attempt that is run again may take."""


@dataclass(slots=True)
class Marked:
    """One file. `answers` is None where it cannot be marked, for the reason `remark`. `repeats`: part, outcome."""

    file: str
    answers: Answers | None
    remark: str = ""
    repeats: list[tuple[str, str]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return (self.answers.name if self.answers else "") or self.file


@dataclass(frozen=True, slots=True)
class Grades:
    lab: labs.Lab
    marked: tuple[Marked, ...]

    @property
    def good(self) -> list[tuple[Marked, Answers]]:
        return [(each, each.answers) for each in self.marked if each.answers is not None]

    def rows(self) -> list[list[Any]]:
        """The table of who did what; its first row are the headings."""
        ids = [part.id for part in self.lab.exercises()]
        return [["name", "done", "of", *ids, "run again", "remark", "file"], *map(self.row, self.marked)]

    def row(self, marked: Marked) -> list[Any]:
        answers, exercises = marked.answers, self.lab.exercises()
        done = sum(map(answers.is_done, exercises)) if answers else 0
        cells = [outcome(answers, part) if answers else "" for part in exercises]
        repeats = "; ".join(f"{part}: {text}" for part, text in marked.repeats)
        return [marked.name, done, len(exercises), *cells, repeats, marked.remark, marked.file]

    def misconceptions(self) -> list[tuple[str, str, str, int]]:
        """(question, wrong idea, choice, how many chose it at first), the most frequent ones first."""
        found = []
        for part in self.lab.exercises():
            if isinstance(part, labs.QuestionBlock):
                first = Counter(a.tries[part.id][0] for _, a in self.good if a.tries.get(part.id))
                wrong = (choice for choice in part.choices if not choice.right)
                found += [(part.id, each.misconception, each.text, first[each.text]) for each in wrong]
        return sorted(found, key=lambda row: -row[3])

    def curves(self, part: labs.PredictBlock) -> tuple[list[tuple[str, list[Point]]], list[Point]]:
        """The predicted curves with the names, and the real one, of the first person who has it."""
        run = labs.predicted_run(self.lab, part)
        drawn = [(m.name, p) for m, a in self.good if isinstance(p := a.predictions.get(part.id), list)]
        attempts = (a.attempt_of(run, part.variant) for _, a in self.good if run is not None)
        return drawn, next((each.values(part.quantity) for each in attempts if each is not None), [])

    def csv(self) -> str:
        return csv_text(self.rows())

    def write(self, folder: Path) -> None:
        """Write grades.csv and grades.html. Raises InputError where that fails."""
        write_atomically(folder / "grades.csv", self.csv().encode(errors="replace"))
        write_atomically(folder / "grades.html", self.html().encode(errors="replace"))

    def html(self) -> str:
        """One page: files that are not marked, wrong ideas, predictions, and the table without its empty columns."""
        parts: list[str] = []
        if faults := [(marked.file, marked.remark) for marked in self.marked if marked.answers is None]:
            parts.append(section("Not marked", table(("file", "reason"), faults)))
        wrong = [row for row in self.misconceptions() if row[3]]
        if wrong:
            headings = ("question", "idea", "choice", "persons")
            parts.append(section("Wrong ideas, at the first try", table(headings, wrong)))
        for part in self.lab.exercises():
            if isinstance(part, labs.PredictBlock):
                html = self._prediction_html(part)
                parts.append(section(f"Prediction {part.id}", paragraph(part.ask), html))
        rows = [self.rows()[0], *(self.row(marked) for marked, _ in self.good)]
        used = [column for column in zip(*rows, strict=True) if any(cell != "" for cell in column[1:])]
        if used:
            headings, *lines = zip(*used, strict=True)
            parts.append(section("Who did what", table(headings, lines)))
        summary = f"{len(self.good)} of {len(self.marked)} files marked."
        return page(f"{self.lab.title}: answers", [paragraph(summary), *parts])

    def _prediction_html(self, part: labs.PredictBlock) -> str:
        if part.kind == "choice":
            counts = Counter(str(a.predictions[part.id]) for _, a in self.good if part.id in a.predictions)
            return table(("choice", "persons"), [(choice, counts[choice]) for choice in part.choices])
        if part.kind == "number":
            given = [p for _, a in self.good if isinstance(p := a.predictions.get(part.id), float)]
            limits = [f"{value:.5g}" for value in np.quantile(given, (0, 0.5, 1))] if given else [""] * 3
            return table(("persons", "least", "median", "most"), [(len(given), *limits)])
        drawn, real = self.curves(part)
        lines = [Line.through(name, points, series=8, listed=False) for name, points in drawn]
        if real:
            lines.append(Line.through("the run", real, marks=True, series=0, listed=True))
        name = part.quantity.replace("_", " ")
        caption = paragraph(f"Drawn by {len(drawn)}; rest the pointer on a curve for the name.")
        return figure_html(Figure(name, Axis("epoch"), Axis(name), lines)) + caption


def outcome(answers: Answers, part: labs.ExerciseBlock) -> str:
    """What the person did at this part, in a few words."""
    if isinstance(part, labs.PredictBlock):
        value = answers.predictions.get(part.id)
        if isinstance(value, list):
            return "drawn"
        text = "" if value is None else f"{value:.5g}" if isinstance(value, float) else value
        return f"{text} ({'right' if value == part.right else 'wrong'})" if value and part.right else text
    if isinstance(part, labs.QuestionBlock):
        tries = len(answers.tries.get(part.id, ()))
        return f"{'right' if answers.is_done(part) else 'wrong'} ({tries})" if tries else ""
    if isinstance(part, labs.KernelBlock):
        return answers.kernels[part.id].result if part.id in answers.kernels else ""
    attempts = answers.attempts_of(part)
    if not attempts:
        return ""
    best = max(attempts, key=lambda attempt: attempt.score)
    met = ("met, " if answers.is_done(part) else "not met, ") if isinstance(part, labs.TaskBlock) else ""
    return f"{met}{best.result} ({len(attempts)})"


def read_folder(folder: Path, lab: labs.Lab, progress: Progress | None = None) -> Grades:
    """All answer files in the folder and its folders, by name; those that cannot be marked with the reason.

    `progress(done, total)` is called before each file. Raises InputError for a folder without any, or with too many.
    """
    if not os.path.isdir(folder):  # unlike `Path.is_dir`, not an OSError where the name is too long
        raise InputError("{path} is no folder: give the folder with the files of answers.", path=folder)
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".json" and not path.is_dir())
    if not files:
        raise InputError("{path} holds no files of answers (.json).", path=folder)
    if len(files) > MAX_FILES:
        template = "{path} holds {count:,} files; at most {most:,} are read."
        raise InputError(template, path=folder, count=len(files), most=MAX_FILES)
    marked: list[Marked] = []
    seen: dict[str, str] = {}
    runs: dict[tuple[str, float], str] = {}
    total = 0
    for index, path in enumerate(files):
        if progress:
            progress(index, len(files))
        name = path.relative_to(folder).as_posix()
        try:
            if path.is_symlink():
                raise InputError("{path} is a link and is not read.", path=name)
            answers = read_answers(path, lab)
            total += _memory(answers)
            if total > MAX_MEMORY:
                text = "{path} is not marked: the files before it take {most} of memory. Mark it in another folder."
                raise InputError(text, path=name, most=format_bytes(MAX_MEMORY))
        except InputError as error:
            marked.append(Marked(name, None, str(error)))
            continue
        person = answers.name.strip().casefold() or str(answers.as_dict())
        remarks = [f"twice: also in {seen[person]}"] if person in seen else []
        seen.setdefault(person, name)
        # The time of a run is never the same twice, to all its digits.
        ran = {(attempt.digest, attempt.seconds) for attempt in answers.attempts}
        remarks += sorted({f"has runs of {runs[key]}" for key in ran & runs.keys()})
        runs |= dict.fromkeys(ran - runs.keys(), name)
        marked.append(Marked(name, answers, "; ".join(remarks)))
    return Grades(lab, tuple(marked))


def _memory(answers: Answers) -> int:
    """About how many bytes the answers take: rows of epochs with their numbers, points of curves, texts, kernels."""
    rows = sum(len(attempt.epochs) for attempt in answers.attempts)
    points = sum(len(value) for value in answers.predictions.values() if isinstance(value, list))
    texts = sum(map(len, answers.tries.values()))
    kernels = sum(len(kernel.source) for kernel in answers.kernels.values())
    return 260 * rows + 140 * points + 120 * texts + kernels + 3000 * (1 + len(answers.attempts))


def iter_kernels(grades: Grades) -> Iterator[tuple[Marked, str, str]]:
    """Check the kernels again, in a process for each core; yields the file, the part and the outcome.

    The outcome replaces what the file says, which is kept in `Marked.repeats` where it was another one. Kernels with
    the same text are checked once.
    """
    kernels = {part.id: part for part in grades.lab.exercises() if isinstance(part, labs.KernelBlock)}
    todo: dict[tuple[str, str], list[tuple[Marked, Answers]]] = {}
    for marked, answers in grades.good:
        for name, kernel in answers.kernels.items():
            todo.setdefault((name, kernel.source), []).append((marked, answers))
    waiting, running = list(todo), dict[tuple[str, str], Iterator[Verdict | None]]()
    while waiting or running:
        while waiting and len(running) < processor_count():
            key = waiting.pop(0)
            running[key] = iter_check(key[1], kernels[key[0]].exercise.launch)
        for key, checking in [*running.items()]:
            verdict = next(checking)
            if verdict is None:
                continue
            del running[key]
            found = KernelAnswer(key[1], sorted({fault.kind for fault in verdict.faults}))
            for marked, answers in todo[key]:
                if answers.kernels[key[0]].points != found.points:
                    said = f"{found.result}; the file says {answers.kernels[key[0]].result}"
                    marked.repeats.append((key[0], said))
                answers.kernels[key[0]] = found
                yield marked, key[0], found.result


def iter_repeats(
    grades: Grades, count: int | None, seconds: float = SECONDS
) -> Iterator[tuple[Marked, str, str]]:
    """Run attempts again: yields the file, the part and the outcome, which are kept in `Marked.repeats` too.

    `count`: how many of each person, those first that count most; None: all. Attempts with the same settings are run
    once.
    """
    data, done = DataSets(grades.lab), dict[str, Attempt | InputError]()
    for marked, answers in grades.good:
        for attempt in _chosen(answers, count):
            text = _repeated(answers, attempt, data, done, seconds)
            marked.repeats.append((attempt.part, text))
            yield marked, attempt.part, text


def _chosen(answers: Answers, count: int | None) -> Sequence[Attempt]:
    """The attempts that met a task first, then the others, newest first."""

    def counts(attempt: Attempt) -> bool:
        part = answers.lab.part(attempt.part)
        return isinstance(part, labs.TaskBlock) and answers.meets(part, attempt)

    ordered = sorted(reversed(answers.attempts), key=counts, reverse=True)
    return ordered if count is None else ordered[:count]


def _repeated(
    answers: Answers, attempt: Attempt, data: DataSets, done: dict[str, Attempt | InputError], seconds: float
) -> str:
    """Run the attempt again, unless one with the same settings was; returns how the results compare."""
    part, plan = answers.lab.part(attempt.part), attempt.plan
    assert isinstance(part, labs.RunBlock | labs.TaskBlock)
    try:
        if fault := _other_plan(part, attempt, answers.name, data):
            return fault
    except InputError as error:
        return str(error)
    plan = replace(plan, device=available_device(plan.device), parsed=None)
    key = repr((attempt.settings, plan.data, plan.device, part.id))
    if key not in done:
        try:
            check_limits(data.context(plan))
            done[key] = make_attempt(part, attempt.variant, plan, data, seconds)
        except InputError as error:
            done[key] = error
    found = done[key]
    if isinstance(found, InputError):
        return str(found)
    if found.digest == attempt.digest:
        both = ((each.score, each.parameters, each.epochs) for each in (found, attempt))
        same = next(both) == next(both)
        return "same to the bit" if same else f"another result than the file says ({found.result})"
    tolerance = part.tolerance if isinstance(part, labs.RunBlock) else 1.0
    gap = abs(found.score - attempt.score) * 100
    there = "" if found.device == attempt.device else f", on {found.device} instead of {attempt.device}"
    verdict = "within" if gap <= tolerance else "differs, beyond"
    return f"{verdict} {tolerance:g} points ({found.result}){there}"


def _other_plan(part: labs.RunBlock | labs.TaskBlock, attempt: Attempt, name: str, data: DataSets) -> str:
    """What the attempt trained that the lab does not ask of the person, or empty."""
    setup, plan = part.setup, attempt.plan
    given = part.plans(name)[attempt.variant] if isinstance(part, labs.RunBlock) else setup.plan_of(name)
    named = {source.name for source in SOURCES} if "data" in setup.controls else set()
    if plan.data not in named | {given.data}:
        return "other data than the lab's"
    if isinstance(part, labs.RunBlock) and _complete(plan, data) != _complete(given, data):
        return "other settings than the lab gives"
    for setting in setup.vary.keys() - {*setup.controls}:
        if getattr(plan.settings, setting) != getattr(given.settings, setting):
            return f"another {setting.replace('_', ' ')} than the lab gives this person"
    return ""


def _complete(plan: RunPlan, data: DataSets) -> RunSettings:
    """The settings with the complete text of the network: the window trains 784-16-10 where a lab says 16."""
    return plan.settings.change(network=data.context(plan).network.text)
