"""The commands that install what is missing keep what is installed, and name the uv that README
installs.
"""

import os
import re
import tomllib
from pathlib import Path

import pytest

from kernels import installation

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_the_uv_of_readme_is_named_where_it_is_installed(monkeypatch, tmp_path):
    monkeypatch.setattr(installation, "_FOLDER", tmp_path)
    path = os.path.join(".uv", "bin", "uv")
    assert installation.install_command("onnx") == f"{path} sync --inexact --extra onnx"
    assert f"`{path} run main.py`" in (ROOT / "README.md").read_text()
    monkeypatch.setattr(installation, "_FOLDER", tmp_path / "missing")
    assert installation.install_command("onnx") == "uv sync --inexact --extra onnx"


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_the_commands_of_the_documents_keep_what_is_installed(path):
    """`uv sync` without `--inexact` removes the packages of other extras."""
    text = path.read_text()
    assert not re.findall(r"uv sync (?!--inexact).*", text)
    assert set(re.findall(r"--extra (\w+)", text)) <= set(EXTRAS)
