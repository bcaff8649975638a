"""The files of an earlier version of the program, as a home that a test may change."""

import gzip
import shutil
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent / "golden"


def copy_golden(home: Path) -> None:
    """Copy the earlier files to the folder `home`, which must be the program's."""
    shutil.copytree(GOLDEN / "home", home, dirs_exist_ok=True)
    shutil.copytree(GOLDEN / "files", home / "files")
    for packed in (home / "data" / "studies").glob("*.gz"):
        packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
        packed.unlink()
    preferences = home / "data" / "window.ini"
    preferences.write_text(preferences.read_text().replace("HOME", home.as_posix()))
