"""A class is marked by the command: honest, forged, copied and broken files in one folder."""

import csv
import json
import os
import subprocess
import sys

import pytest

from tests.core.labs.sample import DIGITS, write_digits
from tests.doors.conftest import ROOT
from tests.doors.test_numbers import needs_openblas
from tests.limits import SECONDS

VARIES = DIGITS.replace(
    'controls = ["learning_rate"]', 'controls = ["learning_rate"]\nvary = { seed = true }'
)
SOLVED = VARIES.replace(
    "epochs_at_most = 3", "epochs_at_most = 3\nsolution = { learning_rate = 0.3 }"
)
HONEST = ("Ada", "Ben", "Cem", "Dia")
HERE, ELSEWHERE = "Haswell", "Sandybridge"


@pytest.fixture
def lab(tmp_path):
    return write_digits(tmp_path / "lab", SOLVED)


@pytest.fixture
def folder(tmp_path, lab):
    """The files of four pupils, who trained with the products of one family of processors."""
    played = [
        sys.executable,
        "-m",
        "tools.played_class",
        str(lab),
        str(tmp_path / "class"),
        str(len(HONEST)),
    ]
    subprocess.run(
        played, cwd=ROOT, env=dict(os.environ, OPENBLAS_CORETYPE=HERE), check=True, timeout=SECONDS
    )
    return tmp_path / "class"


def forge(folder, name, change, of="Ada"):
    """Write the file of another pupil, changed by `change(task's best attempt)`, under another
    name.
    """
    values = json.loads((folder / f"{of}.json").read_text("utf-8"))
    values["name"] = name
    attempts = [attempt for attempt in values["attempts"] if attempt["part"] == "goal"]
    best = max(attempts, key=lambda attempt: attempt["score"])
    values["attempts"] = [best]
    change(best)
    (folder / f"{name}.json").write_text(json.dumps(values), encoding="utf-8")


def table(out):
    """The rows of grades.csv by the names of their files."""
    rows = csv.DictReader((out / "grades.csv").read_text("utf-8").splitlines())
    return {row["file"].removesuffix(".json"): row for row in rows}


def invent(score, **more):
    def change(attempt):
        attempt.update(digest="0" * 64, score=score, **more)
        attempt["epochs"][-1][4] = score

    return change


def forge_class(folder, lab):
    """A class of cheats beside the four honest pupils, and files that are none."""
    from core.labs.package import open_lab

    given = open_lab(lab).part("goal").setup

    def own_seed(name, change):
        def changed(attempt):
            attempt["settings"]["seed"] = given.plan_of(name).settings.seed
            change(attempt)

        return changed

    forge(folder, "Invents", own_seed("Invents", invent(0.99)))
    forge(
        folder,
        "Elsewhere",
        own_seed("Elsewhere", invent(0.99, arithmetic="OpenBLAS Zen on znver2")),
    )
    forge(
        folder, "Smaller", own_seed("Smaller", lambda a: a["settings"].update(network="64-90-10"))
    )
    forge(folder, "Slow", own_seed("Slow", slow))
    forge(folder, "Loss", own_seed("Loss", lambda a: a["epochs"][-1].__setitem__(3, 0.01)))
    forge(
        folder,
        "Shorter",
        own_seed("Shorter", lambda a: a.update(epochs=a["epochs"][-1:], digest="0" * 64)),
    )
    forge(folder, "Machine", own_seed("Machine", lambda a: a.update(device="quantum")))
    forge(
        folder, "Copy", lambda attempt: attempt.update(seconds=attempt["seconds"] + 1e-9), of="Ben"
    )
    forge(
        folder,
        "Reseeded",
        own_seed("Reseeded", lambda a: a.update(seconds=a["seconds"] * 1.5)),
        of="Cem",
    )
    forge(folder, "Beyond", lambda attempt: attempt["epochs"][-1].__setitem__(4, 1.7))
    forge(folder, "Quick", lambda attempt: attempt.update(seconds=-5))
    (folder / "deep.json").write_text(
        '{"format": "digitlab-answers", "version": ' + "[" * 900 + "]" * 900 + "}"
    )
    (folder / "cut.json").write_text((folder / "Ada.json").read_text("utf-8")[:700])
    (folder / "latin.json").write_bytes(b'{"\xe1"}')


