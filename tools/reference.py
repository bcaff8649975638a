"""Writes docs/reference.md: the settings, layers and other parts of the program, and all commands
with their options.

python -m tools.reference    make the page from the program; tests/test_documents.py compares both
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from core.commands import COMMANDS, parser_of
from core.export import KINDS as EXPORTERS
from core.network.layers import KINDS as LAYERS
from core.training.presets import PRESETS
from core.training.run_settings import SETTINGS, Setting
from kernels.activations import ACTIVATIONS
from kernels.registry import device_specs

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "reference.md"
HEAD = """\
# Reference

Every setting, layer, file format and command of the program, with its options.
`python -m tools.reference` writes this page from the program.
What the words mean is in [manual.md](manual.md#words).
"""


def main() -> None:
    DOCUMENT.write_text(document(), encoding="utf-8")
    print(f"Written: {DOCUMENT}")


def document() -> str:
    """The whole page."""
    sections = (
        _settings(),
        _activations(),
        _layers(),
        _presets(),
        _devices(),
        _exporters(),
        _commands(),
    )
    return HEAD + "".join(f"\n{line}" for section in sections for line in section) + "\n"


def _settings() -> Iterator[str]:
    yield "## Settings of a run\n"
    yield "In files and labs a setting has its name; on the command line, with `-` for `_`.\n"
    rows = ((f"`{s.name}`", s.label, _default(s), _values(s), s.help) for s in SETTINGS)
    yield from _table(("name", "in the window", "default", "values", "meaning"), rows)


def _default(setting: Setting) -> str:
    if setting.default is None or setting.default == "":
        return "none"
    if setting.kind == "flag":
        return "on" if setting.default else "off"
    return f"`{setting.default}`"


def _values(setting: Setting) -> str:
    if setting.choices:
        return ", ".join(f"`{name}`" for name in setting.choices)
    if setting.kind == "flag":
        return "on, off"
    if setting.kind == "text":
        return "text"
    kind = "whole number" if setting.kind == "integer" else "number"
    return f"{kind}, {setting.limits} {setting.unit}".strip()


def _activations() -> Iterator[str]:
    yield "\n## Activations\n"
    rows = ((f"`{name}`", kind.label, _first_line(kind)) for name, kind in ACTIVATIONS.items())
    yield from _table(("name", "in the window", "formula"), rows)


def _layers() -> Iterator[str]:
    yield "\n## Layers\n"
    yield "The layer that the window adds, what may follow a colon, and what the form changes.\n"
    rows = []
    for kind in LAYERS:
        layer = kind()
        options = ", ".join(f"`{option}`" for option in kind.options if option not in ACTIVATIONS)
        if not ACTIVATIONS.keys().isdisjoint(kind.options):
            options = ", ".join(filter(None, ("an [activation](#activations)", options)))
        fields = ", ".join(field.label for field in kind.fields)
        rows.append((f"`{layer.text}`", options, fields, kind.help))
    yield from _table(("text", "options", "form", "meaning"), rows)


def _presets() -> Iterator[str]:
    yield "\n## Presets\n"
    rows = ((f"`{preset.name}`", preset.summary, preset.description) for preset in PRESETS)
    yield from _table(("name", "network", "what it is"), rows)


def _devices() -> Iterator[str]:
    yield "\n## Devices\n"
    rows = ((f"`{spec.name}`", spec.title, spec.description) for spec in device_specs())
    yield from _table(("name", "title", "meaning"), rows)


def _exporters() -> Iterator[str]:
    yield "\n## Files that a model is exported as\n"
    yield from _table(("suffix", "kind"), ((f"`{kind.suffix}`", kind.title) for kind in EXPORTERS))


def _commands() -> Iterator[str]:
    yield "\n## Commands\n"
    yield "`main.py COMMAND --help` shows the same."
    yield "FILE stands for a path, N for a whole number, X for a number."
    told: dict[tuple[str, str], str] = {}
    for name in COMMANDS:
        parser = parser_of(name)
        yield from _command(name, COMMANDS[name], parser, told)
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for shown in action._choices_actions:
                    choice = action.choices[shown.dest]
                    yield from _command(f"{name} {shown.dest}", shown.help or "", choice, told)


def _command(
    name: str, what: str, parser: argparse.ArgumentParser, told: dict[tuple[str, str], str]
) -> Iterator[str]:
    """The section of a command. `told`: arguments with help, and the first command with them."""
    yield f"\n### `{name}`\n"
    yield f"{what[:1].upper()}{what[1:]}."
    rows = []
    for group in parser._action_groups:
        if group.title == "settings":
            yield "It takes all [settings of a run](#settings-of-a-run) as options."
            continue
        for action in group._group_actions:
            is_help = "--help" in action.option_strings
            if not is_help and not isinstance(action, argparse._SubParsersAction):
                rows.append((f"`{_usage(action)}`", (action.help or "").replace("%%", "%")))
    new = [row for row in rows if row not in told]
    if new:
        yield ""
        yield from _table(("argument", "meaning"), new)
    shared: dict[str, list[str]] = {}
    for row in rows:
        if row in told:
            shared.setdefault(told[row], []).append(row[0])
    for other, usages in shared.items():
        yield f"\nAs for [`{other}`](#{other.replace(' ', '-')}): {', '.join(usages)}."
    told.update(dict.fromkeys(new, name))


def _usage(action: argparse.Action) -> str:
    """An argument as the usage shows it: `--epochs N`, `FILE`."""
    if action.choices is not None and action.metavar is None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    else:
        value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return value
    names = ", ".join(action.option_strings)
    return names if action.nargs == 0 else f"{names} {value}"


def _first_line(documented: type) -> str:
    return (documented.__doc__ or "").strip().split("\n")[0]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for row in rows:
        cells = [cell.replace("|", r"\|") for cell in row]
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="python -m tools.reference", description=__doc__.splitlines()[0]
    ).parse_args()
    main()
