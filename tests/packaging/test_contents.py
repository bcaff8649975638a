"""What travels in the frozen program: everything that is needed, nothing that belongs to the machine."""

import pytest
from contents import EXCLUDED, ROOT, SHIPPED, is_wanted, licence_files


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/lib/libQt6Widgets.so.6", "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so", "PySide6/Qt/plugins/iconengines/libqsvgicon.so",
        "PySide6\\plugins\\platforms\\qwindows.dll", "llvmlite/binding/libllvmlite.so",
        "resources/icons/digitlab.svg", "nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so",
    ],
)  # fmt: skip
def test_what_the_program_needs_is_kept(place):
    assert is_wanted(place)


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/lib/libQt6Quick.so.6", "PySide6/Qt/lib/libQt6Network.so.6",
        "PySide6/Qt/plugins/platforms/libqvnc.so", "PySide6\\Qt6Qml.dll",
        "PySide6/Qt/translations/qtbase_xx.qm", "libcuda.so.1", "nvidia/lib/libcuda.so", "nvcuda.dll",
    ],
)  # fmt: skip
def test_unused_parts_and_the_driver_are_left_out(place):
    assert not is_wanted(place)


def test_the_licences_of_all_that_is_shipped_come_along():
    files = licence_files(SHIPPED)
    folders = {folder for _, folder in files}
    for package in (*SHIPPED, "qt", "digitlab"):
        assert any(folder.startswith(f"licences/{package}") for folder in folders), package
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (ROOT / "packaging/licences/LGPL-3.0.txt").read_text(
        "utf-8"
    )


def test_nothing_is_left_out_that_the_program_imports():
    """The packager would keep silent; the frozen program would end at that import."""
    needed = {"PIL", "numba", "numpy", "pyqtgraph", "mnist", "safetensors", "threadpoolctl", "tqdm"}
    assert needed.isdisjoint(EXCLUDED)
