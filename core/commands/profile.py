"""Time each operator of a training step on one device."""

import argparse
from contextlib import closing

from core.commands.bench import measure_bench
from core.commands.console import Parser, integer, open_device, progress_bar
from core.commands.plan import add_run_options, make_plan, prepare_run
from core.errors import InputError
from kernels.registry import device_names


def add_options(parser: Parser) -> None:
    add_run_options(parser)
    names = ", ".join(("auto", *device_names()))
    parser.add_argument("--device", metavar="NAME", help=f"{names} (default: auto)")
    parser.add_argument(
        "--steps", metavar="N", type=integer, default=200, help="how many steps are timed (default: 200)"
    )
    parser.add_argument("--out", metavar="FOLDER", help="write the table here as JSON, CSV, PNG and SVG")


def execute(options: argparse.Namespace) -> int:
    plan = make_plan(options)
    if options.steps < 1:
        raise InputError("--steps {n}: give a whole number of at least 1.", n=options.steps)
    from core.bench.reports import profile_bench
    from core.bench.rows import Options
    from core.data.sources import load_dataset

    with progress_bar("Data", "") as show:
        dataset = load_dataset(plan.data, show)
    run, _ = prepare_run(plan, dataset, "profile")
    with closing(open_device(plan.device)) as device:
        measure_bench(
            profile_bench(run, dataset, device, options.steps), Options(), options.out, options.json
        )
    return 0
