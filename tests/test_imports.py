"""Imports go one way, from main to gui to core to kernels, and Qt and CUDA are imported only where
needed.
"""

import ast
import importlib.util
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ("kernels", "core", "gui", "main")
# Folders inside a layer, lowest first; those of one entry do not import each other. In `gui`, every
# folder that is not named is an area of the window.
CORE = (
    ("files", "html"),
    ("drawing",),
    ("data",),
    ("network",),
    ("training",),
    ("inference",),
    ("inspection", "reading", "runs"),
    ("workshop",),
    ("labs", "studies"),
    ("export",),
    ("importing",),
    ("measure",),
    ("bench",),
    ("commands",),
)
GUI = (
    ("background",),
    ("widgets",),
    ("stage",),
    ("runs",),
    (),
    ("labs", "steps"),
    ("window",),
)
# Packages that training without a window does not need.
OPTIONAL = (
    "PySide6",
    "pyqtgraph",
    "platformdirs",
    "mnist",
    "pytestqt",
    "matplotlib",
)

IMPORT_ALL = """
import importlib, sys
for name in {blocked!r}:
    sys.modules[name] = None
for name in {modules!r}:
    importlib.import_module(name)
print(*(name for name in {unwanted!r} if sys.modules.get(name) is not None))
"""


def modules_of(*layers):
    paths = [path for layer in layers for path in sorted((ROOT / layer).rglob("*.py"))]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    return [name.removesuffix(".__init__") for name in names]


def run(modules, *, blocked=(), unwanted=()):
    """Import `modules` in a new Python where `blocked` cannot be imported; return the `unwanted`
    ones that were.
    """
    code = IMPORT_ALL.format(blocked=blocked, modules=modules, unwanted=unwanted)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "NUMBA_ENABLE_CUDASIM": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_core_kernels_and_main_import_neither_qt_nor_cuda():
    cuda = ("kernels.cuda.", "core.bench.cuda.ladder_")
    engine = [name for name in modules_of("core", "kernels") if not name.startswith(cuda)]
    assert len(engine) > 40
    found = run([*engine, "main"], blocked=OPTIONAL, unwanted=("numba.cuda", "numba_cuda"))
    assert found == []


@pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed"
)
def test_the_cuda_device_needs_no_qt():
    run(modules_of("kernels"), blocked=OPTIONAL)


def test_the_window_is_imported_before_numba():
    assert run(["gui.window.application"], unwanted=("numba", "llvmlite")) == []


def test_nothing_imports_backwards():
    backwards = []
    for height, layer in enumerate(LAYERS):
        for path in [ROOT / f"{layer}.py"] if layer == "main" else (ROOT / layer).rglob("*.py"):
            higher = {name.split(".")[0] for name in imported_by(path)} & set(LAYERS[height + 1 :])
            backwards += [f"{path.relative_to(ROOT)} imports {name}" for name in higher]
    assert backwards == []


@pytest.mark.parametrize(("layer", "order"), [("core", CORE), ("gui", GUI)])
def test_folders_import_one_way(layer, order):
    rank = {folder: height for height, folders in enumerate(order) for folder in folders}
    areas = next((height for height, folders in enumerate(order) if not folders), None)
    backwards = []
    for path in sorted((ROOT / layer).rglob("*.py")):
        folder = path.relative_to(ROOT / layer).parts[0]
        for name in imported_by(path):
            parts = name.split(".")
            other = parts[1] if parts[0] == layer and len(parts) > 1 else folder
            if other == folder or not (ROOT / layer / other).is_dir():
                continue
            if not (ROOT / layer / folder).is_dir() or rank.get(other, areas) >= rank.get(
                folder, areas
            ):
                backwards.append(f"{path.relative_to(ROOT)} imports {name}")
    assert backwards == []


def test_the_checker_of_kernels_uses_nothing_else_of_core_but_its_texts():
    for path in sorted((ROOT / "core" / "workshop" / "checker").glob("*.py")):
        names = [name for name in imported_by(path) if name.startswith("core.")]
        own = ("core.workshop.checker", "core.text")
        assert [name for name in names if not name.startswith(own)] == [], path.name


def test_the_parts_of_the_window_import_each_other_one_way():
    """Imports for type checking count: a part that names the window's type uses the window."""
    folder = ROOT / "gui" / "window"
    files = {f"gui.window.{path.stem}": path for path in folder.glob("*.py")}
    below = {
        name: set(imported_by(path, for_types=True)) & set(files) for name, path in files.items()
    }
    while free := [name for name, others in below.items() if not others]:
        below = {name: others - set(free) for name, others in below.items() if name not in free}
    assert below == {}, "a circle"


@cache
def imported_by(path, *, for_types=False):
    """The modules that a file imports when it runs; `for_types`: those under `if TYPE_CHECKING`,
    too.
    """
    names = []
    nodes = [ast.parse(path.read_text("utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(
            node, ast.stmt | ast.excepthandler | ast.match_case | ast.Module
        ):  # expressions import nothing
            is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            if for_types or not is_for_types:
                nodes += ast.iter_child_nodes(node)
    return names


def test_nothing_outside_of_its_folder_names_the_device_that_serves_readings():
    """But for the benchmarks, which compare devices by name."""
    named = []
    for path in [
        ROOT / "main.py",
        *(p for layer in ("core", "gui", "kernels") for p in (ROOT / layer).rglob("*.py")),
    ]:
        inside = path.relative_to(ROOT).as_posix()
        if inside.startswith(("kernels/vectorized/", "core/bench/")):
            continue
        text = path.read_text("utf-8")
        if "vectorized" not in text:
            continue
        tree = ast.parse(text)
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        names = {
            "vectorized",
            *(name for name in imported_by(path) if name.startswith("kernels.vectorized")),
        }
        named += [inside for name in names if name in texts or name in imported_by(path)]
    assert named == []
