"""Rules for the whole project: names of files, one version."""

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from core.files.paths import is_file_name
from core.version import VERSION

ROOT = Path(__file__).resolve().parent.parent


def test_every_tracked_file_can_be_checked_out_on_all_systems():
    """Windows refuses names that Linux has; there and on macOS capitals do not make another name."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is no working tree of git")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    names = listed.decode().rstrip("\0").split("\0")
    assert len(names) > 500
    assert [name for name in names if not all(map(is_file_name, name.split("/")))] == []
    assert len({name.casefold() for name in names}) == len(names)


def test_the_metainfo_file_has_the_programs_version():
    metainfo = ElementTree.parse(ROOT / "packaging" / "linux" / "org.digitlab.DigitLab.metainfo.xml")
    assert metainfo.find("releases/release").get("version") == VERSION
