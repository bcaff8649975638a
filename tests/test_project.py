"""Rules for the whole project: length of files, docstrings, one version."""

import ast
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from core.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 700
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
