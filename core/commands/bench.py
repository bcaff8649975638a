"""Measure this machine: the comparisons of the source systems, with their published values."""

import argparse
from contextlib import closing
from pathlib import Path

from core.bench import NAMES, find_bench, iter_bench
from core.bench.output import card_info, export, machine_name
from core.bench.rows import FULL, QUICK, Bench, Note, Options, Row
from core.commands import console
from core.errors import InputError
from core.files.atomic import check_writable
from kernels.registry import device_names

# Results of a card are kept even without --out: they are what a report about speed needs.
CARD_FOLDER = "digitlab-bench"

# A block of CUDA threads has at most 1,024.
_BLOCKS = range(2, 33)


def add_options(parser: console.Parser) -> None:
    parser.add_argument(
        "name", metavar="NAME", help="; ".join(f"{name}: {text}" for name, text in NAMES.items())
    )
    parser.add_argument(
        "--quick", action="store_true", help="smaller sizes: under half a minute, cuda under three"
    )
    parser.add_argument(
        "--device",
        metavar="NAME",
        action="append",
        help="measure this device only; may be given several times (default: all devices of this machine)",
    )
    parser.add_argument(
        "--torch-python",
        metavar="PATH",
        type=Path,
        help="a Python with PyTorch to compare with, for dense, convolution and cuda (default: this Python, if it "
        "has PyTorch)",
    )
    parser.add_argument(
        "--block",
        metavar="N",
        type=console.integer,
        default=16,
        help="for cuda: blocks of the naive kernels have N x N threads, 2 to 32 (default: 16)",
    )
    parser.add_argument(
        "--busy", action="store_true", help="for dense: also measure beside a busy process for each core"
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="write the rows to this folder as JSON, and each table as CSV, PNG and SVG (default: no files, but "
        f"{CARD_FOLDER}/ for cuda)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=console.integer, default=0, help="seed of all random numbers"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def execute(options: argparse.Namespace) -> int:
    bench = find_bench(options.name)
    if options.block not in _BLOCKS:
        raise InputError(
            "--block {block}: a block's side is a whole number from {minimum} to {maximum}.",
            block=options.block,
            minimum=_BLOCKS[0],
            maximum=_BLOCKS[-1],
        )
    for name in options.device or ():
        console.check_device(name)
    devices = tuple(dict.fromkeys(options.device or device_names()))
    sizes = QUICK if options.quick else FULL
    torch_python = options.torch_python
    asked = Options(sizes, devices, torch_python, options.seed, block=options.block, busy=options.busy)
    out = CARD_FOLDER if options.out is None and bench.name == "cuda" else options.out
    measure_bench(bench, asked, out, options.json)
    return 0


def measure_bench(bench: Bench, options: Options, out: str | None, json: bool) -> None:
    """Run a benchmark, print its rows as they are measured, and write them to the folder `out` at the end.

    Rows that were measured before an error or an interruption are written, too. With `out`, the benchmark goes on where
    its output cannot be printed any more; the error is raised at the end.
    """
    folder = None if out is None else Path(out)
    if folder is not None:
        check_writable(folder / f"{bench.name}.csv")
    rows = []
    notes = []
    table = ""
    output_error: OSError | None = None
    try:
        with closing(iter_bench(bench, options)) as records:
            for record in records:
                if isinstance(record, Row):
                    rows.append(record)
                else:
                    notes.append(record.text)
                try:
                    table = _print(bench, record, table, json)
                except OSError as error:
                    if folder is None:
                        raise
                    console.discard_output()
                    output_error = error
    finally:
        if folder is not None and rows:
            written = export(bench, rows, folder, notes)
            lines: list[object] = [*written]
            if bench.name == "cuda":
                text = f"The results are in {folder}: {len(written)} files, of which {written[0].name} holds all."
                lines = ["", text]
            for line in [] if json else lines:
                console.print_line(line)
    if output_error is not None:
        raise output_error


def _print(bench: Bench, record: Row | Note, last_table: str, json: bool) -> str:
    """Print a note; or a row, after the headings if it is the first of its table. Returns the name of the table."""
    if isinstance(record, Note):
        if json:
            console.print_json({"bench": bench.name, "remark": record.text})
        else:
            console.print_line(record.text, flush=True)
        return last_table
    if json:
        console.print_json({"bench": bench.name, "table": record.table, **record.values})
        return ""
    table = bench.table(record.table)
    # The first column often holds names.
    widths = [max(10 if column else 24, len(heading)) for column, (_, heading) in enumerate(table.columns)]
    if record.table != last_table:
        console.print_line()
        console.print_line(
            f"{table.title}; {card_info()['name'] if bench.name == 'cuda' else machine_name()}"
        )
        console.print_row([heading for _, heading in table.columns], widths, left=1)
    console.print_row([_cell(record.values.get(key)) for key, _ in table.columns], widths, left=1)
    return record.table


def _cell(value: object) -> str:
    match value:
        case float():
            return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
        case int():
            return f"{value:,}"
        case None:
            return ""
        case _:
            return str(value)
