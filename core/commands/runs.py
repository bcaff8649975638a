"""List the runs of the library, show, compare, label, delete and restore them.

    runs                         all runs, the most recently written first
    runs show RUN                settings, results and changes of a run, and a row for each epoch
    runs compare RUN RUN ...     results side by side; --out writes a report
    runs name RUN TEXT           give a run a name; without TEXT it loses its name
    runs note RUN TEXT           give a run a note
    runs star RUN ...            keep runs whatever the library's limit is; unstar takes that back
    runs delete RUN ...          move runs to the trash
    runs restore [RUN ...]       move runs back from the trash (default: the last one)

RUN is a name that the list shows, its beginning, or `last`. A run that was trained with `train
--run FOLDER` is listed with FOLDER, which stays where it is: `delete` only leaves it out of the
list.
"""

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path

from core.commands.console import Parser, print_error, print_json, print_line, print_table
from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.json_text import JsonObject
from core.program import PROGRAM
from core.runs.comparison import comparison_report, curves_csv, legends, result_table, results_csv
from core.runs.folder import MAX_NOTE, RunFolder, change_label
from core.runs.library import RunEntry, RunLibrary
from core.runs.names import state_title
from core.text import format_bytes, format_percent, format_r2


def add_options(parser: Parser) -> None:
    parser.add_argument(
        "action", nargs="?", default="list", metavar="ACTION", help=", ".join(_ACTIONS)
    )
    parser.add_argument("runs", nargs="*", metavar="RUN")
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="with compare: write a report (.html), the table of results (.csv) or all curves "
        "(-curves.csv)",
    )
    parser.add_flag("--json", "print one JSON object a line")


def execute(options: argparse.Namespace) -> int:
    if options.action not in _ACTIONS:
        raise InputError(
            "{action}: unknown; choose one of {actions}.",
            action=options.action,
            actions=[*_ACTIONS],
        )
    if options.out is not None and options.action != "compare":
        raise InputError("--out goes with compare: leave it out.")
    _ACTIONS[options.action](RunLibrary(), options)
    return 0


def _list(library: RunLibrary, options: argparse.Namespace) -> None:
    entries = [library.find(name) for name in options.runs] or library.entries()
    # After `entries`, which finds what cannot be read.
    for error in library.unreadable:
        print_error(f"{PROGRAM} runs", error)
    if options.json:
        for entry in entries:
            print_json(_record(entry))
        return
    if entries:
        heading = ("run", "", "name", "network", "data", "study", "state", "epochs", "best", "size")
        print_table([heading, *map(_line, entries)])
    elif not library.unreadable:
        print_line(f"There are no runs in {library.path} yet: `train` makes one.")


# What `runs show` prints of each epoch.
_SHOWN_OF_EPOCH = (
    "epoch",
    "seconds",
    "train_loss",
    "train_score",
    "validation_loss",
    "test_loss",
    "test_score",
    "learning_rate",
)


def _state(entry: RunEntry) -> str:
    return state_title(entry.info.state, entry.is_training())


def _line(entry: RunEntry) -> tuple[str, ...]:
    summary = entry.summary
    info = entry.info
    data = Path(info.plan.data).name
    done = f"{summary.last.epoch if summary else 0}/{info.plan.settings.epochs}"
    star = "*" if entry.label.starred else ""
    score = "-"
    if summary is not None:
        best = summary.best.test_score
        score = format_r2(best) if info.kind == "regression" else format_percent(best)
    name, network = (
        each if len(each) <= 32 else each[:31] + "…" for each in (entry.label.name, info.network)
    )
    size = format_bytes(entry.size)
    return entry.id, star, name, network, data, info.study or "-", _state(entry), done, score, size


def _record(entry: RunEntry) -> JsonObject:
    info = entry.info
    label = entry.label
    return {
        "run": entry.id,
        "path": str(entry.path),
        "name": label.name,
        "note": label.note,
        "starred": label.starred,
        "started": entry.started,
        "data": info.plan.data,
        "device": info.plan.device,
        "network": info.network,
        "study": info.study,
        "bytes": entry.size,
        "training": entry.is_training(),
        **entry.results(),
    }


