"""Write, test, print and publish labs: Markdown files with steps to predict, run, compare and answer."""

import argparse
from pathlib import Path

from core.commands.console import FAILED, Parser, print_line
from core.files.atomic import write_atomically
from core.labs.check import Finding, iter_check
from core.labs.package import open_lab
from core.labs.skeleton import write_skeleton
from core.labs.web_page import iter_page, iter_site, sheet_html


def add_options(parser: Parser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="new | check | print | page | site", required=True)
    new = actions.add_parser("new", help="write the skeleton of a lab into a new folder")
    new.add_argument("folder", metavar="FOLDER", type=Path)
    check = actions.add_parser(
        "check", help="test a lab: blocks, settings, pictures, and every figure by training"
    )
    printing = actions.add_parser("print", help="write a lab as an HTML page to print")
    web_page = actions.add_parser("page", help="write a lab as an HTML page to read and try in a browser")
    site = actions.add_parser("site", help="write all labs of a folder as pages with links between them")
    for action in (check, printing, web_page):
        action.add_argument("lab", metavar="LAB", type=Path, help="a Markdown file, a folder or a zip file")
    site.add_argument("lab", metavar="FOLDER", type=Path, help="a folder with labs")
    for action in (printing, web_page, site):
        action.add_argument(
            "--out", metavar="DIR" if action is site else "FILE.html", type=Path, required=True
        )
    check.add_argument("--no-training", action="store_true", help="do not train: figures are not compared")
    printing.add_argument("--teacher", action="store_true", help="with answers and the notes for teachers")
    for action in (web_page, site):
        action.add_argument(
            "--no-training", action="store_true",
            help="do not train: no curves, and the network that comes with the program",
        )  # fmt: skip


def execute(options: argparse.Namespace) -> int:
    if options.action == "new":
        return _new(options.folder)
    if options.action == "check":
        return _check(options.lab, not options.no_training)
    if options.action == "page":
        for line in iter_page(options.lab, options.out, not options.no_training):
            print_line(line, flush=True)
        return 0
    if options.action == "site":
        return _site(options.lab, options.out, not options.no_training)
    write_atomically(options.out, sheet_html(open_lab(options.lab), options.teacher).encode(errors="replace"))
    print_line(f"Written: {options.out}")
    return 0


def _site(folder: Path, out: Path, train: bool) -> int:
    faults = sum(_print(finding) for finding in iter_site(folder, out, train))
    return FAILED if faults else 0


def _print(finding: Finding) -> bool:
    """Print what was found; returns whether it is a fault."""
    print_line(("FAULT " if finding.fault else "") + finding.text, flush=True)
    return finding.fault


def _new(folder: Path) -> int:
    path = write_skeleton(folder)
    print_line(f"Written: {path}. Change it in any editor; test it with `lab check {folder}`.")
    return 0


def _check(path: Path, train: bool) -> int:
    lab = open_lab(path)
    faults = sum(_print(finding) for finding in iter_check(lab, train))
    print_line(f"{lab.title}: {len(lab.steps)} steps, {len(lab.exercises())} parts to do; faults: {faults}")
    return FAILED if faults else 0
