"""Write, test, print and publish labs: Markdown files with steps to predict, run, compare and
answer.
"""

import argparse
import os
import subprocess
from pathlib import Path

from core.commands.console import FAILED, Parser, print_line
from core.errors import InputError
from core.files.atomic import write_atomically
from core.labs.blocks.block import LabFinding
from core.labs.check import iter_check
from core.labs.lab import Lab
from core.labs.package import open_lab
from core.labs.skeleton import write_skeleton
from core.labs.web_page import iter_page, iter_site, sheet_html
from core.program import own_command, shipped_path
from kernels.host import blas_family, runnable_families


def add_options(parser: Parser) -> None:
    actions = parser.add_subparsers(
        dest="action", metavar="new | check | print | page | site", required=True
    )
    new = actions.add_parser("new", help="write the skeleton of a lab into a new folder")
    new.add_argument("folder", metavar="FOLDER", type=Path)
    check = actions.add_parser(
        "check", help="test a lab: blocks, settings, pictures, and every figure by training"
    )
    printing = actions.add_parser("print", help="write a lab as an HTML page to print")
    web_page = actions.add_parser(
        "page", help="write a lab as an HTML page to read and try in a browser"
    )
    site = actions.add_parser(
        "site", help="write all labs of a folder as pages with links between them"
    )
    for action in (check, printing, web_page):
        action.add_argument(
            "lab",
            metavar="LAB",
            type=shipped_path,
            help="a Markdown file, a folder or a zip file; or the name of a shipped lab",
        )
    site.add_argument("lab", metavar="FOLDER", type=shipped_path, help="a folder with labs")
    for action in (printing, web_page, site):
        action.add_argument(
            "--out", metavar="DIR" if action is site else "FILE.html", type=Path, required=True
        )
    check.add_flag("--no-training", "do not train: figures are not compared")
    check.add_flag(
        "--one-family",
        "train with this processor's own code only, not again with that of another family",
    )
    printing.add_flag("--teacher", "with answers and the notes for teachers")
    for action in (web_page, site):
        action.add_flag(
            "--no-training", "do not train: no curves, and the network that comes with the program"
        )


def execute(options: argparse.Namespace) -> int:
    if options.action == "new":
        return _new(options.folder)
    if options.action == "check":
        return _check(options.lab, not options.no_training, options.one_family)
    if options.action == "page":
        for line in iter_page(options.lab, options.out, not options.no_training):
            print_line(line, flush=True)
        return 0
    if options.action == "site":
        return _site(options.lab, options.out, not options.no_training)
    write_atomically(
        options.out, sheet_html(open_lab(options.lab), options.teacher).encode(errors="replace")
    )
    print_line(f"Written: {options.out}")
    return 0


def _site(folder: Path, out: Path, train: bool) -> int:
    faults = sum(_print(finding) for finding in iter_site(folder, out, train))
    return FAILED if faults else 0


def _print(finding: LabFinding) -> bool:
    """Print what was found; returns whether it is a fault."""
    print_line(("FAULT " if finding.fault else "") + finding.text, flush=True)
    return finding.fault


def _new(folder: Path) -> int:
    path = write_skeleton(folder)
    print_line(f"Written: {path}. Change it in any editor; test it with `lab check {folder}`.")
    return 0


def _check(path: Path, train: bool, one_family: bool) -> int:
    lab = open_lab(path)
    said = set()
    faults = 0
    for finding in iter_check(lab, train):
        faults += _print(finding)
        said.add(finding.text)
    if train and not one_family and _trains(lab):
        faults += _check_with_another_family(path, said)
    print_line(
        f"{lab.title}: {len(lab.steps)} steps, {len(lab.parts.exercises)} parts to do; faults: "
        f"{faults}"
    )
    return FAILED if faults else 0


def _trains(lab: Lab) -> bool:
    """Whether the check of the lab trains a network."""
    return any(part.is_trained_by_check for part in lab.parts.trained)


_FINDING = "line "
"""How the lines of a check begin that are about a place in the lab."""


def _check_with_another_family(path: Path, said: set[str]) -> int:
    """Check the lab in a process whose products are those of other processors; returns the number
    of faults.

    A fault that was `said` before is neither printed nor counted again.
    """
    own = blas_family()
    others = [family for family in runnable_families() if own != f"OpenBLAS {family}"]
    if not others:
        print_line(
            f"Trained with {own} only: this machine has no code for another family of processors."
        )
        return 0
    family = others[0]
    print_line(
        f"Trained with {own}. Again with OpenBLAS {family}, as other processors compute:",
        flush=True,
    )
    faults = 0
    command = [*own_command(), "lab", "check", str(path), "--one-family"]
    # OpenBLAS reads its variable only when it is loaded, so that a new process is needed.
    environment = {**os.environ, "OPENBLAS_CORETYPE": family, "PYTHONUTF8": "1"}
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout
        for line in process.stdout:
            text = line.rstrip().removeprefix("FAULT ")
            is_fault = line.startswith("FAULT ")
            # Other lines, such as the summary, have been printed for this check already.
            if text.startswith(_FINDING) and not (is_fault and text in said):
                faults += _print(LabFinding(text, is_fault))
    # A process that was killed has found no fault, but has not checked all either.
    if process.returncode not in (0, FAILED):
        raise InputError("The check with OpenBLAS {family} ended early.", family=family)
    return faults
