"""The network as a text, with what is wrong in it and what it costs; the stage edits it as a
picture.
"""

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import QLineEdit, QWidget

from core.errors import InputError
from core.network.layers import Shape
from core.network.losses import Loss, find_loss
from core.network.network import Network
from core.network.notation import NotationError, hidden_layers_note, parse_typed, refitted
from core.training.checks import check_output
from core.training.run_settings import BY_NAME
from gui.text import about, count, help_text, sentence
from gui.widgets.basics import mark_wrong
from gui.widgets.make import column, edit
from gui.widgets.messages import note, set_message
from gui.widgets.theme import theme
from gui.words import with_words


def error_span(text: str, error: NotationError) -> tuple[int, int]:
    """Start and end in `text` of the error, whose positions do not count spaces."""
    positions = [position for position, letter in enumerate(text) if not letter.isspace()]
    if not positions or error.start >= len(positions):
        return 0, len(text)
    return positions[error.start], positions[min(error.end, len(positions)) - 1] + 1


def underline(edit: QLineEdit, span: tuple[int, int] | None) -> None:
    """Underline `span`, (start, end) in the text of `edit`; None removes the underline."""
    # QLineEdit has no text formats, but it draws those of an input method event. This event changes
    # no text.
    attributes = []
    if span is not None:
        wavy = QTextCharFormat()
        start, end = span
        wavy.setForeground(edit.palette().brightText())
        wavy.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        wavy.setUnderlineColor(edit.palette().brightText().color())
        kind = QInputMethodEvent.AttributeType.TextFormat
        attributes = [
            QInputMethodEvent.Attribute(kind, start - edit.cursorPosition(), end - start, wavy)
        ]
    QCoreApplication.sendEvent(edit, QInputMethodEvent("", attributes))


class NetworkEditor(QWidget):
    """`changed` is emitted on every change. `network` is the described network; None while there is
    a `problem`.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.network: Network | None = None
        self._parsed: Network | None = None
        self._error: InputError | None = None
        self.problem = ""
        self._input_shape: Shape = (28, 28, 1)
        self._outputs = 10
        self._activation = "relu"
        self._loss = find_loss("cross-entropy", "classes")
        title = self.tr("Network, as text")
        self.edit = edit("networkEdit", title, help_text(BY_NAME["network"]), slot=self._read)
        self.edit.editingFinished.connect(self._show_complete_text)
        self.error = note("error", "networkEditError")
        self.reading = note(name="networkReading")
        self.summary = note(name="networkSummary")
        column(self.edit, self.error, self.reading, self.summary, owner=self, spacing=4)
        self.setFocusProxy(self.edit)
        theme().changed.connect(self._follow_theme)

    def _follow_theme(self) -> None:
        mark_wrong(self.edit, bool(self.problem))

    def set_data(self, input_shape: Shape, outputs: int) -> None:
        """Set the shape of one input and the number of outputs of the data, and fit the text to
        them.
        """
        before = (self._input_shape, self._outputs)
        after = (input_shape, outputs)
        if after != before:
            self._input_shape, self._outputs = after
            text = refitted(self.edit.text(), before, after)
            # Setting an equal text emits nothing, and the text has to be read for the new data.
            if text == self.edit.text():
                self._read()
            else:
                self.edit.setText(text)

    def set_activation(self, activation: str, loss: Loss) -> None:
        """Set the run's activation and loss, which decide what layers without an activation of
        their own apply.
        """
        if (activation, loss) != (self._activation, self._loss):
            self._activation = activation
            self._loss = loss
            self._show_network()

    @property
    def complete_text(self) -> str:
        """The complete form of the network, which a run uses and stores; the typed text while that
        is not valid.
        """
        return self.network.text if self.network else self.edit.text()

    def _read(self) -> None:
        self._error = None
        self._parsed = None
        try:
            self._parsed = parse_typed(self.edit.text(), self._input_shape, self._outputs)
        except InputError as error:
            self._error = error
        self._show_network()

    def check(self, network: Network, text: str = "") -> None:
        """Raise InputError where `network`, which `text` describes, does not fit the loss."""
        check_output(
            text or network.text, network, self._activation, self._loss.name, self._loss.kind
        )

    def default_activations(self) -> tuple[str, ...]:
        """For each layer what it applies without an activation of its own; empty while there is a
        `problem`.
        """
        if self.network is None:
            return ()
        output = self._loss.output_activation(self._activation)
        return (*self.network.hidden_activations(self._activation)[:-1], output)

    def _show_network(self) -> None:
        """Show what the network of the text costs, or the error in it."""
        self.network = None
        error = self._error
        if self._parsed:
            try:
                self.check(self._parsed, self.edit.text())
                self.network = self._parsed
            except InputError as wrong_output:
                error = wrong_output
        self._show_error(error)
        if self.network is None:
            self.summary.setText("")
            set_message(self.reading, "")
        else:
            doubt = hidden_layers_note(self.edit.text(), self.network)
            set_message(self.reading, sentence(doubt) if doubt else "")
            costs = sum(self.network.multiply_adds)
            trained = self.network.trained_count
            learns = self.tr("{n} parameters", None, trained).format(n=count(trained))
            work = self.tr("{n} multiply-adds", None, costs).format(n=about(costs))
            self.summary.setText(f"{learns}\n{work}")
            tip = self.tr("{n} multiply-adds an image", None, costs).format(n=count(costs))
            self.summary.setToolTip(with_words(tip, self.summary.text()))
            self.summary.show()
        self.changed.emit()

    def _show_complete_text(self) -> None:
        """Replace the typed text by the complete form once it is entered; undo brings the typed
        text back.
        """
        if self.network and self.edit.text() != self.network.text:
            # Inserted, not set: only so it can be undone.
            self.edit.selectAll()
            self.edit.insert(self.network.text)

    def _show_error(self, input_error: InputError | None) -> None:
        written = self.edit.text()
        span = error_span(written, input_error) if isinstance(input_error, NotationError) else None
        text = ""
        if input_error and span:
            # `span` counts spaces; the positions in the error do not.
            at = span[0] + 1
            text = sentence(input_error, at=at)
            if "at" not in input_error.values and written.strip():
                text = f"{text} {self.tr('(character {at})').format(at=at)}"
        elif input_error:
            text = sentence(input_error)
        self.problem = text
        set_message(self.error, text)
        mark_wrong(self.edit, bool(text))
        self.edit.setAccessibleDescription(text)
        underline(self.edit, span)
