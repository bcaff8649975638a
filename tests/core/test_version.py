"""The version that files carry is the project's."""

import tomllib
from pathlib import Path

from core.version import VERSION


def test_the_version_is_the_projects():
    project = tomllib.loads(
        (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text("utf-8")
    )
    assert project["project"]["version"] == VERSION
