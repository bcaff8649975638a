"""Measure this machine: the comparisons of the source systems, with their published values."""

import argparse
from contextlib import closing
from pathlib import Path

from core.bench import NAMES, find_bench, iter_bench
from core.bench.output import export, machine_name
from core.bench.rows import FULL, QUICK, Bench, Options, Row
from core.commands import console
from core.files.atomic import check_writable
from kernels.registry import device_names


def add_options(parser: console.Parser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        help="; ".join(f"{name}: {text}" for name, text in NAMES.items()).replace("%", "%%"),
    )
    parser.add_flag("--quick", "smaller sizes: under half a minute, cuda under two")
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
    parser.add_flag("--json", "print one JSON object a line")


def execute(options: argparse.Namespace) -> int:
    bench = find_bench(options.name)
    for name in options.device or ():
        console.check_device(name)
    # A device that is named twice is measured once.
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
        # Before measuring, which may take minutes.
        check_writable(folder / f"{bench.name}.csv")
    report = _Printer(bench, json)
    output_error: OSError | None = None
    try:
        # Closed also after an error: an unfinished benchmark holds devices.
        with closing(iter_bench(bench, options)) as records:
            for record in records:
                try:
                    record.add_to(report)
                except OSError as error:
                    if folder is None:
                        raise
                    console.discard_output()
                    output_error = error
    finally:
        if folder is not None and report.rows:
            written = export(bench, report.rows, folder, report.notes)
            # With --json each line of the output is an object.
            for path in [] if json else written:
                console.print_line(path)
    if output_error is not None:
        raise output_error


class _Printer:
    """Prints rows and notes of a benchmark, and keeps them."""

    def __init__(self, bench: Bench, json: bool) -> None:
        self.rows: list[Row] = []
        self.notes: list[str] = []
        self._bench = bench
        self._json = json

    def add_note(self, text: str) -> None:
        self.notes.append(text)
        if self._json:
            console.print_json({"bench": self._bench.name, "remark": text})
        else:
            console.print_line(text, flush=True)

    def add_row(self, row: Row) -> None:
        """Print the row, after the headings if it is the first of its table."""
        # Before the row is kept: it is compared with the one before it.
        is_first = not self.rows or self.rows[-1].table != row.table
        self.rows.append(row)
        if self._json:
            console.print_json({"bench": self._bench.name, "table": row.table, **row.values})
            return
        table = self._bench.table(row.table)
        headings = [*table.columns.values()]
        # The first column often holds names.
        widths = [max(10 if column else 24, len(text)) for column, text in enumerate(headings)]
        if is_first:
            console.print_line()
            console.print_line(f"{table.title}; {machine_name()}")
            console.print_row(headings, widths, left=1)
        console.print_row([row.values.get(key) for key in table.columns], widths, left=1)
