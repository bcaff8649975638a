"""The manual: the documents for users, shown in a window of their own, as wide as the window."""

import sys
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QResizeEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from gui.widgets.basics import named, resize_on_screen

START = "manual.md"
_MARGIN = 16  # pixels around the text


def manual_folder() -> Path:
    """The folder with the documents; the frozen program contains it too."""
    root = getattr(sys, "_MEIPASS", None) or Path(__file__).resolve().parents[3]
    return Path(root) / "docs"


class _DocumentBrowser(QTextBrowser):
    """Shows a Markdown file without a horizontal scroll bar: pictures shrink, and long lines of code are wrapped."""

    def __init__(self) -> None:
        super().__init__()
        self.document().setDocumentMargin(_MARGIN)
        self._pictures: dict[str, QImage] = {}  # by URL, in their own sizes
        # A bar that appears would narrow the text, and with it the pictures.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def show_file(self, path: Path) -> None:
        self._pictures.clear()
        self.setSource(QUrl.fromLocalFile(str(path)), QTextDocument.ResourceType.MarkdownResource)
        self._wrap_code()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        content = super().loadResource(kind, name)
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return content
        picture = QImage.fromData(content) if isinstance(content, QByteArray) else QImage(content)
        self._pictures[QUrl(name).toString()] = picture
        return self._fitted(picture)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for name, picture in self._pictures.items():
            kind = QTextDocument.ResourceType.ImageResource.value
            self.document().addResource(kind, QUrl(name), self._fitted(picture))
        if self._pictures:
            self.document().markContentsDirty(0, self.document().characterCount())

    def _fitted(self, picture: QImage) -> QImage:
        """`picture`, not wider than the text."""
        scale = self.devicePixelRatio()
        width = round(scale * (self.viewport().width() - 2 * _MARGIN))
        if picture.width() > width:
            picture = picture.scaledToWidth(max(width, 1), Qt.TransformationMode.SmoothTransformation)
            picture.setDevicePixelRatio(scale)
        return picture

    def _wrap_code(self) -> None:
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().nonBreakableLines():
                form = block.blockFormat()
                form.setNonBreakableLines(False)
                QTextCursor(block).setBlockFormat(form)
            block = block.next()


class ManualWindow(QDialog):
    """Links between the documents are followed; web pages open in the browser."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("manualWindow")
        self.setWindowTitle(self.tr("Manual"))
        self.browser = named(_DocumentBrowser(), "manualText")
        self.browser.setOpenLinks(False)
        self.browser.anchorClicked.connect(self._follow)
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
        resize_on_screen(self, 780, 640)

    def show_document(self, name: str) -> None:
        """Show the document `name` of the manual's folder."""
        path = manual_folder() / name
        if path.is_file():
            self.browser.show_file(path)
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
