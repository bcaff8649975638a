"""The options of `train`, and the plan that is made from them, checked before anything slow, and
its data loaded.
"""

import argparse
from dataclasses import dataclass
from typing import Any

from core.commands.console import (
    Parser,
    add_device,
    check_device,
    option_of,
    path,
    print_error,
    progress_bar,
)
from core.data.dataset import Dataset
from core.data.formats import format_texts
from core.data.functions import is_function
from core.data.published import IMAGE_SOURCES
from core.data.sources import is_source, load_dataset
from core.errors import InputError
from core.network.network import Network
from core.network.notation import hidden_layers_note
from core.program import PROGRAM
from core.runs.library import RunLibrary
from core.runs.plan import RunPlan
from core.runs.recorder import Start
from core.runs.training import continued
from core.training.checks import check_names
from core.training.presets import IMAGES, PRESETS, Preset, check_preset, find_preset
from core.training.run_settings import SETTINGS, RunSettings


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """What is to be trained.

    `start`: the run to continue; None: a new run. `preset`: the settings that the user did not give
    come from it. `own_network`: the user gave the network; otherwise it is the preset's, to be
    fitted to the data.
    """

    plan: RunPlan
    start: Start | None = None
    preset: Preset | None = None
    own_network: bool = True


def add_run_options(parser: Parser) -> None:
    """Add the options for data, preset and settings. A setting that is not given is None: the
    preset's value.
    """
    parser.set_defaults(
        device=None,
        save=None,
        run=None,
        resume=None,
        start_from=None,
        name=None,
        restart_schedule=False,
    )
    parser.add_argument(
        "--data",
        metavar="NAME",
        help=f"{', '.join(IMAGE_SOURCES)}, rastrigin, mine (your drawings), or the path of "
        f"{', '.join(format_texts())} (default: the preset's)",
    )
    parser.add_argument(
        "--target",
        metavar="COLUMN",
        help="the column of a table that is to be learned, by its heading or its number from 1; "
        "texts and whole numbers of few values are classes (default: a column of texts, one "
        "called label, class or target, that of the labels of pixels, or else the last)",
    )
    parser.add_argument(
        "--preset", metavar="NAME", help=", ".join(preset.name for preset in PRESETS)
    )
    group = parser.add_argument_group("settings")
    for setting in SETTINGS:
        # argparse takes a percent sign for the start of a placeholder.
        text = setting.help.replace("%", "%%")
        more: dict[str, Any] = {"metavar": _PLACEHOLDERS.get(setting.kind)}
        if setting.choices:
            text += " One of: " + ", ".join(setting.choices) + "."
        if setting.kind == "flag":
            more = {"action": argparse.BooleanOptionalAction, "default": None}
        group.add_argument(option_of(setting.name), help=text, **more)
    parser.add_flag("--json", "print one JSON object a line")


def add_options(parser: Parser) -> None:
    """Add all options of `train`."""
    add_run_options(parser)
    add_device(parser)
    parser.add_argument("--save", metavar="FILE", type=path, help="write the trained model here")
    parser.add_argument(
        "--run",
        metavar="FOLDER",
        type=path,
        help="write the run to this folder: settings, history, model, checkpoint (default: a new "
        "one in the library, which `runs` lists); `runs` lists the folder as well",
    )
    parser.add_argument(
        "--resume",
        metavar="RUN",
        nargs="?",
        const="last",
        help="continue a run, given by its folder or its name in the library (default: the last "
        "one), as if it had not been stopped; with other settings, another device or --from best "
        "it becomes a branch: a new run",
    )
    parser.add_argument(
        "--from",
        metavar="EPOCH",
        dest="start_from",
        choices=("best", "last"),
        help="with --resume: continue from the `best` or the `last` epoch (default: last)",
    )
    parser.add_flag(
        "--restart-schedule",
        "with --resume: the schedule of the learning rate begins anew and takes the epochs "
        "that are left; without it, the schedule goes on as if the run had not been stopped, and "
        "the rate stays where it ends",
    )
    parser.add_argument("--name", metavar="TEXT", help="the name of the run in the library")


_PLACEHOLDERS = {"choice": "NAME", "integer": "N", "number": "X", "text": "TEXT"}


def parse_run_options(options: argparse.Namespace) -> TrainOptions:
    """What the options ask for. Raises InputError for options that cannot be used, or not
    together.
    """
    given = {s.name: value for s in SETTINGS if (value := getattr(options, s.name)) is not None}
    if options.resume is not None:
        return _resumed(options, given)
    if options.start_from is not None:
        raise InputError(
            "--from {epoch} continues a run: name it with --resume.", epoch=options.start_from
        )
    if options.restart_schedule:
        raise InputError("--restart-schedule continues a run: name it with --resume.")
    preset = None
    if options.preset is not None or "network" not in given:
        preset = find_preset("default" if options.preset is None else options.preset)
    settings = preset.settings.change(**given) if preset else RunSettings(**given)
    data = options.data
    if data is None:
        data = (preset and preset.data) or "builtin"
    if options.target is not None:
        if is_source(data) or not options.target:
            raise InputError("--target names a column of a table: choose a table as --data.")
        data = f"{data}#{options.target}"
    device = options.device if options.device is not None else "auto"
    check_device(device)
    own_network = "network" in given
    plan = RunPlan(settings, data, device)
    # Of some data, kind or shape are known without loading them, so errors need not wait for that.
    is_regression = is_function(data)
    if preset and (is_regression or data in IMAGE_SOURCES):
        check_preset(preset, data, "regression" if is_regression else "classes", own_network)
    if data in IMAGE_SOURCES:
        plan.network(*IMAGES, "classes")
    return TrainOptions(plan, None, preset, own_network)


def _resumed(options: argparse.Namespace, given: dict[str, Any]) -> TrainOptions:
    refused = [
        name
        for name, value in (
            ("--data", options.data),
            ("--target", options.target),
            ("--preset", options.preset),
        )
        if value is not None
    ]
    if refused:
        raise InputError(
            "--resume continues with the data of the run: leave out {names}.", names=refused
        )
    entry = RunLibrary().find(str(options.resume))
    check_device(entry.info.plan.device if options.device is None else options.device)
    best = options.start_from == "best"
    device = options.device or ""
    plan, start = continued(
        entry, given, best=best, device=device, restart=options.restart_schedule
    )
    if options.run is not None and not start.branch:
        template = "--run {folder}: this run is continued in its own folder; leave --run out."
        raise InputError(template, folder=options.run)
    return TrainOptions(plan, start)


def read_data(name: str, command: str) -> Dataset:
    """The data set of this name or path. A bar shows the progress, and the notes are printed."""
    with progress_bar("Data", "") as show:
        data = load_dataset(name, show)
    for note in data.notes:
        print_error(f"{PROGRAM} {command}", note)
    return data


def load_run(asked: TrainOptions, command: str) -> tuple[RunPlan, Dataset, Network]:
    """The plan, with a preset's network fitted to the data, which are loaded; and the network.

    Says how a doubtful network is read. Raises InputError where the plan cannot be trained on the
    data.
    """
    plan = asked.plan
    preset = asked.preset
    dataset = read_data(plan.data, command)
    check_names(dataset)
    if preset is not None:
        check_preset(preset, plan.data, dataset.kind, asked.own_network)
        if not asked.own_network:
            plan = plan.fitted(dataset)
    network = plan.network(dataset.input_shape, dataset.outputs, dataset.kind)
    if (note := hidden_layers_note(plan.settings.network, network)) is not None:
        print_error(f"{PROGRAM} {command}", note)
    return plan, dataset, network
