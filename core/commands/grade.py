"""Mark a folder with the answers of a class to a lab: who did what, wrong ideas, predictions, attempts run again."""

import argparse
from itertools import chain
from pathlib import Path
from typing import Any

from core.commands.console import Parser, integer, print_json, print_line, print_table
from core.files.atomic import check_writable
from core.labs.grading import Grades, iter_kernels, iter_repeats, read_folder
from core.labs.package import open_lab


def add_options(parser: Parser) -> None:
    parser.add_argument(
        "folder", metavar="FOLDER", type=Path, help="the folder with the files of answers (.json)"
    )
    parser.add_argument(
        "--lab", metavar="LAB", type=Path, required=True, help="a Markdown file, a folder or a zip file"
    )
    parser.add_argument("--repeat", metavar="N", type=integer, default=0,
                        help="run so many attempts of each person again, from their seeds; -1: all")  # fmt: skip
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="write grades.csv and grades.html here")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def execute(options: argparse.Namespace) -> int:
    lab = open_lab(options.lab)
    if options.out is not None:
        check_writable(options.out / "grades.csv")
    grades = read_folder(options.folder, lab)
    repeats = iter_repeats(grades, None if options.repeat < 0 else options.repeat) if options.repeat else ()
    for marked, part, text in chain(iter_kernels(grades), repeats):
        if not options.json:
            print_line(f"{marked.name}, {part}: {text}", flush=True)
    _print(grades, options.json)
    if options.out is not None:
        grades.write(options.out)
        if not options.json:
            print_line(f"Written: {options.out / 'grades.csv'} and {options.out / 'grades.html'}")
    return 0


def _print(grades: Grades, as_json: bool) -> None:
    rows = grades.rows()
    if as_json:
        for row in rows[1:]:
            values: dict[str, Any] = dict(zip(map(str, rows[0]), row, strict=True))
            print_json(values)
        for question, idea, choice, persons in grades.misconceptions():
            print_json({"question": question, "misconception": idea, "choice": choice, "persons": persons})
        return
    print_table(rows, left=1)
    for question, idea, choice, persons in grades.misconceptions():
        if persons:
            print_line(f"{question}: {persons} chose “{choice}” ({idea})")
