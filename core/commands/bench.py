"""Measure this machine: the comparisons of the source systems, with their published values."""

import argparse
from contextlib import closing
from pathlib import Path

from core.bench import NAMES, find_bench, iter_bench
from core.bench.output import export, machine_name
from core.bench.rows import FULL, QUICK, Bench, Note, Options, Row
from core.commands import console
from core.files.atomic import check_writable
from kernels.registry import device_names


def add_options(parser: console.Parser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        help="; ".join(f"{name}: {text}" for name, text in NAMES.items()).replace("%", "%%"),
    )
    parser.add_argument(
        "--quick", action="store_true", help="smaller sizes: under half a minute, cuda under two"
    )
    parser.add_argument(
        "--device",
        metavar="NAME",
        action="append",
        help="measure this device only; may be given several times (default: all devices of this "
        "machine)",
    )
    parser.add_argument(
        "--torch-python",
        metavar="PATH",
        type=Path,
        help="a Python with PyTorch to compare with, for dense and convolution (default: this "
        "Python, if it has PyTorch)",
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="write the rows to this folder as JSON, and each table as CSV, with its chart as SVG",
    )
    parser.add_argument(
        "--seed", metavar="N", type=console.integer, default=0, help="seed of all random numbers"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def execute(options: argparse.Namespace) -> int:
    bench = find_bench(options.name)
    for name in options.device or ():
        console.check_device(name)
    devices = tuple(dict.fromkeys(options.device or device_names()))
    sizes = QUICK if options.quick else FULL
    asked = Options(sizes, devices, options.torch_python, options.seed)
    measure_bench(bench, asked, options.out, options.json)
    return 0


def measure_bench(bench: Bench, options: Options, out: str | None, json: bool) -> None:
    """Run a benchmark, print its rows as they are measured, and write them to the folder `out` at
    the end.

    Rows that were measured before an error or an interruption are written, too. With `out`, the
    benchmark goes on where its output cannot be printed any more; the error is raised at the end.
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
            for path in [] if json else written:
                console.print_line(path)
    if output_error is not None:
        raise output_error


def _print(bench: Bench, record: Row | Note, last_table: str, json: bool) -> str:
    """Print a note; or a row, after the headings if it is the first of its table. Returns the name
    of the table.
    """
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
    widths = [
        max(10 if column else 24, len(heading)) for column, (_, heading) in enumerate(table.columns)
    ]
    if record.table != last_table:
        console.print_line()
        console.print_line(f"{table.title}; {machine_name()}")
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
