"""Rows of a benchmark as files: one JSON for all, and for each table a CSV and, where it has a chart, PNG and SVG."""

import csv
import io
import json
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any

from core.bench.machine import card_info, machine_name
from core.bench.output.chart import is_available, save_chart
from core.bench.rows import Bench, Row, Table
from core.files.atomic import write_atomically
from core.version import VERSION


def export(bench: Bench, rows: Sequence[Row], folder: Path, notes: Sequence[str] = ()) -> list[Path]:
    """Write `<bench>.json`, and `<bench>-<table>.csv`, `.png` and `.svg` for each table that has rows.

    Returns the paths written. Charts are left out where matplotlib is not installed. Raises InputError where
    the folder cannot be written.
    """
    path = folder / f"{bench.name}.json"
    write_atomically(path, to_json(bench, rows, notes).encode())
    written = [path]
    for table in bench.tables:
        table_rows = [row for row in rows if row.table == table.name]
        if not table_rows:
            continue
        path = folder / f"{bench.name}-{table.name}.csv"
        write_atomically(path, to_csv(table, table_rows).encode())
        written.append(path)
        if is_available():
            written += save_chart(table, table_rows, path)
    return written


def to_csv(table: Table, rows: Sequence[Row]) -> str:
    """Headings and rows, separated by commas; a value that does not apply is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([heading for _, heading in table.columns])
    for row in rows:
        writer.writerow([row.values.get(key) for key, _ in table.columns])
    return text.getvalue()


def to_json(bench: Bench, rows: Sequence[Row], notes: Sequence[str] = ()) -> str:
    """The machine, the card if one was measured, the notes, and the columns and rows of each table."""
    tables = {
        table.name: {
            "title": table.title, "columns": dict(table.columns),
            "rows": [_finite(row.values) for row in rows if row.table == table.name],
        }
        for table in bench.tables if any(row.table == table.name for row in rows)
    }  # fmt: skip
    content: dict[str, Any] = {
        "bench": bench.name, "title": bench.title, "version": VERSION,
        "time": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine_name(),
        "system": platform.platform(), "python": platform.python_version(),
        "card": card_info() if _uses_card(bench, rows) else None,
        "remarks": list(notes), "tables": tables,
    }  # fmt: skip
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """Replaces NaN and infinity, which JSON does not have, by None."""
    return {k: None if isinstance(v, float) and not isfinite(v) else v for k, v in values.items()}


def _uses_card(bench: Bench, rows: Sequence[Row]) -> bool:
    """Whether CUDA was started by the measurement: it must not be started only to name the card."""
    return bench.name == "cuda" or any(row.values.get("device") == "cuda" for row in rows)
