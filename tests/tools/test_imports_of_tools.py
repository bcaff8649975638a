"""Each tool finds what it imports: most are started by hand only."""

import importlib
import os
from pathlib import Path

import pytest

pytest.importorskip("PySide6")
ROOT = Path(__file__).resolve().parents[2]
# Packages that a single tool needs.
OF_ONE_TOOL = ("torch", "keras", "numba.cuda.core", "cuda")


@pytest.mark.parametrize(
    "name", sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tools").rglob("*.py"))
)
def test_a_tool_can_be_imported(name):
    try:
        importlib.import_module(name.removesuffix(".py").replace(os.sep, "."))
    except ModuleNotFoundError as error:
        if error.name not in OF_ONE_TOOL:
            raise
