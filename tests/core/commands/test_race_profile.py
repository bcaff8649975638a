"""`race` and `profile` on the command line."""

import json

import pytest

RUN = ("--data", "rastrigin:20", "--preset", "coursework", "--network", "2-8-1", "--epochs", "1")


def test_a_race_is_printed_as_tables_and_written_to_files(program, tmp_path):
    devices = ("--device", "sequential", "--device", "vectorized:2")
    done = program("race", *RUN, *devices, "--repeat", "2", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    assert "vectorized, 2 workers" in done.out
    assert "times as fast as the slowest" in done.out
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {
        "race.json", "race-results.csv", "race-scores.csv",
    }  # fmt: skip
    tables = json.loads((tmp_path / "out" / "race.json").read_text("utf-8"))["tables"]
    assert [row["repetitions"] for row in tables["results"]["rows"]] == [2, 2]
    assert "half the range, %" in done.out  # as the window has it behind ±
    assert all(0 <= row["spread"] <= 100 for row in tables["results"]["rows"])
    assert {row["repetition"] for row in tables["scores"]["rows"]} == {1, 2}


def test_a_race_takes_all_devices_of_the_machine_by_default(program):
    done = program("race", *RUN, "--json")
    lines = [json.loads(line) for line in done.out.splitlines()]
    results = [line for line in lines if line.get("table") == "results"]
    assert {"sequential", "vectorized"} <= {line["contestant"] for line in results}


def test_a_profile_is_printed_and_written(program, tmp_path):
    done = program("profile", *RUN, "--device", "vectorized", "--steps", "4", "--out", tmp_path)
    assert done.code == 0, done.err
    assert "dense_update" in done.out
    assert "a step as training runs it" in done.out
    assert (tmp_path / "profile-operators.csv").exists()


@pytest.mark.parametrize(("arguments", "sentence"), [
    (("race", "--device", "sequential", *RUN), "at least two different contestants"),
    (("race", "--device", "sequential:x", *RUN), "a number of workers after a colon"),
    (("race", "--device", "auto", *RUN), "give the name of a device"),
    (("race", "--device", "sequential", "--device", "cuda:63", *RUN), "cuda:63 cannot race"),
    (("race", "--repeat", "0", *RUN), "from 1 to 99"),
    (("race", "--device", "sequential", "--device", "vectorized:9", *RUN), "--workers 9"),
    (("profile", "--steps", "0", *RUN), "at least 1"),
    (("profile", "--device", "gpu", *RUN), "choose one of auto"),
])  # fmt: skip
def test_impossible_requests_are_refused(program, arguments, sentence):
    done = program(*arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


@pytest.mark.parametrize("command", ["race", "profile"])
def test_a_network_that_was_probably_meant_otherwise_is_reported(program, digits, command):
    run = ("--data", digits, "--network", "784-3-11", "--epochs", "1")
    done = program(command, *run, *(("--steps", "2") if command == "profile" else ()))
    assert done.code == 0
    assert "Read as hidden layers: 784-784-3-11-10." in done.err
