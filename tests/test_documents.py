"""The documents name what the program has, and the program has what the documents name."""

import argparse
import fnmatch
import importlib
import pkgutil
import re
import subprocess
import tomllib
from functools import cache
from itertools import chain, pairwise
from pathlib import Path, PurePosixPath

import pytest

import core
import kernels
from core.commands import COMMANDS, parser_of
from core.commands.console import option_of
from core.errors import InputError
from core.labs.reader import parse_lab
from kernels.discovery import classes_in
from tools import reference

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
)
PROGRAM = ("core", "gui", "kernels")
EXAMPLE = re.compile(r"\bnew:|^Example:")
"""A line that names files and classes which a reader is told to make."""


@cache
def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


@cache
def files() -> tuple[str, ...]:
    """The files of the project, as paths from its top; those that git ignores are not among
    them.
    """
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no working tree of git")
    return tuple(
        name for name in listed.decode().rstrip("\0").split("\0") if (ROOT / name).is_file()
    )


@cache
def words_of_the_program() -> frozenset[str]:
    """All identifiers in its source, its tools and its tests."""
    suffixes = (".py", ".js", ".toml", ".c", ".yml")
    texts = (text_of(name) for name in files() if name.endswith(suffixes))
    return frozenset(chain.from_iterable(re.findall(r"[A-Za-z_]\w*", text) for text in texts))


FENCE = re.compile(r"^( *)(`{3,})(.*?)^\1\2", re.DOTALL | re.MULTILINE)


def code_blocks(name: str) -> list[str]:
    return [found[3] for found in FENCE.finditer(text_of(name))]


def spans(name: str) -> list[str]:
    """What stands in backticks, outside of blocks of code and of examples."""
    lines = [line for line in FENCE.sub("", text_of(name)).split("\n") if not EXAMPLE.search(line)]
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", "\n".join(lines))]


