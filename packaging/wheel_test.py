"""Tests the wheel as its users install it: with pip, with pipx and with uv, each in an empty home.

    python packaging/wheel_test.py dist/digitlab-*.whl UV [PYTHON ...]

`UV` is the program uv, which installs with pip's and pipx's own programs, too. Beside the wheel lie
other packages that are called `core`, `gui`, `kernels` and `main`, as in an environment of a
reader; the working folder holds a `core` as well. README's lines for a notebook run with each. With
pip, the window uses itself without a screen, commands train, check kernels and run a study, the
notebook of the documents is executed, and a training has the bits of the repository's.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

from smoke_commands import CommandFailedError, try_commands

ROOT = Path(__file__).resolve().parents[1]
LIMIT_BYTES = 10_000_000
LIMIT_SECONDS = 600
FOREIGN = ("core", "gui", "kernels", "main", "resources", "self_test")
TRAINING = ("--network", "784-32-10", "--epochs", "1", "--seed", "1", "--device", "vectorized")
NOTEBOOK = ROOT / "docs" / "course.ipynb"
README = ROOT / "README.md"
_EXTRAS = "study,onnx"
STUDY = """
preset = "coursework"
data = "rastrigin:20"
[settings]
epochs = 1
[vary]
network = ["2-4-1", "2-8-1"]
"""
_KERNELS = """
import sys
from digitlab.kernels.cuda.shipped import shipped_kernels
print(sys.platform == "darwin" or shipped_kernels() is not None)
"""
_PARAMETERS = """
import sys
from hashlib import sha256
from safetensors.numpy import load_file
tensors = load_file(sys.argv[1])
print(sha256(b"".join(tensors[name].tobytes() for name in sorted(tensors))).hexdigest())
"""


class WheelError(Exception):
    """Says what failed, and what it printed."""


def main(wheel: Path, uv: str, pythons: Sequence[str]) -> int:
    try:
        check_contents(wheel)
        for python in pythons:
            for install in (with_pip, with_pipx, with_uv_tool):
                with tempfile.TemporaryDirectory(prefix="digitlab-wheel-") as folder:
                    home = Path(folder)
                    began = time.perf_counter()
                    environment = install(wheel, uv, python, home)
                    seconds = time.perf_counter() - began
                    name = f"{install.__name__} {python}"
                    print(f"{name}: installed in {seconds:.1f} s", flush=True)
                    try_program(environment, thorough=install is with_pip)
                    print(f"{name}: works", flush=True)
    except (WheelError, CommandFailedError) as error:
        print(f"wheel test failed: {error}")
        return 1
    print("wheel test passed")
    return 0


def check_contents(wheel: Path) -> None:
    """Raise WheelError if the wheel is too large, or holds a name beside `digitlab`."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    others = {name for name in tops if name != "digitlab" and not name.endswith(".dist-info")}
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size / 1e6:.1f} MB")
    if others:
        raise WheelError(f"the wheel holds {', '.join(sorted(others))} beside digitlab")
    if size > LIMIT_BYTES:
        raise WheelError(f"it is larger than {LIMIT_BYTES / 1e6:.0f} MB")
    if not wheel.name.endswith("-py3-none-any.whl"):
        raise WheelError("it is not for every system")


