"""The rows of a benchmark as files: JSON for all tables, for each a CSV, and an SVG where it has a
chart.
"""

import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from core.bench import NAMES
from core.bench.rows import Bench, Row, Table
from core.files.atomic import write_atomically
from core.files.csv_text import csv_text
from core.files.json_text import JsonObject, without_nan
from core.html.chart import Axis, Figure, Line, figure_svg
from core.version import VERSION
from kernels.host import arithmetic, blas_variables, processor_count
from kernels.registry import probe


def machine_name() -> str:
    """Processor and number of cores, for the caption of a table."""
    return f"{processor_name()}, {processor_count()} cores"


def card_info() -> dict[str, str]:
    """Name, driver and memory of the graphics card; starts CUDA if it is not started yet."""
    info = probe("cuda")
    return {"name": info.title, **info.details}


def processor_name() -> str:
    """The name under which the processor is sold, or its architecture where the system does not
    tell.
    """
    try:
        if sys.platform == "win32":
            name = _windows_processor()
        elif sys.platform == "darwin":
            command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
            name = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        else:
            lines = Path("/proc/cpuinfo").read_text().splitlines()
            name = next(
                (line.partition(":")[2] for line in lines if line.startswith("model name")), ""
            )
    except (OSError, subprocess.CalledProcessError):
        name = ""
    return name.strip() or platform.processor() or platform.machine()


def _windows_processor() -> str:
    if sys.platform != "win32":
        return ""
    import winreg

    with winreg.OpenKey(
        winreg.HKEY_LOCAL_MACHINE, r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
    ) as key:
        return str(winreg.QueryValueEx(key, "ProcessorNameString")[0])


def export(
    bench: Bench, rows: Sequence[Row], folder: Path, notes: Sequence[str] = ()
) -> list[Path]:
    """Write `<bench>.json`, and `<bench>-<table>.csv`, with a chart `.svg`, for each table that
    has rows.

    Returns the paths written. Raises InputError where the folder cannot be written.
    """
    path = folder / f"{bench.name}.json"
    write_atomically(path, _json(bench, rows, notes).encode())
    written = [path]
    for table in bench.tables:
        table_rows = [row for row in rows if row.table == table.name]
        if not table_rows:
            continue
        path = folder / f"{bench.name}-{table.name}.csv"
        lines = ([row.values.get(key) for key in table.columns] for row in table_rows)
        write_atomically(path, csv_text([[*table.columns.values()], *lines]).encode())
        written.append(path)
        figure = figure_of(table, table_rows)
        if figure is not None:
            path = path.with_suffix(".svg")
            write_atomically(path, figure_svg(figure, "#000000", "#dddddd"))
            written.append(path)
    return written


def figure_of(table: Table, rows: Sequence[Row]) -> Figure | None:
    """The table's chart; None where it has none, or no row has a number to draw."""
    chart = table.chart
    if chart is None:
        return None
    lines = []
    for key, suffix in ((chart.y, ""), (chart.published, ", published")):
        points: dict[str, list[tuple[float, float]]] = {}
        for row in rows:
            # A value that does not apply is None, and no point.
            if isinstance(row.values.get(key), int | float):
                name = str(row.values.get(chart.series, "measured here")) + suffix
                points.setdefault(name, []).append((row.values[chart.x], row.values[key]))
        lines += [Line.through(name, sorted(each), marks=True) for name, each in points.items()]
    x, y = (Axis(table.heading(key), chart.is_logarithmic) for key in (chart.x, chart.y))
    return Figure(table.title, x, y, lines) if lines else None


def _json(bench: Bench, rows: Sequence[Row], notes: Sequence[str]) -> str:
    """The machine, the card if one was measured, the notes, and the columns and rows of each table.

    NaN and infinity, which JSON does not have, become null.
    """
    tables: dict[str, JsonObject] = {}
    for row in rows:
        table = bench.table(row.table)
        shown = {"title": table.title, "columns": table.columns, "rows": []}
        tables.setdefault(table.name, shown)["rows"].append(without_nan(row.values))
    # CUDA must not be started only to name the card.
    uses_card = bench.name == "cuda" or any(row.values.get("device") == "cuda" for row in rows)
    content: JsonObject = {
        "bench": bench.name,
        "title": NAMES.get(bench.name, bench.name.capitalize()),
        "version": VERSION,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine_name(),
        "arithmetic": arithmetic(),
        "variables": blas_variables(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "card": card_info() if uses_card else None,
        "remarks": list(notes),
        "tables": tables,
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"
