"""Collect the texts that the window shows for translators, with Qt's `lupdate`, and compile the
translations.

    python -m tools.texts de      updates resources/translations/digitlab_de.ts, and compiles it
    python -m tools.texts         does so for all languages that are there

`lupdate` misses half of the texts: those of `core` and `kernels`, and those behind a function of a
module or a local name for `self.tr`. So this tool finds all of them in the syntax trees and hands
`lupdate` a file of plain calls. `digitlab_en.ts` has the singular of the texts with a number, whose
English plural is in the code.
"""

import argparse
import ast
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from core.data.formats import FORMATS
from core.data.sources import _OTHERS as OTHER_FILES
from core.data.sources import SOURCES
from core.export import KINDS
from core.inspection.health import _TEXTS as FINDINGS
from core.labs.blocks.task import GOALS
from core.labs.package import lessons
from core.network.layers import KINDS as LAYERS
from core.runs.names import _STATES, state_title
from core.studies.spec import VARIED
from core.training import checks
from core.training.presets import PRESETS
from core.workshop.checker.trace import Totals
from gui.devices.profile_page import _DESCRIPTIONS as OPERATORS
from gui.words import WORDS
from kernels.registry import device_specs

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
PLURALS_ONLY = "en"


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """`context`: the first argument of `QCoreApplication.translate`. `counts`: whether its form
    follows a number.
    """

    context: str
    source: str
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Shower:
    """A function that shows its argument `position` as a text, with `prefix` before it.

    `number_at`: the position of the number that the form follows, or -1.
    """

    context: str
    position: int = 0
    number_at: int = -1
    prefix: str = ""


# Of `core` and `kernels`; `gui/text.py` translates them. Others that only pass a text on are found
# by their parameter.
TEMPLATES = {"InputError": Shower("InputError"), "Sentence": Shower("Sentence")}


def all_texts() -> list[Text]:
    """The texts of the program. Raises ValueError, with the line, for one that cannot be found
    without running it.
    """
    modules = [
        Module(path)
        for package in ("core", "kernels", "gui")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]
    showers = dict(TEMPLATES)
    for module in modules:
        showers |= module.passed_on(showers)
    found = {*declared_texts()}
    for module in modules:
        found |= {*module.texts(showers)}
    # A text that is shown with and without a number needs its forms.
    plural = {(text.context, text.source) for text in found if text.counts}
    return sorted(
        text
        for text in found
        if text.source and (text.counts or (text.context, text.source) not in plural)
    )


def declared_texts() -> Iterator[Text]:
    """The texts of settings, layers, presets and so on, each in the context in which the window
    translates it.
    """
    for context, sources in _declared().items():
        for source in sources:
            yield Text(context, source)


def _declared() -> dict[str, Iterable[str]]:
    settings = VARIED.values()
    fields_of_layers = [each for kind in LAYERS for each in kind.fields]
    layers = [text for kind in LAYERS for text in (kind.title, kind.help, kind().caption)]
    layers += [text for each in fields_of_layers for text in (each.label, each.help, each.suffix)]
    layers += [text for each in fields_of_layers for _, text in each.choices]
    folders = ("", "90-minutes", "workshop")
    return {
        "Setting": [
            text
            for each in settings
            for text in (each.label, each.help, each.unit, *each.choices.values())
        ],
        "Preset": [text for preset in PRESETS for text in (preset.group, preset.title)],
        "Device": [text for spec in device_specs() for text in (spec.title, spec.description)],
        "Layer": layers,
        "Finding": [text for texts in FINDINGS.values() for text in texts],
        "InputError": [
            checks.DIVERGED,
            checks._LOSS_GREW,
            checks._NOTHING_LEARNED,
            *OTHER_FILES.values(),
        ],
        "Sentence": [text for _, text in GOALS.values()],
        "DatasetPicker": [found.description for found in FORMATS],
        "Sharing": [text for kind in KINDS for text in (kind.title, kind.use)],
        "RunTable": [
            *_STATES.values(),
            *(state_title("running", known) for known in (None, True, False)),
        ],
        "Totals": [each.name.replace("_", " ").capitalize() for each in fields(Totals)],
        "Lesson": [title for folder in folders for title, _ in lessons(folder)],
        "Operator": [text for texts in OPERATORS.values() for text in texts],
        "Word": [*WORDS, *WORDS.values()],
        "Data": [source.title for source in SOURCES],
    }


