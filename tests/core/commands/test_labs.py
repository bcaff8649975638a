"""`lab` and `grade` as a teacher starts them."""

import csv
import json

import pytest

from core.labs.blocks import KINDS
from core.labs.package import open_lab
from core.labs.reader import parse_lab
from core.labs.trial import DataSets
from tests.core.labs.sample import SAMPLE, played, write_sample


@pytest.fixture
def folder(tmp_path):
    return write_sample(tmp_path / "lab")


@pytest.fixture
def handed_in(tmp_path, folder):
    """The folder with the answers of two persons, and a damaged file."""
    lab = open_lab(folder)
    (tmp_path / "class").mkdir()
    for name in ("Ada", "=Bob()"):
        played(lab, DataSets(lab.folder), name).save(tmp_path / "class" / f"{name[-3:-1]}.json")
    (tmp_path / "class" / "cut.json").write_text("{")
    return tmp_path / "class"


def test_a_new_lab_is_good_but_for_its_figures(program, tmp_path, few_digits):
    new = tmp_path / "new"
    assert "lab check" in program("lab", "new", new).out
    checked = program("lab", "check", "--no-training", new)
    assert checked.code == 0, checked.out
    assert "What does a larger step do?: 4 steps, 5 parts to do; faults: 0" in checked.out
    again = program("lab", "new", new)
    assert (again.code, again.err.count("exists: choose another folder")) == (2, 1)


@pytest.mark.slow
def test_the_figures_of_a_new_lab_come_out(program, tmp_path, drawn_digits):
    program("lab", "new", tmp_path / "new")
    assert "faults: 0" in program("lab", "check", tmp_path / "new").out


def test_faults_of_a_lab_are_printed_and_counted(program, folder):
    assert "line 48, rates, rate 0.05: R² " in program("lab", "check", folder).out
    (folder / "lab.md").write_text(
        SAMPLE.replace("The larger one.", "It reads 99.9 %."), encoding="utf-8"
    )
    checked = program("lab", "check", folder)
    assert checked.code == 1
    assert "FAULT line 53: 99.9 % is a figure of no run" in checked.out
    assert "faults: 1" in checked.out


def test_what_is_no_lab_is_refused_in_one_line(program, folder):
    (folder / "lab.md").write_text(SAMPLE.replace("```predict", "```predikt", 1), encoding="utf-8")
    for arguments in (("lab", "check", folder), ("lab", "print", folder, "--out", folder / "x.html"),
                      ("grade", folder, "--lab", folder)):  # fmt: skip
        outcome = program(*arguments)
        assert outcome.code == 2
        assert outcome.err.splitlines()[0].endswith(
            "lab.md, line 25: “predikt” is no block: did you mean “predict”?"
        )


def test_a_lab_is_printed_for_pupils_and_for_teachers(program, folder, tmp_path):
    for name, options in (("pupils.html", ()), ("teacher.html", ("--teacher",))):
        assert program("lab", "print", folder, "--out", tmp_path / name, *options).code == 0
    pages = [(tmp_path / name).read_text("utf-8") for name in ("pupils.html", "teacher.html")]
    assert ["The hidden note." in page for page in pages] == [False, True]


def test_a_class_is_marked(program, folder, handed_in, tmp_path):
    outcome = program(
        "grade", handed_in, "--lab", folder, "--repeat", -1, "--out", tmp_path / "out"
    )
    assert outcome.code == 0, outcome.err
    assert outcome.out.count("same to the bit") >= 6
    assert "why: 2 chose “It is lucky.” (it is chance)" in outcome.out
    assert "cut.json cannot be read as answers" in outcome.out
    rows = list(csv.DictReader((tmp_path / "out" / "grades.csv").read_text("utf-8").splitlines()))
    assert [row["name"] for row in rows] == ["Ada", "'=Bob()", "cut.json"]
    assert [row["done"] for row in rows] == ["6", "6", "0"]
    assert "2 of 3 files marked" in (tmp_path / "out" / "grades.html").read_text("utf-8")


def test_marks_are_json_lines(program, folder, handed_in):
    outcome = program("grade", handed_in, "--lab", folder, "--json", "--repeat", 1)
    records = [json.loads(line) for line in outcome.out.splitlines()]
    assert [record["name"] for record in records[:3]] == ["Ada", "=Bob()", "cut.json"]
    assert records[0]["run again"] == "goal (attempt 1 of 1): same to the bit"
    assert {
        "question": "why",
        "misconception": "it is chance",
        "choice": "It is lucky.",
        "persons": 2,
    } in records


def test_a_folder_without_answers_and_a_place_that_cannot_be_written_are_refused(
    program, folder, handed_in, tmp_path
):
    (tmp_path / "empty").mkdir()
    assert "holds no files of answers" in program("grade", tmp_path / "empty", "--lab", folder).err
    (tmp_path / "file").write_text("")
    assert program("grade", handed_in, "--lab", folder, "--out", tmp_path / "file").code == 2


def test_the_skeleton_shows_each_block():
    from core.labs.skeleton import skeleton

    kinds = {part.name for part in parse_lab(skeleton(), "lab.md").parts if part.name}
    assert {"kernel", *kinds} == {*KINDS}  # a kernel needs files of its own


def test_labs_become_pages(program, tmp_path, folder, few_digits):
    assert program("lab", "page", folder, "--out", tmp_path / "lab.html").out.count("rate 0.") == 2
    assert "<polyline" in (tmp_path / "lab.html").read_text("utf-8")
    made = program("lab", "site", folder, "--out", tmp_path / "site", "--no-training")
    assert "Written: 1 lab and" in made.out
    assert (tmp_path / "site" / "lab.html").is_file()