def slow(attempt):
    attempt["settings"]["epochs"] = 90_000_000
    attempt["epochs"][-1][0] = 90_000_000


@needs_openblas
def test_a_class_is_marked_and_no_honest_pupil_is_accused(program, folder, lab, tmp_path):
    out = tmp_path / "out"
    forge_class(folder, lab)
    before = {path: path.read_bytes() for path in folder.iterdir()}

    claims = program("grade", "class", "--lab", "lab", "--out", "out", OPENBLAS_CORETYPE=HERE)
    assert (claims.returncode, claims.stderr) == (0, "")
    assert "Attempts count as the files say: nothing was run again." in claims.stdout
    assert max(map(len, claims.stdout.splitlines())) < 300
    rows = table(out)
    assert rows["Invents"]["goal"].startswith("says met, 99.00 % (attempt 1 of 1)")
    for name in HONEST:
        assert "does not count" not in rows[name]["remark"]
    assert "parameters, where its settings give" in rows["Smaller"]["remark"]
    assert rows["Copy"]["remark"].startswith("the same run as in Ben.json")
    assert "another seed than the lab gives this person" in rows["Copy"]["remark"]
    assert rows["Reseeded"]["remark"] == "the same run as in Cem.json"
    assert rows["Ben"]["remark"] == "the same run as in Copy.json"
    assert rows["Cem"]["remark"] == "the same run as in Reseeded.json"
    assert "a device that does not exist (“quantum”)" in rows["Machine"]["remark"]
    assert "an epoch has a result of more than 100 %" in rows["Beyond"]["remark"]
    assert "it has a run of -5 s" in rows["Quick"]["remark"]
    assert "it does not say its version" in rows["deep"]["remark"]
    assert "cannot be read as answers" in rows["cut"]["remark"]
    assert "it is not UTF-8 text" in rows["latin"]["remark"]

    # An hour is enough for honest runs on the busiest machine; that of Slow would take a day.
    again = ("grade", "class", "--lab", "lab", "--repeat", -1, "--minutes", 60, "--out", "out")
    said = program(*again, OPENBLAS_CORETYPE=HERE)
    assert (said.returncode, said.stderr) == (0, "")
    plan = said.stdout.splitlines()[0]
    assert plan.startswith(
        "Attempts of 13 persons are run again: all of each, for at most 60 min each (13 h in all)."
    )
    rows = table(out)
    for name in HONEST:
        assert "other " not in rows[name]["run again"]
        assert rows[name]["run again"].count("same to the bit") == rows[name]["run again"].count(
            "attempt"
        )
    assert (
        "other parameters than the file says, on the same kind of processor"
        in rows["Invents"]["run again"]
    )
    assert "points (" in rows["Elsewhere"]["run again"]
    assert "99.00 %" not in rows["Invents"]["goal"] + rows["Elsewhere"]["goal"]
    # What the file says of its epochs and its loss is not believed where the run says something
    # else.
    assert "file says" in rows["Loss"]["run again"]
    assert "other parameters than the file says" in rows["Shorter"]["run again"]
    assert rows["Slow"]["goal"] == "not verified (1)"
    assert "not verified: would take about " in rows["Slow"]["run again"]
    assert rows["Slow"]["done"] == rows["Smaller"]["done"] == "0"

    said = program(*again, OPENBLAS_CORETYPE=ELSEWHERE)
    assert (said.returncode, said.stderr) == (0, "")
    there = table(out)
    for name in HONEST:
        assert "file says" not in there[name]["run again"]
        assert there[name]["goal"].split(",")[0] == rows[name]["goal"].split(",")[0]
    assert "on another kind of processor" in there["Ada"]["run again"]
    assert before == {path: path.read_bytes() for path in folder.iterdir()}


def test_options_that_cannot_be_are_refused(program, lab, tmp_path):
    (tmp_path / "class").mkdir()
    for options, text in (
        (("--repeat", -5), "--repeat -5: give 1 to 500 attempts of each person, or -1 for all."),
        (("--repeat", 10**20), "give 1 to 500 attempts of each person, or -1 for all."),
        (("--minutes", "nan"), "--minutes nan: give more than 0 and at most 1000."),
    ):
        said = program("grade", "class", "--lab", "lab", *options)
        assert (said.returncode, said.stdout) == (2, "")
        assert text in said.stderr
