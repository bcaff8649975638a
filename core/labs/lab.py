"""A lab: one Markdown text whose fenced blocks say what to set, predict, run, ask and check (docs/writing-labs.md).

`parse_lab` reads the text. Each `##` heading begins a step; a step has parts: texts and blocks, in the order of the
file. A lab without predictions, runs, questions and tasks is an experiment: its settings are all that it gives.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from core.data.sources import is_source, no_such_data
from core.errors import MAX_VALUE_LENGTH, InputError
from core.files.toml_text import parse_toml
from core.runs.comparison import short_value
from core.runs.plan import RunPlan
from core.training.presets import find_preset
from core.training.run_settings import BY_NAME, SETTINGS, RunSettings
from core.workshop.exercise import KEYS as _KERNEL_KEYS
from core.workshop.exercise import Exercise, read_exercise

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

VERSION = 1
MAX_CHARACTERS = 200_000
MAX_PARTS = 500
MAX_LINE, MAX_STEP = 5000, 20_000  # characters
MAX_NESTING = 10  # of lists and quotations, and of emphasis and links in a line
"""The window lays out what it shows of a step in its own thread."""
QUANTITIES = {"test_accuracy": "test_score", "train_accuracy": "train_score", "test_loss": "test_loss",
              "train_loss": "train_loss", "validation_loss": "validation_loss"}  # fmt: skip
"""What a lab predicts and shows, and the field of `Epoch` that holds it. An accuracy is in percent; where
the data have targets instead of classes it is R²."""
SHOWN = ("curves", "results", "inside", "race")
TABS = ("training", "results", "inside", "runs", "studies", "devices", "workshop")
_LANGUAGES = {"", "text", "python", "sh", "toml", "json", "csv"}
_NESTING = ("bullet_list_open", "bullet_list_close", "ordered_list_open", "ordered_list_close", "blockquote_open",
            "blockquote_close")  # fmt: skip
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MAX_CHOICES = 12
_MAX_CHOICE = 300
_MAX_VARIANTS = 6
_MAX_EPOCHS = 1000
_MAX_MINUTES = 1000
_LARGEST = 1e15  # of all numbers


@dataclass(frozen=True, slots=True)
class Part:
    """Something in a step. `line`: where it begins in the file, from 1. `id`: its name in the answers."""

    line: int
    id: str = ""


@dataclass(frozen=True, slots=True)
class Text(Part):
    """`hidden`: "" for all; "reveal": shown when what stands before it is done; "teacher": never to pupils."""

    markdown: str = ""
    hidden: str = ""


@dataclass(frozen=True, slots=True)
class SetupBlock(Part):
    """What is set from here on. `controls`: names of the settings that the step shows. `tab`, `model`: to open."""

    plan: RunPlan = field(default_factory=lambda: RunPlan(RunSettings()))
    controls: tuple[str, ...] = ()
    vary: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    tab: str = ""
    model: str = ""

    def plan_of(self, name: str) -> RunPlan:
        """The plan of the person with this name or number: seed and constants follow from it."""
        changes: dict[str, Any] = {}
        for setting, values in self.vary.items():
            person = unicodedata.normalize("NFKC", name).strip().casefold()
            digest = hashlib.sha256(f"{setting}|{person}".encode(errors="replace")).digest()
            number = int.from_bytes(digest[:4], "big")
            changes[setting] = values[number % len(values)] if values else number % 1_000_000
        return self.plan.change(**changes)


@dataclass(frozen=True, slots=True)
class ExerciseBlock(Part):
    """A part that a person has to do. `ask`: Markdown. `setup`: what is set at this place."""

    ask: str = ""
    setup: SetupBlock = field(default_factory=lambda: SetupBlock(0))


@dataclass(frozen=True, slots=True)
class PredictBlock(ExerciseBlock):
    """A choice, a number, or a curve over the epochs of the run `run`.

    `kind`: "choice", "number" or "curve". `right`: the choice that turns out. A number or curve is compared with the
    `quantity` of the run's variant `variant` at `epoch` (None: the last). `highest`: the end of the axis to draw on; 0:
    the plot's own.
    """

    kind: str = "choice"
    choices: tuple[str, ...] = ()
    right: str = ""
    quantity: str = ""
    epoch: int | None = None
    run: str = ""
    variant: int = 0
    highest: float = 0.0


@dataclass(frozen=True, slots=True)
class RunBlock(ExerciseBlock):
    """Trainings to watch. `variants`: changes of the setup's settings, one run each; `titles`: their names.

    `figures`: what the runs reach at their ends, by quantity, one number a variant, within `tolerance`, as
    `lab check` tests it. `devices`: of a race, one run each.
    """

    variants: tuple[Mapping[str, Any], ...] = ({},)
    titles: tuple[str, ...] = ("",)
    show: str = "curves"
    quantity: str = "test_accuracy"
    figures: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    tolerance: float = 1.0
    devices: tuple[str, ...] = ()

    def plans(self, name: str) -> list[RunPlan]:
        """The plan of each variant, for the person with this name or number."""
        plan = self.setup.plan_of(name)
        if self.devices:
            return [replace(plan, device=device, parsed=None) for device in self.devices]
        return [plan.change(**changes) for changes in self.variants]


@dataclass(frozen=True, slots=True)
class Choice:
    """`misconception`: the name of the wrong idea that the choice shows; `reply`: what it is answered with."""

    text: str
    right: bool = False
    misconception: str = ""
    reply: str = ""


@dataclass(frozen=True, slots=True)
class QuestionBlock(ExerciseBlock):
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskBlock(ExerciseBlock):
    """A goal for a run of one's own: limits of the quantities GOALS. `on`: data whose accuracy counts; "": the setup's.

    `solution`: settings that meet the goal, which `lab check` trains; never shown to pupils.
    """

    goals: Mapping[str, float] = field(default_factory=dict)
    on: str = ""
    solution: Mapping[str, Any] = field(default_factory=dict)


GOALS = {
    "test_accuracy_at_least": (1, "test accuracy of at least {value}"),
    "parameters_at_most": (-1, "at most {value} parameters"),
    "seconds_at_most": (-1, "at most {value} seconds of training"),
    "epochs_at_most": (-1, "at most {value} epochs"),
    "test_loss_at_most": (-1, "test loss of at most {value}"),
}
"""The goals of a task: whether to reach much (1) or little (-1), and the goal in words, which the window translates."""


@dataclass(frozen=True, slots=True)
class KernelBlock(ExerciseBlock):
    exercise: Exercise = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Step:
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Lab:
    """`folder`: of its pictures and data; None for a text alone. `digest`: SHA-256 of the text, hexadecimal."""

    title: str
    minutes: int
    steps: tuple[Step, ...]
    digest: str
    text: str
    folder: Path | None = None

    def parts(self) -> Iterator[Part]:
        return (part for step in self.steps for part in step.parts)

    def exercises(self) -> list[ExerciseBlock]:
        return [part for part in self.parts() if isinstance(part, ExerciseBlock)]

    @property
    def is_experiment(self) -> bool:
        """Whether it asks nothing: opening it sets what it holds."""
        return not self.exercises()

    @property
    def varies(self) -> bool:
        """Whether seed or constants follow from a person's name."""
        return any(isinstance(part, SetupBlock) and part.vary for part in self.parts())

    def part(self, part_id: str) -> ExerciseBlock | None:
        return next((part for part in self.exercises() if part.id == part_id), None)

    def data_of(self, plan: RunPlan) -> str:
        """The name or path of a plan's data, for `load_dataset`."""
        if self.folder is None or is_source(plan.data):
            return plan.data
        return str(self.folder / plan.data)

    def located(self, plan: RunPlan) -> RunPlan:
        return RunPlan(plan.settings, self.data_of(plan), plan.device)


