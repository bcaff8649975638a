"""The drawing panel: canvas, tools, pictures as drawings, the network's input, and its prediction."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QBoxLayout, QMenu, QSizePolicy, QWidget

from core.data import own_digits
from core.data.class_names import DIGITS
from core.files.log import logger
from core.reading.reader import Reading, sureness_of
from gui.drawing.canvas import Canvas
from gui.drawing.document import SIDE, WIDE, Document, Drawing
from gui.drawing.pictures import DrawingPictures
from gui.drawing.prediction import (
    DIGIT,
    PRESENTED_DIGIT,
    NetworkInputView,
    PredictionLabel,
    ProbabilityBars,
)
from gui.drawing.recognizer import Recognizer, Request
from gui.drawing.tools import DrawingTools
from gui.text import count, sentence
from gui.widgets import make
from gui.widgets.basics import MARGIN, NO_LIMIT, SPACING
from gui.widgets.dialogs import reporting
from gui.widgets.theme import theme

if TYPE_CHECKING:
    from core.inference.model_file import Model

# Delay of the recognizer's preparation after the panel is shown, so that the window appears first.
WARM_UP_MS = 300
# Pixels: the side of a canvas that is too small to give the bars room; the width of the answer beside a wide canvas.
LEAST_WITH_BARS = 200
ANSWER_WIDTH = 560
_Direction = QBoxLayout.Direction


class DrawingPanel(QWidget):
    """Classifies the drawing with `model`, again after each change of the drawing or the model."""

    status = Signal(str)
    kept = Signal()  # the drawing was added to the own digits
    wide_changed = Signal(bool)
    ready = Signal()  # once: the recognizer is prepared
    recognized = Signal(object)  # uint8 (28, 28), what the network sees of the drawing; None: no drawing
    model_changed = Signal(object)  # the Model that classifies the drawing

    def __init__(self, model: "Model | None") -> None:
        super().__init__()
        self._model = model
        self._disabled_reason: str | None = None
        self._submitted = self._answered = self._is_ready = False
        self._reported_model: Model | None = None
        self._document = Document(self)
        self._recognizer = Recognizer(self)
        self.pictures = DrawingPictures(self._document, self)
        self._is_wide = False
        self._model_name = ""
        self.undo_stack = self._document.undo_stack
        self.undo_action = make.action(self, "", "undoAction", self._document.undo)
        self.redo_action = make.action(self, "", "redoAction", self._document.redo)
        text = self.tr("Cop&y what is read")
        self.copy_action = make.action(self, text, "copyPredictionAction", self.copy_prediction)
        self.canvas = Canvas(self._document)
        self.seenImage = NetworkInputView()
        self.predictionLabel = PredictionLabel()
        self.probabilityBars = ProbabilityBars()
        self.tools = DrawingTools(self.canvas, self._document, self.undo_action, self.redo_action)
        self._make_controls()
        self._connect()
        self._show_no_prediction()
        theme().changed.connect(self._on_theme)

    # -- called by the window -----------------------------------------------------------------------------

    @property
    def is_drawing(self) -> bool:
        """Whether a stroke is being drawn."""
        return self._document.is_drawing

    def set_model(self, model: "Model | None") -> None:
        """Classify with `model` from now on, starting with the present drawing."""
        before = self._model
        self._model = model
        only_learned = (
            model is not None
            and before is not None
            and model.classes == before.classes
            and model.computes_like(before)
        )
        # On an empty canvas newer parameters have nothing to read; the next stroke uses them.
        if not (only_learned and self._answered and self._document.is_empty):
            if self._submitted:
                self._submit()
            else:
                self._show_no_prediction()
        if model is not None:
            self.model_changed.emit(model)

    def show_model_name(self, name: str) -> None:
        """Name the network that classifies the drawing; with an empty name, none does."""
        tip = self.tr("This network reads the drawing; choose another one here.")
        tip = f"{name}: {self._model.network.text}\n{tip}" if self._model else tip
        if (name, tip) != (self._model_name, self.modelButton.toolTip()):
            self._model_name = name
            self.modelButton.setToolTip(tip)
            self._fit_model_name()

    def _fit_model_name(self) -> None:
        """Shorten the name where the column is narrow: a button takes no less than its text needs."""
        arrow = theme().px(28)
        least = theme().px(44)
        self.modelButton.setMinimumWidth(least + arrow)
        beside = self.readByLabel.sizeHint().width() + self.keepButton.sizeHint().width() + arrow + MARGIN
        room = max((self.answer.maximumWidth() if self._is_wide else self.width()) - beside, least)
        room = min(room, theme().px(190))
        self.modelButton.setText(
            self.fontMetrics().elidedText(self._model_name, Qt.TextElideMode.ElideMiddle, room)
        )

    def disable(self, reason: str | None) -> None:
        """Disable drawing and show `reason`; None enables it again."""
        if reason == self._disabled_reason:
            return
        self._disabled_reason = reason
        self.pictures.disabled_reason = reason
        self._document.finish_stroke()
        for part in (self.canvas, self.tools, self.seenImage, self.probabilityBars, self.rawBox):
            part.setEnabled(reason is None)
        self._enable_tools()
        self._submit()

    def drawing_text(self) -> str:
        """The finished strokes and the picture below them as text; empty where nothing is drawn."""
        return self._document.drawing.as_text()

    def restore(self, text: str) -> None:
        """Show the drawing that `drawing_text` gave at an earlier start; a damaged one is left out."""
        if not text:
            return
        try:
            drawing = Drawing.from_text(text)
        except ValueError as error:
            logger.warning("the drawing of the last start is left out: %s", error)
            return
        # It is read when the window has appeared: see showEvent.
        with QSignalBlocker(self._document):
            self._document.show(drawing)
        self._show_width()
        self._enable_tools()

    def prepare(self) -> None:
        """Read the drawing, also while the panel is hidden; when it is shown, that happens by itself."""
        self._submit()

    def set_wide(self, wide: bool) -> None:
        """Make the canvas twice as wide as high, or square."""
        self._document.set_width(WIDE if wide else SIDE)

    def keep_as(self, digit: int) -> None:
        """Add the drawing to the own digits as `digit`, and clear the canvas; an empty one has nothing to keep."""
        if not self.keepButton.isEnabled():
            return
        self._document.finish_stroke()
        with reporting(lambda text, tone: self.status.emit(text)):
            own_digits.save_drawing(self._document.ink(), digit)
            self._document.clear()
            kept = own_digits.counts()
            text = self.tr("Kept as a {digit}: {n} of it, {all} of all digits.")
            more = self.tr("With {least} of one digit “My digits” can be chosen as data.")
            if own_digits.enough():
                more = self.tr("Choose “My digits” as data to learn from them.")
            text = text.format(digit=digit, n=count(kept[digit]), all=count(sum(kept)))
            self.status.emit(f"{text} {more.format(least=own_digits.MINIMUM)}")
            self.kept.emit()

    # -- parts --------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        tip = self.tr(
            "Shrink the canvas as it is, without cropping and centering the digit as MNIST's makers did: a small or "
            "displaced digit is then often misclassified."
        )
        self.rawBox = make.check(self.tr("raw"), "rawBox", tip, self._submit)
        self.own_digits = QMenu(self.tr("&Keep drawing as"), self)
        self.own_digits.setObjectName("ownDigitsMenu")
        for digit in range(len(DIGITS)):
            item = self.own_digits.addAction(self.tr("This is a &{digit}").format(digit=digit))
            item.triggered.connect(lambda _, digit=digit: self.keep_as(digit))
        tip = self.tr(
            "Save the drawing as this digit in the data set “My digits”, to train a network on your handwriting. On "
            "the canvas, the digit's key does the same."
        )
        self.keepButton = make.menu_button(self.tr("Keep as"), "keepButton", tip, self.own_digits)
        self.model_menu = QMenu(self)
        title = self.tr("Network that reads the drawing")
        self.modelButton = make.menu_button("", "modelButton", "", self.model_menu, title=title)
        self.seesLabel = make.label(self.tr("It sees"), "seesLabel", "muted", wraps=False)
        self.barsLabel = make.label(name="barsLabel", role="muted", wraps=False)
        self.barsLabel.hide()
        answer = self.predictionLabel
        self.sees = QWidget()
        self.controls = QWidget()
        self.answer = QWidget()
        make.column(self.seesLabel, self.seenImage, self.rawBox, None, owner=self.sees, spacing=4)
        bars = make.column(self.barsLabel, (self.probabilityBars, 1), spacing=4)
        read = make.row((make.column(answer, None), 1), self.sees, spacing=MARGIN)
        self._top = make.row((read, 4), (bars, 5), spacing=MARGIN)
        sentence = make.row(answer.sentence, (answer.details, 1), spacing=SPACING)
        self.readByLabel = make.label(self.tr("Read by"), wraps=False)
        self.modelButton.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        make.row(self.readByLabel, 8, self.modelButton, None, self.keepButton, owner=self.controls, spacing=2)
        make.column(self._top, sentence, self.controls, None, owner=self.answer, spacing=SPACING)
        self.answer.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._sheet = QWidget()
        make.column((self.canvas, 1), self.tools, owner=self._sheet, spacing=4)
        self._parts = make.column((self._sheet, 1000), self.answer, owner=self, spacing=MARGIN)
        self._parts.setAlignment(self.answer, Qt.AlignmentFlag.AlignTop)
        self._parts.addStretch(1)  # what the canvas leaves free is below

    def _connect(self) -> None:
        self._document.changed.connect(self._submit)
        self._recognizer.recognized.connect(self._show_recognition)
        self.pictures.status.connect(self.status)
        looking = self.tr("Looking for ink in the picture…")
        self.pictures.looking.connect(lambda: self.predictionLabel.show_message(looking))
        self.pictures.failed.connect(self._submit)
        self.predictionLabel.addAction(self.copy_action)
        self.predictionLabel.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.tools.open_asked.connect(self.pictures.choose_image)
        self.tools.paste_asked.connect(self.pictures.paste_image)
        self.tools.save_asked.connect(self.pictures.choose_where_to_save)
        self.tools.wideBox.toggled.connect(self.set_wide)
        self.canvas.dropped.connect(self.pictures.drop)
        self.canvas.digit_pressed.connect(self.keep_as)
        self._document.changed.connect(self._enable_tools)
        self.undo_stack.indexChanged.connect(self._enable_tools)
        self._enable_tools()
        self._document.changed.connect(self._show_width)

    def _show_width(self) -> None:
        """Show the document's width, which undo may have changed."""
        wide = self._document.width > SIDE
        if wide != self._is_wide:
            self._is_wide = wide
            self.tools.wideBox.setChecked(wide)
            self._share_room()
            self.canvas.show_digits(None)
            self.canvas.update()
            self.wide_changed.emit(wide)

    def _enable_tools(self) -> None:
        stack = self.undo_stack
        drawing_now = self._document.is_drawing
        enabled = self._disabled_reason is None
        drawn = enabled and not self._document.is_empty
        self.keepButton.setEnabled(drawn)
        self.own_digits.menuAction().setEnabled(drawn)
        self.undo_action.setEnabled(enabled and (drawing_now or stack.canUndo()))
        self.redo_action.setEnabled(enabled and not drawing_now and stack.canRedo())
        undone = self.tr("stroke") if drawing_now else stack.undoText()
        self.undo_action.setText(self.tr("&Undo {step}").format(step=undone).rstrip())
        self.redo_action.setText(self.tr("&Redo {step}").format(step=stack.redoText()).rstrip())
        self.tools.undoButton.setEnabled(self.undo_action.isEnabled())
        self.tools.redoButton.setEnabled(self.redo_action.isEnabled())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share_room()

    def _on_theme(self) -> None:
        self._share_room()
        for part in self.tools.findChildren(QWidget):
            part.updateGeometry()  # Qt keeps the sizes of what was hidden in presenter mode
        # Once more, when Qt has laid out the new text.
        QTimer.singleShot(0, self, self._share_room)

    def _share_room(self) -> None:
        """Give the canvas the room first, then the digit; the bars make way where the canvas would be small.

        A wide canvas has the answer at its right. In presenter mode there are only canvas and answer.
        """
        presenting = theme().presenting
        wide = self._is_wide
        beside = _Direction.LeftToRight
        below = _Direction.TopToBottom
        self._parts.setDirection(beside if wide else below)
        self._top.setDirection(below if wide else beside)
        self.predictionLabel.hide_details()
        for part in (self.tools, self.controls, self.sees):
            part.setVisible(not presenting)
        texts = QFontMetrics(theme().title_font()).height() + 2 * SPACING
        texts += 0 if presenting else self.controls.sizeHint().height()
        self.tools.setFixedHeight(self.tools.heightForWidth(self.width()))
        tools = 0 if presenting else self.tools.height() + 4
        digit, most = (PRESENTED_DIGIT, 0.4) if presenting else (DIGIT, 0.36)
        room = self.height() - self.width() - tools - MARGIN - texts
        bars = self.probabilityBars.minimumSizeHint().height()
        side = digit if wide else max(digit, min(room, round(most * self.width())))
        bars = max(bars, side)
        left = self.height() - tools - texts - MARGIN - bars
        self.probabilityBars.setVisible(not presenting and (wide or left >= LEAST_WITH_BARS))
        self.predictionLabel.set_side(side)
        # A taller canvas would only have empty margins above and below its drawing area.
        height = self.height() - tools
        if wide:
            room = self.width() - self.answer.minimumSizeHint().width() - MARGIN
            # Before it has been laid out, a panel may be narrower than its answer.
            height = max(0, min(height, room * SIDE // self._document.width))
        width = height * self._document.width // SIDE if wide else NO_LIMIT
        self.canvas.setMaximumSize(width, height if wide else self.width())
        self._sheet.setMaximumSize(width, (height if wide else self.width()) + tools)
        self._fit_model_name()
        self.answer.setMaximumWidth(ANSWER_WIDTH if wide else NO_LIMIT)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._submitted:
            QTimer.singleShot(WARM_UP_MS, self, self._submit)

    def copy_prediction(self) -> None:
        """Put the number, or the class, that is shown on the clipboard."""
        if self.predictionLabel.prediction:
            QGuiApplication.clipboard().setText(self.predictionLabel.prediction)

    # -- prediction ---------------------------------------------------------------------------------------

    def _submit(self) -> None:
        if self._disabled_reason is not None:
            self.seenImage.show_image(None)
            self.canvas.show_digits(None)
            self.recognized.emit(None)
            self.probabilityBars.show_probabilities((), None)
            self._show_no_prediction()
            self._emit_ready()
            return
        self._submitted = True
        ink = None if self._document.is_empty else self._document.ink()
        if ink is not None and not self._answered and self._model is not None:
            self.predictionLabel.show_message(self.tr("Getting ready to read…"))
        self._recognizer.submit(Request(self._model, ink, self.rawBox.isChecked(), self._document.strokes()))

    def _emit_ready(self) -> None:
        if not self._is_ready:
            self._is_ready = True
            self.ready.emit()

    def _show_recognition(self, reading: Reading) -> None:
        self._emit_ready()
        if self._disabled_reason is not None or (reading.blank and not self._document.is_empty):
            return
        self._answered = True
        self.seenImage.show_image(reading.image)
        self.canvas.show_digits(reading)
        self.recognized.emit(reading.image)
        is_answer = reading.probabilities is not None and sureness_of(
            reading.probabilities, rejected=reading.rejected
        ) in ("sure", "likely", "not sure")
        self.probabilityBars.show_probabilities(reading.classes, reading.probabilities, is_answer=is_answer)
        least = "" if reading.number is None else reading.classes[reading.number.least_certain.best]
        text = self.tr("Least certain: {digit}") if least else self.tr("It sees")
        self.seesLabel.setText(text.format(digit=least))
        self.barsLabel.setText(self.tr("of the {digit}").format(digit=least) if least else "")
        self.barsLabel.setVisible(bool(least) and self.probabilityBars.isVisibleTo(self))
        if reading.error is not None:
            self.predictionLabel.show_message(self.tr("This network cannot read the drawing."))
            if self._reported_model is not self._model:  # once per model, not after every stroke
                self._reported_model = self._model
                self.status.emit(sentence(reading.error))
        elif reading.probabilities is not None:
            self.predictionLabel.show_recognition(reading)
        else:
            self._show_no_prediction()

    def _show_no_prediction(self) -> None:
        text = self.tr("Too little ink to read: draw a digit.")
        if self._document.is_empty:
            text = self.tr("Draw a digit and see what the network reads.")
        elif not self._submitted:
            text = self.tr("Getting ready to read…")
        if self._model is None:
            text = self.tr("No network is trained yet: train one, and it reads your drawings.")
        self.predictionLabel.show_message(text if self._disabled_reason is None else self._disabled_reason)
