"""The drawing panel: a canvas, its tools, what the network sees of the drawing and what it reads in it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.data import own_drawings
from core.errors import InputError
from gui.drawing import image_import
from gui.drawing.canvas import Canvas
from gui.drawing.document import Document
from gui.drawing.label_menu import LabelMenu
from gui.drawing.network_input_view import NetworkInputView
from gui.drawing.prediction_label import PredictionLabel
from gui.drawing.probability_bars import ProbabilityBars
from gui.drawing.recognizer import Recognition, Recognizer, Request
from gui.drawing.strokes import Drawing
from gui.drawing.toolbar import DrawingTools, row
from gui.text import sentence
from gui.widgets.basics import named

if TYPE_CHECKING:
    from core.inference.model_file import Model

WARM_UP_MS = 300
"""How long after it is shown the panel prepares its reader: the window's own first frames come before."""


class DrawingPanel(QWidget):
    """Reads what is drawn with `model`, and again with each new model that it is given."""

    status = Signal(str)
    kept = Signal()  # a drawing is one of the person's own digits now
    ready = Signal()  # once: the reader has what it needs

    def __init__(self, model: "Model | None", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._resting: str | None = None
        self._asked = self._answered = self._is_ready = False
        self._told_of: Model | None = None
        self._folder = ""
        self._document = Document(self)
        self._recognizer = Recognizer(self)
        self.undo_stack = self._document.undo_stack
        self.undo_action = named(QAction(self), "undoAction")
        self.redo_action = named(QAction(self), "redoAction")
        self.canvas = Canvas(self._document)
        self.tools = DrawingTools()
        self.seenImage = NetworkInputView()
        self.predictionLabel = PredictionLabel()
        self.probabilityBars = ProbabilityBars()
        self._make_choices()
        self._arrange()
        self._connect()
        self._say_nothing_read()

    # -- what the window does with it ---------------------------------------------------------------------

    def set_model(self, model: "Model | None") -> None:
        """Read with `model` from now on, the present drawing included."""
        self._model = model
        if self._asked:
            self._ask()
        else:
            self._say_nothing_read()

    def set_resting(self, reason: str | None) -> None:
        """With a reason in words, take no ink and say why; with None, draw and read again."""
        if reason == self._resting:
            return
        self._resting = reason
        self._document.finish_stroke()
        for part in (self.canvas, self.tools, self.seenImage, self.probabilityBars, self.rawBox):
            part.setEnabled(reason is None)
        self._allow_tools()
        self._ask()

    def open_image(self, path: str | Path) -> None:
        """Make the picture in a file the drawing; one that cannot be read changes nothing."""
        self._take(lambda: image_import.drawing_from_file(str(path)), self.tr("open image"))

    def paste_image(self) -> None:
        """Make the picture on the clipboard the drawing."""
        self._take_data(QGuiApplication.clipboard().mimeData(), self.tr("paste image"))

    def save_image(self, path: str | Path) -> None:
        """Write the drawing as a PNG, dark on white."""
        try:
            image_import.save_ink(self._document.image, str(path))
        except InputError as error:
            self.status.emit(sentence(error))

    def keep_as(self, digit: int) -> None:
        """Make the drawing one of the person's own digits, and the canvas empty for the next."""
        try:
            own_drawings.keep(self._document.ink(), digit)
        except InputError as error:
            self.status.emit(sentence(error))
            return
        self._document.clear()
        kept = own_drawings.counts()
        text = self.tr("Kept as a {digit}: {n} of it, {all} of all digits.")
        if own_drawings.enough():
            more = self.tr("Choose “My digits” as data to learn from them.")
        else:
            more = self.tr("With {least} of one digit “My digits” can be chosen as data.")
        text = text.format(digit=digit, n=kept[digit], all=sum(kept))
        self.status.emit(f"{text} {more.format(least=own_drawings.LEAST)}")
        self.kept.emit()

    def close_background(self) -> None:
        """Wait for the background thread; later drawings are not classified."""
        self._recognizer.close()

    # -- parts --------------------------------------------------------------------------------------------

    def _make_choices(self) -> None:
        self.rawBox = QCheckBox(self.tr("raw"))
        self.rawBox.setObjectName("rawBox")
        self.rawBox.setToolTip(
            self.tr("Shrink the canvas as it is, without cropping and centring the digit as MNIST's makers "
                    "did: draw small or in a corner, and see the network fail.")
        )  # fmt: skip
        self.own_digits = LabelMenu(self)
        self.keepButton = QToolButton()
        self.keepButton.setObjectName("keepButton")
        self.keepButton.setText(self.tr("Keep as"))
        self.keepButton.setMenu(self.own_digits)
        # The arrow has no room of its own.
        self.keepButton.setMinimumWidth(self.keepButton.sizeHint().width() + 12)
        self.keepButton.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.keepButton.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.keepButton.setToolTip(
            self.tr("Keep the drawing with the digit that it was meant to be: a network can learn your hand.")
        )

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.tools)
        caption = QLabel(self.tr("It sees"))
        column.addLayout(row(caption, 12, self.rawBox, None, self.keepButton))
        reading = QHBoxLayout()
        reading.setSpacing(14)
        reading.addWidget(self.seenImage)
        reading.addWidget(self.predictionLabel, 1)
        column.addLayout(reading)
        column.addSpacing(2)
        column.addWidget(self.probabilityBars)
        column.addStretch(0)

    def _connect(self) -> None:
        self._document.changed.connect(self._ask)
        self._recognizer.recognized.connect(self._show_recognition)
        self.canvas.tool_changed.connect(self._show_pen)
        self._show_pen()
        self.canvas.dropped.connect(lambda data: self._take_data(data, self.tr("drop image")))
        self.tools.undoButton.clicked.connect(self.undo_action.trigger)
        self.tools.redoButton.clicked.connect(self.redo_action.trigger)
        self.undo_action.triggered.connect(self._document.undo)
        self.redo_action.triggered.connect(self._document.redo)
        self.own_digits.chosen.connect(self.keep_as)
        self._document.changed.connect(self._allow_tools)
        self.undo_stack.indexChanged.connect(self._allow_tools)
        self._allow_tools()
        self.tools.penButton.clicked.connect(lambda: self.canvas.set_eraser(False))
        self.tools.eraserButton.clicked.connect(lambda: self.canvas.set_eraser(True))
        self.tools.openButton.clicked.connect(self._choose_image)
        self.tools.pasteButton.clicked.connect(self.paste_image)
        self.tools.saveButton.clicked.connect(self._choose_where_to_save)
        self.tools.clearButton.clicked.connect(self._document.clear)
        self.tools.widthSlider.valueChanged.connect(self.canvas.set_pen_width)
        self.rawBox.toggled.connect(self._ask)

    def _show_pen(self) -> None:
        self.tools.show_pen(self.canvas.pen_width, erases=self.canvas.eraser)

    def _allow_tools(self) -> None:
        stack, growing, fine = self.undo_stack, self._document.is_growing, self._resting is None
        drawn = fine and not self._document.is_empty
        self.keepButton.setEnabled(drawn)
        self.own_digits.menuAction().setEnabled(drawn)
        self.undo_action.setEnabled(fine and (growing or stack.canUndo()))
        self.redo_action.setEnabled(fine and not growing and stack.canRedo())
        undone = self.tr("stroke") if growing else stack.undoText()
        self.undo_action.setText(self.tr("&Undo {step}").format(step=undone).rstrip())
        self.redo_action.setText(self.tr("&Redo {step}").format(step=stack.redoText()).rstrip())
        self.tools.undoButton.setEnabled(self.undo_action.isEnabled())
        self.tools.redoButton.setEnabled(self.redo_action.isEnabled())

    def resizeEvent(self, event: QResizeEvent) -> None:
        # A taller canvas would only have empty paper around its square.
        self.canvas.setMaximumHeight(self.width())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._asked:
            QTimer.singleShot(WARM_UP_MS, self, self._ask)

    # -- pictures -----------------------------------------------------------------------------------------

    def _take_data(self, data: QMimeData, text: str) -> None:
        self._take(lambda: image_import.drawing_from_data(data), text)

    def _take(self, make: Callable[[], Drawing], text: str) -> None:
        if self._resting is not None:
            self.status.emit(self._resting)
            return
        try:
            self._document.change(text, make())
        except InputError as error:
            self.status.emit(sentence(error))

    def _choose_image(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Open image"), self._folder,
            self.tr("Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.tif *.tiff *.webp);;All files (*)"),
        )  # fmt: skip
        if path:
            self._folder = str(Path(path).parent)
            self.open_image(path)

    def _choose_where_to_save(self) -> None:
        start = str(Path(self._folder) / "drawing.png")
        path, _ = QFileDialog.getSaveFileName(
            self, self.tr("Save drawing"), start, self.tr("PNG picture (*.png)")
        )
        if path:
            self._folder = str(Path(path).parent)
            self.save_image(path if Path(path).suffix else f"{path}.png")

    # -- reading ------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        if self._resting is not None:
            self._show_nothing(self._resting)
            self._tell_ready()
            return
        self._asked = True
        ink = None if self._document.is_empty else self._document.ink()
        if ink is not None and not self._answered and self._model is not None:
            self.predictionLabel.say(self.tr("Getting ready to read…"))
        self._recognizer.submit(Request(self._model, ink, self.rawBox.isChecked()))

    def _tell_ready(self) -> None:
        if not self._is_ready:
            self._is_ready = True
            self.ready.emit()

    def _show_recognition(self, recognition: Recognition) -> None:
        self._tell_ready()
        late = recognition.blank and not self._document.is_empty
        if self._resting is not None or late:
            return
        self._answered = True
        self.seenImage.show_image(recognition.image)
        self.probabilityBars.show_probabilities(recognition.classes, recognition.probabilities)
        if recognition.error is not None:
            self.predictionLabel.say(self.tr("This network cannot read the drawing."))
            self._tell(sentence(recognition.error))
        elif recognition.probabilities is not None:
            self.predictionLabel.show_recognition(recognition)
        else:
            self._say_nothing_read()

    def _show_nothing(self, why: str) -> None:
        self.seenImage.show_image(None)
        self.probabilityBars.show_probabilities((), None)
        self.predictionLabel.say(why)

    def _tell(self, error: str) -> None:
        """Once for each model, not with every stroke."""
        if self._told_of is not self._model:
            self._told_of = self._model
            self.status.emit(error)

    def _say_nothing_read(self) -> None:
        if self._resting is not None:
            self.predictionLabel.say(self._resting)
        elif self._model is None:
            self.predictionLabel.say(
                self.tr("No network has learnt yet: train one, and it reads what you draw.")
            )
        elif self._document.is_empty:
            self.predictionLabel.say(self.tr("Draw a digit and see what the network reads."))
        else:
            self.predictionLabel.say(self.tr("Too little ink to read: draw a digit."))
