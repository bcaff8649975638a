"""The tab Training: the settings line, the stage with the drawing and the network, and the band with the curve."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QScrollArea, QStackedWidget, QTabWidget, QWidget

from gui.drawing.panel import DrawingPanel
from gui.settings.panel import SettingsPanel
from gui.training.controls import RunControls
from gui.training.tab import TrainingTab
from gui.widgets.basics import SPACING, insert_in_tab_order, scroll_area, see_through
from gui.widgets.card import PADDING, Card
from gui.widgets.make import column, entry, row, tip_with_key
from gui.widgets.tab import PageChooser, Tab
from gui.widgets.theme import theme
from gui.window.room import View, share
from gui.window.welcome import Welcome

LEAST_STAGE = 260  # pixels that the settings line leaves to the stage
LEAST_LINE = 66  # pixels at a text size of 100 %: a row of settings
DRAWER_WIDTH = 348  # pixels at a text size of 100 %
VIEWS = (View.NETWORK, View.CURVE, View.BOTH)


class BandPages(QStackedWidget):
    """Has the height that `share` gives it: the texts of its pages do not ask for more."""

    def hasHeightForWidth(self) -> bool:
        return False


class SettingsLine(QWidget):
    """Holds the settings above the stage. `height_changed`: they need more or fewer rows."""

    height_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._needed = 0  # pixels

    def event(self, event: QEvent) -> bool:
        is_handled = super().event(event)
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
        """Offer the view that is folded. has_curve: not the lessons of the first start in its place."""
        self._view = view
        text = self.tr("Network and lessons do not fit together here: show the lessons")
        if view is View.NETWORK:
            text = self.tr("Network and curve do not fit together here: show the network")
        elif has_curve:
            text = self.tr("Network and curve do not fit together here: show the curve")
        self.setText(text)
        tip = self.tr("Show the part that is folded; a larger window or smaller text shows both.")
        self.setToolTip(tip_with_key(tip, f"F9, {VIEWS.index(view) + 1}"))


class TrainingPage(Tab):
    """Places the parts; each of them knows its own task.

    The settings line and the buttons of a run are above the stage; while a lab is open, they are in its column.
    `view_changed`: the stage, the band, or both are shown now.
    """

    view_changed = Signal()

    def __init__(
        self,
        settings: SettingsPanel,
        controls: RunControls,
        drawing: DrawingPanel,
        run: TrainingTab,
    ) -> None:
        super().__init__()
        self._settings = settings
        self._controls = controls
        self._run = run
        self.view = View.BOTH
        self._has_lab = False
        self._had_comparison = False
        self.welcome = Welcome()
        self._band_pages = BandPages()
        self._band_pages.addWidget(self.welcome)
        self._band_pages.addWidget(run)
        self.stage = drawing  # paints a card of its own
        self.band = Card(self._band_pages, name="band")
        self._lay_out()
        self._order_focus(drawing)
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
        obstacle = self._controls.obstacle_button
        self._rows = column(self._head, obstacle, (self._body, 1), self._folded_button, owner=self)
        self._drawer = Card(self._settings, name="drawer", floats=True)
        self._drawer.setParent(self)
        self._settings.more_button.toggled.connect(self._show_drawer)
        self._drawer.hide()
        self.place_controls()

    def _order_focus(self, drawing: DrawingPanel) -> None:
        """Tab goes through the settings line, Train, the canvas with its tools, the stage, the answer, and the band."""
        QWidget.setTabOrder(self._controls.stop_button, drawing.canvas)
        QWidget.setTabOrder(drawing.canvas, drawing.surface)
        QWidget.setTabOrder(drawing.surface, drawing.stage)
        QWidget.setTabOrder(drawing.stage, drawing.yours)
        QWidget.setTabOrder(drawing.yours, drawing.modelBox)
        insert_in_tab_order(drawing.canvas, drawing.tools)
        insert_in_tab_order(drawing.modelBox, self._run.plots)

    # -- what is shown ------------------------------------------------------------------------------------------

    def show_view(self, view: View) -> None:
        """Show the stage, the band, or both."""
        self.view = view
        self.fit()
        self.view_changed.emit()

    def set_lab(self, is_open: bool) -> None:
        """Leave settings and buttons to the column of a lab, beside a large plot, or take them back."""
        if is_open == self._has_lab:
            return
        self._has_lab = is_open
        self._head.setHidden(is_open or theme().presenting)
        if not is_open:
            self.place_controls()
            self._settings.line.show()  # `fit` asks for its height; a layout would show it later
        self.show_view(View.CURVE if is_open else View.BOTH)

    def present(self, on: bool) -> None:
        """Show the stage and the curve alone, in presenter mode."""
        self._head.setHidden(on or self._has_lab)
        self._settings.more_button.setChecked(False)

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now."""
        view = self.view
        return lambda: self.show_view(view)

    def place_controls(self) -> None:
        """Put the settings and the buttons of a run above the stage, and its progress beside the plot."""
        self._line_row.addWidget(self._settings.line)
        self._head_row.addWidget(self._controls)
        self._run.result.place_progress()

    # -- room ---------------------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Share the room among the parts. A comparison has all of it for its plot; what follows has the stage again."""
        compares = self._run.shows_comparison and not self._has_lab
        if compares != self._had_comparison:
            self._had_comparison = compares
            self.view = View.CURVE if compares else View.BOTH
            self.view_changed.emit()
        beside = self._controls.sizeHint().width() + 2 * self._rows.contentsMargins().left() + SPACING
        most = max(self.height() - LEAST_STAGE, theme().px(LEAST_LINE))
        if not self._head.isHidden():
            # Larger text and the button Step take no height from the stage: what does not fit is in the drawer.
            folds = theme().text_size > 100 or not self._controls.step_button.isHidden()
            self._settings.fold_line(self.width() - beside if folds else None)
            _fit_line(self._line_area, self._line, self.width() - beside, most)
        shows_run = self._has_lab or self._run.has_shown or self._run.is_preparing
        self._band_pages.setCurrentWidget(self._run if shows_run else self.welcome)
        above = 0 if self._head.isHidden() else self._head.sizeHint().height() + SPACING
        if not self._controls.obstacle_button.isHidden():
            above += self._controls.obstacle_button.sizeHint().height()
        margins = self._rows.contentsMargins()
        height = self.height() - above - margins.top() - margins.bottom()
        room = share(
            self.width(),
            height,
            scale=theme().scale,
            view=self.view,
            has_curve=shows_run,
            has_lab=self._has_lab,
            has_next_steps=self._run.conclusion.has_links,
            presenting=theme().presenting,
        )
        self._rows.setContentsMargins(room.margin, SPACING, room.margin, room.gap)
        self._body.setSpacing(room.gap)
        self.stage.setVisible(room.stage > 0)
        self.band.setVisible(room.band > 0)
        self._body.setStretch(0, room.stage)
        self._body.setStretch(1, room.band)
        has_result = self._run.has_result or not self._has_lab
        self._run.set_widths(room.result if has_result else 0, room.next_steps)
        self.welcome.set_width(room.result)
        # The result stands at the left edge of the canvas.
        layout = self.band.layout()
        assert layout is not None
        layout.setContentsMargins(room.margin, PADDING // 2, room.margin, PADDING // 2)
        is_folded = self.view is View.BOTH and not (room.stage and room.band)
        self._folded_button.setVisible(is_folded and not theme().presenting)
        self._folded_button.offer(View.CURVE if room.stage else View.NETWORK, has_curve=shows_run)
        self._place_drawer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    # -- the drawer ---------------------------------------------------------------------------------------------

    def _show_drawer(self, shown: bool) -> None:
        self._drawer.setVisible(shown)
        self._place_drawer()
        if shown and self._settings.more_button.hasFocus():
            self._settings.network.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_drawer(self) -> None:
        """Below the settings line, over the left part of stage and band."""
        top = SPACING if self._head.isHidden() else self._head.geometry().bottom() + SPACING
        left = self._rows.contentsMargins().left()
        self._drawer.setGeometry(left, top, theme().px(DRAWER_WIDTH), self.height() - top - SPACING)
        self._drawer.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the drawer."""
        if event.matches(QKeySequence.StandardKey.Cancel) and self._drawer.isVisible():
            self._settings.more_button.setChecked(False)
            self._settings.more_button.setFocus(Qt.FocusReason.OtherFocusReason)
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
            keys = f"F9, {index + 1}", f"Ctrl+Shift+{index + 1}"
            entry(menu, text, partial(self.show_view, view), *keys)

    def show_view(self, view: View) -> None:
        self._tabs.setCurrentWidget(self._page)
        if view is not self._page.view:
            self._page.show_view(view)

    def show_stage(self) -> None:
        """Show the drawing and its answer: beside the curve, or alone where there is no room for both."""
        self._tabs.setCurrentWidget(self._page)
        for view in (View.BOTH, View.NETWORK):
            if self._page.stage.isHidden():
                self.show_view(view)

    def _on_view(self) -> None:
        with QSignalBlocker(self):  # it would show the tab
            self.setCurrentIndex(VIEWS.index(self._page.view))


def _fit_line(area: QScrollArea, line: QWidget, width: int, most: int) -> None:
    """Let the settings line have the rows that it needs in this width; from the height `most` on it scrolls."""
    needed = line.heightForWidth(max(width, 1))  # -1 where a lab has taken the settings
    area.setFixedHeight(max(min(needed, most), 0))
