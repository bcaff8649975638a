"""Hatchling's build hook: lays the program into the one import package `digitlab` of the wheel.

In the repository the packages are called `core`, `gui` and `kernels`. A wheel with these names
would take the place of other packages of these names, or they its place. So in the wheel they lie
in `digitlab`, and the one thing that is changed is the beginning of absolute imports: `from
core.errors import InputError` becomes `from digitlab.core.errors import InputError`.
"""

import ast
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "digitlab"
PACKAGES = ("core", "gui", "kernels")
MODULES = ("main",)
DATA = ("resources", "docs")


class CustomBuildHook(BuildHookInterface):
    """Makes the package in `build/wheel` and tells hatchling to take it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        target = root / "build" / "wheel" / PACKAGE
        make_package(root, target)
        build_data["force_include"][str(target)] = PACKAGE


def make_package(root: Path, target: Path) -> None:
    """Write the package `digitlab` with everything that the program needs from the repository
    `root` to `target`.
    """
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(root / "packaging" / "wheel" / PACKAGE, target, ignore=_CACHES)
    for name in DATA:
        shutil.copytree(root / name, target / name, ignore=_CACHES)
    for package in PACKAGES:
        shutil.copytree(root / package, target / package, ignore=_CACHES)
    for module in MODULES:
        shutil.copy(root / f"{module}.py", target)
    shutil.copy(root / "packaging" / "self_test.py", target)
    for package in PACKAGES:
        for path in sorted((target / package).rglob("*.py")):
            _move_imports(path)
    for path in sorted(target.glob("*.py")):
        _move_imports(path)


_CACHES = shutil.ignore_patterns("__pycache__", "*.pyc")


def _move_imports(path: Path) -> None:
    text = path.read_text("utf-8")
    path.write_text(with_moved_imports(text, path.name), "utf-8")


def with_moved_imports(text: str, name: str) -> str:
    """The source with absolute imports of the program's packages out of `digitlab`.

    `import kernels` becomes `from digitlab import kernels`. Raises ValueError, with the line, for a
    form that cannot be moved: `import core.errors` binds the name `core`.

    >>> with_moved_imports("from core.errors import InputError", "example")
    'from digitlab.core.errors import InputError'
    """
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        index = getattr(node, "lineno", 0) - 1
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _is_own(node.module or ""):
            lines[index] = lines[index].replace(
                f"from {node.module}", f"from {PACKAGE}.{node.module}", 1
            )
        elif isinstance(node, ast.Import) and any(_is_own(alias.name) for alias in node.names):
            (alias, *others) = node.names
            if others or ("." in alias.name and not alias.asname):
                raise ValueError(f"{name}, line {node.lineno}: write “from PACKAGE import MODULE”")
            if alias.asname:
                lines[index] = lines[index].replace(
                    f"import {alias.name}", f"import {PACKAGE}.{alias.name}", 1
                )
            else:
                lines[index] = lines[index].replace("import", f"from {PACKAGE} import", 1)
    return "\n".join(lines)


def _is_own(module: str) -> bool:
    return module.split(".")[0] in (*PACKAGES, *MODULES)
