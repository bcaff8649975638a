"""The About dialog: version, packages and devices, licenses, and a button that copies the details."""

import platform
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QSysInfo, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from core.version import VERSION
from gui.widgets.basics import heading, resize_on_screen, scroll_area
from gui.window.help.licenses import license_text, licenses_folder
from kernels.registry import DeviceInfo

_WIDTH = 520  # pixels
PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy", "numba", "llvmlite", "numba-cuda", "safetensors")


class AboutDialog(QDialog):
    def __init__(self, devices: list[DeviceInfo], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About DigitLab"))
        self._details = details(devices)
        text = QLabel(
            self.tr(
                "Build a small neural network, watch it learn handwritten digits, "
                "draw one and see what it reads."
            )
        )
        text.setWordWrap(True)
        facts = QLabel(self._details)
        facts.setTextFormat(Qt.TextFormat.PlainText)
        facts.setWordWrap(True)
        facts.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy details"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._details))
        buttons.rejected.connect(self.reject)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(heading(f"DigitLab {VERSION}"))
        column.addWidget(text)
        column.addWidget(facts)
        licenses = QLabel(license_text())
        licenses.setWordWrap(True)
        licenses.setOpenExternalLinks(True)
        column.addWidget(licenses)
        folder = licenses_folder()
        if folder is not None:
            texts = buttons.addButton(self.tr("Licenses…"), QDialogButtonBox.ButtonRole.ActionRole)
            texts.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))))
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.addWidget(scroll_area(page), 1)
        outer.addWidget(buttons)
        margins = outer.contentsMargins()
        text_width = _WIDTH - margins.left() - margins.right()
        besides = margins.top() + margins.bottom() + outer.spacing() + buttons.sizeHint().height()
        # A few pixels more, because the text of a scaled display may be higher.
        resize_on_screen(self, _WIDTH, column.heightForWidth(text_width) + besides + 8)


def details(devices: list[DeviceInfo]) -> str:
    """Versions of the program and its packages, and the devices, one per line."""
    lines = [
        f"DigitLab {VERSION}",
        f"{QSysInfo.prettyProductName()}, {platform.machine()}",
        f"Python {platform.python_version()}",
    ]
    for package in PACKAGES:
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package}: not installed")
    for device in devices:
        facts = ", ".join(f"{key} {value}" for key, value in device.details.items())
        # The reason begins with the name of the device.
        text = f"{device.name}: {device.title}" if device.available else device.reason
        lines.append(f"{text} {facts}".rstrip())
    return "\n".join(lines)
