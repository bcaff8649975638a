"""The licenses of the program and of the packages it is distributed with."""

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication

# Packages and their licenses, as the About dialog lists them; Qt (LGPL) has a paragraph of its own.
PACKAGE_LICENSES = (
    ("NumPy, OpenBLAS", "BSD"),
    ("Numba, llvmlite", "BSD"),
    ("LLVM", "Apache 2.0 with LLVM exception"),
    ("pyqtgraph, platformdirs", "MIT"),
    ("Pillow", "MIT-CMU"),
    ("safetensors", "Apache 2.0"),
    ("python-mnist, threadpoolctl", "BSD"),
    ("tqdm", "MPL 2.0 and MIT"),
    ("Python", "PSF"),
)
QT_SOURCE = "https://download.qt.io/official_releases/QtForPython/"
CC_BY = "https://creativecommons.org/licenses/by/4.0/"


def license_text() -> str:
    """Rich text for the About dialog."""
    program = _tr("DigitLab is free software under the MIT license.")
    qt = _tr(
        "Its window is made with Qt and PySide6, used unchanged under the GNU Lesser General Public License, "
        "version 3. They are shared libraries of their own in the folder PySide6: put another build of the "
        "same version there and the program uses it. Their source code is at {link}."
    ).format(link=f'<a href="{QT_SOURCE}">download.qt.io</a>')
    strokes = _tr(
        "The built-in digits are drawn with a shape model made from “Pen-Based Recognition of Handwritten Digits” "
        "(E. Alpaydin, F. Alimoglu, UCI Machine Learning Repository, 1998), {link}; the strokes were clustered and "
        "reduced to principal components."
    ).format(link=f'<a href="{CC_BY}">CC BY 4.0</a>')
    others = "; ".join(f"{package}: {license}" for package, license in PACKAGE_LICENSES)
    return f"<p>{program}</p><p>{qt}</p><p>{strokes}</p><p>{others}.</p>"


def licenses_folder() -> Path | None:
    """The folder with the license texts in the frozen program; None when the program runs from source."""
    root = getattr(sys, "_MEIPASS", None)
    folder = Path(root) / "licenses" if root else None
    return folder if folder and folder.is_dir() else None


def _tr(text: str) -> str:
    return QCoreApplication.translate("Licenses", text)