def expanded(pattern: str) -> list[str]:
    """`a{b,c}` as `ab` and `ac`."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        return [pattern]
    begin, end = pattern[: found.start()], pattern[found.end() :]
    return [path for choice in found[1].split(",") for path in expanded(begin + choice + end)]


@cache
def paths() -> frozenset[str]:
    """The files and folders of the project."""
    folders = (parent.as_posix() for name in files() for parent in PurePosixPath(name).parents)
    return frozenset((*files(), *folders))


def exists(pattern: str) -> bool:
    """Whether a file or a folder has this path, or pattern, from the top of the project."""
    return pattern.rstrip("/") in paths() or (
        "*" in pattern and bool(fnmatch.filter(files(), pattern))
    )


def is_path(span: str) -> bool:
    return (
        re.fullmatch(r"[\w.{},*/-]+/[\w.{},*/-]*", span) is not None
        and span.split("/")[0] in paths()
    )


# What the program has


def test_the_reference_is_that_of_the_program():
    """Every setting, activation, layer, preset, device, exporter and command is in it."""
    assert text_of("docs/reference.md") == reference.document(), (
        "python -m tools.reference writes it anew"
    )


def test_every_block_of_a_lab_and_each_of_its_keys_is_explained():
    text = text_of("docs/writing-labs.md")
    blocks = known_names("zzzzzzzz", "")
    settings = set(known_names("setup", "zzzzzzzz = 1"))
    missing = [kind for kind in blocks if f"`{kind}`" not in text]
    for kind in blocks:
        if kind not in ("reveal", "teacher"):  # texts, without keys
            keys = set(known_names(kind, "zzzzzzzz = 1"))
            common = settings & keys if kind != "setup" else keys
            missing += [
                f"{kind}: {key}" for key in keys - common if not re.search(f"`{key}( = .*)?`", text)
            ]
    settings_of_a_run = {f"setup: {setting.name}" for setting in reference.SETTINGS}
    assert sorted(set(missing) - settings_of_a_run) == []


def known_names(kind: str, content: str) -> list[str]:
    """The names that the message of a lab with an unknown block or key offers."""
    text = f"# Lab\n```lab\nversion = 1\n```\n```{kind}\n{content}\n```\n"
    with pytest.raises(InputError) as refused:
        parse_lab(text, "lab.md")
    return list(refused.value.values["known"])


def test_every_folder_that_is_searched_for_extensions_is_explained():
    searched = [name for name in packages(core, kernels) if searches(importlib.import_module(name))]
    assert searched
    text = text_of("docs/extending.md")
    assert [name for name in searched if name.replace(".", "/") not in text] == []


def packages(*tops):
    for top in tops:
        found = pkgutil.walk_packages(top.__path__, f"{top.__name__}.")
        yield from (module.name for module in found if module.ispkg and ".cuda" not in module.name)


def searches(package):
    return classes_in in vars(package).values()


def test_every_exercise_is_in_the_table_of_exercises():
    numbers = [path.name[:2] for path in sorted((ROOT / "resources" / "workshop").glob("[0-9]*-*"))]
    assert numbers
    assert re.findall(r"^\| (\d\d) \|", text_of("docs/workshop.md"), re.MULTILINE) == numbers


def test_every_folder_of_the_program_is_in_the_table_of_folders():
    named = set(chain.from_iterable(folders for folders, _ in rows_of_folders()))
    folders = {
        "/".join(name.split("/")[:2])
        for name in files()
        if name.startswith(PROGRAM) and name.count("/") > 1
    }
    drawn = re.findall(r"[├└]─ (\w+)/", text_of("docs/architecture.md"))
    assert sorted(folders - named - {f"kernels/{name}" for name in drawn}) == []


def test_every_tool_has_its_line():
    listed = re.findall(r"^\| `tools\.([\w.]+)` \|", text_of("docs/architecture.md"), re.MULTILINE)
    tools = {
        name[len("tools/") : -len(".py")].replace("/", ".")
        for name in files()
        if re.fullmatch(r"tools/.+\.py", name)
    }
    assert listed == sorted(tools)


# What the documents name


def rows_of_folders():
    """The folders in the first cell of a row of the table of folders, and what stands in backticks
    beside them.
    """
    for line in text_of("docs/architecture.md").split("\n"):
        cells = re.findall(r"`([^`]+)`", line.split("|")[1]) if line.startswith("| `") else []
        if cells and all(is_path(cell) for cell in cells):
            yield cells, re.findall(r"`([^`]+)`", line.split("|", 2)[2])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_path_exists(name):
    """The files that an example tells to make do not: a line of its section names them or their
    module.
    """
    examples = [line for line in text_of(name).split("\n") if EXAMPLE.search(line)]
    made = set(re.findall(r"\w+", "\n".join(examples)))
    paths = [path for span in spans(name) if is_path(span) for path in expanded(span)]
    assert [
        path for path in paths if not exists(path) and PurePosixPath(path).stem not in made
    ] == []


def test_every_path_in_the_check_of_everything_exists():
    paths = [
        path for span in re.findall(r"\btests/\S+", text_of(".ci/run")) for path in expanded(span)
    ]
    assert paths
    assert [path for path in paths if not exists(path)] == []


def test_the_table_of_folders_names_files_that_are_in_them():
    wrong = []
    for folders, names in rows_of_folders():
        plain = [
            name for name in names if re.fullmatch(r"\w+(\.py)?", name) and name not in PROGRAM
        ]
        for name in plain:
            stem = name.removesuffix(".py")
            if not any(
                exists(f"{folder}/{stem}.py") or exists(f"{folder}/{stem}") for folder in folders
            ):
                wrong.append(f"{', '.join(folders)}: {name}")
    assert wrong == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_file_and_heading_that_is_linked_exists(name):
    folder = (ROOT / name).parent
    wrong = []
    text = re.sub("`[^`]*`", "", FENCE.sub("", text_of(name)))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = folder / path if path else ROOT / name
        if not target.exists() or (anchor and anchor not in anchors(target)):
            wrong.append(link)
    assert wrong == []


def anchors(path):
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_identifier_is_one_of_the_program(name):
    """Names with an underscore, in capitals and small letters, or with dots. An example may define
    names itself.
    """
    known = words_of_the_program() | set(re.findall(r"\w+", "\n".join(code_blocks(name))))
    wrong = []
    for span in spans(name):
        found = re.fullmatch(r"([A-Za-z_][\w.]*)(\(.*\))?", span)
        if found is None or is_path(span) or is_file(span):
            continue
        words = [word for word in found[1].split(".") if word]
        is_foreign = len(words) > 1 and words[0].islower() and words[0] not in paths()
        is_name = (
            len(words) > 1
            or "_" in found[1].strip("_")
            or re.search("[a-z][A-Z]", span) is not None
        )
        if is_name and not is_foreign and not found[1].isupper() and not known.issuperset(words):
            wrong.append(span)
    assert wrong == []


def is_file(span: str) -> bool:
    """Whether a file of the project has this name, in whatever folder."""
    return any(path.rsplit("/", 1)[-1] == span for path in files())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_exists_with_its_options(name):
    wrong = []
    for command in commands_in(name):
        words = command.split("#")[0].split()
        for word, following in pairwise([*words, ""]):
            module = word.replace(".", "/")
            if (
                word.startswith(("tools.", "tests."))
                and not word.removeprefix("tools.").isupper()
                and not (exists(f"{module}.py") or exists(module))
            ):
                wrong.append(command)
            if word == "--extra" and following not in extras():
                wrong.append(command)
        if words[0] == "make" and words[1:] and words[1] not in targets():
            wrong.append(command)
        if "main.py" in words:
            wrong += [
                f"{command}: {word}" for word in unknown_words(words[words.index("main.py") + 1 :])
            ]
    assert wrong == []


def commands_in(name):
    """What stands in backticks, and the lines of blocks of code, that begin as a command does."""
    lines = [line.strip() for line in text_of(name).split("\n")]
    begins = ("main.py ", "uv run ", ".uv/bin/uv run ", "python -m ", "python main.py ", "make ")
    return [text for text in (*spans(name), *lines) if text.startswith(begins) and "─" not in text]


def unknown_words(words):
    """The words of a command line of the program that it does not know: commands, actions,
    options.
    """
    if not words or words[0] not in COMMANDS:
        is_given = not words or words[0].startswith("-") or "." in words[0] or words[0].isupper()
        return [] if is_given else words[:1]
    parser = parser_of(words[0])
    actions = [
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    ]
    options = set(parser._option_string_actions)
    wrong = []
    for action in actions:
        if words[1:] and words[1] in action.choices:
            options |= set(action.choices[words[1]]._option_string_actions)
        elif words[1:] and not words[1].startswith("-"):
            wrong.append(words[1])
    given = [word.strip("[]").partition("=")[0] for word in words[1:]]
    return wrong + [word for word in given if word.startswith("--") and word not in options]


@cache
def extras():
    return tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]


@cache
def targets():
    return re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_option_that_is_named_alone_is_one_of_a_command(name):
    """Options of other programs, and of an example, stand in a block of code or a command of the
    same document.
    """
    modules = re.findall(r"python -m (\w+)", "\n".join(commands_in(name)))
    if not {"tools", "tests", "pytest", "PyInstaller"}.issuperset(modules):
        return
    shown = re.findall(r"--[\w-]+", "\n".join((*code_blocks(name), *commands_in(name))))
    shown += [option_of(word) for word in re.findall(r"\w+", "\n".join(code_blocks(name)))]
    given = [span.split()[0].partition("=")[0] for span in spans(name) if re.match(r"--\w", span)]
    assert [option for option in given if option not in options_of_the_program().union(shown)] == []


@cache
def options_of_the_program():
    """Those of its commands, and all that stand in the tools, the harnesses of tests, the packaging
    and main.py.
    """
    options = set()
    for name in COMMANDS:
        parser = parser_of(name)
        options |= set(parser._option_string_actions)
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                options.update(
                    *(choice._option_string_actions for choice in action.choices.values())
                )
    sources = [
        name
        for name in files()
        if re.match(r"(tools|packaging|tests/card|tests/faults)/.*\.(py|sh|c)|main\.py", name)
    ]
    return frozenset(
        options.union(*(re.findall(r"--[a-z][\w-]+", text_of(name)) for name in sources))
    )


# Measured figures

NUMBER = r"\d[\d,]*(?:\.\d+)?"
FIGURES = re.compile(rf"({NUMBER}(?:(?:, | and | to | or ){NUMBER})*)\s(%|ms|µs|s|times)(?!\w)")


@cache
def recorded(kind):
    """The figures that were measured ("figure"), or the numbers that are none ("given")."""
    return tomllib.loads(text_of("docs/figures.toml"))[kind]


def keys_of(entries):
    return {(value, entry["unit"]) for entry in entries for value in entry["value"]}


def given_in(name):
    return keys_of(entry for entry in recorded("given") if entry["document"] == name)


def figures_of(name):
    """The numbers with a unit of speed or accuracy, such as (3.6, "%"). Estimates are computed, not measured."""
    found = set()
    for figures in FIGURES.finditer(text_of(name).split("## Estimates for graphics cards")[0]):
        numbers = re.findall(NUMBER, figures[1])
        found |= {(float(number.replace(",", "")), figures[2]) for number in numbers}
    return found


# `lab check` and `python -m tools.lessons families` compare the figures of the lessons.
WITH_FIGURES = [name for name in DOCUMENTS if name != "docs/lessons.md"]


@pytest.mark.parametrize("name", WITH_FIGURES)
def test_every_figure_is_recorded_with_its_command_or_as_given(name):
    assert sorted(figures_of(name) - keys_of(recorded("figure")) - given_in(name)) == []


def test_every_recorded_figure_stands_in_a_document():
    wrong = {name: given_in(name) - figures_of(name) for name in WITH_FIGURES}
    written = set().union(*map(figures_of, WITH_FIGURES))
    units = {unit for _, unit in written}
    wrong["figures"] = {key for key in keys_of(recorded("figure")) - written if key[1] in units}
    assert {name: sorted(keys) for name, keys in wrong.items() if keys} == {}


def test_every_recorded_figure_has_a_command_that_exists():
    wrong = []
    for figure in recorded("figure"):
        words = figure["command"].split()
        if words[0] == "main.py":
            wrong += unknown_words(words[1:])
        elif words[0] == "make":
            wrong += [word for word in words[1:] if word not in targets()]
        elif words[:2] == ["python", "-m"]:
            wrong += [words[2]] if not exists(words[2].replace(".", "/") + ".py") else []
        elif figure["family"] != "published":
            wrong.append(figure["command"])
    assert wrong == []
