"""`runs` on the command line, and the runs that `train` leaves in the library."""

import json
import shutil

import pytest

from core.runs.folder import Label, RunFolder, RunInfo, write_label
from core.runs.library import RunLibrary, write_limit
from core.runs.plan import RunPlan
from core.training.run_settings import RunSettings

QUICK = ("--network", "784-16-10", "--batch-size", 20, "--device", "vectorized")


def lines(outcome):
    assert outcome.code == 0, outcome.err
    return [json.loads(line) for line in outcome.out.splitlines()]


@pytest.fixture
def trained(program, digits):
    """Two runs of `train` in the library, the first one named."""
    for seed, name in ((1, "first"), (2, "")):
        options = ("--data", digits, *QUICK, "--epochs", 2, "--seed", seed)
        assert program("train", *options, *(("--name", name) if name else ())).code == 0


def test_a_run_of_train_is_listed_and_shown(program, trained):
    second, first = lines(program("runs", "--json"))
    assert (first["name"], first["network"], first["epochs_done"]) == ("first", "784-16-10", 2)
    assert first["best_score"] >= first["test_score"] > 0
    table = program("runs").out.splitlines()
    assert len(table) == 3
    assert table[2].split()[1] == "first"
    (shown,) = lines(program("runs", "show", "first", "--json"))
    assert shown["settings"]["seed"] == 1
    assert [row["epoch"] for row in shown["history"]] == [1, 2]
    out = program("runs", "show", second["run"]).out
    assert out.count("\nnetwork ") == 1
    assert "learning rate" in out
    heading, *epochs = [row.split() for row in out.splitlines()[-3:]]
    assert heading[:4] == ["epoch", "seconds", "train", "loss"]
    assert [row[0] for row in epochs] == ["1", "2"]


def test_runs_are_compared_in_a_table_and_a_report(program, trained, tmp_path):
    ids = [record["run"] for record in lines(program("runs", "--json"))]
    rows = lines(program("runs", "compare", *ids, "--json"))
    assert [row["seed"] for row in rows] == ["2", "1"]
    assert [row["legend"] for row in rows] == ["seed 2", "first"]
    for name in ("report.html", "results.csv", "run-curves.csv"):
        assert program("runs", "compare", *ids, "--out", tmp_path / name).code == 0
    assert (tmp_path / "report.html").read_text().count("<polyline") == 6
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 3
    assert len((tmp_path / "run-curves.csv").read_text().splitlines()) == 5
    assert program("runs", "compare", *ids, "--out", tmp_path / "x.doc").code == 2


def test_a_deleted_run_is_restored(program, trained):
    assert program("runs", "delete", "first").code == 0
    (left,) = lines(program("runs", "--json"))
    assert left["name"] == ""
    assert program("runs", "restore").code == 0
    assert len(lines(program("runs", "--json"))) == 2


def test_a_run_goes_on_for_more_epochs_or_as_a_branch(program, trained):
    assert program("train", "--resume", "first", "--epochs", 3).code == 0
    (shown,) = lines(program("runs", "show", "first", "--json"))
    assert [row["epoch"] for row in shown["history"]] == [1, 2, 3]
    assert (
        program(
            "train", "--resume", "first", "--epochs", 4, "--learning-rate", 0.01, "--name", "slow"
        ).code
        == 0
    )
    (branch,) = lines(program("runs", "show", "slow", "--json"))
    assert branch["parent"] == {"run": shown["run"], "epoch": 3}
    assert branch["epochs_done"] == 4
    assert program("train", "--resume", "--epochs", 5, "--from", "best").code == 0
    (newest,) = lines(program("runs", "show", "last", "--json"))
    assert newest["parent"]["run"] == branch["run"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fly",), "choose one of list"), (("show",), "needs a run"), (("show", "none"), "There is no run"),
        (("name", "none", "x"), "There is no run"), (("delete", "none"), "There is no run"),
        (("restore",), "The trash holds no run"), (("--out", "x"), "compare"),
    ],
)  # fmt: skip
def test_bad_requests_are_refused_in_a_sentence(program, arguments, words):
    outcome = program("runs", *arguments)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert words in outcome.err


def test_a_report_never_replaces_a_file_of_a_run(program, trained):
    history = RunLibrary().find("first").path / "history.csv"
    before = history.read_bytes()
    outcome = program("runs", "compare", "first", "--out", history)
    assert (outcome.code, history.read_bytes()) == (2, before)
    assert "belongs to a run" in outcome.err