def inside(folder: Path | None, name: str) -> Path | None:
    """The file or folder `name` below `folder`, or None where it is not there or would leave it."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if folder is None or not parts or ".." in parts or name.startswith(("/", "~")) or ":" in name:
        return None
    path = folder.joinpath(*parts)
    try:
        root = folder.resolve()
        return path if path.exists() and root in path.resolve().parents else None
    except (OSError, RuntimeError, ValueError):
        return None


def parse_lab(text: str, name: str, folder: Path | None = None) -> Lab:
    """The lab that the Markdown text describes; `name`: of its file, for messages; `folder`: of its other files.

    Raises InputError with the line, and the nearest known name, of what is not understood.
    """
    if len(text) > MAX_CHARACTERS:
        template = "{path} is too long for a lab: at most {most:,} characters are read."
        raise InputError(template, path=name, most=MAX_CHARACTERS)
    return _Reader(text, name, folder).read()


class _Reader:
    """Reads one text. Its methods raise InputError with the line of the block that they read."""

    def __init__(self, text: str, name: str, folder: Path | None) -> None:
        self._text, self._name, self._folder = text.replace("\r\n", "\n").replace("\r", "\n"), name, folder
        self._setup, self._line = SetupBlock(0), 1
        self._places: dict[str, int] = {}  # the line of each key of the present block
        self._ids: set[str] = set()
        self._counts: Counter[str] = Counter()

    def read(self) -> Lab:
        lines = self._text.split("\n")
        self._check_lines(lines)
        steps: list[tuple[str, list[Part]]] = [("", [])]
        title, minutes, version, begin = "", 0, 0, 0
        self._parser = markdown()
        # A picture of any address is found here, and refused.
        self._parser.validateLink = lambda url: True  # type: ignore[method-assign]
        tokens = self._parser.parse(self._text)

        def keep_text(end: int) -> None:
            found = [index for index in range(begin, end) if lines[index].strip()]
            if found:
                text = "\n".join(lines[found[0] : found[-1] + 1])
                steps[-1][1].append(Text(found[0] + 1, markdown=text))

        self._check_nesting(tokens)
        for index, token in enumerate(tokens):
            if token.map is not None:
                self._line = token.map[0] + 1
            if token.type == "inline":
                self._check_pictures(token)
            elif token.type == "heading_open" and token.level == 0 and token.tag in ("h1", "h2"):
                assert token.map is not None
                keep_text(token.map[0])
                begin = token.map[1]
                heading = tokens[index + 1].content.strip()
                if len(heading) > _MAX_CHOICE:
                    raise self._error("a title has at most {most} characters.", most=_MAX_CHOICE)
                if token.tag == "h2":
                    steps.append((heading, []))
                elif title:
                    raise self._error("a lab has one title: begin a step with “## {text}”.", text=heading)
                else:
                    title = heading
            elif token.type == "fence" and (kind := self._kind(token)):
                assert token.map is not None
                keep_text(token.map[0])
                begin = token.map[1]
                if kind == "lab":
                    values = self._values(kind, token.content)
                    if version:
                        raise self._error("a lab has one block “lab”: remove this one.")
                    if "version" not in values:
                        raise self._error(
                            "the block “lab” has no version: add “version = {known}”.", known=VERSION
                        )
                    version, minutes = values["version"], values.get("minutes", 0)
                    if version != VERSION:
                        text = "version {version}: this program reads labs of version {known}."
                        raise self._error(text, version=version, known=VERSION)
                    if not 0 <= minutes <= _MAX_MINUTES:
                        raise self._error("minutes: must be from 0 to {most}.", most=_MAX_MINUTES)
                else:
                    steps[-1][1].append(self._part(kind, token.content))
        keep_text(len(lines))
        self._line = 1
        if not version:
            text = "it is no lab: a lab has a block “```lab” with “version = {known}”."
            raise self._error(text, known=VERSION)
        if not title:
            raise self._error("the lab has no title: begin with a line “# Title”.")
        if not steps[0][1]:
            del steps[0]
        if sum(len(parts) for _, parts in steps) > MAX_PARTS:
            raise self._error("the lab has more than {most} parts: divide it.", most=MAX_PARTS)
        made = tuple(Step(heading or title, tuple(parts)) for heading, parts in steps)
        digest = hashlib.sha256(self._text.encode(errors="replace")).hexdigest()
        lab = Lab(title, minutes, made, digest, self._text, self._folder)
        self._check_references(lab)
        return lab

    def _error(self, template: str, *, at: str = "", **values: object) -> InputError:
        """`at`: the key of the present block that is wrong."""
        shown: dict[str, Any] = {"path": self._name, "line": self._places.get(at, self._line), **values}
        return InputError("{path}, line {line}: " + template, **shown)

    def _nearest(self, what: str, given: str, known: Any, at: str = "") -> InputError:
        near = get_close_matches(given[:MAX_VALUE_LENGTH], known, 1, 0.5)
        advice = "did you mean “{near}”?" if near else "choose one of {known}."
        values = {"given": given, "what": what, "near": near, "known": [*known]}
        return self._error("“{given}” is no {what}: " + advice, at=at, **values)

    def _kind(self, token: Any) -> str:
        """The kind of a fenced block, or empty for ordinary code."""
        name = token.info.strip().split(" ")[0]
        if name in _LANGUAGES:
            return ""
        if name not in _BLOCKS and name != "lab":
            raise self._nearest("block", name, ["lab", *_BLOCKS])
        if token.level:
            raise self._error("a block “{name}” must not stand in a list or a quotation.", name=name)
        return str(name)

    def _check_lines(self, lines: Sequence[str]) -> None:
        """Raise InputError for a line or a step that is longer than the window can show at once."""
        length = 0
        for number, line in enumerate(lines, 1):
            self._line = number
            length = 0 if line.startswith("## ") else length + len(line) + 1
            if len(line) > MAX_LINE:
                raise self._error("the line is too long: divide it after {most:,} characters.", most=MAX_LINE)
            if length > MAX_STEP:
                text = "the step is too long: begin another one (“## …”) after {most:,} characters."
                raise self._error(text, most=MAX_STEP)
        self._line = 1

    def _check_nesting(self, tokens: Sequence[Any]) -> None:
        """Raise InputError for lists and quotations, or emphasis and links, that lie too deep in each other."""
        depth = 0
        for token in tokens:
            if token.type in _NESTING:
                depth += token.nesting
            if token.map is not None:
                self._line = token.map[0] + 1
            inner = max((child.level for child in token.children or ()), default=0)
            if max(depth, inner) > MAX_NESTING:
                raise self._error("the text is nested more than {most} times.", most=MAX_NESTING)

    def _check_markdown(self, text: str) -> None:
        tokens = self._parser.parse(text)
        line = self._line
        self._check_nesting(tokens)
        self._line = line
        for token in tokens:
            self._check_pictures(token)

    def _check_pictures(self, token: Any) -> None:
        """Raise InputError for a picture that is not in the lab's folder."""
        for child in token.children or ():
            if child.type == "image":
                self._check_file("the picture", str(child.attrs.get("src", "")))

    def _check_file(self, what: str, name: str) -> None:
        if inside(self._folder, name) is None:
            text = "{what} “{name}” is not in the lab's folder: put it there, and name it from there."
            raise self._error(text, what=what, name=name)

    def _check_data(self, key: str, name: str) -> None:
        if not is_source(name) and inside(self._folder, name) is None:
            reason = no_such_data(name, ["a file in the lab's folder"])
            raise self._error("{key}: {reason}", at=key, key=key, reason=reason)

    def _check_device(self, name: str, at: str) -> str:
        # Imported when it is needed: the window reads no lab at its start.
        from kernels.registry import device_names, is_device_name

        if not is_device_name(name):
            raise self._nearest("device", name, ["auto", *device_names()], at)
        return name

    def _check_choices(self, texts: Sequence[str]) -> None:
        if not 2 <= len(texts) <= _MAX_CHOICES or len(set(texts)) != len(texts):
            raise self._error("choices: give 2 to {most} different ones.", most=_MAX_CHOICES)

    def _values(self, kind: str, content: str) -> dict[str, Any]:
        """The TOML values of a block, each of a key and a type that it knows."""
        keys = _KEYS[kind]
        try:
            values = parse_toml(content)
        except ValueError as error:
            reason, _, position = str(error).partition(" (at line ")
            if found := re.match(r"\d+", position):
                self._line += int(found[0])
            raise self._error(
                "the block “{kind}” cannot be read ({reason}): write “key = value”, texts in quotes.",
                kind=kind, reason=reason,
            ) from None  # fmt: skip
        lines = content.split("\n")
        self._places = {}
        for key, value in values.items():
            place = next((i for i, line in enumerate(lines) if re.match(rf"\W*{re.escape(key)}\W", line)), 0)
            line, self._line = self._line, self._line + 1 + place
            self._places[key] = self._line
            if key not in keys:
                raise self._nearest(f"key of “{kind}”", key, keys)
            if not _is_small(value):
                raise self._error("{key}: must be a number up to {most:.0e}.", key=key, most=_LARGEST)
            wanted = keys[key]
            if type(value) not in (wanted if isinstance(wanted, tuple) else (wanted,)):
                raise self._error("{key}: must be {kind}.", key=key, kind=_TYPE_NAMES[wanted])
            if key == "ask":
                self._check_markdown(value)
            self._line = line
        return values

    def _part(self, kind: str, content: str) -> Part:
        if kind in ("reveal", "teacher"):
            self._check_markdown(content)
            return Text(self._line, markdown=content.strip(), hidden=kind)
        values = self._values(kind, content)
        try:
            return _BLOCKS[kind](self, values)
        except InputError as error:
            raise error if "line" in error.values else self._error("{reason}", reason=error) from None

    def _common(self, kind: str, values: dict[str, Any]) -> dict[str, Any]:
        self._counts[kind] += 1
        given = values.get("id", f"{kind}-{self._counts[kind]}")
        if not _ID.fullmatch(given):
            raise self._error("id “{id}”: write small letters, digits and “-”, at most 40.", id=given)
        if given in self._ids:
            raise self._error("id “{id}” is given twice: give each part its own.", id=given)
        self._ids.add(given)
        return {"line": self._line, "id": given, "ask": values.get("ask", ""), "setup": self._setup}

    def _least(self, least: float, values: Mapping[str, Any], key: str) -> Any:
        """The value of a key, or None. Raises InputError where it is less than `least`."""
        if key in values and values[key] < least:
            raise self._error("{key}: must be at least {least}.", key=key, least=least)
        return values.get(key)

    def _choice(self, what: str, given: str, known: Any) -> str:
        if given not in known:
            raise self._nearest(what, given, [*known])
        return given

    def _settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        for name in values:
            self._choice("setting", name, BY_NAME)
        return dict(values)

    def _changes(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Settings with values that each of them may have."""
        return {name: BY_NAME[name].check(value) for name, value in self._settings(values).items()}

    def setup(self, values: dict[str, Any]) -> SetupBlock:
        before, plan = self._setup, self._setup.plan
        if "preset" in values:
            preset = find_preset(values["preset"])
            plan = RunPlan(preset.settings, preset.data or "builtin")
        settings = self._settings({name: value for name, value in values.items() if name not in _SETUP_KEYS})
        data = values.get("data", plan.data)
        self._check_data("data", data)
        if model := values.get("model", ""):
            self._check_file("model", model)
        known, given = [*BY_NAME, "data"], map(str, values.get("controls", ()))
        self._setup = SetupBlock(
            self._line,
            plan=replace(
                plan.change(**settings),
                data=data,
                device=self._check_device(values.get("device", plan.device), "device"),
            ),
            controls=tuple(self._choice("control", name, known) for name in given),
            vary=self._vary(values["vary"]) if "vary" in values else before.vary,
            tab=self._choice("tab", values["tab"], TABS) if "tab" in values else "",
            model=model,
        )
        return self._setup

    def _vary(self, given: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
        found: dict[str, tuple[Any, ...]] = {}
        for name, values in self._settings(given).items():
            if name == "seed" and values is True:
                found[name] = ()
            elif isinstance(values, list) and 1 <= len(values) <= 1000:
                found[name] = tuple(BY_NAME[name].check(value) for value in values)
            else:
                raise self._error("vary.{name}: give a list of values; for the seed also “true”.", name=name)
        return found

    def predict(self, values: dict[str, Any]) -> PredictBlock:
        common = self._common("predict", values)
        choices = tuple(self._short(choice) for choice in values.get("choices", ()))
        kind = "choice" if choices else "curve" if "curve" in values else "number"
        quantity = values.get("curve", values.get("number", ""))
        if bool(choices) + ("curve" in values) + ("number" in values) > 1:
            text = "a prediction is a choice, a number or a curve: give one of choices, number, curve."
            raise self._error(text)
        if kind == "choice":
            self._check_choices(choices)
            if "right" in values:
                self._choice("choice", values["right"], choices)
        elif not quantity:
            raise self._error("a prediction needs “choices”, “number” or “curve”.")
        else:
            self._choice("quantity", quantity, QUANTITIES)
        return PredictBlock(
            **common, kind=kind, choices=choices, right=values.get("right", ""), quantity=quantity,
            epoch=self._least(1, values, "epoch"), run=values.get("run", ""), variant=values.get("variant", 1) - 1,
            highest=float(self._least(0, values, "highest") or 0),
        )  # fmt: skip

    def _short(self, value: Any) -> str:
        if type(value) not in (str, int, float) or not 1 <= len(str(value)) <= _MAX_CHOICE:
            text = "each choice and title is a text or number of at most {most} characters."
            raise self._error(text, most=_MAX_CHOICE)
        return str(value)

    def run(self, values: dict[str, Any]) -> RunBlock:
        common = self._common("run", values)
        variants, titles = [], []
        given = values.get("variants", [{}])
        if not 1 <= len(given) <= _MAX_VARIANTS or not all(isinstance(each, dict) for each in given):
            raise self._error("variants: give 1 to {most} tables of settings.", most=_MAX_VARIANTS)
        for each in given:
            changes = {name: value for name, value in each.items() if name != "title"}
            variants.append(self._changes(changes))
            words = (short_value(name, value) for name, value in variants[-1].items())
            titles.append(self._short(each["title"]) if "title" in each else ", ".join(words))
        if devices := tuple(map(self._short, values.get("devices", ()))):
            if len(devices) > _MAX_VARIANTS or "variants" in values:
                raise self._error("devices: give 1 to {most}, without “variants”.", most=_MAX_VARIANTS)
            for device in devices:
                self._check_device(device, "devices")
            variants, titles = [{} for _ in devices], [*devices]
        figures: dict[str, tuple[float, ...]] = {}
        for quantity, numbers in values.get("figures", {}).items():
            self._choice("quantity", quantity, QUANTITIES)
            listed = numbers if isinstance(numbers, list) else [numbers]
            if len(listed) != len(variants) or not {*map(type, listed)} <= {int, float}:
                raise self._error("figures.{name}: give one number for each of the runs.", name=quantity)
            figures[quantity] = tuple(map(float, listed))
        run = RunBlock(
            **common, variants=tuple(variants), titles=tuple(titles), figures=figures,
            show=self._choice("view", values.get("show", "curves"), SHOWN),
            quantity=self._choice("quantity", values.get("quantity", "test_accuracy"), QUANTITIES),
            tolerance=float(self._least(0, {"tolerance": 1.0} | values, "tolerance")), devices=devices,
        )  # fmt: skip
        for plan in run.plans(""):
            if plan.settings.epochs > _MAX_EPOCHS:
                raise self._error("epochs: a run of a lab has at most {most}.", most=_MAX_EPOCHS)
        return run

    def question(self, values: dict[str, Any]) -> QuestionBlock:
        common = self._common("question", values)
        choices = []
        for given in values.get("choices", ()):
            if not isinstance(given, dict) or not isinstance(given.get("text"), str):
                raise self._error("choices: write each as [[choices]] with “text”.")
            for key, value in given.items():
                self._choice("key of a choice", key, ("text", "right", "misconception", "reply"))
                kind, title = (bool, "true or false") if key == "right" else (str, "a text in quotes")
                if type(value) is not kind:
                    raise self._error("{key} of a choice: must be {kind}.", key=key, kind=title)
            self._short(given["text"])
            self._check_markdown(given.get("reply", ""))
            choices.append(Choice(**given))
            if not choices[-1].right and not (choices[-1].misconception and choices[-1].reply):
                text = "the choice “{text}” is wrong: name its “misconception” and answer it in “reply”."
                raise self._error(text, text=choices[-1].text)
        self._check_choices([choice.text for choice in choices])
        if not any(choice.right for choice in choices):
            raise self._error("no choice is right: write “right = true” below one.")
        return QuestionBlock(**common, choices=tuple(choices))

    def task(self, values: dict[str, Any]) -> TaskBlock:
        common = self._common("task", values)
        goals = {name: float(values[name]) for name in GOALS if name in values}
        if not goals:
            raise self._error("a task needs a goal: one of {goals}.", goals=[*GOALS])
        on = values.get("on", "")
        if on:
            self._check_data("on", on)
        solution = self._changes(values.get("solution", {}))
        self._setup.plan.settings.change(**solution)
        return TaskBlock(**common, goals=goals, on=on, solution=solution)

    def kernel(self, values: dict[str, Any]) -> KernelBlock:
        exercise = read_exercise(values, lambda name: inside(self._folder, name))
        return KernelBlock(**self._common("kernel", values), exercise=exercise)

    def _check_references(self, lab: Lab) -> None:
        """Each prediction of a number or curve has a run after it: the one it names, else the next one."""
        for part in lab.exercises():
            self._line = part.line
            run = predicted_run(lab, part) if isinstance(part, PredictBlock) else None
            if not isinstance(part, PredictBlock) or (run is None and part.kind == "choice" and not part.run):
                continue
            if run is None:
                raise self._error("no run follows that shows what was predicted: add a block “run” after it.")
            if not 0 <= part.variant < len(run.variants):
                raise self._error("variant: the run has {count} variants.", count=len(run.variants))
            epochs = run.plans("")[part.variant].settings.epochs
            if part.epoch is not None and part.epoch > epochs:
                raise self._error("epoch: the run has {count} epochs.", count=epochs)


_BLOCKS: dict[str, Any] = {
    "setup": _Reader.setup, "predict": _Reader.predict, "run": _Reader.run, "question": _Reader.question,
    "task": _Reader.task, "kernel": _Reader.kernel, "reveal": None, "teacher": None,
}  # fmt: skip
"""The methods that read the blocks of a step; those without one are texts."""


def markdown() -> "MarkdownIt":
    """A parser of CommonMark that takes HTML for text."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False})


def _is_small(value: Any) -> bool:
    """Whether all numbers in the value are finite and can be computed with."""
    if isinstance(value, dict | list):
        return all(map(_is_small, value.values() if isinstance(value, dict) else value))
    return abs(value) <= _LARGEST if isinstance(value, int | float) else True


_NUMBER = (int, float)
_TYPE_NAMES: dict[Any, str] = {str: "a text in quotes", int: "a whole number", list: "a list in brackets",
                               dict: "a table", _NUMBER: "a number", (str, int): "a text or a whole number",
                               (str, list): "a text or a list", (str, int, float, bool): "a value"}  # fmt: skip
_EXERCISE_KEYS: dict[str, Any] = {"id": str, "ask": str}
_SETUP_KEYS: dict[str, Any] = {"data": str, "preset": str, "device": str, "controls": list, "vary": dict,
                               "tab": str, "model": str}  # fmt: skip
_KEYS: dict[str, dict[str, Any]] = {
    "lab": {"version": int, "minutes": int},
    "setup": _SETUP_KEYS | {setting.name: (str, int, float, bool) for setting in SETTINGS},
    "predict": _EXERCISE_KEYS | {"choices": list, "right": str, "number": str, "curve": str, "epoch": int, "run": str,
                              "variant": int, "highest": _NUMBER},
    "run": _EXERCISE_KEYS | {"variants": list, "show": str, "quantity": str, "figures": dict, "tolerance": _NUMBER,
                          "devices": list},
    "question": _EXERCISE_KEYS | {"choices": list},
    "kernel": _EXERCISE_KEYS | _KERNEL_KEYS,
    "task": _EXERCISE_KEYS | {"on": str, "solution": dict, **dict.fromkeys(GOALS, _NUMBER)},
}  # fmt: skip


def predicted_run(lab: Lab, prediction: PredictBlock) -> RunBlock | None:
    """The run that shows what was predicted: the one that the prediction names, else the next one."""
    exercises = lab.exercises()
    runs = [part for part in exercises[exercises.index(prediction) + 1 :] if isinstance(part, RunBlock)]
    return next((run for run in runs if prediction.run in ("", run.id)), None)


def predictions_of(lab: Lab, run: RunBlock) -> list[PredictBlock]:
    """What the lab asks to predict about the run."""
    asked = (part for part in lab.exercises() if isinstance(part, PredictBlock))
    return [part for part in asked if predicted_run(lab, part) == run]
