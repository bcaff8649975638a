"""List the data sets that the program knows, download one, or merge the digits of a class."""

import argparse
from pathlib import Path

from core.commands.console import (
    FAILED,
    Parser,
    print_error,
    print_json,
    print_line,
    print_row,
    progress_bar,
)
from core.data.formats import class_digits
from core.data.published import PUBLISHED
from core.data.sources import fetch, list_sources
from core.errors import InputError
from core.files.atomic import check_writable
from core.program import PROGRAM
from core.text import counted


def add_options(parser: Parser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="list | fetch | merge", required=True)
    listing = actions.add_parser("list", help="the data sets, and where they are")
    fetching = actions.add_parser("fetch", help="download a data set")
    fetching.add_argument("name", metavar="NAME", help=" or ".join(PUBLISHED))
    merging = actions.add_parser(
        "merge", help="make one data set of the digits that several people saved"
    )
    merging.add_argument(
        "files",
        metavar="FILE",
        type=Path,
        nargs="+",
        help="files of digits (.npz), or folders of them",
    )
    merging.add_argument("--out", metavar="FILE.npz", type=Path, required=True)
    for action in (listing, fetching, merging):
        action.add_flag("--json", "print one JSON object a line")


def execute(options: argparse.Namespace) -> int:
    return {"list": _list, "fetch": _fetch, "merge": _merge}[options.action](options)


def _list(options: argparse.Namespace) -> int:
    for source in list_sources():
        if options.json:
            print_json(
                {
                    "name": source.name,
                    "title": source.title,
                    "available": source.available,
                    "where": source.where,
                }
            )
        else:
            state = "here" if source.available else "not here"
            print_row((source.name, source.title, state, source.where), (10, 20, 8, 0))
    return 0


def _fetch(options: argparse.Namespace) -> int:
    with progress_bar(f"Fetching {options.name}", "B") as show:
        folder = fetch(options.name, show)
    if options.json:
        print_json({"name": options.name, "where": str(folder)})
    else:
        print_line(f"{options.name} is in {folder}")
    return 0


def _merge(options: argparse.Namespace) -> int:
    files = class_digits.files_in(options.files)
    if not files:
        raise InputError(
            "There are no files of digits (.npz) in {paths}.",
            paths=[str(path) for path in options.files],
        )
    # Before the files are read, which may be many.
    check_writable(options.out)
    digits, refused = class_digits.merge_files(files)
    class_digits.save(digits, options.out)
    for error in refused:
        print_error(f"{PROGRAM} data", error)
    if options.json:
        print_json(
            {"writers": digits.names, "images": len(digits.images), "where": str(options.out)}
        )
    else:
        print_line(
            f"{counted(len(digits.images), 'digit')} of {counted(len(digits.names), 'writer')}: "
            f"{options.out}"
        )
    # The rest was merged, but a script has to know that some files are missing.
    return FAILED if refused else 0
