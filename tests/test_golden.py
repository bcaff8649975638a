"""Files of an earlier version open with the values that they had: runs, a study, models, settings,
drawings.
"""

import csv
import json

import numpy as np
import pytest

from core.labs.answers_file import read_answers
from core.labs.package import open_lab
from core.training.run_settings import BY_NAME
from core.workshop.check import iter_check
from main import main
from tests.golden_home import GOLDEN, copy_golden

STOPPED = "20261122-153232-8799-1"


@pytest.fixture(autouse=True)
def golden(home):
    copy_golden(home)
    return home


@pytest.fixture
def printed(capfd):
    """A function that runs the program and returns the JSON objects that it prints."""

    def run(*arguments):
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert code == 0, err
        return [json.loads(line) for line in out.splitlines()]

    return run


def expected(name):
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


@pytest.mark.parametrize(
    "record", expected("runs.jsonl"), ids=lambda record: record["name"] or record["run"]
)
def test_a_run_has_the_values_that_it_had(printed, golden, record):
    """Settings, state, results, changes, parent, label and all rows of the history; new settings
    have defaults.
    """
    (shown,) = printed("runs", "show", record["run"], "--json")
    added = shown["settings"].keys() - record["settings"].keys()
    assert all(shown["settings"].pop(name) == BY_NAME[name].default for name in added)
    assert {name: shown.get(name) for name in record} == record
    with (golden / "data" / "runs" / record["run"] / "history.csv").open() as file:
        rows = [
            {k: float(v) if v else None for k, v in row.items()} for row in csv.DictReader(file)
        ]
    assert shown["history"] == rows


def test_all_runs_are_listed_and_a_deleted_one_is_restored(printed):
    names = {record["run"] for record in expected("runs.jsonl")}
    assert {record["run"] for record in printed("runs", "--json")} == names
    printed("runs", "restore", "--json")
    restored = [record for record in printed("runs", "--json") if record["run"] not in names]
    assert [record["name"] for record in restored] == ["golden deleted"]


def test_a_stopped_run_goes_on_from_its_checkpoint(printed):
    *epochs, done = printed(
        "train", "--resume", STOPPED, "--epochs", 102, "--device", "sequential", "--json"
    )
    assert [record["epoch"] for record in epochs if record["event"] == "epoch"] == [101, 102]
    # Another processor's instructions may round otherwise.
    assert epochs[-1]["validation_loss"] == pytest.approx(102.38540779011515, rel=1e-4)
    assert done["test_r2"] == pytest.approx(0.24381838822917523, rel=1e-4)


def test_a_folder_of_train_run_goes_on(printed, golden):
    records = printed("train", "--resume", golden / "files" / "run-folder", "--epochs", 4, "--json")
    assert [record["epoch"] for record in records if record["event"] == "epoch"] == [4]


def test_a_study_has_the_table_that_it_had(printed, golden):
    records = printed("study", golden / "files" / "study.toml", "--json")
    *results, done = expected("study.jsonl")
    shown = [record for record in records if record["event"] == "result"]
    assert [
        {name: each.get(name) for name in one} for each, one in zip(shown, results, strict=True)
    ] == results
    assert (records[-1]["complete"], records[-1]["best"]) == (True, done["best"])


def test_values_of_a_study_stand_below_their_headings(capfd, golden):
    """Its file names them in another order than the text of the study."""
    assert main(["study", str(golden / "files" / "study.toml")]) == 0
    heading, *lines = capfd.readouterr().out.splitlines()
    place = heading.index("network")
    assert sorted(line[place:].split()[0] for line in lines[:4]) == ["2-4-1"] * 2 + ["2-6-1"] * 2


def test_models_answer_as_they_did(printed, golden):
    drawings = [golden / "data" / "my-digits" / digit / "00001.png" for digit in "01"]
    answers = []
    for name in ("dense", "convolution"):
        answers += printed(
            "classify", "--model", golden / "files" / f"{name}.safetensors", "--json", *drawings
        )
    for answer, known in zip(answers, expected("classify.jsonl"), strict=True):
        assert answer["class"] == known["class"]
        np.testing.assert_allclose(answer["probabilities"], known["probabilities"], atol=1e-5)
    (result,) = printed(
        "evaluate", "--model", golden / "files" / "regression.safetensors", "--json"
    )
    assert result["loss"] == pytest.approx(101.5502869315157, rel=1e-5)


def test_reports_compare_earlier_runs(golden):
    """The table of results has what the runs had; the report and the curves have each run and
    epoch.
    """
    records = expected("runs.jsonl")[:2]
    runs = [record["run"] for record in records]
    for suffix in (".html", ".csv", "-curves.csv"):
        assert main(["runs", "compare", *runs, "--out", str(golden / f"report{suffix}")]) == 0
    with (golden / "report.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["test_loss"]) for row in rows] == [
        pytest.approx(record["test_loss"], rel=1e-4) for record in records
    ]
    with (golden / "report-curves.csv").open() as file:
        curves = list(csv.reader(file))
    assert len(curves) - 1 == sum(record["epochs_done"] for record in records)
    report = (golden / "report.html").read_text("utf-8")
    assert report.count("<polyline") >= len(runs)
    for record in records:
        assert (record["name"] or record["run"]) in report


def test_a_solved_exercise_is_still_solved(golden):
    """Progress with a kernel, as the window kept it; what is tried afterwards takes nothing
    away.
    """
    lab = open_lab(golden / "files" / "kernel-lab")
    part = lab.part("reverse")
    answers = read_answers(golden / "files" / "kernel-answers.json", lab)
    assert answers.is_done(part)
    wrong = part.exercise.skeleton
    *_, verdict = iter_check(wrong, part.exercise.launch, types=False, isolated=False)
    answers.keep_kernel(part, wrong, verdict)
    assert answers.is_done(part)