class Installed:
    """An installation: the folder of its programs, its own Python, and an empty home in which they
    run.
    """

    def __init__(self, home: Path, environment: Path, programs: Path) -> None:
        self.home = home
        self.programs = programs
        self.python = environment / (
            "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
        )
        self.variables = {
            **os.environ,
            "HOME": str(home),
            "DIGITLAB_HOME": str(home / "digitlab"),
            "QT_QPA_PLATFORM": "offscreen",
        }
        for name in ("PYTHONPATH", "VIRTUAL_ENV", "DIGITLAB_DATA"):
            self.variables.pop(name, None)
        self.work = home / "work"
        (self.work / "core").mkdir(parents=True)
        (self.work / "core" / "__init__.py").write_text(
            "raise RuntimeError('the reader’s own core')\n", "utf-8"
        )
        site = json.loads(
            self.output(
                self.python, "-c", "import json, site; print(json.dumps(site.getsitepackages()))"
            )
        )
        for name in FOREIGN:
            package = Path(site[-1]) / name
            package.mkdir(exist_ok=True)
            (package / "__init__.py").write_text(
                f"raise RuntimeError('the foreign {name}')\n", "utf-8"
            )

    def output(self, *command: object) -> str:
        """What a command prints. Raises WheelError, with that, if it fails."""
        done = subprocess.run(
            [*map(str, command)], env=self.variables, cwd=self.work, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False,
        )  # fmt: skip
        if done.returncode:
            words = " ".join(map(str, command))
            raise WheelError(f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout


def with_pip(wheel: Path, uv: str, python: str, home: Path) -> Installed:
    environment = home / "environment"
    _run(uv, "venv", "--quiet", "--seed", "--python", python, environment)
    folder = environment / ("Scripts" if sys.platform == "win32" else "bin")
    _run(folder / "python", "-m", "pip", "install", "--quiet", f"{wheel}[{_EXTRAS}]")
    _run(folder / "python", "-m", "pip", "install", "--quiet", "nbclient", "ipykernel")
    return Installed(home, environment, folder)


def with_pipx(wheel: Path, uv: str, python: str, home: Path) -> Installed:
    variables = {"PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "bin")}
    _run(
        uv,
        "tool",
        "run",
        "pipx",
        "install",
        "--quiet",
        "--python",
        python_of(uv, python),
        wheel,
        **variables,
    )
    return Installed(home, home / "pipx" / "venvs" / "digitlab", home / "bin")


def with_uv_tool(wheel: Path, uv: str, python: str, home: Path) -> Installed:
    variables = {"UV_TOOL_DIR": str(home / "tools"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    _run(uv, "tool", "install", "--quiet", "--python", python, wheel, **variables)
    return Installed(home, home / "tools" / "digitlab", home / "bin")


def python_of(uv: str, python: str) -> str:
    """The interpreter that uv finds for a version."""
    found = subprocess.run(
        [uv, "python", "find", python], capture_output=True, text=True, check=True, cwd="/"
    )
    return found.stdout.strip()


def try_program(installed: Installed, *, thorough: bool) -> None:
    """Use the installed program: its version, and README's lines for a notebook.

    Thoroughly: also the window, a training, commands that need extras, a study, and the notebook.
    """
    program = str(installed.programs / "digitlab")
    installed.output(program, "--version")
    installed.output(installed.python, "-P", "-m", "digitlab", "--version")
    if "True" not in installed.output(installed.python, "-P", "-c", _KERNELS):
        raise WheelError("the kernels for graphics cards do not fit the sources")
    run_readme(installed)
    if not thorough:
        return
    said = installed.output(program, "--self-test")
    if "self-test passed" not in said:
        raise WheelError(f"the self-test failed:\n{said}")
    # With the libraries that are installed with the wheel.
    repository = [installed.python, ROOT / "main.py"]
    if parameters_of([program], installed) != parameters_of(repository, installed):
        raise WheelError("a training has other parameters than the same one in the repository")
    try_commands([program], installed.work / "commands", installed.variables)
    study = installed.work / "two-networks.toml"
    study.write_text(STUDY, "utf-8")
    installed.output(program, "study", study)
    run_notebook(installed)


def parameters_of(program: Sequence[object], installed: Installed) -> str:
    """The digest of the parameters after one epoch."""
    model = installed.work / "model.safetensors"
    model.unlink(missing_ok=True)
    installed.output(*program, "train", *TRAINING, "--save", model)
    return installed.output(installed.python, "-c", _PARAMETERS, model).strip()


def run_notebook(installed: Installed) -> None:
    """Execute the notebook of the documents, beside a folder `core` of the reader's own."""
    copy = installed.work / NOTEBOOK.name
    copy.write_bytes(NOTEBOOK.read_bytes())
    code = (
        "import nbformat, sys; from nbclient import NotebookClient; "
        "book = nbformat.read(sys.argv[1], as_version=4); NotebookClient(book, "
        "timeout=600).execute()"
    )
    installed.output(installed.python, "-P", "-c", code, copy)


def run_readme(installed: Installed) -> None:
    """Run the lines that README shows for a notebook as a script."""
    (lines,) = re.findall(
        r"^```python\n(.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    script = installed.work / "readme.py"
    script.write_text(lines, "utf-8")
    said = installed.output(installed.python, "-P", script)
    if " 7\n" not in said or "No fault" not in said:
        raise WheelError(f"README's lines for a notebook say: {said}")


def _run(*command: object, **variables: str) -> None:
    done = subprocess.run(
        [*map(str, command)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise WheelError(
            f"{' '.join(map(str, command))} ended with "
            f"{done.returncode}:\n{done.stdout}{done.stderr}"
        )


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]).absolute(), sys.argv[2], sys.argv[3:] or ["3.11"]))
