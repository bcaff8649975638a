"""List the data sets that the program knows, or download one."""

import argparse

from core.commands.console import Parser, print_json, print_line, print_row, progress_bar
from core.data.published import PUBLISHED


def add_options(parser: Parser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="list | fetch", required=True)
    listing = actions.add_parser("list", help="the data sets, and where they are")
    fetching = actions.add_parser("fetch", help="download a data set")
    fetching.add_argument("name", metavar="NAME", help=" or ".join(PUBLISHED))
    for action in (listing, fetching):
        action.add_argument("--json", action="store_true", help="print one JSON object a line")


def execute(options: argparse.Namespace) -> int:
    return _list(options) if options.action == "list" else _fetch(options)


def _list(options: argparse.Namespace) -> int:
    from core.data.sources import list_sources

    for source in list_sources():
        if options.json:
            print_json({"name": source.name, "title": source.title, "available": source.available,
                        "where": source.where})  # fmt: skip
        else:
            state = "here" if source.available else "not here"
            print_row((source.name, source.title, state, source.where), (10, 20, 8, 0))
    return 0


def _fetch(options: argparse.Namespace) -> int:
    from core.data.sources import fetch

    with progress_bar(f"Fetching {options.name}", "B") as show:
        folder = fetch(options.name, show)
    if options.json:
        print_json({"name": options.name, "where": str(folder)})
    else:
        print_line(f"{options.name} is in {folder}")
    return 0
