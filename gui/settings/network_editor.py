"""The network editor: a network as a short text and as a table of layers, each following the other."""

import re
from functools import partial
from math import prod

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import InputError
from core.network.layers import Convolution, Dense, Dropout, Layer, MaxPool, Shape
from core.network.network import Network
from core.network.notation import NotationError, parse, refitted
from core.training.run import BY_NAME
from gui.settings.activation_delegate import ActivationDelegate
from gui.settings.error_underline import place_in, underline
from gui.settings.layer_form import LayerForm
from gui.settings.layer_table import ACTIVATION, LayersModel
from gui.text import about, count, help_text, sentence
from gui.widgets.basics import named, note, set_message, set_style_property
from gui.widgets.colours import Colours
from gui.widgets.icons import themed_icon
from gui.widgets.table import set_up_table

_FIRST_OFFER = Dense(64)

ROW_HEIGHT = 22
MOST_ROWS = 7


class NetworkEditor(QWidget):
    """`changed` fires on every change; `network` is what the text describes, None while it has a `problem`."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.network: Network | None = None
        self.problem = ""
        self._input_shape: Shape = (28, 28, 1)
        self._outputs = 10
        self._activation, self._output = "relu", "softmax"
        self.edit = named(QLineEdit(), "networkEdit")
        self.edit.setToolTip(help_text(BY_NAME["network"]))
        self.edit.setAccessibleName(self.tr("Network, as text"))
        self.edit.textChanged.connect(self._read)
        self.edit.editingFinished.connect(self._show_whole)
        self.error = note("error", "networkEditError")
        self.reading = note(name="networkReading")
        self.model = LayersModel(self)
        self.model.edited.connect(self._take)
        self.table = self._make_table()
        self.form = LayerForm()
        self.form.edited.connect(self._change_chosen)
        self.summary = note(name="networkSummary")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.edit)
        column.addWidget(self.error)
        column.addWidget(self.reading)
        column.addWidget(self.table)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.summary, 1)
        self.buttons = self._make_buttons(row)
        column.addLayout(row)
        column.addWidget(self.form)
        self.setFocusProxy(self.edit)

    def set_data(self, input_shape: Shape, outputs: int) -> None:
        """The data that the network has to fit."""
        before, now = (self._input_shape, self._outputs), (input_shape, outputs)
        if now != before:
            self._input_shape, self._outputs = now
            text = refitted(self.edit.text(), before, now)
            if text == self.edit.text():
                self._read()
            else:
                self.edit.setText(text)

    def set_activation(self, name: str, loss: str) -> None:
        """The run's activation and loss, which say what a layer without a mark does.

        `loss` is "regression" where values are learnt: their last layer is linear.
        """
        last = {"cross-entropy": "softmax", "regression": "linear"}
        self._activation, self._output = name, last.get(loss, name)
        # While the text is wrong the last good list stays, greyed.
        self.model.show_network(self.network or self.model.network, self._activation, self._output)
        self._show_chosen()

    def text(self) -> str:
        return self.edit.text()

    def whole(self) -> str:
        """The whole form, which is trained and stored; what is typed, while that is wrong."""
        return self.network.text if self.network else self.edit.text()

    def set_text(self, text: str) -> None:
        self.edit.setText(text)

    def _read(self) -> None:
        try:
            self.network = parse(self.edit.text(), self._input_shape, self._outputs)
        except InputError as input_error:
            self.network = None
            self.summary.setText("")
            set_message(self.reading, "")
            self._refuse(input_error)
        else:
            self._refuse(None)
            set_message(self.reading, self._half_whole(self.network))
            shapes = zip(self.network.layers, self.network.shapes, strict=False)
            costs = sum(layer.multiply_adds(shape) for layer, shape in shapes)
            learns = self.tr("{n} parameters").format(n=count(self.network.parameter_count))
            self.summary.setText(learns + "\n" + self.tr("{n} multiply-adds").format(n=about(costs)))
            self.summary.setToolTip(self.tr("{n} multiply-adds an image").format(n=count(costs)))
            self.summary.show()
            self.model.show_network(self.network, self._activation, self._output)
        self.table.setEnabled(self.network is not None)
        self.form.setEnabled(self.network is not None)
        self._fit_table()
        self._show_chosen()
        self._update_buttons()
        self.changed.emit()

    def _half_whole(self, network: Network) -> str:
        """How numbers are read of which only the first or only the last is the data's, and what would change it."""
        sizes = re.split(r"\s*-\s*", self.edit.text().strip())
        first, last = sizes[0] == str(prod(self._input_shape)), sizes[-1] == str(self._outputs)
        if len(sizes) < 2 or first == last or not all(size.isdigit() for size in sizes):
            return ""
        if first:
            template = self.tr("Read as hidden layers: {text}. For a whole network, end it with {number}.")
            number = self._outputs
        else:
            template = self.tr("Read as hidden layers: {text}. For a whole network, begin it with {number}.")
            number = prod(self._input_shape)
        return template.format(text=network.text, number=number)

    def _show_whole(self) -> None:
        """Once it is entered, the whole form stands there, which is trained; undoing brings back what was typed."""
        if self.network and self.edit.text() != self.network.text:
            self.edit.selectAll()
            self.edit.insert(self.network.text)

    def _refuse(self, input_error: InputError | None) -> None:
        written = self.edit.text()
        place = place_in(written, input_error) if isinstance(input_error, NotationError) else None
        text = ""
        if input_error and place:
            # Counted with the spaces that the person typed.
            at = place[0] + 1
            text = sentence(input_error, at=at)
            if "at" not in input_error.values and written.strip():
                text = f"{text} {self.tr('(character {at})').format(at=at)}"
        elif input_error:
            text = sentence(input_error)
        self.problem = text
        set_message(self.error, text)
        set_style_property(self.edit, "wrong", bool(text))
        self.edit.setAccessibleDescription(text)
        underline(self.edit, place)

    def _take(self, text: str) -> None:
        """A text made in the table: taken when it can be built, else refused beside the table."""
        try:
            network = parse(text, self._input_shape, self._outputs)
        except InputError as input_error:
            set_message(self.error, sentence(input_error))
            return
        self.edit.setText(network.text)

    # -- the table and its buttons ------------------------------------------------------------------------

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        set_up_table(
            table, "layersTable", self.tr("Layers of the network"), row_height=ROW_HEIGHT, editable=True
        )
        table.setItemDelegateForColumn(ACTIVATION, ActivationDelegate(table))
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Five columns have to fit beside the plots.
        font = table.font()
        font.setPointSizeF(font.pointSizeF() * 0.88)
        table.setFont(font)
        table.horizontalHeader().setStyleSheet(
            f"QHeaderView::section {{ padding: 3px; font-size: {font.pointSizeF()}pt; }}"
        )
        table.horizontalHeader().setMinimumSectionSize(24)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(ACTIVATION, QHeaderView.ResizeMode.Stretch)
        table.selectionModel().selectionChanged.connect(lambda: self._on_chosen())
        for key, slot in (
            (QKeySequence(Qt.Key.Key_Delete), self._remove),
            (QKeySequence(Qt.Key.Key_Insert), self._add),
            (QKeySequence("Shift+Ins"), lambda: self.buttons["add"].showMenu()),
        ):
            shortcut = QShortcut(key, table)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(slot)
        return table

    def _fit_table(self) -> None:
        """As tall as its rows, within reason: a deep network scrolls."""
        rows = min(max(len(self.model.layers), 2), MOST_ROWS)
        self.table.setFixedHeight(self.table.horizontalHeader().sizeHint().height() + rows * ROW_HEIGHT + 4)

    def _make_buttons(self, row: QHBoxLayout) -> dict[str, QToolButton]:
        made = {}
        for name, tip, slot in (
            (
                "add",
                self.tr("Add a layer below the chosen one (Insert; Shift+Insert for the kinds)"),
                self._add,
            ),
            ("remove", self.tr("Remove the chosen layer (Delete)"), self._remove),
            ("up", self.tr("Move the chosen layer up, towards the input"), lambda: self._move(-1)),
            ("down", self.tr("Move the chosen layer down, towards the output"), lambda: self._move(1)),
        ):
            button = named(QToolButton(), f"{name}LayerButton")
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setAutoRaise(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(slot)
            row.addWidget(button)
            made[name] = button
        made["add"].setMenu(self._kinds_menu())
        made["add"].setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        return made

    def _kinds_menu(self) -> QMenu:
        """What can be added. Convolutions and pooling need an image before them: elsewhere they are refused."""
        menu = named(QMenu(self), "addLayerMenu")
        for text, layer in (
            (self.tr("&Dense layer, 64 units"), _FIRST_OFFER),
            (self.tr("&Convolution, 16 maps of 5×5"), Convolution(16, 5)),
            (self.tr("Max &pooling, 2×2"), MaxPool(2)),
            (self.tr("D&ropout, 25 %"), Dropout(25)),
        ):
            menu.addAction(text, partial(self._insert, layer))
        return menu

    def apply_theme(self, colours: Colours) -> None:
        for name, button in self.buttons.items():
            button.setIcon(themed_icon(name, colours.text, colours.line))

    def _row(self) -> int:
        index = self.table.selectionModel().currentIndex()
        chosen = self.table.selectionModel().hasSelection() and index.isValid()
        return index.row() if chosen else -1

    def _on_chosen(self) -> None:
        self._update_buttons()
        self._show_chosen()

    def _show_chosen(self) -> None:
        """The chosen layer, in the form below."""
        row, layers = self._row(), self.model.layers
        if not 0 <= row < len(layers):
            self.form.show_layer(None)
            return
        last = row == len(layers) - 1
        self.form.show_layer(layers[row], self._output if last else self._activation, last=last)

    def _change_chosen(self, layer: Layer) -> None:
        layers, row = list(self.model.layers), self._row()
        layers[row] = layer
        self._take(self.model.rearranged(layers))
        # A refused change is taken back.
        self._show_chosen()

    def _update_buttons(self) -> None:
        row, hidden = self._row(), len(self.model.layers) - 1
        fine = self.network is not None
        self.buttons["add"].setEnabled(fine)
        self.buttons["remove"].setEnabled(fine and 0 <= row < hidden)
        self.buttons["up"].setEnabled(fine and 0 < row < hidden)
        self.buttons["down"].setEnabled(fine and 0 <= row < hidden - 1)

    def _add(self) -> None:
        self._insert(_FIRST_OFFER)

    def _insert(self, layer: Layer) -> None:
        """Below the chosen layer; with none chosen, where a layer of this kind belongs."""
        layers = list(self.model.layers)
        row = self._row()
        at = row + 1 if 0 <= row < len(layers) - 1 else len(layers) - 1
        if row < 0 and isinstance(layer, Convolution | MaxPool):
            at = next(k for k, found in enumerate(layers) if isinstance(found, Dense))
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
        self._take(self.model.rearranged(layers))
        self.table.selectRow(row)


def heading_label(editor: NetworkEditor) -> QLabel:
    """The editor's label, whose mnemonic leads to the text."""
    label = QLabel(editor.tr("&Network"))
    label.setBuddy(editor.edit)
    return label
