"""The list of words: in the manual, and in the tooltips of the places where they stand."""

import re
from itertools import product
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QTabBar, QWidget

from gui.stage.stage import Stage
from gui.widgets.plots.series import line_styles, run_series
from gui.widgets.tables import RecordModel
from gui.words import WORDS, explain, in_plain_words, network_words
from tests.gui.person import ended, part
from tests.limits import LONG

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "manual.md"


def test_the_manual_lists_the_same_words():
    section = MANUAL.read_text("utf-8").partition("## Words")[2].partition("\n## ")[0]
    assert dict(re.findall(r"^- \*\*(.+?)\*\*: (.+)$", section, re.MULTILINE)) == WORDS


def test_words_are_found_whole_and_in_the_plural():
    assert explain("64 units, 5 epochs").split("\n")[0].startswith("unit: A neuron")
    assert explain("The Community") == ""


def test_each_word_is_explained_where_it_stands(window, qtbot):
    window.settings.more_button.setChecked(True)
    part(window, "networkEdit").setText("8C5-MP2-10")
    part(window, "epochsBox").setValue(1)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    window.tabs.setCurrentWidget(window.results)
    qtbot.waitUntil(lambda: bool(window.devices.known()), timeout=LONG)
    stage = window.findChild(Stage)
    columns, rows = range(0, stage.width(), 8), range(0, stage.height(), 8)
    points = [QPoint(x, y) for x, y in product(columns, rows)]
    window.training.conclusion.say("Overfitting; the gradient vanishes: all units are dead.")
    role = Qt.ItemDataRole.ToolTipRole
    tips = [stage.tip_at(point) for point in points]
    for widget in window.findChildren(QWidget):
        tips.append(widget.toolTip())
        if isinstance(widget, QTabBar):
            tips += [widget.tabToolTip(index) for index in range(widget.count())]
        if isinstance(widget, QHeaderView) and widget.model() is not None:
            headings = (
                widget.model().headerData(n, widget.orientation(), role)
                for n in range(widget.count())
            )
            tips += [str(tip or "") for tip in headings]
        model = widget.model() if isinstance(widget, QAbstractItemView | QComboBox) else None
        if model is not None and model.rowCount() < 50:
            cells = [(r, c) for r in range(model.rowCount()) for c in range(model.columnCount())]
            tips += [str(model.index(*cell).data(role) or "") for cell in cells]
    told = "\n".join(tips)
    assert ", ".join(word for word, text in WORDS.items() if text not in told) == ""


def test_a_network_is_named_by_its_layers():
    assert network_words("8C5-BN-MP2-16C5:leaky-relu-MP2-D20-64N-10N") == "8 + 16 filters, 64 units"
    assert network_words("784-512-100-10") == "512 + 100 units"
    assert network_words("784-1-10") == "1 unit"
    assert network_words("784-10") == "no hidden layer"


def test_runs_whose_networks_sound_the_same_keep_the_notation():
    notations = ["8C5-MP2-10N", "8C3-MP2-10N", "784-32-10"]
    assert in_plain_words(["8C5-MP2-10N", "784-32-10"], notations) == ["8 filters", "32 units"]
    assert in_plain_words(notations, notations) == ["8C5-MP2-10N", "8C3-MP2-10N", "32 units"]
    assert in_plain_words(["SGD 0.1, 784-32-10"] * 2, notations) == ["SGD 0.1, 32 units"] * 2


def test_no_two_headings_of_a_table_share_a_tooltip(window):
    for model in window.findChildren(RecordModel):
        tips = [column.tip for column in model.columns if column.tip]
        assert len(tips) == len(set(tips)), [column.heading for column in model.columns]
    name = window.compare.model.columns[0]
    assert "F2 changes it" in name.tip


def test_a_run_keeps_its_color_and_equal_colors_have_other_lines():
    series = [run_series(f"20261128-120000-4711-{number}") for number in range(6)]
    assert sorted(series) == [0, 1, 2, 3, 4, 5]
    assert run_series("elsewhere") == run_series("elsewhere")
    solid, dash, dot = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
    assert line_styles([2, 3, 2, 3, 2]) == [solid, solid, dash, dash, dot]
