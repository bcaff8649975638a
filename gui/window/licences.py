"""The licences: under which terms the program and its parts are passed on, and where their texts lie."""

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication

# Part and licence, as the About box lists them; the LGPL's parts are told of apart.
PARTS = (
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


def licence_text() -> str:
    """Rich text for the About box."""
    own = _tr("DigitLab is free software under the MIT licence.")
    qt = _tr(
        "Its window is made with Qt and PySide6, used unchanged under the GNU Lesser General Public License, "
        "version 3. They are shared libraries of their own in the folder PySide6: put another build of the "
        "same version there and the program uses it. Their source code is at {link}."
    ).format(link=f'<a href="{QT_SOURCE}">download.qt.io</a>')
    others = "; ".join(f"{part}: {licence}" for part, licence in PARTS)
    return f"<p>{own}</p><p>{qt}</p><p>{others}.</p>"


def licences_folder() -> Path | None:
    """The folder with the texts that travel in the frozen program; from source, each package has its own."""
    root = getattr(sys, "_MEIPASS", None)
    folder = Path(root) / "licences" if root else None
    return folder if folder and folder.is_dir() else None


def _tr(text: str) -> str:
    return QCoreApplication.translate("Licences", text)
