"""The drawing panel: canvas, tools, pictures as drawings, the network's input, and its
prediction.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent, QUndoStack
from PySide6.QtWidgets import QMenu, QWidget

from core.data import own_digits
from core.data.class_names import DIGITS
from core.files.log import logger
from core.inspection.stage_content import has_surface
from core.reading.reader import Reading
from gui.drawing.canvas import Canvas
from gui.drawing.document import SIDE, WIDE, Document, Drawing
from gui.drawing.pictures import DrawingPictures
from gui.drawing.recognizer import Recognizer, Request
from gui.drawing.surface import SurfaceField
from gui.drawing.tools import DrawingTools
from gui.stage.read_by import ReadBy
from gui.stage.stage import Stage
from gui.stage.yours import NETWORK_CHANGE, Yours
from gui.text import count, sentence
from gui.widgets import make
from gui.widgets.answer_text import answer_text
from gui.widgets.dialogs import TextLink, reporting
from gui.widgets.theme import theme

if TYPE_CHECKING:
    from core.inference.model_file import Model

# Delay of the recognizer's preparation after the panel is shown, so that the window appears first.
WARM_UP_MS = 300


class DrawingPanel(QWidget):
    """Classifies the drawing with `model`, again after each change of the drawing or the model."""

    status = Signal(str)
    kept = Signal()  # the drawing was added to the own digits
    wide_changed = Signal(bool)
    ready = Signal()  # once: the recognizer is prepared
    reading_changed = Signal(object, object)  # a Reading; the steps of its picture, or None
    how_asked = Signal()  # it was read
    model_changed = Signal(object)  # the Model that classifies the drawing

    def __init__(self, model: "Model | None") -> None:
        super().__init__()
        self._model = model
        self._disabled_reason: str | None = None
        self._submitted = self._answered = self._has_read = self._is_ready = False
        self._reported_model: Model | None = None
        self._document = Document(self)
        self._recognizer = Recognizer(self)
        self.pictures = DrawingPictures(self._document, self)
        self._is_wide = False
        # What has the places of canvas and tools for a while, and its title.
        self._guest: tuple[QWidget, QWidget, str] | None = None
        self._answer = ""  # the class or number that is read
        self._reading = Reading()  # the last one
        self.undo_stack = self._document.undo_stack
        self.undo_action = make.action(self, "", "undoAction", self._document.undo)
        self.redo_action = make.action(self, "", "redoAction", self._document.redo)
        text = self.tr("Cop&y what is read")
        self.copy_action = make.action(self, text, "copyPredictionAction", self.copy_prediction)
        self.canvas = Canvas(self._document)
        self._other_model: Model | None = None
        self.tools = DrawingTools(self.canvas, self._document, self.undo_action, self.redo_action)
        self._make_controls()
        self._lay_out()
        self._connect()
        self._show_no_prediction()
        if model is not None:
            self.stage.scene.set_model(model)
        theme().changed.connect(self._show_tools)

    # -- called by the window ----------------------------------------------------------------------

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
            self.stage.scene.set_model(model, training=only_learned)
            self.model_changed.emit(model)

    def show_other_model(self, model: "Model | None") -> None:
        """Show a network that reads no drawings; None: that which reads them again.

        One of two inputs gets the point of a cross on the surface that it has learned, in place of
        the canvas.
        """
        # It is called at each refresh of the choice: a known model is not shown again.
        if model is self._other_model:
            return
        before = self._other_model
        self._other_model = model
        shows_surface = self._shows_surface
        if shows_surface == self.surface.isHidden():
            self._place_canvas()
        if model is None:
            if self._model is not None:
                self.stage.scene.set_model(self._model)
            self._submit()
        elif shows_surface:
            self.surface.show_model(model)
        else:
            self.stage.scene.set_model(
                model, training=before is not None and model.computes_like(before)
            )

    def lend_canvas(self, field: QWidget, below: QWidget, title: str) -> None:
        """Let `field` take the place of the canvas, and `below` that of its tools."""
        self._guest = field, below, title
        self._place_canvas()

    def take_canvas_back(self) -> None:
        """Show the canvas again, with its drawing."""
        if self._guest is not None:
            for part in self._guest[:2]:
                part.hide()
            self._guest = None
            self._place_canvas()

    @property
    def _shows_surface(self) -> bool:
        return self._other_model is not None and has_surface(self._other_model)

    def _place_canvas(self) -> None:
        """Put the canvas into its place, or what takes this place: the surface, a guest."""
        field: QWidget = self.surface if self._shows_surface else self.canvas
        below = self._below
        if self._guest is not None:
            field, below, _ = self._guest
        is_wide = self._is_wide and field is self.canvas
        self.stage.parts.set_canvas_width(WIDE // SIDE if is_wide else 1)
        # A guest is read by the network whose guest it is.
        readers = self.read_by if self._guest is None else None
        self.stage.parts.place(field, below, readers, self.yours)
        self.read_by.setVisible(readers is not None)
        for part in (self.canvas, self.surface):
            part.setHidden(part is not field)
        self._below.setHidden(self._guest is not None)
        self._show_tools()

    def build_like(self, layer: int) -> None:
        """Go to the same layer of the network of the settings, or add one like it."""
        content = self.stage.picture.content
        assert content is not None
        if content.network == self.yours.edits.network:
            self.yours.layer_asked.emit(layer)
        else:
            self.yours.build(content.network.layers[layer])

    def disable(self, reason: str | None) -> None:
        """Disable drawing and show `reason`; None enables it again."""
        if reason == self._disabled_reason:
            return
        self._disabled_reason = reason
        self.pictures.disabled_reason = reason
        # A disabled canvas gets no release, which would end the stroke.
        self._document.finish_stroke()
        for part in (self.canvas, self.tools, self.rawBox):
            part.setEnabled(reason is None)
        self._enable_tools()
        self._show_tools()
        self._submit()

    def drawing_text(self) -> str:
        """The finished strokes and the picture below them as text; empty where nothing is drawn."""
        return self._document.drawing.as_text()

    def restore(self, text: str) -> None:
        """Show the drawing that `drawing_text` gave at an earlier start; a damaged one is left
        out.
        """
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
        """Read the drawing, also while the panel is hidden; when it is shown, that happens by
        itself.
        """
        self._submit()

    def set_wide(self, wide: bool) -> None:
        """Make the canvas twice as wide as high, or square."""
        self._document.set_width(WIDE if wide else SIDE)

    def keep_as(self, digit: int) -> None:
        """Add the drawing to the own digits as `digit`, and clear the canvas; an empty one has
        nothing to keep.
        """
        if not self.keepButton.isEnabled():
            return
        self._document.finish_stroke()
        with reporting(lambda text, tone: self.status.emit(text)):
            own_digits.save_drawing(self._document.ink.pixels(), digit)
            self._document.clear()
            kept = own_digits.counts()
            text = self.tr("Kept as a {digit}: {n} of it, {all} of all digits.", None, kept[digit])
            more = self.tr("With {least} of one digit “My digits” can be chosen as data.")
            if own_digits.enough():
                more = self.tr("Choose “My digits” as data to learn from them.")
            text = text.format(digit=digit, n=count(kept[digit]), all=count(sum(kept)))
            self.status.emit(f"{text} {more.format(least=own_digits.MINIMUM)}")
            self.kept.emit()

    # -- parts -------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        tip = self.tr(
            "Shrink the canvas as it is, without cropping and centering the digit as MNIST's "
            "makers did: a small or displaced digit is then often misclassified."
        )
        self.rawBox = make.check(self.tr("Raw: as it is drawn"), "rawBox", tip, self._submit)
        self.own_digits = QMenu(self.tr("&Keep drawing as"), self)
        self.own_digits.setObjectName("ownDigitsMenu")
        for digit in range(len(DIGITS)):
            item = self.own_digits.addAction(self.tr("This is a &{digit}").format(digit=digit))
            item.triggered.connect(lambda _, digit=digit: self.keep_as(digit))
        tip = self.tr(
            "Save the drawing as this digit in the data set “My digits”, to train a network on "
            "your handwriting. On the canvas, the digit's key does the same."
        )
        self.keepButton = make.menu_button(self.tr("Keep as"), "keepButton", tip, self.own_digits)
        self.tools.more.addWidget(self.rawBox)
        self.tools.more.addWidget(self.keepButton)

    def _lay_out(self) -> None:
        """The stage, with the canvas at its left end and the choice of the network below the
        answer.
        """
        tr = self.tr
        self.hint = make.label("", "canvasHint", "muted")
        self._below = QWidget()
        self.hint.setContentsMargins(4, 0, 0, 0)  # below the edge of the canvas
        tip = make.tip_with_key(
            tr("Several digits? A wide canvas has room for them."), "Ctrl+Shift+W"
        )
        widen = self.tools.wideBox.toggle
        self.wideLink = make.button(tr("Wider?"), "wideLink", tip, widen, kind=TextLink)
        self.wideLink.hide()
        tip = tr(
            "Show how this is read, step by step: the ink of a picture, the columns of a number."
        )
        self.howLink = make.button(tr("How?"), "howLink", tip, self.how_asked, kind=TextLink)
        self.howLink.setAccessibleName(tr("How is it read?"))
        self.howLink.hide()
        make.row(
            self.tools, self.wideLink, self.howLink, (self.hint, 1), owner=self._below, spacing=4
        )
        self.read_by = ReadBy()
        tip = tr("Let the next network read")
        next_reader = make.action(self, tip, "nextReader", self.read_by.choose_next, keys=("R",))
        # Elsewhere, R is a letter that is typed.
        next_reader.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.stage = Stage()
        self.yours = Yours(self.undo_stack)
        self.surface = SurfaceField(self.stage)
        self._place_canvas()
        make.column(self.stage, owner=self)

    def _connect(self) -> None:
        self._document.changed.connect(self._submit)
        self._recognizer.recognized.connect(self._show_recognition)
        self.stage.answers.changed.connect(self._show_reads)
        self.pictures.status.connect(self.status)
        looking = self.tr("Looking for ink in the picture…")
        self.pictures.looking.connect(lambda: self._say(looking))
        self.pictures.failed.connect(self._submit)
        self.stage.addAction(self.copy_action)
        self.stage.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.tools.open_asked.connect(self.pictures.choose_image)
        self.tools.paste_asked.connect(self.pictures.paste_image)
        self.tools.save_asked.connect(self.pictures.choose_where_to_save)
        self.tools.wideBox.toggled.connect(self.set_wide)
        self.canvas.dropped.connect(self.pictures.drop)
        self.canvas.digit_pressed.connect(self.keep_as)
        self.canvas.pressed.connect(self.stage.scene.begin_stroke)
        self._document.changed.connect(self._enable_tools)
        self._document.edited.connect(self._enable_tools)
        self.stage.visibility_changed.connect(self._enable_tools)
        self.yours.edits.changed.connect(self._enable_tools)
        self._enable_tools()
        self._document.changed.connect(self._show_width)

    def _show_width(self) -> None:
        """Show the document's width, which undo may have changed."""
        wide = self._document.width > SIDE
        if wide != self._is_wide:
            self._is_wide = wide
            self.tools.wideBox.setChecked(wide)
            self.stage.parts.set_canvas_width(WIDE // SIDE if wide else 1)
            self.canvas.show_digits(None)
            self.wideLink.hide()
            self.canvas.update()
            self.wide_changed.emit(wide)

    def _enable_tools(self) -> None:
        stack = self.undo_stack
        drawing_now = self._document.is_drawing
        # Elsewhere, as in Compare, Ctrl+Z takes back what is done there.
        is_shown = self.stage.isVisibleTo(self.window())
        is_locked = self.yours.edits.is_locked
        can_undo = drawing_now or (
            stack.canUndo() and not (is_locked and _edits_network(stack, -1))
        )
        can_redo = (
            not drawing_now and stack.canRedo() and not (is_locked and _edits_network(stack, 0))
        )
        enabled = self._disabled_reason is None
        drawn = enabled and not self._document.is_empty
        self.keepButton.setEnabled(drawn)
        self.own_digits.menuAction().setEnabled(drawn)
        self.undo_action.setEnabled(enabled and is_shown and can_undo)
        self.redo_action.setEnabled(enabled and is_shown and can_redo)
        undone = self.tr("stroke") if drawing_now else stack.undoText()
        self.undo_action.setText(self.tr("&Undo {step}").format(step=undone).rstrip())
        self.redo_action.setText(self.tr("&Redo {step}").format(step=stack.redoText()).rstrip())
        self.tools.undoButton.setEnabled(self.undo_action.isEnabled())
        self.tools.redoButton.setEnabled(self.redo_action.isEnabled())
        self._show_tools()

    def _show_tools(self) -> None:
        """Show the tools once there is ink, and a hint before."""
        if self._guest is not None:
            self.stage.scene.show_title(self._guest[2])
            return
        if not self.surface.isHidden():
            self.stage.scene.show_title(self.tr("The surface it has learned"))
            self.hint.setText(self.tr("Drag the cross"))
            self.hint.setVisible(not theme().presenting)
            self.tools.hide()
            return
        if self._disabled_reason is not None:
            self.stage.scene.show_title(self.tr("Nothing to draw"))
            self.hint.hide()
            self.tools.hide()
            return
        is_untouched = (
            self._document.is_empty
            and not self._document.was_changed
            and not self.canvas.tool.eraser
        )
        self.stage.scene.show_title(
            self.tr("Draw a digit") if self._document.is_empty else self.tr("Your drawing")
        )
        self.hint.setText(self.tr("Draw with the mouse or arrow keys"))
        self.hint.setVisible(is_untouched and not theme().presenting)
        self.tools.setVisible(not is_untouched and not theme().presenting)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._submitted:
            QTimer.singleShot(WARM_UP_MS, self, self._submit)

    def copy_prediction(self) -> None:
        """Put the number, or the class, that is shown on the clipboard."""
        if self._answer:
            QGuiApplication.clipboard().setText(self._answer)

    # -- prediction --------------------------------------------------------------------------------

    @property
    def request(self) -> Request:
        """The drawing as it is to be read."""
        ink = None if self._document.is_empty else self._document.ink.pixels()
        return Request(self._model, ink, self.rawBox.isChecked(), self._document.strokes())

    def _submit(self) -> None:
        if self._disabled_reason is not None:
            if self.surface.isHidden():
                self.stage.scene.show_reading(None)
            self.canvas.show_digits(None)
            self._reading = Reading()
            self.read_by.show_reading(self._reading)
            self._show_no_prediction()
            # Devices are probed and pages created after this, also where nothing is read.
            self._emit_ready()
            return
        self._submitted = True
        if not self._document.is_empty and not self._answered and self._model is not None:
            self._say(self.tr("Getting ready to read…"))
        self._recognizer.submit(self.request)

    def _emit_ready(self) -> None:
        if not self._is_ready:
            self._is_ready = True
            self.ready.emit()

    def _show_reads(self) -> None:
        """Say below the answer what the networks read, together with it: the first answer comes
        with its layers.
        """
        answer = self.stage.answers.answer
        if (answer.probabilities is None) == (self._reading.probabilities is None):
            self.read_by.show_reading(self._reading)

    def _show_recognition(self, reading: Reading) -> None:
        self._emit_ready()
        # An answer to the canvas as it was: that to the present one follows.
        if self._disabled_reason is not None or (reading.blank and not self._document.is_empty):
            return
        self._answered = True
        # Several digits on the square canvas: they would have more room on the wide one.
        has_several = reading.number is not None and self._document.width == SIDE
        self.wideLink.setVisible(has_several and not theme().presenting)
        steps = self._document.drawing.steps
        has_steps = steps is not None or (reading.number is not None and bool(reading.number.seen))
        self.howLink.setVisible(has_steps and not theme().presenting)
        self.reading_changed.emit(reading, steps)
        if reading.probabilities is not None and not self._has_read:
            self._has_read = True
            logger.info("first drawing read")
        self.canvas.show_digits(reading)
        self._reading = reading
        self.stage.scene.show_reading(None if reading.probabilities is None else reading)
        self._show_reads()
        if reading.error is not None:
            self._say(self.tr("This network cannot read the drawing."))
            if self._reported_model is not self._model:  # once per model, not after every stroke
                self._reported_model = self._model
                self.status.emit(sentence(reading.error))
        elif reading.probabilities is not None:
            self._say("")
            self._answer = answer_text(
                reading.probabilities,
                reading.classes,
                rejected=reading.rejected,
                number=reading.number,
            ).name
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
        self._say(text if self._disabled_reason is None else self._disabled_reason)

    def _say(self, text: str) -> None:
        """Say this in place of an answer; an empty text: there is one."""
        self._answer = ""
        if self.surface.isHidden():
            self.stage.scene.show_message(text)


def _edits_network(stack: QUndoStack, offset: int) -> bool:
    """Whether the step that Undo (offset -1) or Redo (0) would take changes the network."""
    command = stack.command(stack.index() + offset)
    return command is not None and command.id() == NETWORK_CHANGE
