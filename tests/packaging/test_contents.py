"""The frozen program contains all that it needs, and nothing that belongs to the machine."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from contents import (
    EXCLUDED,
    ROOT,
    SHIPPED,
    cuda_files,
    discovered_modules,
    is_wanted,
    licence_files,
    standard_modules,
)

from core.commands import COMMANDS
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


def test_the_licences_of_all_shipped_packages_are_included():
    files = licence_files(SHIPPED)
    folders = {folder for _, folder in files}
    for package in (*SHIPPED, "qt", "digitlab"):
        assert any(folder.startswith(f"licences/{package}") for folder in folders), package
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (ROOT / "packaging/licences/LGPL-3.0.txt").read_text(
        "utf-8"
    )


@pytest.mark.skipif(find_spec("numba_cuda") is None, reason="numba-cuda is not installed")
def test_cuda_is_complete_except_for_the_driver():
    files = cuda_files()
    names = [Path(file).name for file, _ in files]
    assert {"_numba_cuda_redirector.py", "libdevice.10.bc"} <= set(names)
    assert any(name.startswith("libnvvm") for name in names)
    assert any(name.startswith("_typeconv") for name in names)
    assert not any(name.startswith(("libcuda.so", "libnvidia-", "nvcuda")) for name in names)
    assert {"ctypes", "functools", "warnings"} <= set(standard_modules(files))


def test_modules_that_are_found_by_their_files_are_collected():
    modules = discovered_modules()
    for name in device_names():
        assert {f"kernels.{name}", f"kernels.{name}.device"} <= set(modules)
    assert {f"core.commands.{name}" for name in COMMANDS} <= set(modules)


def test_no_imported_package_is_excluded():
    """The packager would not complain, and the frozen program would fail at that import."""
    needed = {"PIL", "numba", "numpy", "pyqtgraph", "mnist", "safetensors", "threadpoolctl", "tqdm"}
    assert needed.isdisjoint(EXCLUDED)
