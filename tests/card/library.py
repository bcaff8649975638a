"""Builds the driver of the software card with gcc, and the environment of a process that uses
it.
"""

import hashlib
import os
import shlex
import subprocess
import sys
import tempfile
from importlib.metadata import files, version
from pathlib import Path
from typing import NamedTuple

from tests.card.kernels import CACHE
from tests.card.translate import RUNTIME

ROOT = Path(__file__).parents[2]
SOURCES = Path(__file__).with_name("driver")
_DRIVER_SOURCES = [
    "card.c",
    "devices.c",
    "faults.c",
    "graphs.c",
    "launch.c",
    "memory.c",
    "streams.c",
]
FLAGS = ("-O1", "-g", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-Wl,-rpath,$ORIGIN")


def environment(**settings: object) -> dict[str, str]:
    """This process's environment with the software card in place of NVIDIA's driver.

    `settings`: the card's, in lower case, such as `seed=3, memory=2 << 30`; the files of `driver`
    describe them.
    """
    own = {f"DIGITLAB_CARD_{name.upper()}": str(value) for name, value in settings.items()}
    paths = [str(library_folder()), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(paths), **own}


def library_folder() -> Path:
    """The folder with both libraries; they are built when it does not exist yet."""
    texts = [path.read_bytes() for path in (*sorted(SOURCES.iterdir()), *_translator())]
    place = f"{sys.executable}\n{ROOT}".encode()
    folder = CACHE / f"driver-{hashlib.sha256(b''.join([*texts, place])).hexdigest()[:16]}"
    if not folder.exists():
        CACHE.mkdir(exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=CACHE))
        _build(unfinished)
        try:
            unfinished.rename(folder)
        except OSError:
            if not folder.exists():  # otherwise another process was quicker
                raise
    return folder


def _translator() -> list[Path]:
    """What the compiled kernels in the folder depend on."""
    return [RUNTIME, RUNTIME.with_name("translate.py"), RUNTIME.with_name("kernels.py")]


def _build(folder: Path) -> None:
    (folder / "kernels").mkdir()
    toolkit = _toolkit()
    header = _path_of(toolkit.runtime, "cuda.h")
    definitions = [f"-I{header.parent}", f'-DREAL="{_path_of(toolkit.linker, toolkit.library)}"']
    libraries = {
        toolkit.library: (["linker.c"], []),
        "libcuda.so.1": (
            _DRIVER_SOURCES,
            ["-Wl,--no-as-needed", f"-l:{toolkit.library}", "-ldl", "-lpthread"],
        ),
    }
    for name, (sources, linked) in libraries.items():
        paths = [str(SOURCES / source) for source in sources]
        command = [
            "gcc",
            *FLAGS,
            f"-Wl,-soname,{name}",
            *definitions,
            "-o",
            name,
            *paths,
            "-L.",
            *linked,
        ]
        subprocess.run(command, cwd=folder, check=True)
    compiler = folder / "compile"
    python, root = shlex.quote(sys.executable), shlex.quote(str(ROOT))
    compiler.write_text(
        f"#!/bin/sh\nexec env -u LD_LIBRARY_PATH PYTHONPATH={root} {python} -m tests.card.kernels "
        '"$@"\n'
    )
    compiler.chmod(0o755)


class _Toolkit(NamedTuple):
    """NVIDIA's packages with the header and the linker, and the linker's file."""

    runtime: str
    linker: str
    library: str


def _toolkit() -> _Toolkit:
    """That of the installed extra: `cuda` brings CUDA 12, `cuda13` CUDA 13."""
    if int(version("cuda-bindings").split(".")[0]) >= 13:
        return _Toolkit("nvidia-cuda-runtime", "nvidia-nvjitlink", "libnvJitLink.so.13")
    return _Toolkit("nvidia-cuda-runtime-cu12", "nvidia-nvjitlink-cu12", "libnvJitLink.so.12")


def _path_of(package: str, name: str) -> Path:
    return Path(str(next(file.locate() for file in files(package) or [] if file.name == name)))
