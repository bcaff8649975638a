"""What the Help menu shows: the manual, the keys, and About with versions, devices and licenses."""

import platform
import re
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from PySide6.QtCore import QByteArray, QSysInfo, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from core.program import FOLDER, as_installed
from core.version import VERSION
from gui.widgets.basics import LinkButton, named
from gui.widgets.dialogs import Dialog
from gui.widgets.make import label
from kernels.registry import DeviceInfo

START = "manual.md"
LESSONS = "lessons.md"
_TEXT_MARGIN = 14  # pixels around the text
_ROUNDING = 4  # pixels


class _DocumentBrowser(QTextBrowser):
    """Shows a Markdown file without a horizontal scroll bar: pictures shrink, and long lines of
    code are wrapped.
    """

    def __init__(self) -> None:
        super().__init__()
        self.document().setDocumentMargin(_TEXT_MARGIN)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self._pictures: dict[str, QImage] = {}  # by URL, in their own sizes
        # A bar that appears would narrow the text, and with it the pictures.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def show_file(self, path: Path) -> None:
        self._pictures.clear()
        self.setSource(QUrl.fromLocalFile(str(path)), QTextDocument.ResourceType.MarkdownResource)
        for block in self._blocks():
            # Qt gives the blocks of code in Markdown lines that do not break.
            if block.blockFormat().nonBreakableLines():
                form = block.blockFormat()
                form.setNonBreakableLines(False)
                QTextCursor(block).setBlockFormat(form)

    def show_heading(self, anchor: str) -> None:
        """Scroll to the heading that a link names so, such as `the-window`."""
        for block in self._blocks():
            words = re.sub(r"[^\w\- ]", "", block.text().lower()).replace(" ", "-")
            if block.blockFormat().headingLevel() and words == anchor:
                area = self.document().documentLayout().blockBoundingRect(block)
                self.verticalScrollBar().setValue(round(area.top()))

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        content = super().loadResource(kind, name)
        if kind == QTextDocument.ResourceType.MarkdownResource.value:
            return as_installed(Path(QUrl(name).toLocalFile()).read_text("utf-8"))
        # Between two documents of different folders the pictures of the first are not found.
        if kind != QTextDocument.ResourceType.ImageResource.value or content is None:
            return content
        picture = QImage.fromData(content) if isinstance(content, QByteArray) else QImage(content)
        self._pictures[QUrl(name).toString()] = picture
        return self._fitted(picture)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The columns of a table may be wider by their rounding.
        self.setLineWrapColumnOrWidth(self.viewport().width() - _ROUNDING)
        for name, picture in self._pictures.items():
            kind = QTextDocument.ResourceType.ImageResource.value
            self.document().addResource(kind, QUrl(name), self._fitted(picture))
        if self._pictures:
            # Without it the text keeps the places of the pictures as they were.
            self.document().markContentsDirty(0, self.document().characterCount())

    def _fitted(self, picture: QImage) -> QImage:
        """`picture`, not wider than the text."""
        scale = self.devicePixelRatio()
        width = round(scale * (self.viewport().width() - 2 * _TEXT_MARGIN))
        if picture.width() > width:
            picture = picture.scaledToWidth(
                max(width, 1), Qt.TransformationMode.SmoothTransformation
            )
            picture.setDevicePixelRatio(scale)
        return picture


class ManualWindow(Dialog):
    """Links between the documents are followed; web pages open in the browser.

    `closed`: returns why the lessons, which hold the answers to the labs, are not shown now, or an
    empty text.
    """

    def __init__(self, parent: QWidget | None = None, closed: Callable[[], str] = str) -> None:
        super().__init__(parent, self.tr("Manual"), "manualWindow")
        self._closed = closed
        self.browser = named(_DocumentBrowser(), "manualText")
        self.browser.setOpenLinks(False)
        self.browser.anchorClicked.connect(self._follow)
        back = self.add_button(self.tr("&Back"), self.browser.backward)
        back.setEnabled(False)
        self.browser.backwardAvailable.connect(back.setEnabled)
        self.add_button(self.tr("&Lessons"), lambda: self.show_document(LESSONS))
        self.show_parts(self.browser, size=(780, 640))

    def show_document(self, name: str, heading: str = "") -> None:
        """Show a file of the folder of documents, or of a path, at a heading if one is given."""
        path = FOLDER / "docs" / name
        if path.name == LESSONS and (reason := self._closed()):
            self.browser.setPlainText(reason)
        elif path.is_file():
            self.browser.show_file(path)
            self.browser.show_heading(heading)
        else:
            self.browser.setPlainText(self.tr("The document {path} is missing.").format(path=path))

    def _follow(self, link: QUrl) -> None:
        if link.isLocalFile() and link.fileName().endswith(".md"):
            self.show_document(link.toLocalFile(), link.fragment())
        else:
            QDesktopServices.openUrl(link)


