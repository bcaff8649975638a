"""Runs beside each other: what differs, curves, tables and the report."""

import csv
import io
import re
import xml.etree.ElementTree as ElementTree

import pytest

from core.html.chart import Axis, Figure, Line, figure_html
from core.html.page import page, table
from core.runs.comparison import (
    comparison_report,
    curves_csv,
    differing,
    legends,
    results_csv,
    settings_table,
)
from core.runs.folder import Label, write_label
from core.runs.library import RunLibrary
from core.runs.names import short_value
from tests.core.runs.conftest import RUN


@pytest.fixture
def three(train):
    """Three runs, of which the last has a name; in the order of their training."""
    for changes in (
        {},
        {"learning_rate": 0.3},
        {"optimizer": "adam", "learning_rate": 0.01, "validation": 0.1},
    ):
        recorder, _ = train(RUN.change(**changes))
    write_label(recorder.path, Label("with <Adam>"))
    return RunLibrary().entries()[::-1]


def test_the_settings_that_differ_are_the_legend(three):
    assert set(differing(three)) == {"learning_rate", "optimizer", "validation"}
    assert differing(three[:2]) == ("learning_rate",)
    assert legends(three[:2]) == ["rate 0.05", "rate 0.3"]
    assert legends(three)[2] == "with <Adam>"
    name = "SGD 0.05, batch 32, 6-9-4"
    assert legends(three[:1] * 2) == [f"{name} (1)", f"{name} (2)"]


def test_tables_for_other_programs_have_all_runs_and_epochs(three):
    results = list(csv.DictReader(io.StringIO(results_csv(three))))
    assert [row["optimizer"] for row in results] == ["sgd", "sgd", "adam"]
    assert float(results[0]["best_score"]) == three[0].summary.best.test_score
    curves = list(
        csv.DictReader(io.StringIO(curves_csv(three, [e.folder.read_history(99) for e in three])))
    )
    assert len(curves) == 9
    assert [row["epoch"] for row in curves[:3]] == ["1", "2", "3"]
    assert curves[0]["validation_loss"] == ""
    assert float(curves[8]["validation_loss"]) > 0


def test_the_report_is_one_well_formed_page_without_anything_from_outside(three):
    text = comparison_report(three, [entry.folder.read_history(99) for entry in three])
    assert "with &lt;Adam&gt;" in text
    assert "http" not in text.replace("http-equiv", "")
    assert "<script" not in text
    text = re.sub(r"<meta [^>]*>", "", text).replace("<!DOCTYPE html>", "").replace("&emsp;", " ")
    root = ElementTree.fromstring(text)
    charts = root.findall(".//figure/svg")
    # Only one of the runs has a validation split.
    assert [len(chart.findall("polyline")) for chart in charts] == [3, 1, 3, 3]
    cells = ["".join(row.itertext()) for row in root.findall(".//tr")]
    assert any(cell.startswith("Learning rate ≠0.050.30.01") for cell in cells)


def test_the_report_does_not_call_r2_an_accuracy(three):
    histories = [entry.folder.read_history(9) for entry in three]
    text = comparison_report(three, histories)
    assert "Test score (accuracy, or R² of values)" in text
    assert "Test accuracy" not in text


def test_a_chart_omits_values_that_cannot_be_drawn():
    axes = Axis("epoch"), Axis("loss", logarithmic=True)
    chart = figure_html(
        Figure("Loss", *axes, [Line("a", [1, 2, 3, 4], [1.0, float("nan"), 0.0, 1e308])])
    )
    assert chart.count("polyline points") == 1
    assert "nan" not in chart
    assert figure_html(Figure("Loss", *axes, [Line("a", [], [])])) == "<p>Loss: –</p>"


def test_the_settings_of_a_report_are_in_words_without_those_that_have_no_effect():
    html = settings_table(("value",), [RUN.as_dict() | {"data": "builtin", "state": "epochs"}])
    for words in ("Built-in digits", ">done<", ">SGD<", "constant"):
        assert words in html
    for words in (
        "Momentum",
        "Nesterov",
        "False",
        "Rate changes",
        "Final share of rate",
        "Epochs per step",
    ):
        assert words not in html
    other = RUN.change(optimizer="momentum", nesterov=True).as_dict()
    assert ">yes<" in settings_table(("first", "second"), [RUN.as_dict(), other])


def test_a_page_escapes_its_texts():
    assert "<b>" not in page("<b>", [table(["<b>"], [["<b>", 3]])], "<b>")


def test_a_page_can_be_written_whatever_its_texts_are():
    """A file in JSON may have half of a surrogate pair, which UTF-8 has not."""
    assert b"a?b" in page("a\ud800b", []).encode()


@pytest.mark.parametrize(
    ("value", "text"), [(0.1, "0.1"), (0.00001, "0.00001"), (2.5e-7, "0.00000025"), (3.0, "3")]
)
def test_rates_are_written_without_powers_of_ten(value, text):
    assert short_value("learning_rate", value) == f"rate {text}"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ("", ""),
        ("5:0.2", "then 0.2"),
        ("5:0.2, 9:schedule", "then 0.2, then schedule"),
        ("5:0.2, 9:0.3, 12:0.4", "then 0.2, …, then 0.4"),
    ],
)
def test_the_name_of_a_run_says_how_its_rate_was_changed(changes, text):
    assert short_value("rate_changes", changes) == text
