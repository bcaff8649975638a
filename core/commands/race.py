"""Train the same run on several devices or numbers of workers side by side, and compare their
speed.
"""

import argparse

from core.bench.reports import race_bench
from core.bench.rows import Options
from core.commands.bench import measure_bench
from core.commands.console import Parser, check_device, integer
from core.commands.plan import add_run_options, load_run, parse_run_options
from core.errors import InputError
from core.measure.race import Contestant
from kernels.registry import device_names, is_device_name, probe_all

MAX_REPETITIONS = 99


def add_options(parser: Parser) -> None:
    add_run_options(parser)
    parser.add_argument(
        "--device",
        metavar="NAME[:WORKERS]",
        action="append",
        dest="contestants",
        help=f"a contestant: {', '.join(device_names())}, with a number of workers after a colon "
        "(cuda:1 is the "
        "second card); give two or more (default: all devices of this machine)",
    )
    parser.add_argument(
        "--repeat",
        metavar="N",
        type=integer,
        default=1,
        help="race N times: the speed is the median, with its spread (default: 1)",
    )
    parser.add_argument(
        "--out", metavar="FOLDER", help="write results and scores here as JSON and CSV"
    )


def execute(options: argparse.Namespace) -> int:
    asked = parse_run_options(options)
    if not 1 <= options.repeat <= MAX_REPETITIONS:
        raise InputError(
            "--repeat {n}: give a whole number from 1 to {maximum}.",
            n=options.repeat,
            maximum=MAX_REPETITIONS,
        )
    named = [_parse(text) for text in options.contestants or ()]

    if not named:
        # Asked for only here: probing the devices may take seconds.
        named = [(device.name, 1) for device in probe_all() if device.available]
    contestants = tuple(Contestant(*pair) for pair in named)
    plan, dataset, _ = load_run(asked, "race")
    bench = race_bench(plan.settings, dataset, contestants, options.repeat)
    measure_bench(bench, Options(), options.out, options.json)
    return 0


def _parse(text: str) -> tuple[str, int]:
    """`vectorized:2` as (vectorized, 2); `cuda:1`, the name of a card, as (cuda:1, 1)."""
    # First, as the name of a second card has a colon, too.
    if text != "auto" and is_device_name(text):
        return text, 1
    name, _, workers = text.partition(":")
    check_device(name)
    if (
        name == "auto"
        or not (workers or "1").isdecimal()
        # `isdecimal` takes the digits of other scripts as well.
        or not workers.isascii()
        or not int(workers or 1)
    ):
        raise InputError(
            "--device {text}: give the name of a device, and a number of workers after a colon.",
            text=text,
        )
    return name, int(workers or 1)
