"""Check kernels for graphics cards, written in Numba CUDA, without a card: races, wrong accesses, results, costs."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from core.commands.console import FAILED, Parser, integer, print_json, print_line
from core.errors import InputError

if TYPE_CHECKING:
    from core.workshop.launch import Launch


def add_options(parser: Parser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="check", required=True)
    check = actions.add_parser("check", help="say what is wrong with a kernel, and what it costs")
    check.add_argument("file", metavar="FILE", type=Path, help="a Python file with kernels; docs/workshop.md")
    check.add_argument("--kernel", metavar="NAME", default="", help="the kernel, where the file has several")
    check.add_argument(
        "--args", metavar="TEXT", default="", help='its arguments: "out: float32[n], a: float32[n], n"'
    )
    check.add_argument(
        "--grid", metavar="TEXT", default="", help='blocks, in expressions of sizes: "(n + 7) // 8"'
    )
    check.add_argument("--block", metavar="TEXT", default="", help='threads of a block: 8, or "4, 4"')
    check.add_argument(
        "--sizes", metavar="TEXT", action="append", nargs="+", help="values of the sizes: n=1,7,8 m=3,5"
    )
    check.add_argument(
        "--expect", metavar="TEXT", default="", help='what arrays must hold afterwards: "out = a + 10"'
    )
    check.add_argument(
        "--exercise", metavar="FOLDER", type=Path, help="take the arguments from this exercise"
    )
    check.add_argument(
        "--seed", metavar="N", type=integer, help="of the random inputs; a verdict shows its seed"
    )
    check.add_argument("--no-types", action="store_true", help="do not compile the kernel to check its types")
    check.add_argument(
        "--card", action="store_true", help="launch a kernel without fault on the card too, and time it"
    )
    check.add_argument("--html", metavar="FILE", type=Path, help="write the verdict as a page")
    check.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    # How the program starts the process that checks.
    worker = actions.add_parser("worker")
    worker.add_argument("folder", type=Path)


def execute(options: argparse.Namespace) -> int:
    if options.action == "worker":
        from core.workshop.worker import work

        return work(options.folder)
    from core.workshop.check import iter_check
    from core.workshop.exercise import read_text

    source = read_text(options.file)
    *_, verdict = iter_check(
        source,
        _launch(options),
        seed=options.seed,
        types=not options.no_types,
        trace=options.html is not None,
    )
    assert verdict is not None
    if options.html is not None:
        from core.files.atomic import write_atomically
        from core.workshop.report import verdict_html

        write_atomically(options.html, verdict_html(verdict, source).encode(errors="replace"))
    if options.json:
        print_json(verdict.as_dict())
    else:
        for line in str(verdict).splitlines():
            print_line(line)
        if options.html is not None:
            print_line(f"Written: {options.html}")
    return 0 if verdict.passed else FAILED


def _launch(options: argparse.Namespace) -> "Launch":
    """The launch of the options, or of the exercise that the file belongs to."""
    from core.workshop.launch import parse_arguments, parse_launch
    from core.workshop.reference import reference_of

    if not options.args and (launch := _of_exercise(options)):
        return launch
    for name, what, example in (
        ("args", "the kernel's arguments", "out: float32[n], a: float32[n], n"),
        ("grid", "the number of blocks", "(n + 7) // 8"), ("block", "the number of threads of a block", "8"),
    ):  # fmt: skip
        if not getattr(options, name):
            raise InputError(
                "--{name} is missing: write {what}, “{example}”.", name=name, what=what, example=example
            )
    sizes = " ".join(" ".join(part) for part in options.sizes or ())
    names = [argument.name for argument in parse_arguments(options.args)]
    reference = reference_of(options.expect, names)
    return parse_launch(options.kernel, options.args, options.grid, options.block, sizes, reference)


def _of_exercise(options: argparse.Namespace) -> "Launch | None":
    """The launch of the exercise in --exercise, or in the file's folder or the one above; None where there is none."""
    from core.labs.lab import KernelBlock
    from core.labs.package import is_lab, open_lab

    folder = options.file.resolve().parent
    for path in [options.exercise] if options.exercise else [folder, folder.parent]:
        if options.exercise or is_lab(path):
            kernels = [
                part.exercise.launch for part in open_lab(path).parts() if isinstance(part, KernelBlock)
            ]
            for launch in kernels:
                if options.kernel in ("", launch.kernel):
                    return launch
            raise InputError("{path} has no kernel “{name}”: it has {known}.", path=path, name=options.kernel,
                             known=[launch.kernel for launch in kernels] or "none")  # fmt: skip
    return None
