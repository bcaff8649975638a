import csv
import gc
import io
import weakref

import numpy as np
import pytest

from core.training.records import Checkpoint, EpochDone
from gui.training.epoch_table import COLUMNS, EpochModel, EpochTable


def checkpoint():
    return Checkpoint(
        parameters=np.zeros(10, np.float32),
        optimizer_state=np.zeros((2, 10), np.float32),
        step=1,
        epoch=1,
        position=0,
        seconds=1.0,
        best_loss=1.0,
        best_epoch=1,
        best_parameters=None,
    )


def done(epoch, **values):
    defaults = {
        "epoch": epoch,
        "step": epoch,
        "seconds": 2.5 * epoch,
        "epoch_seconds": 2.5,
        "train_loss": 0.016,
        "train_score": 0.95,
        "test_loss": 0.01526,
        "test_score": 0.9421,
        "validation_loss": None,
        "images_per_second": 123_456.0,
        "learning_rate": 0.00625,
        "checkpoint": checkpoint(),
    }
    return EpochDone(**defaults | values)


def row(epoch, **values):
    return done(epoch, **values).numbers


@pytest.fixture
def table(qtbot):
    model = EpochModel()
    table = EpochTable(model)
    table.epoch_model = model
    qtbot.addWidget(table)
    table.resize(900, 200)
    table.show()
    return table


def shown(table):
    """The names of the visible columns. None of the headings and values is cut."""
    header, model, names = table.horizontalHeader(), table.model(), []
    for column, name in enumerate(COLUMNS):
        if not table.isColumnHidden(column):
            assert header.sectionSize(column) >= header.sectionSizeHint(column)
            for row in range(model.rowCount()):
                text = model.data(model.index(row, column))
                assert table.fontMetrics().horizontalAdvance(text) < header.sectionSize(column)
            names.append(name)
    return names


ALL = [name for name in COLUMNS if name != "validation_loss"]


def test_wide_enough_it_has_all_columns(table):
    assert shown(table) == ALL
    assert sum(map(table.columnWidth, range(len(COLUMNS)))) == table.viewport().width()


def test_the_validation_loss_is_shown_where_there_is_one(table):
    table.epoch_model.add([row(1, validation_loss=0.25)])
    assert shown(table) == list(COLUMNS)
    assert (
        table.epoch_model.data(table.epoch_model.index(0, COLUMNS.index("validation_loss")))
        == "0.2500"
    )


def test_in_a_narrow_table_the_learning_rate_is_hidden_first_then_the_seconds(table):
    seen = []
    for width in range(900, 100, -10):
        table.resize(width, 200)
        seen.append(shown(table))
    lengths = [len(names) for names in seen]
    assert lengths == sorted(lengths, reverse=True)
    assert ALL[:-1] in seen
    assert [name for name in ALL if name not in ("learning_rate", "seconds")] in seen
    assert "test_score" in seen[-1]
    table.resize(900, 200)
    assert shown(table) == ALL


def test_a_regression_has_no_training_accuracy(table):
    table.epoch_model.begin("regression")
    assert "train_score" not in shown(table)
    table.resize(300, 200)
    table.epoch_model.begin("classes")
    table.resize(900, 200)
    assert shown(table) == ALL


def test_numbers_of_any_size_are_shown_completely(table):
    column = COLUMNS.index("train_loss")

    def texts():
        assert "train_loss" in shown(table)
        model = table.epoch_model
        return [model.data(model.index(row, column)) for row in range(model.rowCount())]

    table.epoch_model.add(
        [row(n, train_loss=loss) for n, loss in enumerate((2.3, 0.016, 0.01526), 1)]
    )
    assert texts() == ["2.3000", "0.0160", "0.0153"]
    table.epoch_model.add([row(4, train_loss=0.00226), row(5, train_loss=7.7e-4)])
    assert texts()[3:] == ["0.0023", "0.00077"]
    table.epoch_model.add([row(6, train_loss=2.43e20)])
    assert texts()[5:] == ["2.43·10²⁰"]
    table.epoch_model.begin("classes")
    table.epoch_model.add([row(1, train_loss=0.5)])
    assert texts() == ["0.5000"]


def is_last_row_visible(table):
    index = table.model().index(table.model().rowCount() - 1, 0)
    return table.viewport().rect().contains(table.visualRect(index))


def test_the_last_row_stays_visible_whatever_the_height(table):
    for epoch in range(1, 30):
        table.epoch_model.add([row(epoch)])
        assert is_last_row_visible(table)
    for height in (150, 90, 200, 113):
        table.resize(900, height)
        assert is_last_row_visible(table)


def test_it_does_not_scroll_away_from_a_row_that_the_user_looks_at(table):
    table.epoch_model.add([row(epoch) for epoch in range(1, 30)])
    table.verticalScrollBar().setValue(0)
    table.epoch_model.add([row(30)])
    assert table.verticalScrollBar().value() == 0


def test_the_exported_table_names_its_columns_as_the_history_of_a_run_does():
    model = EpochModel()
    model.add([row(1, validation_loss=0.5), row(2)])
    rows = list(csv.DictReader(io.StringIO(model.csv())))
    assert [row["epoch_seconds"] for row in rows] == ["2.5", "2.5"]
    assert [row["seconds"] for row in rows] == ["2.5", "5.0"]
    assert rows[0]["validation_loss"] == "0.5"
    assert model.data(model.index(1, COLUMNS.index("epoch_seconds"))) == "2.50"


def test_rows_keep_no_arrays():
    model, arrays = EpochModel(), []
    for epoch in range(1, 20):
        record = done(epoch)
        arrays.append(weakref.ref(record.checkpoint.parameters))
        model.add([record.numbers])
    del record
    gc.collect()
    assert not [array for array in arrays if array() is not None]
