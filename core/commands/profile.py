"""Time each operator of a training step on one device."""

import argparse
from contextlib import closing

from core.bench.reports import profile_bench
from core.bench.rows import Options
from core.commands.bench import measure_bench
from core.commands.console import Parser, add_device, integer, open_device
from core.commands.plan import add_run_options, load_run, parse_run_options
from core.errors import InputError


def add_options(parser: Parser) -> None:
    add_run_options(parser)
    add_device(parser)
    parser.add_argument(
        "--steps",
        metavar="N",
        type=integer,
        default=200,
        help="how many steps are timed (default: 200)",
    )
    parser.add_argument("--out", metavar="FOLDER", help="write the table here as JSON and CSV")


def execute(options: argparse.Namespace) -> int:
    asked = parse_run_options(options)
    if options.steps < 1:
        raise InputError("--steps {n}: give a whole number of at least 1.", n=options.steps)

    # After the checks of the options: loading the data may take long.
    plan, dataset, _ = load_run(asked, "profile")
    with closing(open_device(plan.device)) as device:
        measure_bench(
            profile_bench(plan.settings, dataset, device, options.steps),
            Options(),
            options.out,
            options.json,
        )
    return 0
