"""The network editor: a network as a text, as a table of layers and as a form of one layer, which follow each other."""

from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QCoreApplication, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeySequence, QShortcut, QTextCharFormat
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from core.errors import InputError
from core.network.layers import KINDS, Layer, Shape
from core.network.losses import Loss, find_loss
from core.network.network import Network
from core.network.notation import NotationError, hidden_layers_note, parse, parse_typed, refitted
from core.training.checks import check_output
from core.training.run_settings import BY_NAME
from gui.text import about, count, counted, help_text, sentence
from gui.widgets.basics import QuietComboBox, mark_wrong, named, note, set_message
from gui.widgets.layer_form import NO_ACTIVATION, LayerForm, activation_title, fill_with_activations
from gui.widgets.make import button, column, edit, row
from gui.widgets.tables import Column, Index, RecordModel, RecordTable, Role
from gui.widgets.theme import theme
from gui.words import with_words

ROW_HEIGHT = 22  # pixels
MAX_ROWS = 7
LAYER, ACTIVATION, OUTPUT, PARAMETERS, MULTIPLY_ADDS = range(5)


class LayersModel(RecordModel):
    """One row for each layer of `network`; a record is its number. An edit emits `edited` with the new text."""

    edited = Signal(str)

    def __init__(self, parent: Any = None) -> None:
        self.network: Network | None = None
        self.activation, self.output = "relu", "softmax"
        super().__init__(self._make_columns(), parent)

    def show_network(self, network: Network | None, activation: str, output: str) -> None:
        """`activation`, `output`: what hidden layers and the last layer apply without an activation of their own."""
        self.network, self.activation, self.output = network, activation, output
        if len(self.layers) == len(self.records):
            self.refresh()
        else:
            self.show_records(range(len(self.layers)))

    @property
    def layers(self) -> tuple[Layer, ...]:
        return self.network.layers if self.network else ()

    def _make_columns(self) -> tuple[Column[int], ...]:
        tr = self.tr
        return (
            Column(tr("Layer"),
                   with_words(tr("The layer; select it to change it below, or double-click."), "layer"), self._caption,
                   cell_tip=self._tip, roles={Role.EditRole: lambda row: _short(self.layers[row])}),
            Column(tr("Acti-\nvation"), tr("The function applied to each weighted sum: the run's unless the layer has "
                   "its own."), self._activation, cell_tip=self._tip,
                   roles={Role.EditRole: lambda row: self.layers[row].activation or NO_ACTIVATION}),
            Column(tr("Output"), tr("The shape of the output."), self._shape, is_number=True),
            Column(tr("Para-\nmeters"), tr("The number of parameters: weights and biases."),
                   lambda row: about(self._network.parameters[row]), is_number=True,
                   cell_tip=lambda row: counted(self._network.parameters[row], tr("{n} parameter"),
                                                    tr("{n} parameters"))),
            Column(tr("Multiply-\nadds"), tr("The number of multiplications and additions for one image."),
                   lambda row: about(self._network.multiply_adds[row]), is_number=True,
                   cell_tip=lambda row: counted(self._network.multiply_adds[row], tr("{n} multiply-add an image"),
                                                    tr("{n} multiply-adds an image"))),
        )  # fmt: skip

    def flags(self, index: Index) -> Qt.ItemFlag:
        editable = index.column() == ACTIVATION and self.layers[index.row()].has_activation()
        editable = editable or (index.column() == LAYER and index.row() < len(self.layers) - 1)
        return super().flags(index) | (Qt.ItemFlag.ItemIsEditable if editable else Qt.ItemFlag.NoItemFlags)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not self.network:
            return False
        parts, layer = [layer.text for layer in self.layers], self.layers[index.row()]
        if index.column() == LAYER:
            # Another size typed without options keeps the activation.
            text = str(value).strip()
            kept = f":{layer.activation}" if layer.activation and ":" not in text else ""
            parts[index.row()] = text + kept
        elif layer.has_activation():
            parts[index.row()] = type(layer)(**{**layer.values(), "activation": value or None}).text
        self.edited.emit("-".join(parts))
        return True

    @property
    def _network(self) -> Network:
        assert self.network
        return self.network

    def _caption(self, row: int) -> str:
        layer = self.layers[row]
        return QCoreApplication.translate("Layer", layer.caption).format(**layer.values())

    def _activation(self, row: int) -> str:
        layer, last = self.layers[row], row == len(self.layers) - 1
        if not layer.has_activation() or self._network.gives_activation(row):
            return ""
        default = self.output if last else self._network.hidden_activations(self.activation)[row]
        return activation_title(layer.activation or default)

    def _shape(self, row: int) -> str:
        return "×".join(str(n) for n in self._network.shapes[row + 1])

    def _tip(self, row: int) -> str:
        shown = f"{self._caption(row)}, {self._activation(row)}"
        if row == len(self.layers) - 1:
            return with_words(self.tr("The output: one unit for each class of the data."), shown)
        return with_words(self.tr(
            "Double-click to change it: 128 (units), 32C5 (32 maps of 5×5; :valid and :s2 for padding and stride), "
            "MP2 or AP2 (pooling), D50 (dropout), BN (batch normalization), or an activation of its own."
        ), shown)  # fmt: skip


