"""One self-contained HTML page that compares runs: curves, results and settings."""

import time
from collections.abc import Sequence

from core.html.line_chart import Line, line_chart
from core.html.page import page, paragraph, section, table
from core.runs.comparison import curve, differing, legends, result_of, smoothed, value_of
from core.runs.library import RunEntry
from core.runs.summary import Row
from core.training.run_settings import BY_NAME, SETTINGS
from core.version import VERSION

_TITLES = {
    "train_loss": "Training loss", "test_loss": "Test loss", "validation_loss": "Validation loss",
    "train_score": "Training accuracy", "test_score": "Test score (accuracy, or R² of values)",
}  # fmt: skip
_SHOWN = ("train_loss", "validation_loss", "test_loss", "test_score")


def comparison_report(
    entries: Sequence[RunEntry],
    rows: Sequence[Sequence[Row]],
    *,
    axis: str = "epoch",
    smoothing: float = 0.0,
    logarithmic: bool = False,
) -> str:
    """The page for these runs; `rows`: the history of each. `logarithmic`: of losses."""
    names = legends(entries)
    charts = [_chart(names, rows, quantity, axis, smoothing, logarithmic) for quantity in _SHOWN]
    runs = len(entries)
    parts = [
        paragraph(f"{runs} runs, {time.strftime('%Y-%m-%d %H:%M')}."),
        section("Results", _results(entries, names)),
        section("Curves", *filter(None, charts)),
        section("Settings", _settings(entries, names)),
    ]
    return page("Comparison of runs", parts, f"DigitLab {VERSION}")


def _chart(
    names: Sequence[str],
    rows: Sequence[Sequence[Row]],
    quantity: str,
    axis: str,
    smoothing: float,
    logarithmic: bool,
) -> str:
    lines = []
    for name, each in zip(names, rows, strict=True):
        x, y = curve(each, quantity, axis)
        lines.append(Line(name, x.tolist(), smoothed(y, smoothing).tolist()))
    if not any(line.x for line in lines):
        return ""
    title = _TITLES[quantity]
    return line_chart(title, lines, axis, title, logarithmic=logarithmic and quantity.endswith("loss"))


def _results(entries: Sequence[RunEntry], names: Sequence[str]) -> str:
    headings = ("run", *(name.replace("_", " ") for name in result_of(entries[0])))
    return table(
        headings,
        [(name, *map(_text, result_of(entry).values())) for name, entry in zip(names, entries, strict=True)],
    )


def _settings(entries: Sequence[RunEntry], names: Sequence[str]) -> str:
    """All settings, a row for each; those that differ come first and are marked."""
    first = differing(entries)
    others = [
        name for name in ("data", "device", *(setting.name for setting in SETTINGS)) if name not in first
    ]
    rows = []
    for name in (*first, *others):
        label = BY_NAME[name].label if name in BY_NAME else name.capitalize()
        rows.append((label + (" ≠" if name in first else ""), *(value_of(entry, name) for entry in entries)))
    return table(("setting", *names), rows)


def _text(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.5g}" if isinstance(value, float) else str(value)
