"""Every package carries the version of the program."""

import re
from pathlib import Path

from core.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_the_windows_installer_has_the_version_of_the_program():
    script = (ROOT / "packaging" / "windows" / "digitlab.iss").read_text("utf-8")
    assert re.search('#define Version "(.*)"', script)[1] == VERSION
