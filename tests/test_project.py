"""Rules for the whole project: names of files, one version."""

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from core.files.paths import is_file_name
from core.version import VERSION

ROOT = Path(__file__).resolve().parent.parent


FOLDERS = {
    ".ci",
    ".github",
    "core",
    "docs",
    "gui",
    "kernels",
    "packaging",
    "resources",
    "tests",
    "tools",
}


@pytest.fixture(scope="module")
def tracked_names():
    """The paths of all files under version control, relative to the project's folder."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is no working tree of git")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    return listed.decode().rstrip("\0").split("\0")


def test_the_project_has_its_folders_and_no_others(tracked_names):
    """A run or an export that was saved into the project by mistake is not committed with it."""
    folders = {name.split("/")[0] for name in tracked_names if "/" in name}
    assert folders == FOLDERS


def test_every_tracked_file_can_be_checked_out_on_all_systems(tracked_names):
    """Windows refuses names that Linux has; there and on macOS capitals do not make another
    name.
    """
    assert [name for name in tracked_names if not all(map(is_file_name, name.split("/")))] == []
    assert len({name.casefold() for name in tracked_names}) == len(tracked_names)


def test_the_metainfo_file_has_the_programs_version():
    metainfo = ElementTree.parse(
        ROOT / "packaging" / "linux" / "org.digitlab.DigitLab.metainfo.xml"
    )
    assert metainfo.find("releases/release").get("version") == VERSION
