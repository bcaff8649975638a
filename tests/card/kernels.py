"""`python -m tests.card.kernels PTX LIBRARY`: translate a kernel's PTX to C and compile it to a
shared library.

The driver runs this in a process of its own when it loads a kernel that it does not know.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.card.translate import RUNTIME, translate

# Multiplications and additions are fused where the PTX fuses them, and nowhere else.
FLAGS = ("-O1", "-shared", "-fPIC", "-mfma", "-ffp-contract=off", "-fno-strict-aliasing", "-w")

CACHE = Path(tempfile.gettempdir()) / "digitlab-card"


def compiled(source: str) -> Path:
    """The compiled library of a translation. It is kept: gcc takes some tenths of a second, and the
    same kernel has another PTX in each program, in which names are numbered."""
    CACHE.mkdir(exist_ok=True)
    name = hashlib.sha256(
        "\n".join([source, RUNTIME.read_text("utf-8"), *FLAGS]).encode()
    ).hexdigest()[:24]
    library = CACHE / f"{name}.so"
    if not library.exists():
        with tempfile.TemporaryDirectory(dir=CACHE) as build:
            (Path(build) / "kernel.c").write_text(source)
            command = ["gcc", *FLAGS, "-o", f"{build}/kernel.so", f"{build}/kernel.c", "-lm"]
            subprocess.run(command, check=True)
            (Path(build) / "kernel.so").replace(library)
    return library


def main(ptx: str, library: str) -> None:
    """A copy, since one file is loaded only once in a process, and each kernel has state of its
    own.
    """
    unfinished = Path(f"{library}.{os.getpid()}")
    shutil.copyfile(compiled(translate(Path(ptx).read_text()).source), unfinished)
    unfinished.replace(library)


if __name__ == "__main__":
    main(*sys.argv[1:])
