"""A plan is what the options of `train` ask for, checked before anything slow begins."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.commands.console import Parser, check_device, option_of
from core.errors import InputError
from core.training.presets import PRESETS, find_preset
from core.training.run import SETTINGS, Run
from core.training.settings import Setting
from kernels.registry import device_names

IMAGE_SOURCES = ("builtin", "mnist", "fashion")


@dataclass(frozen=True, slots=True)
class Plan:
    """`resumes`: `folder` holds a run to go on with. `save`: where the model goes, if anywhere."""

    run: Run
    data: str
    device: str
    folder: Path | None
    resumes: bool
    save: Path | None
    json: bool


def add_options(parser: Parser) -> None:
    """All options of `train`; a setting that is not given stays None, so that the preset's value holds."""
    parser.add_argument(
        "--data", metavar="NAME", help="builtin, mnist, fashion, or a path (default: the preset's)"
    )
    parser.add_argument("--preset", metavar="NAME", help=", ".join(preset.name for preset in PRESETS))
    group = parser.add_argument_group("settings")
    for setting in SETTINGS:
        _add_setting(group, setting)
    names = ", ".join(("auto", *device_names()))
    parser.add_argument("--device", metavar="NAME", help=f"{names} (default: auto)")
    parser.add_argument("--save", metavar="FILE", help="write the trained model here")
    parser.add_argument(
        "--run", metavar="FOLDER", help="keep the run here: settings, history, model, checkpoint"
    )
    parser.add_argument(
        "--resume", metavar="FOLDER", help="go on with the run kept here, as if never stopped"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def _add_setting(group: Any, setting: Setting) -> None:
    text = setting.help.replace("%", "%%")
    if setting.kind == "flag":
        group.add_argument(
            option_of(setting.name), action=argparse.BooleanOptionalAction, default=None, help=text
        )
        return
    if setting.choices:
        text += " One of: " + ", ".join(setting.choices) + "."
    group.add_argument(option_of(setting.name), metavar=_PLACEHOLDERS[setting.kind], help=text)


_PLACEHOLDERS = {"choice": "NAME", "integer": "N", "number": "X", "text": "TEXT"}


def make_plan(options: argparse.Namespace) -> Plan:
    """The plan of parsed options, or an InputError."""
    given = {s.name: value for s in SETTINGS if (value := getattr(options, s.name)) is not None}
    if options.resume is not None:
        return _resumed(options, given)
    preset = None
    if options.preset is not None or "network" not in given:
        preset = find_preset("default" if options.preset is None else options.preset)
    run = preset.run.change(**given) if preset else Run(**given)
    data = options.data if options.data is not None else (preset.data if preset else None) or "builtin"
    device = options.device if options.device is not None else "auto"
    check_device(device)
    if data in IMAGE_SOURCES:
        _check_network(run)
    return Plan(run, data, device, _path(options.run), False, _path(options.save), options.json)


def _resumed(options: argparse.Namespace, given: dict[str, Any]) -> Plan:
    from core.training.run_folder import RunFolder

    others = {"--data": options.data, "--preset": options.preset, "--run": options.run}
    refused = [name for name, value in others.items() if value is not None]
    refused += [option_of(setting.name) for setting in SETTINGS if setting.name in given]
    if refused:
        raise InputError("--resume goes on with the run's own settings: leave out {names}.",
                      names=", ".join(refused))  # fmt: skip
    folder = Path(options.resume)
    card = RunFolder(folder).read_card()
    if card.has_ended:
        raise InputError("{folder} holds a run that has ended ({state}): there is nothing to go on with.",
                      folder=folder, state=card.state)  # fmt: skip
    device = options.device if options.device is not None else card.device
    check_device(device)
    return Plan(card.run, card.data, device, folder, True, _path(options.save), options.json)


def _check_network(run: Run) -> None:
    """The shape of the images of a named source is known, so that errors are found before the data are loaded."""
    from core.training.checks import check_run

    check_run(run, (28, 28, 1), 10, "classes")


def _path(text: str | None) -> Path | None:
    return Path(text) if text is not None else None
