"""Tables of records: cells, sorting, selection, widths, export, bars."""

from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QColor

from gui.widgets.tables import (
    RECORD_ROLE,
    BarRow,
    BarTable,
    Column,
    RecordModel,
    RecordTable,
    Role,
    SortedRecords,
)


@dataclass(frozen=True)
class Dog:
    name: str
    weight: float | None
    note: str = ""


COLUMNS = (
    Column("Name", "What it is called.", lambda d: d.name, editable=True,
                roles={Role.ForegroundRole: lambda d: QColor("red") if d.weight is None else None}),
    Column("Weight", "In kg.", lambda d: "–" if d.weight is None else f"{d.weight:g} kg",
                lambda d: -1 if d.weight is None else d.weight, is_number=True,
           cell_tip=lambda d: f"{d.name}: {d.weight} kg"),
    Column("Note", "Remarks.", lambda d: d.note),
)  # fmt: skip
DOGS = [Dog("Rex", 30), Dog("ada", 7.5, "shy"), Dog("Bo", None)]


@pytest.fixture
def model(qapp):
    model = RecordModel(COLUMNS)
    model.show_records(DOGS)
    return model


@pytest.fixture
def table(qtbot, model):
    table = RecordTable(model, "dogs", "Dogs", sorted_by=0, several=True)
    qtbot.addWidget(table)
    model.setParent(table)
    table.resize(400, 200)
    table.show()
    return table


def names(table):
    model = table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_cells_show_text_tooltip_alignment_record_and_own_roles(model):
    cell = model.index(1, 1)
    assert cell.data() == "7.5 kg"
    assert cell.data(Role.ToolTipRole) == "ada: 7.5 kg"
    assert cell.data(Role.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert cell.data(RECORD_ROLE) == DOGS[1]
    assert model.index(2, 0).data(Role.ForegroundRole) == QColor("red")
    assert model.index(1, 2).data(Role.ToolTipRole) == "shy"


def test_headings_have_their_text_tooltip_and_side(model):
    horizontal = Qt.Orientation.Horizontal
    assert [model.headerData(k, horizontal) for k in range(3)] == ["Name", "Weight", "Note"]
    assert model.headerData(1, horizontal, Role.ToolTipRole) == "In kg."
    assert model.headerData(1, horizontal, Role.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    rows = RecordModel(COLUMNS, row_heading=lambda dog: dog.name.upper())
    rows.show_records(DOGS)
    assert rows.headerData(1, Qt.Orientation.Vertical) == "ADA"


def test_only_editable_columns_can_be_edited(model):
    assert model.index(0, 0).flags() & Qt.ItemFlag.ItemIsEditable
    assert not model.index(0, 1).flags() & Qt.ItemFlag.ItemIsEditable


def test_a_click_on_a_heading_sorts_by_what_the_column_means(table):
    assert names(table) == ["ada", "Bo", "Rex"]  # not by letter case
    table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert names(table) == ["Rex", "ada", "Bo"]


def test_new_records_are_sorted_in(table, model):
    model.set_record(len(DOGS), Dog("Cleo", 3))
    assert names(table) == ["ada", "Bo", "Cleo", "Rex"]
    model.set_record(0, Dog("Ace", 30))
    assert names(table) == ["Ace", "ada", "Bo", "Cleo"]


def test_values_of_different_kinds_can_be_sorted(qtbot):
    model = RecordModel((Column("Rate", "", str, lambda value: value),))
    table = RecordTable(model, "rates", "Rates", sorted_by=~0)
    qtbot.addWidget(table)
    model.show_records([0.1, "off", 0.5])
    assert names(table) == ["off", "0.5", "0.1"]


def test_the_selection_gives_records_from_top_to_bottom_and_survives_an_update(table, model):
    flags = QItemSelectionModel.SelectionFlag
    for row in (2, 0):
        table.selectionModel().select(table.model().index(row, 0), flags.Select | flags.Rows)
    assert [dog.name for dog in table.selected()] == ["ada", "Rex"]
    model.update_records([replace(dog, note="seen") for dog in DOGS])
    assert [dog.note for dog in table.selected()] == ["seen", "seen"]


def test_a_filter_hides_rows(qtbot, model):
    class Heavy(SortedRecords):
        def filterAcceptsRow(self, row, parent):  # noqa: N802
            return (self._model.records[row].weight or 0) > 10

    table = RecordTable(model, "dogs", "Dogs", sorted_by=0, filter=Heavy(model))
    qtbot.addWidget(table)
    table.model().setParent(table)
    assert names(table) == ["Rex"]


def test_columns_are_as_wide_as_their_texts_within_a_limit(table, model):
    before = table.columnWidth(2)
    model.show_records([Dog("Rex", 30, "a note of some words")])
    assert table.columnWidth(2) > before
    model.show_records([Dog("Rex", 30, "word " * 100)])
    assert table.columnWidth(2) < 200


def test_a_table_that_shows_all_is_as_high_as_its_rows(qtbot, model):
    table = RecordTable(model, "dogs", "Dogs", shows_all=True, fills=True)
    qtbot.addWidget(table)
    three = table.height()
    model.set_record(len(DOGS), Dog("Cleo", 3))
    assert table.height() == three + table.verticalHeader().defaultSectionSize()


@pytest.fixture
def bars(qtbot):
    table = BarTable(
        "race",
        "Race",
        (("Who", ""), ("Done", ""), ("Speed", "Per second."), ("Time", "")),
        hide_first=(3,),
    )
    qtbot.addWidget(table)
    table.resize(500, 100)
    table.show()
    table.show_rows(
        [BarRow(("a", "10 %", "5", "1"), 0.1), BarRow(("b", "20 %", "5", "1"), 0.2, tip="slow")]
    )
    return table


def test_bars_show_all_rows_and_hide_the_spare_column_where_it_is_narrow(bars):
    assert bars.record_model.records[1].texts[1] == "20 %"
    assert not bars.isColumnHidden(3)
    assert bars.height() > 2 * bars.verticalHeader().defaultSectionSize()
    bars.resize(160, 100)
    assert bars.isColumnHidden(3)


def test_a_row_names_itself_in_its_tooltip(bars):
    tips = [bars.model().index(row, 2).data(Role.ToolTipRole) for row in (0, 1)]
    assert tips == ["a", "b: slow"]


def test_the_bar_grows_with_its_fraction(bars):
    def colored():
        accent = bars.palette().accent().color()
        image, place = bars.grab().toImage(), bars.visualRect(bars.model().index(0, 1))
        y = bars.viewport().y() + place.center().y()
        xs = range(bars.viewport().x() + place.left(), bars.viewport().x() + place.right())
        return sum(image.pixelColor(x, y) == accent for x in xs)

    short = colored()
    bars.show_row(0, BarRow(("a", "90 %", "5", "1"), 0.9))
    assert colored() > 5 * short > 0


def test_a_column_does_not_become_narrower_while_numbers_change(bars):
    bars.show_row(0, BarRow(("a", "10 %", "123,456,789", "1"), 0.1))
    wide = bars.columnWidth(2)
    bars.show_row(0, BarRow(("a", "10 %", "5", "1"), 0.1))
    assert bars.columnWidth(2) == wide
