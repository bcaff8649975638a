"""The tab Training: the settings line, the stage with the drawing and the network, and the band
with the curve.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QKeyEvent,
)
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QScrollArea,
    QTabWidget,
    QWidget,
)

from gui.drawing.panel import DrawingPanel
from gui.settings.panel import SettingsPanel
from gui.stage.ask import AskPage
from gui.stage.layer_page import LayerPage
from gui.stage.reading_page import ReadingPage
from gui.steps.page import StepPage
from gui.training.controls import RunControls
from gui.training.tab import TrainingTab
from gui.widgets.band import Band
from gui.widgets.basics import SPACING, FitsOnResize, insert_in_tab_order, scroll_area, see_through
from gui.widgets.card import PADDING
from gui.widgets.make import column, entry, row, tip_with_key
from gui.widgets.tab import PageChooser, Tab
from gui.widgets.theme import LARGE_WIDTH, theme
from gui.window.welcome import Welcome


class View(Enum):
    """What the middle of the tab shows."""

    NETWORK = auto()
    CURVE = auto()
    BOTH = auto()


@dataclass(frozen=True, slots=True)
class Room:
    """Pixels. 0 for the height of the stage or the band, or for the width of a column, hides it."""

    margin: int  # at the sides of the page
    gap: int  # between two cards
    stage: int
    band: int
    result: int
    next_steps: int


LEAST_FOR_BOTH = 520  # the height of stage and band together, at a text size of 100 %
MOST_FOR_BOTH = 1.2  # the size of text up to which both are shown, as a multiple of the usual one
STAGE_SHARE = 0.64  # of the height of stage and band, whatever the band shows
PRESENTED_SHARE = 0.45  # the same beside a page in presenter mode, whose text is large
LEAST_PLOT = 300  # the width of the plot below which the result beside it is folded
LEAST_BESIDE_NEXT = 380  # the same for What next?
RESULT, NEXT_STEPS = 264, 312
# Of a large page: so that the plot is where the drawings have it.
LARGE_RESULT, LARGE_NEXT_STEPS = 472, 392
LARGE_BODY_SHARE = 13 / 15  # of the text of a small page to that of a large one
# The column of a lab: its share of the window at a desk and in presenter mode, and its least and
# its most pixels.
LAB_SHARE = 1 / 3
PRESENTED_LAB_SHARE = 0.4
LEAST_LAB = 260
MOST_LAB = 540


def lab_width(width: int, *, presenting: bool) -> int:
    """The width of the column of a lab in a window of this width: larger text takes nothing from
    the plot.
    """
    if presenting:
        return max(round(width * PRESENTED_LAB_SHARE), LEAST_LAB)
    return min(max(round(width * LAB_SHARE), LEAST_LAB), MOST_LAB)


def share(
    width: int,
    height: int,
    *,
    scale: float,
    view: View,
    has_lab: bool,
    has_page: bool,
    has_next_steps: bool,
    presenting: bool,
) -> Room:
    """Share a page of this width, whose stage and band have this height together.

    scale: the size of the text as a multiple of the usual one. has_lab: a lab is open, whose curve
    stays; has_page: the band has a page that was asked for, which is shown in any case. What folds
    first where there is little room: the columns beside the plot, then the band, or with a lab or a
    page the stage.

    Folded elsewhere: percentages of the answers (gui/stage/layout.py), captions of layers
    (gui/stage/picture.py), rows of the settings line (`_fit_line` in gui/window/training_page.py).
    """
    is_large = width >= LARGE_WIDTH
    margin, gap = (24, 16) if is_large else (16, 12)
    inner = width - 2 * margin
    shown = view
    # Beside larger text there is room for one of both: neither the canvas nor the plot is made
    # smaller by it.
    is_low = height < LEAST_FOR_BOTH * (1.0 if presenting else scale)
    if has_page and view is View.NETWORK:
        shown = View.BOTH
    if shown is View.BOTH and (is_low or (scale > MOST_FOR_BOTH and not presenting)):
        shown = View.CURVE if has_lab or has_page else View.NETWORK
    stage, band = height, 0
    if shown is View.CURVE:
        stage, band = 0, height
    elif shown is View.BOTH:
        of_both = PRESENTED_SHARE if presenting and has_page else STAGE_SHARE
        stage = round((height - gap) * of_both)
        band = height - gap - stage
    first_result, first_next = (
        (LARGE_RESULT, LARGE_NEXT_STEPS) if is_large else (RESULT, NEXT_STEPS)
    )
    if not has_next_steps or inner - first_result - first_next < LEAST_BESIDE_NEXT:
        first_next = 0
    larger = scale * LARGE_BODY_SHARE if is_large else scale  # than the usual text of this width
    result, next_steps = _columns(inner, first_result, first_next, LEAST_PLOT)
    if presenting:
        result = 0
        next_steps = 0
    elif larger > 1.001:
        plot = inner - result - next_steps  # which larger text does not make narrower
        result, next_steps = _columns(
            inner, round(first_result * larger), round(first_next * larger), plot
        )
    return Room(margin, gap, stage, band, result, next_steps)


def _columns(inner: int, result: int, next_steps: int, least: int) -> tuple[int, int]:
    """The widths of the columns beside the plot, 0 for one that is folded, so that it is `least`
    pixels wide.
    """
    if inner - result - next_steps < least:
        next_steps = 0
    if inner - result < least:
        return 0, 0
    return result, next_steps


LEAST_STAGE = 260  # pixels that the settings line leaves to the stage
LEAST_LINE = 66  # pixels at a text size of 100 %: a row of settings
VIEWS = (View.NETWORK, View.CURVE, View.BOTH)


class SettingsLine(QWidget):
    """Holds the settings above the stage. `height_changed`: they need more or fewer rows."""

    height_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._needed = 0  # pixels

    def event(self, event: QEvent) -> bool:
        is_handled = super().event(event)
        # A row more is needed where texts or the width change; neither changes the height by
        # itself.
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            needed = self.heightForWidth(max(self.width(), 1))
            if needed != self._needed:
                self._needed = needed
                self.height_changed.emit()
        return is_handled


class FoldedButton(QPushButton):
    """Says that network and curve do not fit together. asked: show this View, which is folded."""

    asked = Signal(View)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foldedButton")
        self._view = View.CURVE
        self.clicked.connect(self._ask)

    def _ask(self) -> None:
        self.asked.emit(self._view)

    def offer(self, view: View, *, has_curve: bool) -> None:
        """Offer the view that is folded. has_curve: not the lessons of the first start in its
        place.
        """
        self._view = view
        text = self.tr("Network and lessons do not fit together here: show the lessons")
        if view is View.NETWORK:
            text = self.tr("Network and curve do not fit together here: show the network")
        elif has_curve:
            text = self.tr("Network and curve do not fit together here: show the curve")
        self.setText(text)
        tip = self.tr("Show the part that is folded; a larger window or smaller text shows both.")
        self.setToolTip(tip_with_key(tip, f"F9, {VIEWS.index(view) + 1}"))


class TrainingPage(FitsOnResize, Tab):
    """Places the parts; each of them knows its own task.

    The settings line and the buttons of a run are above the stage; while a lab is open, they are in
    its column. `view_changed`: the stage, the band, or both are shown now.
    """

    view_changed = Signal()

    def __init__(
        self,
        settings: SettingsPanel,
        controls: RunControls,
        drawing: DrawingPanel,
        run: TrainingTab,
        ask: AskPage,
    ) -> None:
        super().__init__()
        self._settings = settings
        self.controls = controls
        self.run = run
        self.view = View.BOTH
        self._has_lab = False
        self._had_comparison = False
        self.welcome = Welcome()
        self.stage = drawing  # paints a card of its own
        self.band = Band(self.welcome, run)
        self.band.previous_in_tab_order = drawing.read_by.more
        self.band.changed.connect(self.fit)
        self.ask = ask
        self.step = StepPage(drawing)
        self.reading = ReadingPage()
        self._lay_out()
        self._order_focus(drawing)
        self._connect_pages(drawing)
        run.result.progress.addWidget(controls.speed_row)
        run.shown_changed.connect(self.fit)
        theme().changed.connect(self.fit)

    def title(self) -> str:
        return self.tr("Training")

    def _lay_out(self) -> None:
        self._head = QWidget()
        self._line = SettingsLine()
        self._line.height_changed.connect(self.fit)
        self._line_row = row(owner=self._line)
        self._line_area = scroll_area(self._line)
        self._line_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        see_through(self._line_area)
        self._head_row = row((self._line_area, 1), owner=self._head, spacing=SPACING)
        self._body = column(self.stage, self.band)
        self._folded_button = FoldedButton()
        self._folded_button.asked.connect(self.show_view)
        obstacle = self.controls.obstacle_button
        self._rows = column(self._head, obstacle, (self._body, 1), self._folded_button, owner=self)
        self.place_controls()

    def _connect_pages(self, drawing: DrawingPanel) -> None:
        """Let settings, layers of the network to train, units of that which reads, and steps open
        their pages of the band.
        """
        self._layer_page = LayerPage(drawing.yours, self._settings.network_place)
        for page in (self._settings, self._layer_page, self.ask, self.step, self.reading):
            self.band.add_page(page)
        drawing.reading_changed.connect(self.reading.show_reading)
        drawing.how_asked.connect(partial(self.band.show_page, self.reading))
        self.step.opened.connect(partial(self.band.show_page, self.step))
        drawing.stage.asked.connect(partial(self.band.show_page, self.ask))
        self.ask.build_asked.connect(drawing.build_like)
        self._settings.more_button.toggled.connect(self._show_settings)
        self._settings.network_asked.connect(self._show_text)
        drawing.yours.layer_asked.connect(self._show_layer)
        drawing.yours.text_asked.connect(self._show_text)

    def _order_focus(self, drawing: DrawingPanel) -> None:
        """Tab goes through the settings line, Train, the canvas with its tools, the stage, the
        readers, Yours, and the band.
        """
        QWidget.setTabOrder(self.controls.stop_button, drawing.canvas)
        QWidget.setTabOrder(drawing.canvas, drawing.surface)
        QWidget.setTabOrder(drawing.surface, drawing.stage)
        insert_in_tab_order(drawing.canvas, drawing.tools)
        for part in (self.run.plots, drawing.yours, drawing.read_by):  # the last comes first
            insert_in_tab_order(drawing.stage, part)

    # -- what is shown -----------------------------------------------------------------------------

    def show_view(self, view: View) -> None:
        """Show the stage, the band, or both."""
        self.view = view
        self.fit()
        self.view_changed.emit()

    def set_lab(self, is_open: bool) -> None:
        """Leave settings and buttons to the column of a lab, beside a large plot, or take them
        back.
        """
        if is_open == self._has_lab:
            return
        self._has_lab = is_open
        if not is_open:
            self.place_controls()
            self._settings.line.show()  # `fit` asks for its height; a layout would show it later
        self.band.close_page()
        self.show_view(View.CURVE if is_open else View.BOTH)

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now."""
        view = self.view
        return lambda: self.show_view(view)

    def place_controls(self) -> None:
        """Put the settings and the buttons of a run above the stage, and its progress beside the
        plot.
        """
        self._line_row.addWidget(self._settings.line)
        self._head_row.addWidget(self.controls)
        self.run.result.place_progress()

    # -- room --------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Share the room among the parts. A comparison has all of it for its plot; what follows has
        the stage again.
        """
        self._head.setHidden(self._has_lab or theme().presenting)
        compares = self.run.shows_comparison and not self._has_lab
        if compares != self._had_comparison:
            self._had_comparison = compares
            self.view = View.CURVE if compares else View.BOTH
            self.view_changed.emit()
        beside = (
            self.controls.sizeHint().width() + 2 * self._rows.contentsMargins().left() + SPACING
        )
        most = max(self.height() - LEAST_STAGE, theme().px(LEAST_LINE))
        if not self._head.isHidden():
            # Larger text and the button Step take no height from the stage: what does not fit is on
            # the page of all settings.
            folds = theme().text_size > 100 or not self.controls.step_button.isHidden()
            self._settings.fold_line(self.width() - beside if folds else None)
            _fit_line(self._line_area, self._line, self.width() - beside, most)
        shows_run = self._has_lab or self.run.has_shown or self.run.is_preparing
        self.band.show_usual(self.run if shows_run else self.welcome)
        above = 0 if self._head.isHidden() else self._head.sizeHint().height() + SPACING
        if not self.controls.obstacle_button.isHidden():
            above += self.controls.obstacle_button.sizeHint().height()
        margins = self._rows.contentsMargins()
        height = self.height() - above - margins.top() - margins.bottom()
        room = share(
            self.width(),
            height,
            scale=theme().scale,
            view=self.view,
            has_lab=self._has_lab,
            has_page=self.band.page is not None,
            has_next_steps=self.run.conclusion.has_links,
            presenting=theme().presenting,
        )
        self._rows.setContentsMargins(room.margin, SPACING, room.margin, room.gap)
        self._body.setSpacing(room.gap)
        self.stage.setVisible(room.stage > 0)
        self.band.setVisible(room.band > 0)
        self._body.setStretch(0, room.stage)
        self._body.setStretch(1, room.band)
        has_result = self.run.has_result or not self._has_lab
        self.run.set_widths(room.result if has_result else 0, room.next_steps)
        self.welcome.set_width(room.result, self.width() - 2 * (room.margin + PADDING))
        # The result stands at the left edge of the canvas.
        layout = self.band.layout()
        assert layout is not None
        layout.setContentsMargins(room.margin, PADDING // 2, room.margin, PADDING // 2)
        is_both = room.stage > 0 and room.band > 0
        is_folded = self.view is View.BOTH and not is_both and self.band.page is None
        self._folded_button.setVisible(is_folded and not theme().presenting)
        self._folded_button.offer(View.CURVE if room.stage else View.NETWORK, has_curve=shows_run)

    # -- pages of the band -------------------------------------------------------------------------

    def _show_settings(self, shown: bool) -> None:
        """Show the page of all settings, with the keyboard in it where that has opened it."""
        if shown:
            by_keys = self._settings.more_button.hasFocus()
            self.band.show_page(self._settings)
            if by_keys:
                self._settings.take_focus()
        elif self.band.page is self._settings:
            self.band.close_page()

    def _show_layer(self) -> None:
        """Show the page of the layer that was asked for."""
        self.band.show_page(self._layer_page)
        self._layer_page.form.take_focus()

    def _show_text(self) -> None:
        """Show the network as text, to be changed."""
        self.band.show_page(self._layer_page)
        self._settings.network.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self._layer_page.show_widget(self._settings.network.edit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the page of the band; a step that is seen has keys of its own."""
        if self.band.page is self.step and self.step.press(event):
            return
        if event.key() == Qt.Key.Key_Escape and self.band.page is not None:
            self.band.close_page()
        else:
            super().keyPressEvent(event)


