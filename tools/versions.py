"""Pins the versions of all libraries, and checks that they can be installed on every supported
system.

python -m tools.versions update   write the newest versions that resolve into pyproject.toml
python -m tools.versions constraints FILE
                                  write the pins as a file for pip's and uv's option --constraints
python -m tools.versions check    resolve the pins for each system and Python, from wheels

The pins are `[tool.uv] constraint-dependencies` and name no registry, unlike a lock file.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

# Extras that cannot be installed together with the others, and what is not pinned for that reason.
APART = ("cuda13",)
UNPINNED = ("cuda-bindings", "cuda-toolkit")
ROOT = Path(__file__).resolve().parents[1]
PROJECT = ROOT / "pyproject.toml"
COMMENT = "# Written by `python -m tools.versions update`.\n"
PINS = re.compile(
    rf"^{re.escape(COMMENT)}constraint-dependencies = \[\n(?:    .*\n)*\]\n", re.MULTILINE
)
SYSTEMS = {
    "Windows x86-64": "x86_64-pc-windows-msvc",
    "macOS arm64": "aarch64-apple-darwin",
    "Linux x86-64": "x86_64-manylinux_2_34",
    "Linux arm64": "aarch64-manylinux_2_39",
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")


def update() -> None:
    """Resolve without pins, and write what was found as pins."""
    text = PROJECT.read_text("utf-8")
    PROJECT.write_text(PINS.sub("", text), "utf-8")
    command = [
        "uv",
        "export",
        "--quiet",
        "--upgrade",
        "--all-extras",
        *(f"--no-extra={extra}" for extra in APART),
        "--all-groups",
        "--no-hashes",
        "--no-annotate",
    ]
    try:
        done = subprocess.run(
            [*command, "--no-header", "--no-emit-project"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        PROJECT.write_text(text, "utf-8")
        raise SystemExit(error.stderr) from None
    found = [line for line in done.stdout.splitlines() if line.strip()]
    pinned = [line for line in found if line.split("==")[0] not in UNPINNED]
    lines = "".join(f'    "{line}",\n' for line in pinned)
    pins = f"{COMMENT}constraint-dependencies = [\n{lines}]\n"
    PROJECT.write_text(PINS.sub("", text).replace("[tool.uv]\n", f"[tool.uv]\n{pins}", 1), "utf-8")


def write_constraints(path: Path) -> None:
    """Write the pins to a file for pip's and uv's option `--constraints`."""
    pins = "".join(PINS.findall(PROJECT.read_text("utf-8")))
    lines = re.findall(r'^    "(.*)",$', pins, re.MULTILINE)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def check() -> int:
    """Resolve for every system and Python version, print one line each; 0 if all resolve."""
    failures = 0
    extras = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    together = [f"--extra={extra}" for extra in extras if extra not in APART]
    pins = ROOT / "build" / "constraints.txt"
    write_constraints(pins)
    for system, platform in SYSTEMS.items():
        for python in PYTHONS:
            command = [
                "uv",
                "pip",
                "compile",
                "--quiet",
                "--no-header",
                "--only-binary",
                ":all:",
                *together,
                "--group",
                "dev",
                "--group",
                "check",
                "--group",
                "app",
                "--constraints",
                str(pins),
                "--python-platform",
                platform,
                "--python-version",
                python,
                str(PROJECT),
            ]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            packages = len(re.findall(r"^\S+==", done.stdout, re.MULTILINE))
            print(f"{system:15} Python {python}: ", end="")
            print(f"{packages} packages" if done.returncode == 0 else f"FAILED\n{done.stderr}")
            failures += done.returncode != 0
    return failures


if __name__ == "__main__":
    if sys.argv[1:] == ["update"]:
        update()
    elif sys.argv[1:2] == ["constraints"]:
        write_constraints(Path(sys.argv[2]))
    elif sys.argv[1:] == ["check"]:
        raise SystemExit(check())
    else:
        raise SystemExit(__doc__)
