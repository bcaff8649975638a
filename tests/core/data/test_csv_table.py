"""A user's CSV of numbers as a data set."""

import os
import tracemalloc

import numpy as np
import pytest

from core.data.formats.csv_table import CsvTable
from core.data.sources import load_dataset
from core.errors import InputError
from core.files.csv_text import csv_text
from core.progress import Cancelled
from core.runs.comparison import results_csv
from core.training.records import EPOCH_COLUMNS


@pytest.fixture
def write(tmp_path):
    def written(text, encoding="utf-8"):
        path = tmp_path / "table.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return written


def rows_of(separator, count=20, decimal="."):
    return "".join(
        f"{k}{decimal}5{separator}{k * k}{separator}{10 * k}{decimal}25\n" for k in range(count)
    )


@pytest.mark.parametrize("text", [
    rows_of(","), rows_of(";"), rows_of("\t"), rows_of(";", decimal=","), rows_of("\t", decimal=","),
    "a,b,c\n" + rows_of(","), "\ufeffheight;weight;price\r\n" + rows_of(";").replace("\n", "\r\n"),
    rows_of(", ") + "\n\n",
])  # fmt: skip
def test_usual_formats_of_tables(write, text):
    data = CsvTable().load(write(text))
    assert (data.kind, data.input_shape, data.outputs) == ("regression", (2,), 1)
    assert (len(data.train), len(data.test)) == (16, 4)
    targets = np.concatenate([data.train.targets, data.test.targets])
    assert sorted(targets[:, 0]) == [10 * k + 0.25 for k in range(20)]


def test_a_table_of_runs_is_told_from_data(write):
    for text in (
        csv_text([EPOCH_COLUMNS]),
        csv_text([EPOCH_COLUMNS]).replace(",", ";"),
        results_csv([]),
    ):
        for lines in (text, text + "1,2\n"):
            with pytest.raises(
                InputError, match="a table of runs that DigitLab wrote, not data to learn from"
            ):
                CsvTable().load(write(lines))


def test_inputs_are_standardized_by_the_training_split(write):
    inputs = CsvTable().load(write(rows_of(","))).train.inputs
    np.testing.assert_allclose(inputs.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(inputs.std(axis=0), 1, atol=1e-6)


@pytest.mark.parametrize("value", ["7", "0.1"])
def test_a_constant_column_becomes_zero(write, value):
    data = CsvTable().load(write("".join(f"{value},{k},{k}\n" for k in range(11))))
    assert not data.train.inputs[:, 0].any()
    assert not data.test.inputs[:, 0].any()


def test_the_split_is_the_same_every_time(write):
    path = write(rows_of(","))
    np.testing.assert_array_equal(
        CsvTable().load(path).test.targets, CsvTable().load(path).test.targets
    )


@pytest.mark.parametrize(("text", "sentence"), [
    ("", "is empty"),
    ("1\n2\n3\n", "line 2: there is only one column"),
    ("1,2\n3,4\n", "2 lines of numbers: at least 5"),
    ("1,2\n3,4\n5,6\n7\n9,1\n2,3\n", "line 4: 1 columns where the lines before have 2"),
    ("a,b\n1,2\n3,4\n\n5,six\n7,8\n9,9\n", "line 5, column 2: “six” is not a number"),
    ("1,2\n3,4\n5,nan\n7,8\n9,9\n", "line 3, column 2: “nan” is not a number"),
    ("1,2\n3,4\n5,\n7,8\n9,9\n", "line 3, column 2: “” is not a number"),
    ("1,2\n3,4\n5,1e300\n7,8\n9,9\n", "line 3, column 2: “1e300” is not a number"),
    ("1,2\n3,4\n5,1_0\n7,8\n9,9\n", "line 3, column 2"),
])  # fmt: skip
def test_an_error_names_its_line(write, text, sentence):
    with pytest.raises(InputError, match=sentence):
        CsvTable().load(write(text))


def test_another_encoding_is_refused(write):
    with pytest.raises(InputError, match="UTF-8"):
        CsvTable().load(write("größe;1\n" * 9, "utf-16"))


def test_a_column_that_cannot_be_standardized_is_refused(write):
    with pytest.raises(InputError, match=r"column 2: most values differ too little"):
        CsvTable().load(write("".join(f"{k};{k}e-200;{k}\n" for k in range(1, 8))))


def test_a_value_far_from_all_others_is_refused(write):
    """In the test split it would make the loss infinite, as if the learning rate were too high."""
    with pytest.raises(InputError, match=r"column 1: .* one too much from the others"):
        CsvTable().load(write("".join(f"{1e30 if k == 7 else k};{k}\n" for k in range(50))))


def test_targets_whose_squares_no_float32_can_hold_are_refused(write):
    with pytest.raises(InputError, match=r"column 2: what is to be learned must be below 1e\+15"):
        CsvTable().load(write("".join(f"{k};{k}e30\n" for k in range(9))))


def test_a_table_takes_memory_in_proportion_to_its_size(write):
    path = write("1;1.5\n2;2.5\n" * 50_000)
    tracemalloc.start()
    try:
        CsvTable().load(path)
        assert tracemalloc.get_traced_memory()[1] < 12 * path.stat().st_size
    finally:
        tracemalloc.stop()


def test_reading_a_long_table_reports_progress_and_can_be_cancelled(write):
    def cancel(done, total):
        assert 0 < done <= total
        raise Cancelled

    with pytest.raises(Cancelled):
        CsvTable().load(write("1;2\n" * 20_000), cancel)


def test_a_title_above_the_table_is_a_header(write):
    assert len(CsvTable().load(write("Heights and weights\n" + rows_of(";"))).train) == 16


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "table.csv")
    with pytest.raises(InputError, match="pipe, socket or device"):
        load_dataset(tmp_path / "table.csv")
