"""Check kernels for graphics cards, written in Numba CUDA, without a card: races, wrong accesses, results, costs."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from core.commands.console import FAILED, Parser, integer, print_json, print_line
from core.errors import InputError

if TYPE_CHECKING:
    from core.workshop.launch import Launch

MAX_BYTES = 400_000
_KIND = "a Python file with kernels"


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
    check.add_argument("--html", metavar="FILE", type=Path, help="write the verdict as a page")
    check.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    # How the program starts the process that checks.
    worker = actions.add_parser("worker")
    worker.add_argument("folder", type=Path)


def execute(options: argparse.Namespace) -> int:
    if options.action == "worker":
        from core.workshop.worker import work

        return work(options.folder)
    from core.files.input_file import read_input
    from core.workshop.check import iter_check

    content = read_input(options.file, MAX_BYTES, _KIND)
    try:
        source = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("{path} is not UTF-8 text: choose {kind}.", path=options.file, kind=_KIND) from None
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
    from core.workshop.launch import parse_launch
    from core.workshop.reference import reference_of

    if not options.args:
        raise InputError(
            "--args is missing: write the kernel's arguments, “out: float32[n], a: float32[n], n”."
        )
    for name in ("grid", "block"):
        if not getattr(options, name):
            raise InputError("--{name} is missing: write the number of {what}, “{example}”.", name=name,
                             what="blocks" if name == "grid" else "threads of a block",
                             example="(n + 7) // 8" if name == "grid" else "8")  # fmt: skip
    sizes = " ".join(" ".join(part) for part in options.sizes or ())
    texts = (options.kernel, options.args, options.grid, options.block, sizes)
    launch = parse_launch(*texts)
    if options.expect:
        names = [argument.name for argument in launch.arguments]
        launch = parse_launch(*texts, reference_of(options.expect, names))
    return launch