class ViewChooser(PageChooser):
    """Chooses what the tab Training shows, and brings this tab to the front."""

    def __init__(self, page: TrainingPage, tabs: QTabWidget) -> None:
        super().__init__(
            "viewChooser", QCoreApplication.translate("ViewChooser", "What the tab Training shows")
        )
        self._page = page
        self._tabs = tabs
        self.add_page(self.tr("Network"), self.tr("Show the drawing and the network alone."))
        self.add_page(self.tr("Curve"), self.tr("Show the curve alone, large."))
        self.add_page(self.tr("Both"), self.tr("Show the network, and the curve below it."))
        self.currentChanged.connect(lambda index: self.show_view(VIEWS[index]))
        page.view_changed.connect(self._on_view)
        self._on_view()

    def fill_menu(self, menu: QMenu) -> None:
        """Add an entry for each view."""
        for index, view in enumerate(VIEWS):
            text = self.tr("{view} alone").format(view=self.tabText(index))
            if view is View.BOTH:
                text = self.tr("Network and curve")
            entry(
                menu,
                text,
                partial(self.show_view, view),
                f"F9, {index + 1}",
                f"Ctrl+Shift+{index + 1}",
            )

    def show_view(self, view: View) -> None:
        self._tabs.setCurrentWidget(self._page)
        if view is not self._page.view:
            self._page.show_view(view)

    def show_stage(self) -> None:
        """Show the drawing and its answer: beside the curve, or alone where there is no room for
        both.
        """
        self._tabs.setCurrentWidget(self._page)
        # Whether there is room for both shows only when they are laid out.
        for view in (View.BOTH, View.NETWORK):
            if self._page.stage.isHidden():
                self.show_view(view)

    def _on_view(self) -> None:
        with QSignalBlocker(self):  # it would show the tab
            self.setCurrentIndex(VIEWS.index(self._page.view))


def _fit_line(area: QScrollArea, line: QWidget, width: int, most: int) -> None:
    """Let the settings line have the rows that it needs in this width; from the height `most` on it
    scrolls.
    """
    needed = line.heightForWidth(max(width, 1))  # -1 where a lab has taken the settings
    area.setFixedHeight(max(min(needed, most), 0))
