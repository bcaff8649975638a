"""Compares runs: the settings that differ, curves by epoch, and a table of results."""

import time
from collections.abc import Iterable, Mapping, Sequence

from core.files.csv_text import csv_text
from core.html.chart import Axis, Figure, Line, figure_html
from core.html.page import page, paragraph, section, table
from core.runs.library import RESULTS, RunEntry
from core.runs.names import numbered, plain_value, short_names, short_value, shown_value
from core.text import format_percent
from core.training.records import Epoch
from core.training.run_settings import BY_NAME, without_effect
from core.version import VERSION

QUANTITIES = ("train_loss", "test_loss", "validation_loss", "train_score", "test_score")
AXES = ("epoch", "step", "seconds")
# What identifies a run beside its settings.
_SOURCES = ("data", "device")
_MAX_LEGEND = 60  # characters


def differing(entries: Sequence[RunEntry]) -> tuple[str, ...]:
    """The settings, and `data` and `device`, in which the runs differ."""
    return tuple(
        name
        for name in (*_SOURCES, *BY_NAME)
        if len({entry.value_of(name) for entry in entries}) > 1
    )


def varied(entries: Sequence[RunEntry]) -> tuple[str, ...]:
    """In what runs that are compared differ: without the device, and without the seed unless that
    is all.
    """
    names = tuple(name for name in differing(entries) if name != "device")
    return tuple(name for name in names if name != "seed") or names


def by_values(entries: Sequence[RunEntry]) -> list[tuple[str, list[RunEntry]]]:
    """The runs in groups of equal values but for the seed, each with a name: the user's, or the
    values that differ.
    """
    names = varied(entries)
    groups: dict[tuple[str, ...], list[RunEntry]] = {}
    for entry in entries:
        groups.setdefault(tuple(str(entry.value_of(name)) for name in names), []).append(entry)
    # Curves have room for the beginning of a name: what tells most of the runs apart stands there.
    values = list(groups)
    numbers = sorted(range(len(names)), key=lambda number: -len({each[number] for each in values}))
    telling = [names[number] for number in numbers]
    titles = short_names(
        [{name: group[0].value_of(name) for name in telling} for group in groups.values()]
    )
    named = []
    for title, group in zip(titles, groups.values(), strict=True):
        own = group[0].label.name if len(group) == 1 else ""
        named.append((own or title or group[0].title, group))
    return named


def legends(entries: Sequence[RunEntry]) -> list[str]:
    """A name for each run, all different: the user's name, else the values that differ, else that
    of its settings.
    """
    names = differing(entries)
    settings = short_names([{name: entry.value_of(name) for name in names} for entry in entries])
    texts = []
    for entry, values in zip(entries, settings, strict=True):
        text = entry.label.name or values or entry.title
        texts.append(text if len(text) <= _MAX_LEGEND else text[: _MAX_LEGEND - 1] + "…")
    return numbered(texts)


def common_settings(entries: Sequence[RunEntry]) -> str:
    """The main settings that all of these runs share, as the title of a picture."""
    names = ("network", "data", "optimizer", "learning_rate", "batch_size", "epochs")
    shared = (name for name in names if len({entry.value_of(name) for entry in entries}) == 1)
    return ", ".join(short_value(name, entries[0].value_of(name)) for name in shared)


def result_table(entries: Sequence[RunEntry]) -> list[list[object]]:
    """A heading, and a row for each run: names, results, and the settings that differ."""
    names = differing(entries)
    rows: list[list[object]] = [["run", "name", *RESULTS, *names]]
    for entry in entries:
        settings = (plain_value(entry.value_of(name)) for name in names)
        rows.append([entry.id, entry.label.name, *entry.results().values(), *settings])
    return rows


def results_csv(entries: Sequence[RunEntry]) -> str:
    """The table of results for other programs."""
    return csv_text(result_table(entries))


