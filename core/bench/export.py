"""Rows of a bench as files: one JSON for all, and a CSV and, where it has a chart, a PNG for each table."""

import csv
import io
import json
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any

from core.bench import machine
from core.bench.chart import draw
from core.bench.rows import Bench, Row, Table
from core.files.atomic import atomic_path, write_atomically
from core.version import VERSION


def export(bench: Bench, rows: Sequence[Row], folder: Path, remarks: Sequence[str] = ()) -> list[Path]:
    """Write `<bench>.json`, and `<bench>-<table>.csv` and `.png` for each table that has rows; the paths written.

    Raises an InputError where the folder cannot be written.
    """
    path = folder / f"{bench.name}.json"
    write_atomically(path, to_json(bench, rows, remarks).encode())
    written = [path]
    for table in bench.tables:
        own = [row for row in rows if row.table == table.name]
        if not own:
            continue
        path = folder / f"{bench.name}-{table.name}.csv"
        write_atomically(path, to_csv(table, own).encode())
        written.append(path)
        image = draw(table, own)
        if image is not None:
            path = path.with_suffix(".png")
            with atomic_path(path) as temporary:
                image.save(temporary, format="PNG")
            written.append(path)
    return written


def to_csv(table: Table, rows: Sequence[Row]) -> str:
    """Headings and rows, separated by commas; what does not apply is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([heading for _, heading in table.columns])
    for row in rows:
        writer.writerow([row.values.get(key) for key, _ in table.columns])
    return text.getvalue()


def to_json(bench: Bench, rows: Sequence[Row], remarks: Sequence[str] = ()) -> str:
    """The machine, its card where a row is of one, what was said, and each table's columns and rows."""
    tables = {
        table.name: {
            "title": table.title, "columns": dict(table.columns),
            "rows": [_finite(row.values) for row in rows if row.table == table.name],
        }
        for table in bench.tables if any(row.table == table.name for row in rows)
    }  # fmt: skip
    content: dict[str, Any] = {
        "bench": bench.name, "title": bench.title, "version": VERSION,
        "time": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine.name(),
        "system": platform.platform(), "python": platform.python_version(),
        "card": machine.card() if _on_card(bench, rows) else None,
        "remarks": list(remarks), "tables": tables,
    }  # fmt: skip
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def _finite(values: dict[str, Any]) -> dict[str, Any]:
    """JSON knows neither NaN nor infinity, which a training that diverged leaves."""
    return {k: None if isinstance(v, float) and not isfinite(v) else v for k, v in values.items()}


def _on_card(bench: Bench, rows: Sequence[Row]) -> bool:
    """Whether CUDA was in use anyway: to name a card is no reason to start it."""
    return bench.name == "cuda" or any(row.values.get("device") == "cuda" for row in rows)
