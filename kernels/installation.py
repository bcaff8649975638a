"""How this copy of the program was installed, and the commands by which its user adds what is
missing.

In the repository the packages are called `core`, `gui` and `kernels`, and uv runs `main.py` in its
folder. In a wheel they lie in the package `digitlab`, and pip, uv or pipx has installed it.
"""

import json
import os
import re
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

DISTRIBUTION = "digitlab"
FROM_WHEEL = __name__.startswith(f"{DISTRIBUTION}.")
COMMAND = re.compile(r'`((?:\S*uvx? |pipx |"[^"`]+" -m pip )[^`]+)`')
"""A command of this module in a sentence."""
_FOLDER = Path(__file__).resolve().parent.parent / ".uv"


def is_frozen() -> bool:
    """Whether this is the packaged program, whose user has neither sources nor an installer of
    libraries.
    """
    return bool(getattr(sys, "frozen", False))


@cache
def sources_state() -> str:
    """A digest of the state of all source files of `kernels`: compiled code contains the functions
    that it calls.
    """
    files = sorted(Path(__file__).parent.rglob("*.py"))
    states = [(file.name, file.stat().st_mtime_ns, file.stat().st_size) for file in files]
    return sha256(repr(states).encode()).hexdigest()


def start_command(extra: str = "") -> str:
    """Installs the packages of this extra of pyproject.toml, and starts the program; after an
    installation from a wheel it may have to be started once more.

    >>> start_command("cuda").endswith("uv run --extra cuda main.py")
    True
    """
    if FROM_WHEEL:
        return _install_wheel(extra)
    return _uv_command(f"run --extra {extra} main.py" if extra else "run main.py")


def install_command(extra: str) -> str:
    """Installs the packages of this extra of pyproject.toml, and keeps those of the other extras.

    Without `--inexact`, `uv sync` removes what the given extras do not name. `uv run` removes
    nothing.

    >>> install_command("onnx").endswith("uv sync --inexact --extra onnx")
    True
    """
    if FROM_WHEEL:
        return _install_wheel(extra)
    return _uv_command(f"sync --inexact --extra {extra}")


def _uv_command(arguments: str) -> str:
    """uv with these arguments: the one that README installs in the folder `.uv`, or the user's own
    installation.
    """
    program = os.path.join(".uv", "bin", "uv") if _FOLDER.is_dir() else "uv"
    return f"{program} {arguments}"


def _install_wheel(extra: str) -> str:
    requirement = _requirement(extra)
    installer = _installer()
    if installer == "uvx":
        return f'uvx --from "{requirement}" {DISTRIBUTION}'
    if installer == "uv tool":
        return f'uv tool install "{requirement}"'
    if installer == "pipx":
        return f'pipx install --force "{requirement}"'
    return f'"{sys.executable}" -m pip install "{requirement}"'


def _installer() -> str:
    """Which program made this environment: "uvx", "uv tool", "pipx", or else "pip"."""
    environment = Path(sys.prefix)
    if (environment / "uv-receipt.toml").is_file():
        return "uv tool"
    if (environment / "pipx_metadata.json").is_file():
        return "pipx"
    if any(name.startswith(("archive-v", "environments-v")) for name in environment.parts):
        return "uvx"
    return "pip"


def _requirement(extra: str) -> str:
    """This program with an extra, as installers take it: with the wheel's address, unless it came
    from an index.
    """
    # Imported when it is needed, so that the program starts sooner.
    from importlib.metadata import PackageNotFoundError, distribution

    name = f"{DISTRIBUTION}[{extra}]" if extra else DISTRIBUTION
    try:
        record = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        record = None
    address = json.loads(record).get("url") if record else None
    return f"{name} @ {address}" if address else name