def _show(library: RunLibrary, options: argparse.Namespace) -> None:
    for entry in [library.find(name) for name in _some(options)]:
        info = entry.info
        parent = (
            None if info.parent is None else {"run": info.parent.run_id, "epoch": info.parent.epoch}
        )
        record = _record(entry) | {
            "settings": info.plan.settings.as_dict(),
            "parent": parent,
            "rate_changes": list(map(astuple, info.rate_changes)),
            "changes": list(map(astuple, info.changes)),
        }
        if options.json:
            print_json(
                record | {"history": [epoch.as_dict() for epoch in entry.folder.read_history()]}
            )
            continue
        record["started"] = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.started))
        settings = record.pop("settings")
        # The record first, for the order; and last, as its values count where both have one.
        for name, value in {**record, **settings, **record}.items():
            print_line(f"{name.replace('_', ' '):18}{'-' if value in (None, '', []) else value}")
        if epochs := entry.folder.read_history():
            print_line()
            heading = [name.replace("_", " ") for name in _SHOWN_OF_EPOCH]
            print_table(
                [heading, *([getattr(epoch, name) for name in _SHOWN_OF_EPOCH] for epoch in epochs)]
            )


def _compare(library: RunLibrary, options: argparse.Namespace) -> None:
    entries = [library.find(name) for name in _some(options)]
    if options.out is not None:
        histories = [entry.folder.read_history() for entry in entries]
        path = Path(options.out)
        # A report must not replace the history or the settings of a run.
        if os.path.exists(path) and RunFolder(path.resolve().parent).holds_run:
            raise InputError("{path} belongs to a run: choose another file.", path=path)
        if path.suffix == ".csv":
            curves = path.name.endswith("-curves.csv")
            text = curves_csv(entries, histories) if curves else results_csv(entries)
        elif path.suffix == ".html":
            text = comparison_report(entries, histories)
        else:
            raise InputError("--out {path}: give a name that ends in .html or .csv.", path=path)
        write_atomically(path, text.encode())
    heading, *rows = result_table(entries)
    if options.json:
        for row, legend in zip(rows, legends(entries), strict=True):
            print_json({"legend": legend, **dict(zip(map(str, heading), row, strict=True))})
        return
    print_table([[None if cell == "" else cell for cell in row] for row in (heading, *rows)])


def _label(library: RunLibrary, options: argparse.Namespace) -> None:
    """Change the name or the note of one run to the words after it, or the stars of all named
    runs.
    """
    run, *words = _some(options)
    is_text = options.action in ("name", "note")
    text = " ".join(words).strip()
    if len(text) > MAX_NOTE:
        raise InputError(
            "A {what} has at most {most} characters.", what=options.action, most=MAX_NOTE
        )
    change = {options.action: text} if is_text else {"starred": options.action == "star"}
    for entry in [library.find(name) for name in ([run] if is_text else options.runs)]:
        change_label(entry.path, **change)
        what = {"name": "named", "note": "noted", "star": "starred", "unstar": "unstarred"}[
            options.action
        ]
        _report(options, what, [entry.id])


def _delete(library: RunLibrary, options: argparse.Namespace) -> None:
    entries = [library.find(name) for name in _some(options)]
    moved = library.delete([entry.id for entry in entries])
    elsewhere = [entry.id for entry in entries if entry.is_elsewhere]
    _report(options, "deleted", [name for name in moved if name not in elsewhere])
    _report(
        options,
        "no longer listed, its folder stays:",
        [name for name in moved if name in elsewhere],
    )
    kept = [entry.id for entry in entries if entry.id not in moved]
    if not kept:
        return
    if kept[0] in elsewhere:
        raise InputError("{path} is not in the library: remove the folder yourself.", path=kept[0])
    raise InputError("{runs} is being trained: stop the training first.", runs=kept)


def _restore(library: RunLibrary, options: argparse.Namespace) -> None:
    trashed = [entry.id for entry in library.trashed()]
    # The first one: the trash lists the newest first.
    names = options.runs or trashed[:1]
    unknown = [name for name in names if name not in trashed]
    if unknown or not names:
        shown = trashed[:10] or ["none"]
        template = "The trash holds no run {name}: choose one of {runs}."
        raise InputError(template, name=(unknown or [""])[0], runs=shown)
    _report(options, "restored", library.restore(names))


def _report(options: argparse.Namespace, what: str, names: list[str]) -> None:
    for name in names:
        if options.json:
            print_json({"event": what, "run": name})
        else:
            print_line(f"{what} {name}")


def _some(options: argparse.Namespace) -> list[str]:
    if not options.runs:
        raise InputError(
            "{action} needs a run: name one that `runs` lists, or `last`.", action=options.action
        )
    return options.runs


_ACTIONS: dict[str, Callable[[RunLibrary, argparse.Namespace], None]] = {
    "list": _list,
    "show": _show,
    "compare": _compare,
    "name": _label,
    "note": _label,
    "star": _label,
    "unstar": _label,
    "delete": _delete,
    "restore": _restore,
}
