"""The table of epochs, as wide as a person has room for."""

import pytest

from gui.training.epoch_table import EpochModel, EpochTable


@pytest.fixture
def table(qtbot):
    model = EpochModel()
    table = EpochTable(model)
    table.model_of_test = model
    qtbot.addWidget(table)
    table.resize(800, 200)
    table.show()
    return table


def shown(table):
    """The headings in sight, none of them cut."""
    header, found = table.horizontalHeader(), []
    for column in range(table.model().columnCount()):
        if not table.isColumnHidden(column):
            assert header.sectionSize(column) >= header.sectionSizeHint(column)
            found.append(table.model().headerData(column, header.orientation()))
    return found


ALL = ["Epoch", "Loss", "Training", "Test", "Seconds", "Images/s", "Rate"]


def test_wide_enough_it_has_all_columns(table):
    assert shown(table) == ALL
    assert sum(table.columnWidth(column) for column in range(7)) == table.viewport().width()


def test_where_room_is_short_the_rate_goes_first_then_the_seconds_and_no_heading_is_cut(table):
    seen = []
    for width in range(800, 100, -10):
        table.resize(width, 200)
        seen.append(shown(table))
    lengths = [len(found) for found in seen]
    assert lengths == sorted(lengths, reverse=True)
    assert ALL[:6] in seen
    assert [heading for heading in ALL if heading not in ("Rate", "Seconds")] in seen
    assert table.horizontalScrollBar().maximum() > 0  # nothing of what is left can be spared
    table.resize(800, 200)
    assert shown(table) == ALL


def test_a_regression_has_no_share_read_right(table):
    table.model_of_test.begin("regression")
    assert "Training" not in shown(table)
    table.resize(300, 200)
    table.model_of_test.begin("classes")
    table.resize(800, 200)
    assert shown(table) == ALL
