"""Mark a folder with the answers of a class to a lab: who did what, wrong ideas, predictions,
attempts run again.
"""

import argparse
from itertools import chain
from pathlib import Path

from core.commands.console import Parser, integer, print_json, print_line, print_table
from core.errors import InputError
from core.files.atomic import check_writable
from core.files.json_text import JsonObject
from core.labs.answers import MAX_ATTEMPTS
from core.labs.grading import Grades, iter_kernels, iter_repeats, read_folder
from core.labs.package import open_lab
from core.labs.repeats import SECONDS
from core.labs.trial import about
from core.program import shipped_path

_MAX_MINUTES = 1000.0


def add_options(parser: Parser) -> None:
    parser.add_argument(
        "folder", metavar="FOLDER", type=Path, help="the folder with the files of answers (.json)"
    )
    parser.add_argument(
        "--lab",
        metavar="LAB",
        type=shipped_path,
        required=True,
        help="a Markdown file, a folder or a zip file; or the name of a shipped lab",
    )
    parser.add_argument(
        "--repeat",
        metavar="N",
        type=integer,
        default=0,
        help="run so many attempts of each person again, from their seeds; -1: all. "
        "Only these count then for tasks",
    )
    parser.add_argument(
        "--minutes",
        metavar="M",
        type=float,
        default=SECONDS / 60,
        help="with --repeat: how long the attempts of one person may take (default: "
        f"{SECONDS / 60:g})",
    )
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path, help="write grades.csv and grades.html here"
    )
    parser.add_flag("--json", "print one JSON object a line")


def execute(options: argparse.Namespace) -> int:
    count = _checked_count(options.repeat)
    if not 0 < options.minutes <= _MAX_MINUTES:
        raise InputError(
            "--minutes {given:g}: give more than 0 and at most {most:g}.",
            given=options.minutes,
            most=_MAX_MINUTES,
        )
    lab = open_lab(options.lab)
    if options.out is not None:
        # Before the runs, which may take hours.
        check_writable(options.out / "grades.csv")
    grades = read_folder(options.folder, lab)
    repeats = iter_repeats(grades, count, options.minutes * 60) if count != 0 else ()
    if not options.json and count != 0:
        _print_plan(grades, count, options.minutes * 60)
    for marked, title, text in chain(iter_kernels(grades), repeats):
        if not options.json:
            print_line(f"{marked.name}, {title}: {text}", flush=True)
    _print(grades, options.json)
    if options.out is not None:
        grades.write(options.out)
        if not options.json:
            print_line(f"Written: {options.out / 'grades.csv'} and {options.out / 'grades.html'}")
    return 0


def _checked_count(given: int) -> int | None:
    """How many attempts of each person to run again; None: all. Raises InputError."""
    if not -1 <= given <= MAX_ATTEMPTS:
        raise InputError(
            "--repeat {given}: give 1 to {most} attempts of each person, or -1 for all.",
            given=given,
            most=MAX_ATTEMPTS,
        )
    return None if given < 0 else given


def _print_plan(grades: Grades, count: int | None, seconds: float) -> None:
    persons = len(grades.good)
    attempts = "all" if count is None else f"at most {count}"
    print_line(
        f"Attempts of {persons} persons are run again: {attempts} of each, for at most "
        f"{about(seconds)} each ({about(seconds * persons)} in all). The same settings are run "
        "once.",
        flush=True,
    )


def _print(grades: Grades, as_json: bool) -> None:
    rows = grades.rows()
    if as_json:
        for row in rows[1:]:
            values: JsonObject = dict(zip(map(str, rows[0]), row, strict=True))
            print_json(values)
        for question, idea, choice, persons in grades.misconceptions():
            print_json(
                {"question": question, "misconception": idea, "choice": choice, "persons": persons}
            )
        return
    # Sentences would make columns wider than a terminal: remarks are printed below, outcomes have
    # been.
    shown = [
        column for column, heading in enumerate(rows[0]) if heading not in ("run again", "remark")
    ]
    print_table([[row[column] for column in shown] for row in rows], left=1)
    for marked in grades.marked:
        remarks = marked.remarks()
        if remarks:
            print_line(remarks if marked.answers is None else f"{marked.file}: {remarks}")
    for sentence in grades.sentences():
        print_line(str(sentence))
    for question, idea, choice, persons in grades.misconceptions():
        if persons:
            print_line(f"{question}: {persons} chose “{choice}” ({idea})")
