"""The manual: the documents for users, shown in a window of their own."""

import sys
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from gui.widgets.basics import named

START = "manual.md"


def manual_folder() -> Path:
    """The folder with the documents; the frozen program contains it too."""
    root = getattr(sys, "_MEIPASS", None) or Path(__file__).resolve().parents[3]
    return Path(root) / "docs"


class ManualWindow(QDialog):
    """Links between the documents are followed; web pages open in the browser."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("manualWindow")
        self.setWindowTitle(self.tr("Manual"))
        self.browser = named(QTextBrowser(), "manualText")
        self.browser.setOpenLinks(False)
        self.browser.anchorClicked.connect(self._follow)
        self.browser.document().setDocumentMargin(16)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole.ActionRole
        back = buttons.addButton(self.tr("&Back"), role)
        back.clicked.connect(self.browser.backward)
        back.setEnabled(False)
        self.browser.backwardAvailable.connect(back.setEnabled)
        lessons = buttons.addButton(self.tr("&Lessons"), role)
        lessons.clicked.connect(lambda: self.show_document("lessons.md"))
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.browser)
        column.addWidget(buttons)
        self.resize(780, 640)

    def show_document(self, name: str) -> None:
        """Show the document `name` of the manual's folder."""
        path = manual_folder() / name
        if path.is_file():
            resource = QTextDocument.ResourceType.MarkdownResource
            self.browser.setSource(QUrl.fromLocalFile(str(path)), resource)
        else:
            self.browser.setPlainText(self.tr("The document {path} is missing.").format(path=path))

    def _follow(self, link: QUrl) -> None:
        name = link.fileName()
        if link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)
        elif name.endswith(".md"):
            self.show_document(name)
        elif link.fragment():
            self.browser.scrollToAnchor(link.fragment())


def show_manual(parent: QWidget, name: str = START) -> None:
    """Show a document in the manual's window, which is opened if it is not open yet."""
    window = parent.findChild(ManualWindow)
    if window is None:
        window = ManualWindow(parent)
    window.show_document(name)
    window.show()
    window.activateWindow()
