"""Rows of a bench as files: a CSV and, where the table has a chart, a PNG for each table."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from core.bench.chart import draw
from core.bench.rows import Bench, Row, Table
from core.files import atomic_path, write_atomically


def export(bench: Bench, rows: Sequence[Row], folder: Path) -> list[Path]:
    """Write `<bench>-<table>.csv` and `.png` for each table that has rows; the paths written, or a Refusal."""
    written = []
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
