"""Writes docs/reference.md: the settings, layers and other parts of the program.

python -m tools.reference    make the page from the program; tests/test_documents.py compares both
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from core.commands import COMMANDS
from core.export import KINDS as EXPORTERS
from core.network.layers import KINDS as LAYERS
from core.training.presets import PRESETS
from core.training.run_settings import SETTINGS, Setting
from kernels.activations import ACTIVATIONS
from kernels.registry import device_specs

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "reference.md"
HEAD = """\
# Reference

Every setting, layer, file format and command of the program.
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
    yield "`main.py COMMAND --help` lists the options of a command.\n"
    yield from _table(("command", "what it does"), ((f"`{c}`", COMMANDS[c]) for c in COMMANDS))


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