class Module:
    """The texts in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_window = "gui" in path.parts
        self.tree = ast.parse(path.read_text("utf-8"))
        self._functions: dict[ast.AST, ast.FunctionDef] = {}
        self._classes: dict[ast.AST, str] = {}
        self._note_places(self.tree, None, "")
        self._own = self._helpers()

    def _note_places(
        self, parent: ast.AST, function: ast.FunctionDef | None, class_name: str
    ) -> None:
        """Note the function and the class around each call."""
        for node in ast.iter_child_nodes(parent):
            if function is not None:
                self._functions[node] = function
            self._classes[node] = class_name
            if isinstance(node, ast.ClassDef):
                self._note_places(node, None, node.name)
            else:
                self._note_places(
                    node, node if isinstance(node, ast.FunctionDef) else function, class_name
                )

    def _calls(self) -> Iterator[ast.Call]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and node.args:
                yield node

    def _helpers(self) -> dict[str, Shower]:
        """The functions of this module that translate their first argument in a fixed context, and
        those that `translator` has made.
        """
        found: dict[str, Shower] = {}
        for node in self.tree.body:
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(
                        func=ast.Name(id="translator"), args=[ast.Constant(value=str(context))]
                    ),
                ):
                    found[name] = Shower(context, 0, 1)
        for call in self._calls():
            shower = self._shower(call, {})
            function = self._functions.get(call)
            if shower is None or function is None:
                continue
            parameters = [each.arg for each in function.args.args]
            text = call.args[shower.position] if shower.position < len(call.args) else None
            if isinstance(text, ast.Name) and parameters[:1] == [text.id]:
                number_at = parameters.index("n") if "n" in parameters else -1
                found[function.name] = Shower(shower.context, 0, number_at)
        return found

    def passed_on(self, showers: dict[str, Shower]) -> dict[str, Shower]:
        """The functions that pass their own parameter on as a template, by name."""
        found: dict[str, Shower] = {}
        for call in self._calls():
            shower = showers.get(_name(call.func))
            function = self._functions.get(call)
            if shower is None or function is None or len(call.args) <= shower.position:
                continue
            template = call.args[shower.position]
            prefix = shower.prefix
            if isinstance(template, ast.BinOp) and isinstance(template.left, ast.Constant):
                prefix += template.left.value
                template = template.right
            parameters = [each.arg for each in function.args.args if each.arg != "self"]
            if isinstance(template, ast.Name) and template.id in parameters:
                found[function.name] = Shower(
                    shower.context, parameters.index(template.id), prefix=prefix
                )
        return found

    def texts(self, showers: dict[str, Shower]) -> Iterator[Text]:
        for call in self._calls():
            shower = self._shower(call, showers)
            if shower is None or len(call.args) <= shower.position:
                continue
            if self._is_declared(call.args[shower.position]):
                continue
            counts = 0 < shower.number_at < len(call.args)
            for source in self._strings(call.args[shower.position], call):
                source = shower.prefix + source
                yield Text(
                    shower.context, source, counts or (not self.is_window and "{count" in source)
                )

    def _shower(self, call: ast.Call, showers: dict[str, Shower]) -> Shower | None:
        """What the call shows, if it shows a text."""
        name = _name(call.func)
        if name in showers:
            return showers[name]
        if not self.is_window:
            return None
        if isinstance(call.func, ast.Name) and call.func.id in getattr(self, "_own", {}):
            return self._own[call.func.id]
        if ast.unparse(call.func) in ("tr", "self.tr"):
            return Shower(self._class_around(call), 0, 2)
        if name == "tr":
            raise ValueError(
                f"{self.path}:{call.lineno}: Qt looks for this text in another class: use self.tr"
            )
        if ast.unparse(call.func) == "QCoreApplication.translate":
            context = call.args[0]
            # `translator` is given its context.
            return Shower(context.value, 1, 3) if isinstance(context, ast.Constant) else None
        return None

    def _class_around(self, call: ast.Call) -> str:
        name = self._classes[call]
        if not name:
            raise ValueError(f"{self.path}:{call.lineno}: outside of a class, name the context")
        return name

    def _is_declared(self, text: ast.expr) -> bool:
        """Whether the text is an attribute or an item: such texts are in `declared_texts`, or
        arrive as a parameter.
        """
        return isinstance(text, ast.Attribute | ast.Subscript | ast.Call)

    def _strings(self, text: ast.expr, call: ast.Call) -> list[str]:
        """The values that an expression of constants can have."""
        match text:
            case ast.Constant(value=str(value)):
                return [value]
            case ast.IfExp():
                return self._strings(text.body, call) + self._strings(text.orelse, call)
            case ast.BinOp(op=ast.Add()):
                ends = self._strings(text.right, call)
                return [start + end for start in self._strings(text.left, call) for end in ends]
            case ast.JoinedStr():
                joined = [""]
                for part in text.values:
                    inner = part.value if isinstance(part, ast.FormattedValue) else part
                    ends = self._strings(inner, call)
                    joined = [start + end for start in joined for end in ends]
                return joined
            case ast.Name():
                return self._assigned(text.id, call)
        return []

    def _assigned(self, name: str, call: ast.Call) -> list[str]:
        """The constants that are assigned to a name in the function of the call, or else in the
        module.
        """
        found: list[str] = []
        for scope in (self._functions.get(call), self.tree):
            for node in ast.walk(scope) if scope is not None else ():
                if isinstance(node, ast.Assign) and _assigns(node, name):
                    found += self._strings(node.value, call)
            if found:
                break
        return found


def _assigns(node: ast.Assign, name: str) -> bool:
    """Whether the name gets a text of its own there, not one that is made of what it had."""
    if name not in (each.id for each in node.targets if isinstance(each, ast.Name)):
        return False
    used = [each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)]
    return name not in used


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def write_calls(texts: Iterable[Text], path: Path) -> None:
    """A file of calls that `lupdate` understands: of `translate` it does not read the number, so
    they are of `tr`.
    """
    lines = []
    context = ""
    for text in texts:
        if text.context != context:
            context = text.context
            lines.append(f"class {context}(QObject):\n")
        number = ", None, n" if text.counts else ""
        source = text.source.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        lines.append(f'    self.tr("{source}"{number})\n')
    path.write_text("".join(lines), "utf-8")


def update(language: str) -> None:
    """Bring the file of the language up to date and compile it. What a translator wrote stays."""
    target = FOLDER / f"digitlab_{language}.ts"
    with tempfile.TemporaryDirectory() as folder:
        calls = Path(folder) / "texts.py"
        write_calls(all_texts(), calls)
        options = ["-silent", "-no-obsolete", "-locations", "none", "-source-language", "en"]
        if language == PLURALS_ONLY:
            options.append("-pluralonly")
        _run("lupdate", *options, "-target-language", language, str(calls), "-ts", str(target))
    _run("lrelease", "-silent", str(target), "-qm", str(target.with_suffix(".qm")))


def _run(tool: str, *options: str) -> None:
    subprocess.run([find_tool(tool), *options], check=True)


def find_tool(name: str) -> str:
    """The program of Qt that PySide6 brings."""
    return (
        shutil.which(f"pyside6-{name}", path=str(Path(sys.executable).parent)) or f"pyside6-{name}"
    )


def main(languages: list[str]) -> None:
    for language in languages:
        if not re.fullmatch("[a-z]{2,3}(_[A-Z]{2})?", language):
            raise SystemExit(f"“{language}” names no language: write de or pt_BR.")
    FOLDER.mkdir(exist_ok=True)
    there = [path.stem.removeprefix("digitlab_") for path in sorted(FOLDER.glob("*.ts"))]
    for language in languages or there:
        update(language)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tools.texts", description=__doc__.splitlines()[0]
    )
    parser.add_argument("language", nargs="*", help="such as de or pt_BR; none: all that are there")
    main(parser.parse_args().language)