def curves_csv(entries: Sequence[RunEntry], rows: Sequence[Sequence[Epoch]]) -> str:
    """All curves for other programs: a line for each epoch of each run."""
    ids = (entry.id for entry in entries)
    return epochs_csv(zip(ids, legends(entries), rows, strict=True))


def epochs_csv(runs: Iterable[tuple[str, str, Sequence[Epoch]]]) -> str:
    """The epochs of runs, each of which has an id and a name: a line for each epoch of each run."""
    columns = (*AXES, *QUANTITIES)
    table: list[list[object]] = [["run", "legend", *columns]]
    for run_id, legend, epochs in runs:
        table += [[run_id, legend, *(getattr(epoch, name) for name in columns)] for epoch in epochs]
    return csv_text(table)


# The charts of a report.
_TITLES = {
    "train_loss": "Training loss",
    "validation_loss": "Validation loss",
    "test_loss": "Test loss",
    "test_score": "Test score (accuracy, or R² of values)",
}


def comparison_report(entries: Sequence[RunEntry], rows: Sequence[Sequence[Epoch]]) -> str:
    """The page for these runs; `rows`: the history of each."""
    names = legends(entries)
    charts = []
    for quantity, title in _TITLES.items():
        curves = [(name, each, quantity) for name, each in zip(names, rows, strict=True)]
        charts.append(curve_figure(title, curves))
    plans = [entry.info.plan for entry in entries]
    sources = [
        {"data": plan.data, "device": plan.device, **plan.settings.as_dict()} for plan in plans
    ]
    results = [[_text(*each, entry) for each in entry.results().items()] for entry in entries]
    results = [[name, *texts] for name, texts in zip(names, results, strict=True)]
    parts = [
        paragraph(f"{len(entries)} runs, {time.strftime('%Y-%m-%d %H:%M')}."),
        section("Results", table(("run", *(name.replace("_", " ") for name in RESULTS)), results)),
        section("Curves", *filter(None, charts)),
        section("Settings", settings_table(names, sources)),
    ]
    return page("Comparison of runs", parts, f"DigitLab {VERSION}")


def curve_figure(title: str, curves: Sequence[tuple[str, Sequence[Epoch], str]]) -> str:
    """A chart for a page with a line for each (name, history, quantity); empty if none has
    values.
    """
    lines = []
    for name, rows, quantity in curves:
        found = [(each.epoch, y) for each in rows if (y := getattr(each, quantity)) is not None]
        lines.append(Line(name, [float(x) for x, _ in found], [float(y) for _, y in found]))
    if not any(line.x for line in lines):
        return ""
    return figure_html(Figure(title, Axis("epoch"), Axis(title), lines))


def settings_table(headings: Sequence[str], columns: Sequence[Mapping[str, object]]) -> str:
    """A table for a page with a row for each setting, data, device and state that a column has a
    value of.

    The settings in which the columns differ come first and are marked. Those without effect are
    left out.
    """
    known = (*_SOURCES, "state", *BY_NAME)
    names = [name for name in known if any(name in column for column in columns)]
    without = [without_effect(str(c.get("optimizer")), str(c.get("schedule", ""))) for c in columns]
    different = [name for name in names if len({column.get(name) for column in columns}) > 1]
    rows = []
    for name in dict.fromkeys([*different, *names]):
        setting = BY_NAME.get(name)
        label, unit = (setting.label, setting.unit) if setting else (name.capitalize(), "")
        values = [
            "–"
            if name in unused or column.get(name) == ""
            else shown_value(name, column.get(name), unit)
            for column, unused in zip(columns, without, strict=True)
        ]
        if set(values) != {"–"}:
            rows.append((label + (" ≠" if name in different else ""), *values))
    return table(("setting", *headings), rows)


def _text(name: str, value: object, entry: RunEntry) -> str:
    """A result as text; the score of classes in percent."""
    if value is None:
        return "–"
    if name.endswith("_score") and isinstance(value, float) and entry.info.kind != "regression":
        return format_percent(value)
    return f"{value:.5g}" if isinstance(value, float) else shown_value(name, value)
