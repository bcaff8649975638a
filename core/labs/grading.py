"""Marks a folder of answers: who did what, wrong ideas, predicted curves.

Everything in the files comes from strangers. Nothing of it is executed; texts are escaped where
tables and pages are written (`csv_text`, `core.html.page`).
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.csv_text import csv_text
from core.files.log import logger
from core.html.page import page, paragraph, section, table
from core.labs.answers import Answers
from core.labs.answers_file import read_answers
from core.labs.attempt import Attempt, KernelAnswer, Point, Said
from core.labs.blocks.exercise import ExerciseBlock, Marks, TrainedBlock
from core.labs.blocks.predict import PredictBlock
from core.labs.forms import plain
from core.labs.lab import Lab
from core.labs.repeats import SECONDS, Repeat, Repeater, fault_of, order
from core.labs.trial import DataSets
from core.progress import Progress, ignore_progress
from core.text import Sentence, format_bytes
from core.workshop.check import iter_check
from core.workshop.checker.signatures import OTHER_STATEMENTS
from core.workshop.checker.trace import Verdict
from core.workshop.worker import checks_at_once

MAX_FILES = 5000
MAX_MEMORY = 200_000_000
"""Bytes of all answers together; in a file they take a tenth."""
_MAX_REMARKS = 5
_MAX_NAMED = 3
_CLOCK_SECONDS = 2e-9
"""By how many seconds two times of one run may differ that somebody has changed a little."""
_SAME_SHARE = 1e-8
"""By which share they may."""
_LONG_SECONDS = 0.05
_PROOF = 2
"""The weight from which signs are no chance."""


@dataclass(slots=True)
class Marked:
    """One file. `answers` is None where it cannot be marked, for the reason `remark`.

    `faults`: why attempts do not count, by their places among the attempts. `is_repeated`: whether
    attempts were run again; then `repeats` has the outcomes by their places. `kernels`: of each
    kernel that the file says otherwise of, what the check found. `same_run`: the files that hold a
    run of this one, itself among them.
    """

    file: str
    answers: Answers | None
    remark: str = ""
    faults: dict[int, str] = field(default_factory=dict)
    is_repeated: bool = False
    repeats: dict[int, Repeat] = field(default_factory=dict)
    kernels: dict[str, str] = field(default_factory=dict)
    same_run: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return (self.answers.name if self.answers else "") or self.file

    def counted(self) -> dict[int, Attempt]:
        """The attempts that count, by their places: with the numbers that were found where they
        were run again.

        Without that, those of the file; but for a task none, once attempts were run again.
        """
        found: dict[int, Attempt] = {}
        for place, attempt in enumerate(self.answers.attempts if self.answers else ()):
            repeat = self.repeats.get(place)
            if repeat is not None:
                if repeat.counted is not None:
                    found[place] = repeat.counted
            elif place not in self.faults and not (self.is_repeated and self._is_of_task(attempt)):
                found[place] = attempt
        return found

    def judged(self) -> Answers | None:
        """The answers with the attempts that count."""
        if self.answers is None:
            return None
        judged = self.answers.copy()
        judged.attempts = [*self.counted().values()]
        return judged

    def _is_of_task(self, attempt: Attempt) -> bool:
        return self.answers is not None and self.answers.lab.trained_part(attempt.part).is_task

    def here(self, place: int) -> str:
        """The result that was found here of an attempt whose goal is met only by what the file
        says; else empty.
        """
        return self.repeats[place].here if place in self.repeats else ""

    def marks(self, part: ExerciseBlock) -> Marks:
        """What `outcome` and `is_right` of the part are told beside what counts."""
        places = self.places(part.id)
        faults = sum(place in self.faults for place in places)
        counted = [place for place in self.counted() if place in places]
        titles = [*map(self.place_in_part, counted)]
        return Marks(len(places), faults, titles, [*map(self.here, counted)], self.is_repeated)

    def is_claim(self, part: TrainedBlock, judged: Answers) -> bool:
        """Whether only what the file says meets the goal of the part."""
        marks = self.marks(part)
        place = part.best_place(judged.given(part), marks)
        return place is not None and bool(marks.here[place])

    def title(self, place: int) -> str:
        """The attempt by its part and its place in it."""
        assert self.answers is not None
        return f"{self.answers.attempts[place].part} ({self.place_in_part(place)})"

    def place_in_part(self, place: int) -> str:
        """The attempt among those of its part: by its variant, and by its number where there are
        several of that.

        The variants of a part are runs that the lab asks for, not attempts.
        """
        assert self.answers is not None
        attempt = self.answers.attempts[place]
        part = self.answers.lab.trained_part(attempt.part)
        attempts = self.answers.attempts
        places = [
            each for each in self.places(part.id) if attempts[each].variant == attempt.variant
        ]
        number = f"attempt {places.index(place) + 1} of {len(places)}"
        if len(part.variants) == 1:
            return number
        title = part.titles[attempt.variant] or f"run {attempt.variant + 1} of {len(part.variants)}"
        return title if len(places) == 1 else f"{title}, {number}"

    def outcomes(self) -> str:
        """What running attempts again and checking kernels has given, also while another thread
        does so.
        """
        repeats = [
            f"{self.title(place)}: {repeat.text}" for place, repeat in [*self.repeats.items()]
        ]
        kernels = [f"{part}: {text}" for part, text in [*self.kernels.items()]]
        return "; ".join(kernels + repeats)

    def remarks(self) -> str:
        """What is odd about the file, with the attempts that do not count."""
        faults: dict[tuple[str, str], list[int]] = {}
        for place, fault in self.faults.items():
            assert self.answers is not None
            # By part: a hundred attempts with one fault would hide the other remarks.
            faults.setdefault((self.answers.attempts[place].part, fault), []).append(place)
        texts = [self.remark] if self.remark else []
        for (_, fault), places in faults.items():
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            texts.append(f"{self.title(places[0])}{more} does not count: {fault}")
        hidden = len(texts) - _MAX_REMARKS
        return "; ".join(texts[:_MAX_REMARKS]) + (f"; {hidden} more" if hidden > 0 else "")

    def places(self, part: str) -> list[int]:
        """The places of the attempts at a part."""
        return self.answers.places_of(part) if self.answers else []


@dataclass(frozen=True, slots=True)
class Grades:
    """The marked files of a folder. `data`: the data sets of the lab."""

    lab: Lab
    marked: tuple[Marked, ...]
    data: DataSets

    @property
    def good(self) -> list[tuple[Marked, Answers]]:
        return [(each, each.answers) for each in self.marked if each.answers is not None]

    def rows(self) -> list[list[Any]]:
        """The table of who did what; its first row are the headings."""
        ids = [part.id for part in self.lab.parts.exercises]
        return [_headings(ids), *map(self.row, self.marked)]

    def row(self, marked: Marked) -> list[Any]:
        exercises = self.lab.parts.exercises
        judged = marked.judged()
        done = 0
        cells = [""] * len(exercises)
        if judged is not None:
            done = len(exercises) - len(judged.missing())
            cells = [part.outcome(judged.given(part), marked.marks(part)) for part in exercises]
        return [
            marked.name,
            done,
            len(exercises),
            *cells,
            marked.outcomes(),
            marked.remarks(),
            marked.file,
        ]

    def summary(self) -> str:
        """What counts."""
        return " ".join(map(str, self.sentences()))

    def sentences(self) -> list[Sentence]:
        """What counts, for the window to translate."""
        # Pairs stand in the remarks of their files.
        groups = {tuple(marked.same_run) for marked in self.marked if len(marked.same_run) > 2}
        copies = [
            Sentence(
                "The same run in {count} files: {files}.",
                {"count": len(files), "files": ", ".join(files)},
            )
            for files in sorted(groups)
        ]
        return [*self._counting(), *copies]

    def _counting(self) -> list[Sentence]:
        if not any(marked.is_repeated for marked in self.marked):
            return [Sentence("Attempts count as the files say: nothing was run again.")]
        repeats = [repeat for marked in self.marked for repeat in [*marked.repeats.values()]]
        same = sum(repeat.is_same for repeat in repeats)
        rule = Sentence(
            "Of a task only attempts count that were run again here, with the numbers that were "
            "found."
        )
        if not repeats:
            return [rule]
        found = Sentence(
            "{same} of {all} attempts are the same to the bit.", {"same": same, "all": len(repeats)}
        )
        claims = 0
        for marked in self.marked:
            judged = marked.judged()
            if judged is not None:
                claims += sum(marked.is_claim(part, judged) for part in self.lab.parts.trained)
        claim = Sentence(
            "Goals that only a file says to be met, and that were missed here: {count}.",
            {"count": claims},
        )
        return [found, rule, claim] if claims else [found, rule]

    def title_of(self, part: ExerciseBlock) -> str:
        """What a part asks, as a heading; of one without a question, its step."""
        return plain(part.ask) or self.lab.step_of(part).title

    def misconceptions(self) -> list[tuple[str, str, str, int]]:
        """(question, wrong idea, choice, how many chose it at first), the most frequent ones
        first.
        """
        found = []
        for part in self.lab.parts.questions:
            tries = (answers.tries.get(part.id) for _, answers in self.good)
            first = Counter(texts[0] for texts in tries if texts)
            wrong = (choice for choice in part.choices if not choice.right)
            found += [(part.id, each.misconception, each.text, first[each.text]) for each in wrong]
        return sorted(found, key=lambda row: -row[3])

    def predictions(self, part: ExerciseBlock) -> Said:
        """The names of those who said something at this part, and what."""
        found = ((marked.name, answers.predictions.get(part.id)) for marked, answers in self.good)
        return [(name, value) for name, value in found if value is not None]

    def real_curve(self, part: PredictBlock) -> list[Point]:
        """The curve that was to be predicted, of the first person who has it; empty where nobody
        has.
        """
        run = self.lab.predicted_run(part)
        # One that was run again is the real one; others are as a file says.
        for marked, _ in sorted(self.good, key=lambda pair: not pair[0].repeats):
            judged = marked.judged()
            attempt = (
                judged.attempt_of(run, part.variant)
                if judged is not None and run is not None
                else None
            )
            if attempt is not None:
                return attempt.values(part.quantity)
        return []

    def csv(self) -> str:
        return csv_text(self.rows())

    def write(self, folder: Path) -> None:
        """Write grades.csv and grades.html. Raises InputError where that fails."""
        # Names come from strangers, and half of a character of UTF-16 cannot be encoded.
        write_atomically(folder / "grades.csv", self.csv().encode(errors="replace"))
        write_atomically(folder / "grades.html", self.html().encode(errors="replace"))

    def html(self) -> str:
        """One page: files that are not marked, wrong ideas, predictions, and the table without its
        empty columns.
        """
        parts: list[str] = []
        faults = [(marked.file, marked.remark) for marked in self.marked if marked.answers is None]
        if faults:
            parts.append(section("Not marked", table(("file", "reason"), faults, texts=2)))
        titles = {part.id: self.title_of(part) for part in self.lab.parts.exercises}
        wrong = [(titles[part], *row) for part, *row in self.misconceptions() if row[2]]
        if wrong:
            headings = ("question", "idea", "choice", "persons")
            parts.append(section("Wrong ideas, at the first try", table(headings, wrong, texts=3)))
        curves = {part.id: self.real_curve(part) for part in self.lab.parts.curves}
        for part in self.lab.parts.exercises:
            html = part.class_html(self.predictions(part), curves.get(part.id, ()))
            if html:
                step = self.lab.step_of(part).title
                title = self.title_of(part)
                parts.append(section(title if title == step else f"{step}: {title}", html))
        # For people: questions in place of the names of parts.
        rows = [_headings(titles.values()), *(self.row(marked) for marked, _ in self.good)]
        # Not by truth: a 0 of “done” is no empty cell.
        used = [
            column for column in zip(*rows, strict=True) if any(cell != "" for cell in column[1:])
        ]
        if used:
            headings, *lines = zip(*used, strict=True)
            parts.append(section("Who did what", table(headings, lines, texts=len(headings))))
        summary = f"{len(self.good)} of {len(self.marked)} files marked. {self.summary()}"
        return page(f"{self.lab.title}: answers", [paragraph(summary), *parts])


def _headings(parts: Iterable[str]) -> list[str]:
    return ["name", "done", "of", *parts, "run again", "remark", "file"]


def read_folder(folder: Path, lab: Lab, progress: Progress = ignore_progress) -> Grades:
    """All answer files in the folder and its folders, by name; those that cannot be marked with the
    reason.

    `folder` may also be one file of answers. `progress(done, total)` is called before each file.
    Raises InputError for a folder without any, or with too many.
    """
    files = [folder]
    if folder.suffix.lower() != ".json" or not os.path.isfile(folder):
        # Unlike `Path.is_dir`, no OSError where the name is too long.
        if not os.path.isdir(folder):
            raise InputError(
                "{path} is no folder: give the folder with the files of answers.", path=folder
            )
        files = sorted(
            path
            for path in folder.rglob("*")
            if path.suffix.lower() == ".json" and not path.is_dir()
        )
    if not files:
        raise InputError("{path} holds no files of answers (.json).", path=folder)
    if len(files) > MAX_FILES:
        template = "{path} holds {count:,} files; at most {most:,} are read."
        raise InputError(template, path=folder, count=len(files), most=MAX_FILES)
    reader = _Reader(lab)
    for index, path in enumerate(files):
        progress(index, len(files))
        reader.read(path, path.name if path == folder else path.relative_to(folder).as_posix())
    _name_copies(reader.marked)
    return Grades(lab, tuple(reader.marked), reader.data)


class _Reader:
    """Reads the files of a folder, one after the other, into `marked`."""

    def __init__(self, lab: Lab) -> None:
        self.marked: list[Marked] = []
        self.data = DataSets(lab.folder)
        self._lab = lab
        self._seen: dict[str, str] = {}  # the persons, with their files
        self._memory = 0

    def read(self, path: Path, name: str) -> None:
        """Add the file, whatever is in it; the files after it are read."""
        try:
            self.marked.append(self._marked(path, name))
        except InputError as error:
            self.marked.append(Marked(name, None, str(error)))
        except Exception as error:  # one file must not stop the marking of the others
            logger.exception("%s could not be marked", name)
            text = (
                f"{name} cannot be marked, by a fault of this program ({type(error).__name__}): "
                "mark it by hand."
            )
            self.marked.append(Marked(name, None, text))

    def _marked(self, path: Path, name: str) -> Marked:
        # A link that somebody handed in would show a file of the teacher's machine.
        if path.is_symlink():
            raise InputError("{path} is a link and is not read.", path=name)
        answers = read_answers(path, self._lab)
        faults = {}
        for place, attempt in enumerate(answers.attempts):
            fault = fault_of(answers, attempt, self.data)
            if fault:
                faults[place] = fault
        marked = Marked(name, answers, faults=faults)
        Grades(self._lab, (marked,), self.data).row(marked)  # what can fail, fails here
        memory = _memory(answers)
        if self._memory + memory > MAX_MEMORY:
            text = (
                "{path} is not marked: the files before it take {most} of memory. Mark it in "
                "another folder."
            )
            raise InputError(text, path=name, most=format_bytes(MAX_MEMORY))
        self._memory += memory
        # Files without a name are the same person's only where all answers are equal.
        person = answers.name.strip().casefold() or str(answers.as_dict())
        if person in self._seen:
            marked.remark = f"twice: also in {self._seen[person]}"
        self._seen.setdefault(person, name)
        return marked


def _name_copies(marked: list[Marked]) -> None:
    """Add a remark to the files that hold the same run as others, and the names of all of them."""
    runs: dict[str, list[tuple[Marked, Attempt]]] = {}
    for each in marked:
        for attempt in each.answers.attempts if each.answers else ():
            runs.setdefault(attempt.digest, []).append((each, attempt))
    signs: Counter[tuple[str, str]] = Counter()
    for same in runs.values():
        for one, other, weight in _iter_signs(same):
            # In one order: signs of both directions add up.
            signs[min(one.file, other.file), max(one.file, other.file)] += weight
    groups = {each.file: [each.file] for each in marked}
    for (one_file, other_file), weight in signs.items():
        group, joined = groups[one_file], groups[other_file]
        if weight >= _PROOF and group is not joined:
            group += joined
            # One list for all of them: whoever joins later joins all.
            groups.update(dict.fromkeys(joined, group))
    for each in marked:
        each.same_run = sorted(groups[each.file])
        names = [file for file in each.same_run if file != each.file]
        if names:
            more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
            said = f"the same run as in {', '.join(names[:_MAX_NAMED])}{more}"
            each.remark = "; ".join(filter(None, (each.remark, said)))


def _iter_signs(runs: list[tuple[Marked, Attempt]]) -> Iterator[tuple[Marked, Marked, int]]:
    """Yields pairs of files of which one may hold a copy, of runs with equal parameters, and how
    much that weighs.

    Equal settings give equal parameters, so these alone are no sign. But hardly two runs take the
    same time to all digits, and no two seeds give the same parameters.
    """
    # Sorted, only neighbours need to be compared: pairs of a whole class would be too many.
    ordered = sorted(runs, key=lambda run: run[1].seconds)
    for (one, attempt), (other, later) in pairwise(ordered):
        if later.seconds - attempt.seconds <= max(_CLOCK_SECONDS, _SAME_SHARE * later.seconds):
            # A clock counts few nanoseconds of a short run: one such pair may be chance.
            yield one, other, _PROOF if later.seconds >= _LONG_SECONDS else 1
    by_seed: dict[int, list[Marked]] = {}
    for each, attempt in runs:
        by_seed.setdefault(_seed(each, attempt), []).append(each)
    # The seed that most have is taken for the right one of these parameters.
    most = max(by_seed.values(), key=len)
    for group in by_seed.values():
        if group is not most:
            yield from ((each, most[0], _PROOF) for each in group)


def _seed(marked: Marked, attempt: Attempt) -> int:
    """The seed of the attempt: that which the lab gives the person where it varies the seed, else
    that of the file.
    """
    assert marked.answers is not None
    part = marked.answers.lab.trained_part(attempt.part)
    # What the lab gives cannot be forged as the file's own number can.
    if "seed" in part.setup.vary and "seed" not in part.setup.controls:
        return part.setup.plan_of(marked.answers.name).settings.seed
    return attempt.plan.settings.seed


def _memory(answers: Answers) -> int:
    """About how many bytes the answers take: rows of epochs with their numbers, points of curves,
    texts, kernels.
    """
    rows = sum(len(attempt.epochs) for attempt in answers.attempts)
    points = sum(len(value) for value in answers.predictions.values() if isinstance(value, list))
    texts = sum(map(len, answers.tries.values()))
    kernels = sum(len(kernel.source) for kernel in answers.kernels.values())
    return 260 * rows + 140 * points + 120 * texts + kernels + 3000 * (1 + len(answers.attempts))


def iter_kernels(grades: Grades) -> Iterator[tuple[Marked, str, str]]:
    """Check the kernels again, several at a time; yields the file, the part and the outcome.

    The outcome replaces what the file says, which is kept in `Marked.kernels` where it was another
    one. Kernels with the same text are checked once.
    """
    kernels = {part.id: part for part in grades.lab.parts.kernels}
    todo: dict[tuple[str, str], list[tuple[Marked, Answers]]] = {}
    for marked, answers in grades.good:
        for name, kernel in answers.kernels.items():
            todo.setdefault((name, kernel.source), []).append((marked, answers))
    waiting = list(todo)
    running: dict[tuple[str, str], Iterator[Verdict | None]] = {}
    while waiting or running:
        while waiting and len(running) < checks_at_once():
            key = waiting.pop(0)
            running[key] = iter_check(key[1], kernels[key[0]].exercise.launch)
        # A copy of the entries: the loop deletes from the dictionary.
        for key, checking in [*running.items()]:
            try:
                verdict = next(checking)
            except Exception as error:  # one kernel must not stop the marking of the others
                logger.exception("a kernel could not be checked")
                del running[key]
                for marked, answers in todo[key]:
                    # What could not be checked does not count.
                    del answers.kernels[key[0]]
                    reason = str(error) if isinstance(error, InputError) else type(error).__name__
                    marked.kernels[key[0]] = (
                        f"not verified: it could not be checked here ({reason})"
                    )
                    yield marked, key[0], marked.kernels[key[0]]
                continue
            if verdict is None:
                continue
            del running[key]
            found = KernelAnswer(key[1], sorted({fault.kind for fault in verdict.faults}))
            for marked, answers in todo[key]:
                if answers.kernels[key[0]].points != found.points:
                    said = f"{found.result}; the file says {answers.kernels[key[0]].result}"
                    marked.kernels[key[0]] = said
                answers.kernels[key[0]] = found
                # A teacher who runs the file by Python runs more than the kernel.
                more = [
                    f"{key[0]}: {each}"
                    for each in verdict.remarks
                    if each.startswith(OTHER_STATEMENTS)
                ]
                marked.remark = "; ".join(filter(None, (marked.remark, *more)))
                yield marked, key[0], found.result


def iter_repeats(
    grades: Grades, count: int | None, seconds: float = SECONDS
) -> Iterator[tuple[Marked, str, str]]:
    """Run attempts again: yields the file, the attempt and the outcome, which are kept in
    `Marked.repeats` too.

    From now on only what is verified counts for a task. `count`: how many of each person, first
    those that the table shows; None: all. `seconds`: for all of one person. Attempts with the same
    settings are run once.
    """
    for marked, _ in grades.good:
        marked.repeats.clear()
        marked.is_repeated = True
    # One for the class: persons with the same settings share a run.
    repeater = Repeater(grades.data)
    for marked, answers in grades.good:
        places = order(answers, marked.faults)[:count]
        for place, repeat in repeater.iter_person(answers, places, seconds):
            marked.repeats[place] = repeat
            yield marked, marked.title(place), repeat.text