def test_an_empty_library_raises_no_error(program):
    assert "no runs" in program("runs").out
    assert program("runs", "--json").out == ""
    assert RunLibrary().entries() == []


def test_a_name_in_another_script_is_listed(program, trained):
    entry = RunLibrary().find("first")
    write_label(entry.path, Label("größer", "µ", True))
    assert "größer" in program("runs").out


def test_a_run_that_was_killed_before_its_first_checkpoint_begins_anew(program, digits, tmp_path):
    folder = RunFolder(tmp_path / "run")
    plan = RunPlan(RunSettings(network="784-16-10", epochs=1), str(digits), "vectorized")
    folder.path.mkdir()
    folder.begin(RunInfo(plan, "784-16-10"))
    options = ("train", "--data", digits, *QUICK, "--epochs", 1, "--run", folder.path)
    assert program(*options).code == 0
    assert len(folder.read_history()) == 1
    outcome = program(*options)
    assert outcome.code == 2
    assert "holds a run already" in outcome.err


def test_a_foreign_name_moves_no_cursor(program, trained):
    entry = RunLibrary().find("first")
    write_label(entry.path, Label("a\x1b[2J\nb", "note\x1b[31m", False))
    for arguments in (("runs",), ("runs", "show", entry.id)):
        assert "\x1b" not in program(*arguments).out
    assert len(program("runs").out.splitlines()) == 3


def test_runs_are_labeled_and_keep_the_rest_of_their_label(program, trained):
    second, first = (record["run"] for record in lines(program("runs", "--json")))
    assert program("runs", "name", second, "wide", "one").out == f"named {second}\n"
    assert program("runs", "note", "wide one", "looks right").code == 0
    assert program("runs", "star", first, second).code == 0
    assert program("runs", "unstar", first).code == 0
    labels = [
        (record["name"], record["note"], record["starred"])
        for record in lines(program("runs", "--json"))
    ]
    assert labels == [("wide one", "looks right", True), ("first", "", False)]
    assert program("runs", "name", second).code == 0
    assert lines(program("runs", "--json"))[0]["name"] == ""


def test_a_run_outside_the_library_is_listed_and_never_deleted(program, digits, tmp_path, home):
    folder = tmp_path / "elsewhere"
    assert (
        program(
            "train", "--data", digits, *QUICK, "--epochs", 1, "--run", folder, "--name", "mine"
        ).code
        == 0
    )
    files = sorted(path.name for path in folder.iterdir())
    for run in (folder, "mine"):
        (listed,) = lines(program("runs", "show", run, "--json"))
        assert (listed["run"], listed["name"]) == (str(folder), "mine")
    assert "mine" in program("runs").out
    write_limit(RunLibrary(), 1)
    assert program("train", "--data", digits, *QUICK, "--epochs", 1).code == 0
    listed = lines(program("runs", "--json"))
    assert [each["run"] for each in listed if each["name"] == "mine"] == [str(folder)]
    deleted = program("runs", "delete", folder)
    assert (deleted.code, deleted.out) == (0, f"no longer listed, its folder stays: {folder}\n")
    assert "mine" not in program("runs").out
    assert sorted(path.name for path in folder.iterdir()) == files
    assert program("runs", "delete", folder).code == 2  # it is not in the list
    assert RunLibrary().restore([str(folder)]) == [str(folder)]
    assert "mine" in program("runs").out


def test_a_run_that_cannot_be_read_is_named(program, digits):
    for _ in range(2):
        assert program("train", "--data", digits, *QUICK, "--epochs", 1).code == 0
    newest = RunLibrary().entries()[0]
    info = newest.path / "run.json"
    info.write_text(
        info.read_text().replace(f'"created": {newest.info.created}', '"created": 1e300')
    )
    listed = program("runs")
    assert newest.id in listed.err
    assert "created is 1e+300" in listed.err
    assert len(listed.out.splitlines()) == 2
    shutil.rmtree(RunLibrary().entries()[0].path)
    assert "There are no runs" not in program("runs").out


def test_a_run_that_was_killed_at_its_begin_is_told_from_one_that_has_ended(
    program, digits, tmp_path
):
    folder = tmp_path / "killed"
    assert program("train", "--data", digits, *QUICK, "--epochs", 1, "--run", folder).code == 0
    for path in folder.iterdir():
        if path.name != "run.json":
            path.unlink()
    said = program("train", "--resume", folder)
    assert said.code == 2
    assert (
        f"was ended before its first checkpoint: begin it again with train --run {folder}"
        in said.err
    )
