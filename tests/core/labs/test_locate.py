"""Finding the lab to which files of answers belong."""

import os

import pytest

from core.errors import InputError
from core.labs.answers import Answers
from core.labs.locate import find_marked_lab, is_answers_file
from core.labs.package import lessons, open_lab
from core.labs.reader import parse_lab

LAB = "# {title}\n\n```lab\nversion = 1\n```\n\n```predict\nask = '?'\nchoices = ['a', 'b']\n```\n"


def hand_in(lab, path):
    path.parent.mkdir(exist_ok=True)
    Answers(lab, path.stem).save(path)


def test_a_lab_of_the_program_is_found(tmp_path):
    lesson = open_lab(lessons()[2][1])
    hand_in(lesson, tmp_path / "class" / "Ann.json")
    assert find_marked_lab(tmp_path / "class").title == lesson.title
    assert find_marked_lab(tmp_path / "class" / "Ann.json").digest == lesson.digest


def test_a_lab_beside_the_answers_or_above_them_is_found(tmp_path):
    lab = parse_lab(LAB.format(title="Mine"), "mine.md")
    hand_in(lab, tmp_path / "class" / "Ann.json")
    (tmp_path / "class" / "notes.md").write_text("no lab")
    (tmp_path / "class" / "broken.md").write_text("```lab\nversion = 9\n```")
    with pytest.raises(InputError, match="“Mine”, which is not here"):
        find_marked_lab(tmp_path / "class")
    (tmp_path / "mine.md").write_text(LAB.format(title="Mine"))
    assert find_marked_lab(tmp_path / "class").digest == lab.digest


def test_an_open_lab_counts_where_the_answers_are_of_it_or_of_an_older_version(tmp_path):
    lab = parse_lab(LAB.format(title="Mine"), "mine.md")
    hand_in(lab, tmp_path / "Ann.json")
    newer = parse_lab(LAB.format(title="Mine") + "\nMore.", "mine.md")
    other = parse_lab(LAB.format(title="Other"), "other.md")
    assert find_marked_lab(tmp_path, lab) is lab
    assert find_marked_lab(tmp_path, newer) is newer
    with pytest.raises(InputError, match="“Mine”"):
        find_marked_lab(tmp_path, other)
    with pytest.raises(InputError, match="no answers"):
        find_marked_lab(tmp_path / "none.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_a_pipe_is_no_answers_file(tmp_path):
    os.mkfifo(tmp_path / "a.json")
    (tmp_path / "b.json").write_text("{}")
    assert not is_answers_file(tmp_path / "a.json")
    assert not is_answers_file(tmp_path / "b.json")