def show_manual(parent: QWidget, name: str = START, closed: Callable[[], str] = str) -> None:
    """Show a document in the manual's window, which is opened if it is not open yet. `closed`: see
    ManualWindow.
    """
    window = parent.findChild(ManualWindow)
    if window is None:
        window = ManualWindow(parent, closed)
    window.show_document(name)
    window.show()
    window.activateWindow()


# Packages and their licenses, as the About dialog lists them; Qt (LGPL) has a paragraph of its own.
PACKAGE_LICENSES = (
    ("NumPy, OpenBLAS", "BSD"),
    ("Numba, llvmlite", "BSD"),
    ("LLVM", "Apache 2.0 with LLVM exception"),
    ("pyqtgraph, platformdirs, markdown-it-py, mdurl", "MIT"),
    ("ONNX, ml-dtypes", "Apache 2.0"),
    ("protobuf, colorama", "BSD"),
    ("packaging", "Apache 2.0 or BSD"),
    ("Pillow", "MIT-CMU"),
    ("safetensors", "Apache 2.0"),
    ("Pygments, python-mnist, threadpoolctl", "BSD"),
    ("tqdm", "MPL 2.0 and MIT"),
    ("Python, typing-extensions", "PSF"),
)
QT_SOURCE = "https://download.qt.io/official_releases/QtForPython/"
CC_BY = "https://creativecommons.org/licenses/by/4.0/"
PACKAGES = (
    "PySide6-Essentials",
    "pyqtgraph",
    "numpy",
    "numba",
    "llvmlite",
    "numba-cuda",
    "safetensors",
)


class AboutDialog(Dialog):
    def __init__(self, devices: list[DeviceInfo], parent: QWidget | None = None) -> None:
        text = self.tr(
            "Build a small neural network, watch it learn handwritten digits, draw one and see "
            "what it reads."
        )
        super().__init__(parent, f"DigitLab {VERSION}", "aboutDialog", sentence=text)
        self.setWindowTitle(self.tr("About DigitLab"))
        # A path or the name of a device may look like a tag.
        facts = label(details(devices), "aboutDetails", selectable=True, plain=True)
        self.add_copy_button(self.tr("Copy details"), facts.text())
        program = label(self.tr("DigitLab is free software under the MIT license."))
        licenses = label(self._license_text(), "aboutLicenses")
        licenses.setOpenExternalLinks(True)
        if (folder := FOLDER / "licenses").is_dir():  # in the frozen program
            self.add_folder_link(self.tr("Licenses…"), folder)
        more = LinkButton(self.tr("Versions and devices"), facts)
        others = LinkButton(self.tr("What it is made with, and their licenses"), licenses)
        for fold, name in ((more, "aboutVersions"), (others, "aboutOthers")):
            named(fold, name, fold.text(), self.tr("Show this text, or fold it away."))
            fold.toggled.connect(self.fit)
        self.show_parts(program, more, facts, others, licenses, None, scrolls=True)

    def _license_text(self) -> str:
        """Rich text for the About dialog."""
        qt = self.tr(
            "Its window is made with Qt and PySide6, used unchanged under the GNU Lesser General "
            "Public License, version 3. They are shared libraries of their own in the folder "
            "PySide6: put another build of the same version there and the program uses it. Their "
            "source code is at {link}."
        ).format(link=f'<a href="{QT_SOURCE}">download.qt.io</a>')
        strokes = self.tr(
            "The built-in digits are drawn with a shape model made from “Pen-Based Recognition of "
            "Handwritten Digits” (E. Alpaydin, F. Alimoglu, UCI Machine Learning Repository, "
            "1998), {link}; the strokes were clustered and reduced to principal components."
        ).format(link=f'<a href="{CC_BY}">CC BY 4.0</a>')
        others = "; ".join(f"{package}: {license}" for package, license in PACKAGE_LICENSES)
        return f"<p>{qt}</p><p>{strokes}</p><p>{others}.</p>"


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