def _short(layer: Layer) -> str:
    """A layer as it is edited in the table: without options."""
    return layer.text.split(":")[0].removesuffix("N")


class ActivationDelegate(QStyledItemDelegate):
    """Offers the activations in a combo box; a choice is taken at once."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        box = QuietComboBox(parent)
        model = index.model()
        assert isinstance(model, LayersModel)
        fill_with_activations(box, model.activation)
        box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 24)
        box.choose(index.data(Role.EditRole))
        box.activated.connect(lambda: self.commitData.emit(box))
        box.activated.connect(lambda: self.closeEditor.emit(box))
        return box

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        assert isinstance(editor, QComboBox)
        model.setData(index, editor.currentData())

    def updateEditorGeometry(self, editor: QWidget, option: Any, index: Index) -> None:
        editor.setGeometry(option.rect)


def error_span(text: str, error: NotationError) -> tuple[int, int]:
    """Start and end in `text` of the error, whose positions do not count spaces."""
    positions = [position for position, letter in enumerate(text) if not letter.isspace()]
    if not positions or error.start >= len(positions):
        return 0, len(text)
    return positions[error.start], positions[min(error.end, len(positions)) - 1] + 1


def underline(edit: QLineEdit, span: tuple[int, int] | None) -> None:
    """Underline `span`, (start, end) in the text of `edit`; None removes the underline."""
    # QLineEdit has no text formats, but it draws those of an input method event. This event changes no text.
    attributes = []
    if span is not None:
        wavy, (start, end) = QTextCharFormat(), span
        wavy.setForeground(edit.palette().brightText())
        wavy.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        wavy.setUnderlineColor(edit.palette().brightText().color())
        kind = QInputMethodEvent.AttributeType.TextFormat
        attributes = [QInputMethodEvent.Attribute(kind, start - edit.cursorPosition(), end - start, wavy)]
    QCoreApplication.sendEvent(edit, QInputMethodEvent("", attributes))


class NetworkEditor(QWidget):
    """`changed` is emitted on every change. `network` is the described network; None while there is a `problem`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.network: Network | None = None
        self._parsed: Network | None = None
        self._error: InputError | None = None
        self.problem = ""
        self._input_shape: Shape = (28, 28, 1)
        self._outputs = 10
        self._activation, self._loss = "relu", find_loss("cross-entropy", "classes")
        title = self.tr("Network, as text")
        self.edit = edit("networkEdit", title, help_text(BY_NAME["network"]), slot=self._read)
        self.edit.editingFinished.connect(self._show_complete_text)
        self.error = note("error", "networkEditError")
        self.reading = note(name="networkReading")
        self.model = LayersModel(self)
        self.model.edited.connect(self._apply_text)
        self.table = self._make_table()
        self.form = LayerForm()
        self.form.edited.connect(self._change_chosen)
        self.summary = note(name="networkSummary")
        self.buttons = self._make_buttons()
        below = row((self.summary, 1), *self.buttons.values(), spacing=4)
        column(self.edit, self.error, self.reading, self.table, below, self.form, owner=self, spacing=4)
        # The last child: widgets that are added after a menu are not in the window's tab order.
        menu = named(QMenu(self), "addLayerMenu")
        for kind in KINDS:  # one that needs an image is refused where there is none
            menu.addAction(QCoreApplication.translate("Layer", kind.menu_text), partial(self._insert, kind()))
        self.buttons["add"].setMenu(menu)
        self.setFocusProxy(self.edit)
        theme().changed.connect(self._follow_theme)
        self._follow_theme()

    def set_data(self, input_shape: Shape, outputs: int) -> None:
        """Set the shape of one input and the number of outputs of the data, and fit the text to them."""
        before, after = (self._input_shape, self._outputs), (input_shape, outputs)
        if after != before:
            self._input_shape, self._outputs = after
            text = refitted(self.edit.text(), before, after)
            if text == self.edit.text():
                self._read()
            else:
                self.edit.setText(text)

    def set_activation(self, activation: str, loss: Loss) -> None:
        """Set the run's activation and loss, which decide what layers without an activation of their own apply."""
        if (activation, loss) != (self._activation, self._loss):
            self._activation, self._loss = activation, loss
            self._show_network()

    @property
    def complete_text(self) -> str:
        """The complete form of the network, which a run uses and stores; the typed text while that is not valid."""
        return self.network.text if self.network else self.edit.text()

    def _read(self) -> None:
        self._error, self._parsed = None, None
        try:
            self._parsed = parse_typed(self.edit.text(), self._input_shape, self._outputs)
        except InputError as error:
            self._error = error
        self._show_network()

    def _checked(self, network: Network, text: str) -> Network:
        """`network`, which `text` describes. Raises InputError where it does not fit the loss."""
        check_output(text, network, self._activation, self._loss.name, self._loss.kind)
        return network

    def _show_network(self) -> None:
        """Show the network of the text. If it is not valid, show the error, and disable the last valid table."""
        self.network, error = None, self._error
        try:
            if self._parsed:
                self.network = self._checked(self._parsed, self.edit.text())
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
            learns = self.tr("{n} parameters").format(n=count(self.network.trained_count))
            self.summary.setText(learns + "\n" + self.tr("{n} multiply-adds").format(n=about(costs)))
            tip = self.tr("{n} multiply-adds an image").format(n=count(costs))
            self.summary.setToolTip(with_words(tip, self.summary.text()))
            self.summary.show()
        output = self._loss.output_activation(self._activation)
        self.model.show_network(self.network or self.model.network, self._activation, output)
        self.table.setEnabled(self.network is not None)
        self.form.setEnabled(self.network is not None)
        self._fit_table()
        self._on_chosen()
        self.changed.emit()

    def _show_complete_text(self) -> None:
        """Replace the typed text by the complete form once it is entered; undo brings the typed text back."""
        if self.network and self.edit.text() != self.network.text:
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

    def _apply_text(self, text: str) -> None:
        """Set the text that an edit of the table made; show the error if it is not valid."""
        try:
            network = self._checked(parse(text, self._input_shape, self._outputs), text)
        except InputError as input_error:
            set_message(self.error, sentence(input_error))
            return
        self.edit.setText(network.text)

    def _make_table(self) -> RecordTable:
        title = self.tr("Layers of the network")
        table = RecordTable(self.model, "layersTable", title, row_height=ROW_HEIGHT)
        table.setItemDelegateForColumn(ACTIVATION, ActivationDelegate(table))
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(ACTIVATION, QHeaderView.ResizeMode.Stretch)
        table.selectionModel().selectionChanged.connect(lambda: self._on_chosen())
        # Backspace is "delete" on the keyboards of Macs.
        for key, slot in (
            ("Del", self._remove), ("Backspace", self._remove), ("Ins", self._add),
            ("Shift+Ins", lambda: self.buttons["add"].showMenu()),
        ):  # fmt: skip
            shortcut = QShortcut(QKeySequence(key), table, slot)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        return table

    def _follow_theme(self) -> None:
        mark_wrong(self.edit, bool(self.problem))
        for part in (self.table, self.table.horizontalHeader()):
            part.setFont(theme().font(0.88))  # five columns have to fit beside the plots
        self._fit_table()

    def _fit_table(self) -> None:
        """Make the table as high as its rows, up to a limit from which it scrolls."""
        rows = min(max(len(self.model.layers), 2), MAX_ROWS)
        self.table.setFixedHeight(
            self.table.horizontalHeader().sizeHint().height() + rows * theme().px(ROW_HEIGHT) + 4
        )

    def _make_buttons(self) -> dict[str, QToolButton]:
        tr, made = self.tr, {}
        for name, tip, slot in (
            ("add", tr("Add a layer below the chosen one (Insert; Shift+Insert for the kinds)"), self._add),
            ("remove", tr("Remove the chosen layer (Delete)"), self._remove),
            ("up", tr("Move the chosen layer up, towards the input"), lambda: self._move(-1)),
            ("down", tr("Move the chosen layer down, towards the output"), lambda: self._move(1)),
        ):
            made[name] = button("", f"{name}LayerButton", tip, slot, icon=name, kind=QToolButton)
            made[name].setAccessibleName(tip)
            made[name].setAutoRaise(True)
            made[name].setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        made["add"].setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        return made

    def _row(self) -> int:
        selection = self.table.selectionModel()
        return selection.currentIndex().row() if selection.hasSelection() else -1

    def _on_chosen(self) -> None:
        """Enable what can be done with the selected layer, and show it in the form below."""
        row, layers, fine = self._row(), self.model.layers, self.network is not None
        last = len(layers) - 1
        self.buttons["add"].setEnabled(fine)
        self.buttons["remove"].setEnabled(fine and 0 <= row < last)
        self.buttons["up"].setEnabled(fine and 0 < row < last)
        self.buttons["down"].setEnabled(fine and 0 <= row < last - 1)
        if not 0 <= row <= last:
            self.form.show_layer(None)
            return
        default = self.model.output if row == last else self._activation
        if layers[row].takes_activation and self.model.network:
            default = self.model.network.hidden_activations(self._activation)[row]
        self.form.show_layer(layers[row], default, last=row == last)

    def _change_chosen(self, layer: Layer) -> None:
        layers, row = list(self.model.layers), self._row()
        layers[row] = layer
        self._apply_layers(layers)
        # Where the change was refused, the form shows the layer as it is.
        self._on_chosen()

    def _add(self) -> None:
        self._insert(KINDS[0]())

    def _insert(self, layer: Layer) -> None:
        """Insert below the selected layer; without one, before the first dense layer or the last layer."""
        layers = list(self.model.layers)
        row = self._row()
        at = row + 1 if 0 <= row < len(layers) - 1 else len(layers) - 1
        if row < 0 and layer.needs_image and self.network:
            at = next(k for k, shape in enumerate(self.network.shapes[1:]) if len(shape) == 1)
        self._rearrange([*layers[:at], layer, *layers[at:]], at)

    def _remove(self) -> None:
        layers, row = list(self.model.layers), self._row()
        if 0 <= row < len(layers) - 1:
            del layers[row]
            self._rearrange(layers, min(row, len(layers) - 1))

    def _move(self, by: int) -> None:
        layers, row = list(self.model.layers), self._row()
        layers[row], layers[row + by] = layers[row + by], layers[row]
        self._rearrange(layers, row + by)

    def _rearrange(self, layers: list[Layer], row: int) -> None:
        self._apply_layers(layers)
        self.table.selectRow(row)

    def _apply_layers(self, layers: list[Layer]) -> None:
        self._apply_text("-".join(layer.text for layer in layers))
