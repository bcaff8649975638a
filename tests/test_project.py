"""Rules for the whole project: length of files, docstrings, one version."""

import ast
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from core.files.paths import is_file_name
from core.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 700
MIN_LINES = 40
# The files of these folders are found by the folder: adding one needs no change elsewhere.
FOUND_BY_FOLDER = (
    "core/commands", "core/export", "core/network/layers", "core/training/optimizers", "kernels/activations",
)  # fmt: skip
SOURCES = ("main.py", "core", "gui", "kernels", "packaging", "tests", "tools")


def sources():
    for name in SOURCES:
        path = ROOT / name
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def test_no_file_is_too_long():
    long = {
        str(p.relative_to(ROOT)): n
        for p in sources()
        if (n := len(p.read_text("utf-8").splitlines())) > MAX_LINES
    }
    assert long == {}


def test_a_small_file_with_one_user_is_part_of_it():
    """A reader should not open a file for a few lines, unless a folder is searched for such files."""
    users = users_of_modules()
    small = {
        str(path.relative_to(ROOT)): sorted(users[module])
        for path, module in product_modules()
        if path.name != "__init__.py"
        and len(path.read_text("utf-8").splitlines()) < MIN_LINES
        and len(users[module]) == 1
        and path.parent.relative_to(ROOT).as_posix() not in FOUND_BY_FOLDER
    }
    assert small == {}


def product_modules():
    for name in ("main.py", "core", "gui", "kernels"):
        for path in sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / name]:
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def users_of_modules():
    """The product's modules that import each module, also within functions and for type checking."""
    modules = {module for _, module in product_modules()}
    users = {module: set() for module in modules}
    for path, user in product_modules():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            for name in modules.intersection(names) - {user}:
                users[name].add(user)
    return users


def test_every_tracked_file_can_be_checked_out_on_all_systems():
    """Windows refuses names that Linux has; there and on macOS capitals do not make another name."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is no working tree of git")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    names = listed.decode().rstrip("\0").split("\0")
    assert len(names) > 500
    assert [name for name in names if not all(map(is_file_name, name.split("/")))] == []
    assert len({name.casefold() for name in names}) == len(names)


def test_every_module_has_a_docstring():
    undocumented = [
        str(path.relative_to(ROOT))
        for path in sources()
        if "tests" not in path.parts
        and (tree := ast.parse(path.read_text("utf-8"))).body
        and not ast.get_docstring(tree)
    ]
    assert undocumented == []


def test_the_metainfo_file_has_the_programs_version():
    metainfo = ElementTree.parse(ROOT / "packaging" / "linux" / "org.digitlab.DigitLab.metainfo.xml")
    assert metainfo.find("releases/release").get("version") == VERSION
