"""Compares runs: the settings that differ, curves by epoch, step or seconds, and a table of results."""

import time
from collections.abc import Mapping, Sequence

import numpy as np

from core.data.sources import data_title
from core.files.csv_text import csv_text
from core.html.chart import Axis, Figure, Line, figure_html
from core.html.page import page, paragraph, section, table
from core.runs.library import RESULTS, RunEntry
from core.training.records import Epoch
from core.training.run_settings import BY_NAME, without_effect
from core.version import VERSION

QUANTITIES = ("train_loss", "test_loss", "validation_loss", "train_score", "test_score")
AXES = ("epoch", "step", "seconds")
# What identifies a run beside its settings.
_SOURCES = ("data", "device")
_MAX_LEGEND = 60  # characters


_STATES = {
    "epochs": "done", "complete": "done", "running": "training, or interrupted", "target-accuracy": "target reached",
    "target-error": "target reached", "patience": "no improvement", "pruned": "ended early", "fault": "device failed",
}  # fmt: skip


def _plain(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "off" if value is None else "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.6g}"
    is_small = 1e-9 < abs(value) < 1 and "e" in text  # 0.00001 rather than 1e-05
    return np.format_float_positional(value, 6, fractional=False, trim="-") if is_small else text


def shown_value(name: str, value: object, unit: str = "") -> str:
    """A value of a setting, or of `data` or `device`, as people call it: `SGD`, `Built-in digits`, `0.1`, `off`."""
    if name == "data" and value is not None:
        return data_title(str(value))
    titles = BY_NAME[name].choices if name in BY_NAME else _STATES if name == "state" else {}
    text = titles.get(str(value), _plain(value))
    return f"{text} {unit}" if unit and value is not None else text


def differing(entries: Sequence[RunEntry]) -> tuple[str, ...]:
    """The settings, and `data` and `device`, in which the runs differ."""
    return tuple(
        name for name in (*_SOURCES, *BY_NAME) if len({entry.value_of(name) for entry in entries}) > 1
    )


# Values that need no label, and labels that are shorter than those of the form.
_SAY_WHAT_THEY_ARE = ("data", "device", "network", "activation", "optimizer", "loss")
_SHORT_LABELS = {
    "learning_rate": "rate",
    "batch_size": "batch",
    "hidden_units": "units",
    "nesterov": "Nesterov",
}


def short_value(name: str, value: object) -> str:
    """A value in the name of a run: `rate 0.1`, `Adam`, `seed 3`."""
    if name in _SAY_WHAT_THEY_ARE:
        return shown_value(name, value)
    default = BY_NAME[name].label.lower() if name in BY_NAME else name.replace("_", " ")
    return f"{_SHORT_LABELS.get(name, default)} {shown_value(name, value)}"


def short_names(sources: Sequence[Mapping[str, object]]) -> list[str]:
    """For each run the values in which it differs from the others, empty without any.

    sources: of each run `data`, `device` and the settings by name, as far as they are to be compared.
    """
    every = sources[0] if sources else ()
    names = [name for name in every if len({source.get(name) for source in sources}) > 1]
    return [", ".join(short_value(name, source.get(name)) for name in names) for source in sources]


def legends(entries: Sequence[RunEntry]) -> list[str]:
    """A name for each run, all different: the user's name, else the values that differ, else its network."""
    names = differing(entries)
    settings = short_names([{name: entry.value_of(name) for name in names} for entry in entries])
    texts = []
    for entry, values in zip(entries, settings, strict=True):
        text = entry.label.name or values or entry.info.network
        texts.append(text if len(text) <= _MAX_LEGEND else text[: _MAX_LEGEND - 1] + "…")
    both = zip(texts, entries, strict=True)
    return [text if texts.count(text) == 1 else f"{text} ({entry.id})" for text, entry in both]


def default_names(entries: Sequence[RunEntry]) -> dict[str, str]:
    """A name by id for runs that the user gave none: the values in which each differs from the run before it.

    The run before is the last one with the same data and network; a run without any has the name of its network.
    """
    names: dict[str, str] = {}
    last: dict[tuple[str, str], RunEntry] = {}
    for entry in sorted(entries, key=lambda entry: (entry.started, entry.id)):
        before = last.get(key := (entry.info.plan.data, entry.info.network))
        last[key] = entry
        differ = differing([before, entry]) if before else ()
        values = ", ".join(short_value(name, entry.value_of(name)) for name in differ if name != "device")
        names[entry.id] = values or entry.info.network
    return names


def common_settings(entries: Sequence[RunEntry]) -> str:
    """The main settings that all of these runs share, as the title of a picture."""
    names = ("network", "data", "optimizer", "learning_rate", "batch_size", "epochs")
    shared = (name for name in names if len({entry.value_of(name) for entry in entries}) == 1)
    return ", ".join(short_value(name, entries[0].value_of(name)) for name in shared)


def curve(epochs: Sequence[Epoch], quantity: str, axis: str) -> tuple[np.ndarray, np.ndarray]:
    """float64 x and y of a quantity over an axis; epochs without the quantity are left out."""
    pairs = [(getattr(epoch, axis), y) for epoch in epochs if (y := getattr(epoch, quantity)) is not None]
    values = np.array(pairs, float).reshape(-1, 2)
    return values[:, 0], values[:, 1]


def smoothed(y: np.ndarray, amount: float) -> np.ndarray:
    """The exponential moving average with weight `amount` (0 to below 1) of the past, without bias at the start."""
    if amount <= 0:
        return y
    result, mean, weight = np.empty_like(y), 0.0, 0.0
    for index, value in enumerate(y):
        mean = amount * mean + (1 - amount) * value
        weight = amount * weight + (1 - amount)
        result[index] = mean / weight
    return result


def result_table(entries: Sequence[RunEntry]) -> list[list[object]]:
    """A heading, and a row for each run: names, results, and the settings that differ."""
    names = differing(entries)
    rows: list[list[object]] = [["run", "name", *RESULTS, *names]]
    for entry in entries:
        settings = (_plain(entry.value_of(name)) for name in names)
        rows.append([entry.id, entry.label.name, *entry.results().values(), *settings])
    return rows


def results_csv(entries: Sequence[RunEntry]) -> str:
    """The table of results for other programs."""
    return csv_text(result_table(entries))


def curves_csv(entries: Sequence[RunEntry], rows: Sequence[Sequence[Epoch]]) -> str:
    """All curves for other programs: a line for each epoch of each run."""
    columns = (*AXES, *QUANTITIES)
    table: list[list[object]] = [["run", "legend", *columns]]
    for entry, legend, each in zip(entries, legends(entries), rows, strict=True):
        table += [[entry.id, legend, *(getattr(epoch, name) for name in columns)] for epoch in each]
    return csv_text(table)


# The charts of a report.
_TITLES = {
    "train_loss": "Training loss", "validation_loss": "Validation loss", "test_loss": "Test loss",
    "test_score": "Test score (accuracy, or R² of values)",
}  # fmt: skip


def comparison_report(
    entries: Sequence[RunEntry],
    rows: Sequence[Sequence[Epoch]],
    axis: str = "epoch",
    smoothing: float = 0.0,
    logarithmic: bool = False,
) -> str:
    """The page for these runs; `rows`: the history of each. `logarithmic`: of losses."""
    names, charts = legends(entries), []
    for quantity, title in _TITLES.items():
        curves = [(name, each, quantity) for name, each in zip(names, rows, strict=True)]
        is_log = logarithmic and quantity.endswith("loss")
        charts.append(curve_figure(title, curves, axis=axis, smoothing=smoothing, logarithmic=is_log))
    plans = [entry.info.plan for entry in entries]
    sources = [{"data": plan.data, "device": plan.device, **plan.settings.as_dict()} for plan in plans]
    results = [[_text(*each, entry) for each in entry.results().items()] for entry in entries]
    results = [[name, *texts] for name, texts in zip(names, results, strict=True)]
    parts = [
        paragraph(f"{len(entries)} runs, {time.strftime('%Y-%m-%d %H:%M')}."),
        section("Results", table(("run", *(name.replace("_", " ") for name in RESULTS)), results)),
        section("Curves", *filter(None, charts)),
        section("Settings", settings_table(names, sources)),
    ]
    return page("Comparison of runs", parts, f"DigitLab {VERSION}")


def curve_figure(
    title: str,
    curves: Sequence[tuple[str, Sequence[Epoch], str]],
    *,
    axis: str = "epoch",
    smoothing: float = 0.0,
    logarithmic: bool = False,
) -> str:
    """A chart for a page with a line for each (name, history, quantity); empty if none has values."""
    lines = []
    for name, rows, quantity in curves:
        x, y = curve(rows, quantity, axis)
        lines.append(Line(name, x.tolist(), smoothed(y, smoothing).tolist()))
    if not any(line.x for line in lines):
        return ""
    return figure_html(Figure(title, Axis(axis), Axis(title, logarithmic), lines))


def settings_table(headings: Sequence[str], columns: Sequence[Mapping[str, object]]) -> str:
    """A table for a page with a row for each setting, data, device and state that a column has a value of.

    The settings in which the columns differ come first and are marked. Those without effect are left out.
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
            "–" if name in unused or column.get(name) == "" else shown_value(name, column.get(name), unit)
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
        return f"{value:.2%}"
    return f"{value:.5g}" if isinstance(value, float) else shown_value(name, value)
