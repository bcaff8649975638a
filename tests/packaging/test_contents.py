"""The frozen program contains all that it needs, and nothing that belongs to the machine."""

import ast
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from keyword import iskeyword

import contents
import pytest
from contents import (
    EXCLUDED,
    ROOT,
    SCRIPTS,
    SHIPPED,
    discovered_modules,
    is_wanted,
    kernels_for_cards,
    license_files,
    unlicensed,
)
from smoke_commands import STUDY

from core.bench import find_bench
from core.bench.torch_process import JaxProcess, TorchProcess
from core.commands import COMMANDS
from core.export import KINDS
from kernels.registry import device_names


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/lib/libQt6Widgets.so.6", "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so", "PySide6/Qt/plugins/iconengines/libqsvgicon.so",
        "PySide6\\plugins\\platforms\\qwindows.dll", "llvmlite/binding/libllvmlite.so",
        "resources/icons/digitlab.svg", "nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so",
    ],
)  # fmt: skip
def test_needed_files_are_kept(place):
    assert is_wanted(place)


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/lib/libQt6Quick.so.6", "PySide6/Qt/lib/libQt6Network.so.6",
        "PySide6/Qt/plugins/platforms/libqvnc.so", "PySide6\\Qt6Qml.dll",
        "PySide6/Qt/translations/qtbase_xx.qm", "libcuda.so.1", "nvidia/lib/libcuda.so", "nvcuda.dll",
    ],
)  # fmt: skip
def test_unused_files_and_the_driver_are_excluded(place):
    assert not is_wanted(place)


def is_installed(package):
    try:
        return bool(distribution(package))
    except PackageNotFoundError:
        return False


def test_the_licenses_of_all_shipped_packages_are_included():
    files = license_files(SHIPPED)
    folders = {folder for _, folder in files}
    # The frozen program's environment has all of them, this one may lack some.
    optional = {
        "colorama",
        "ml-dtypes",
        "onnx",
        "protobuf",
    }
    optional |= {"typing-extensions"}
    for package in (
        *(name for name in SHIPPED if name not in optional or is_installed(name)),
        "qt",
        "digitlab",
    ):
        assert any(folder.startswith(f"licenses/{package}") for folder in folders), package
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (
        ROOT / "packaging/licenses/LGPL-3.0.txt"
    ).read_text("utf-8")


def imported_packages():
    """The names of the packages that the program imports, anywhere in it."""
    names = set()
    for folder in ("core", "gui", "kernels"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    names |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    names.add(node.module.partition(".")[0])
    return names


def with_requirements(packages):
    """The packages, and those that they cannot do without, that are installed here."""
    found, left = set(), [*packages]
    while left:
        name = re.sub(r"[-_.]+", "-", left.pop()).lower()
        if name in found or not is_installed(name):
            continue
        found.add(name)
        for requirement in distribution(name).requires or ():
            wanted = re.match(r"[\w.-]+", requirement)[0]
            if "extra ==" not in requirement and wanted.lower() not in map(str.lower, EXCLUDED):
                left.append(wanted)
    return found


def test_each_package_that_the_program_needs_has_its_license_in_it():
    """What PyInstaller collects is compared in the specification; here, what the program
    imports.
    """
    owners = packages_distributions()
    direct = {owner for name in imported_packages() - {*EXCLUDED} for owner in owners.get(name, ())}
    without = ("pyside6", "numba-cuda", "nvtx")
    needed = with_requirements(direct - {*without}) - {*without}
    modules = {module for module, names in owners.items() if {*map(str.lower, names)} & needed}
    assert {"markdown_it", "mdurl", "numba", "numpy"} <= modules
    assert unlicensed(modules, SHIPPED) == set()
    assert unlicensed({"pytest"}, SHIPPED) == {"pytest"}


def test_the_about_dialog_names_each_shipped_package():
    pytest.importorskip("PySide6")
    from gui.window.help import PACKAGE_LICENSES

    named = " ".join(package for package, _ in PACKAGE_LICENSES).lower()
    assert [name for name in SHIPPED if name not in named] == []
    assert any(folder == "licenses/python" for _, folder in license_files(SHIPPED))


def test_cards_need_the_kernels_only(monkeypatch, tmp_path):
    monkeypatch.setattr(contents, "ROOT", tmp_path)
    monkeypatch.setattr(contents.sys, "platform", "linux")
    with pytest.raises(SystemExit, match="make kernels"):
        kernels_for_cards()
    file = tmp_path / "kernels" / "cuda" / "kernels.zip"
    file.parent.mkdir(parents=True)
    file.touch()
    assert kernels_for_cards() == [(str(file), "kernels/cuda")]


def test_modules_that_are_found_by_their_files_are_collected():
    modules = discovered_modules()
    for name in device_names():
        assert {f"kernels.{name}", f"kernels.{name}.device"} <= set(modules)
    assert {f"core.commands.{name}{'_' * iskeyword(name)}" for name in COMMANDS} <= set(modules)
    assert {kind.__module__ for kind in KINDS} <= set(modules)
    assert {find_bench.__module__, "core.bench.data_parallel", "core.bench.cuda.ladder"} <= set(
        modules
    )


def test_the_scripts_for_another_python_are_included():
    for process in (TorchProcess, JaxProcess):
        assert (str(process.script), "core/bench") in SCRIPTS


def test_no_imported_package_is_excluded():
    """The packager would not complain, and the frozen program would fail at that import."""
    needed = {
        "PIL",
        "numba",
        "numpy",
        "pygments",
        "pyqtgraph",
        "mnist",
        "safetensors",
        "threadpoolctl",
        "tqdm",
    }
    assert needed.isdisjoint(EXCLUDED)


def test_charts_are_drawn_without_what_is_excluded(tmp_path):
    """In a process of its own, in which the excluded modules cannot be imported."""
    code = f"""
import sys
for name in {EXCLUDED!r}:
    sys.modules[name] = None
from pathlib import Path
from core.bench.output import export
from core.bench.rows import Bench, Chart, Row, Table
from core.bench.torch_process import JaxProcess, TorchProcess
table = Table("t", "Title", {{"n": "size", "s": "seconds"}}, Chart("n", "s", is_logarithmic=True))
rows = [Row("t", {{"n": n, "s": float(n)}}) for n in (1, 10)]
print(*(path.name for path in export(Bench("b", (table,), None), rows, Path({str(tmp_path)!r}))))
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["b.json", "b-t.csv", "b-t.svg"], done.stderr
    assert not done.stderr


@pytest.mark.skipif(not find_spec("onnx"), reason="onnx is not installed")
def test_onnx_works_without_what_is_excluded(tmp_path):
    """In processes of their own, in which the excluded modules cannot be imported."""
    code = f"""
import sys
for name in {EXCLUDED!r}:
    sys.modules[name] = None
from main import main
raise SystemExit(main(sys.argv[1:]))
"""
    (tmp_path / "study.toml").write_text(STUDY, "utf-8")
    model = ROOT / "resources" / "models" / "mnist.safetensors"
    for command in (
        ["export", str(model), str(tmp_path / "model.onnx")],
        ["study", str(tmp_path / "study.toml")],
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, *command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "model.onnx").stat().st_size > 10_000
