"""What the window keeps of a lab: whatever a pupil does, it can be read again, and nothing is
lost.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.labs.answers import ALL_ROWS, MAX_ATTEMPTS, MAX_BYTES, MAX_ROWS, MAX_TRIES, Answers
from core.labs.answers_file import ProgressFile, answers_path, earlier_answers, read_answers
from core.labs.attempt import LARGEST, attempt_of
from core.labs.grading import iter_repeats, read_folder
from core.labs.package import open_lab
from core.labs.reader import parse_lab
from core.labs.trial import DataSets
from core.training.records import Checkpoint, Epoch, Finished
from tests.core.labs.sample import SAMPLE, played, trained, write_sample
from tests.limits import SECONDS

GOLDEN = Path(__file__).parents[2] / "golden" / "labs"
ROOT = Path(__file__).parents[3]


def long_attempt(attempt, epochs, number=0):
    """The attempt as one of so many epochs, of which the seventh from the end is the best."""
    _, *numbers = attempt.epochs[-1]
    rows = [[epoch + 1, *numbers] for epoch in range(epochs)]
    rows[-7][4] = 0.99999
    settings = attempt.settings | {"epochs": epochs}
    return replace(attempt, epochs=rows, settings=settings, seconds=attempt.seconds + number)


def test_an_attempt_of_many_epochs_keeps_some_and_those_that_count(lab, data):
    answers = Answers(lab)
    answers.add(long_attempt(trained(lab, data, "rates", 1), 2000))
    (attempt,) = answers.attempts
    epochs = [row[0] for row in attempt.epochs]
    assert MAX_ROWS - 2 <= len(epochs) <= MAX_ROWS + 1
    assert {1, 1994, 2000} <= {*epochs}
    assert epochs == sorted(epochs)
    assert max(after - before for before, after in pairwise(epochs)) <= 21
    assert (attempt.epochs_done, attempt.is_complete) == (2000, True)


def test_the_epoch_that_a_prediction_is_about_is_kept(tmp_path):
    text = SAMPLE.replace('number = "test_loss"', 'number = "test_loss"\nepoch = 337').replace(
        "epochs = 3", "epochs = 900"
    )
    lab = open_lab(write_sample(tmp_path / "lab", text))
    answers = Answers(lab)
    answers.add(long_attempt(trained(lab, DataSets(lab.folder), "rates", 1, epochs=1), 900))
    assert 337.0 in [epoch for epoch, _ in answers.attempts[0].values("test_loss")]


def test_whatever_a_pupil_does_can_be_read_again(lab, data):
    answers = played(lab, data, "Ada")
    attempt = trained(lab, data, "goal")
    for number in range(MAX_ATTEMPTS + 20):
        answers.add(long_attempt(attempt, 2000, number))
    for _ in range(3000):
        answers.answer(lab.part("why"), "It learns the points by heart.")
    progress = ProgressFile(lab)
    progress.write(answers)
    assert progress.path.stat().st_size < MAX_BYTES / 4
    read = ProgressFile(lab).read()
    assert read.as_dict() == answers.as_dict()
    assert len(read.attempts) == MAX_ATTEMPTS
    assert sum(len(each.epochs) for each in read.attempts) <= ALL_ROWS
    assert read.is_done(lab.part("rates"))  # the runs are not pushed out by attempts at a task
    assert len(read.tries["why"]) == MAX_TRIES
    assert read.tries["why"][0] == "It is lucky."  # the first one counts
    assert len(read.attempts[-1].epochs) > MAX_ROWS - 3
    assert {1, 1994, 2000} <= {row[0] for row in read.attempts[5].epochs}


def test_numbers_of_a_network_that_diverges_can_be_written_and_read(lab, data):
    attempt = trained(lab, data, "goal", learning_rate=1e6, epochs=20)
    for worst in (float("inf"), float("nan"), 1e200):
        epoch = Epoch(1, 1, 0.1, 0.1, worst, None, worst, -worst, worst, 1.0, 0.1)
        checkpoint = Checkpoint(np.ones(33, np.float32), np.ones((0, 33), np.float32))
        finished = Finished("diverged", "", worst, -worst, 0.1, None, checkpoint)
        made = attempt_of("goal", 0, attempt.plan, [epoch], finished, -worst)
        assert (made.score, made.epochs[0][1]) == (-LARGEST, LARGEST)
        answers = Answers(lab)
        answers.add(made)
        ProgressFile(lab).write(answers)
        assert ProgressFile(lab).read().attempts[-1] == made
        assert made.result == "R² -1.000e+100"


@pytest.mark.parametrize("damage", ["byte", "empty", "pipe", "huge", "other"])
def test_what_cannot_be_read_is_moved_and_never_overwritten(lab, data, damage):
    first = ProgressFile(lab)
    answers = played(lab, data, "Ada")
    first.write(answers)
    content = first.path.read_bytes()
    if damage == "byte":
        content = content.replace(b'"score"', b'"scorn"', 1)
    elif damage == "huge":
        content += b" " * MAX_BYTES
    elif damage == "other":
        content = content.replace(b'"version": 1', b'"version": 2')
    elif damage == "empty":
        content = b""
    first.path.unlink()
    if damage == "pipe":
        if not hasattr(os, "mkfifo"):
            pytest.skip("this system has no pipes")
        os.mkfifo(first.path)
    else:
        first.path.write_bytes(content)
    progress = ProgressFile(lab)
    assert progress.read().as_dict() == Answers(lab).as_dict()
    assert progress.moved.parent == first.path.parent
    assert "unreadable" in progress.moved.name
    progress.write(Answers(lab, "Ada"))
    assert read_answers(first.path, lab).name == "Ada"
    if damage != "pipe":
        assert progress.moved.read_bytes() == content


def test_a_file_that_is_damaged_while_the_lab_is_open_is_moved_too(lab, data):
    progress, answers = ProgressFile(lab), played(lab, data, "Ada")
    progress.write(answers)
    progress.path.write_text("damaged")
    progress.write(answers)
    assert progress.moved.read_text() == "damaged"
    assert read_answers(progress.path, lab).attempts == answers.attempts


def test_progress_that_can_neither_be_read_nor_moved_is_left(lab, monkeypatch):
    path = answers_path(lab)
    path.parent.mkdir(parents=True)
    path.write_text("damaged")

    def refuse(source, target):
        raise InputError("{path} could not be moved.", path=source)

    monkeypatch.setattr("core.labs.answers_file.move", refuse)
    progress = ProgressFile(lab)
    with pytest.raises(InputError, match="could not be moved"):
        progress.read()
    with pytest.raises(InputError, match="could not be moved"):
        progress.write(Answers(lab))
    assert path.read_text() == "damaged"


def test_two_windows_keep_what_each_of_them_adds(lab, data):
    one, other = ProgressFile(lab), ProgressFile(lab)
    mine, theirs = one.read(), other.read()
    mine.add(trained(lab, data, "rates", 0))
    mine.predict(lab.part("which"), "0.05")
    one.write(mine)
    theirs.add(trained(lab, data, "rates", 1))
    theirs.predict(lab.part("number"), 0.3)
    theirs.name = "Ada"
    theirs.answer(lab.part("why"), "It is lucky.")
    other.write(theirs)
    mine.add(trained(lab, data, "goal", 0))
    mine.answer(lab.part("why"), "Its steps are longer.")
    one.write(mine)
    read = ProgressFile(lab).read()
    assert [(attempt.part, attempt.variant) for attempt in read.attempts] == [
        ("rates", 0),
        ("rates", 1),
        ("goal", 0),
    ]
    assert read.predictions == {"which": "0.05", "number": 0.3}
    assert read.tries["why"] == ["It is lucky.", "Its steps are longer."]
    assert read.name == mine.name == "Ada"
    assert mine.attempts == read.attempts
    other.write(theirs)  # nothing new: it gets what is there, and takes nothing away
    assert ProgressFile(lab).read().as_dict() == read.as_dict()
    assert len(theirs.attempts) == 3


WRITER = """
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from core.labs.answers_file import ProgressFile, read_answers
from core.labs.package import open_lab

lab, first = open_lab(Path(sys.argv[1])), float(sys.argv[3])
(attempt,) = read_answers(Path(sys.argv[2]), lab).attempts
progress = ProgressFile(lab)
answers = progress.read()
for number in range(25):
    answers.add(replace(attempt, seconds=first + number))
    progress.write(answers)
"""


def test_two_processes_that_write_at_once_lose_nothing(folder, lab, data, tmp_path):
    answers = Answers(lab)
    answers.add(trained(lab, data, "goal"))
    answers.save(tmp_path / "one.json")
    arguments = [sys.executable, "-c", WRITER, str(folder), str(tmp_path / "one.json")]
    running = [subprocess.Popen([*arguments, first], cwd=ROOT) for first in ("1", "1001")]
    assert [process.wait(SECONDS) for process in running] == [0, 0]
    seconds = {attempt.seconds for attempt in ProgressFile(lab).read().attempts}
    assert seconds == {*range(1, 26), *range(1001, 1026)}
    assert [path.suffix for path in answers_path(lab).parent.iterdir()] == [".json"]


def test_beginning_again_puts_the_answers_aside(lab, data):
    progress = ProgressFile(lab)
    assert progress.begin_again() is None
    answers = played(lab, data, "Ada")
    progress.write(answers)
    aside = progress.begin_again()
    progress.write(Answers(lab, "Ada"))
    assert read_answers(aside, lab).as_dict() == answers.as_dict()
    assert ProgressFile(lab).read().attempts == []
    progress.write(answers)  # back to the answers
    assert len(ProgressFile(lab).read().attempts) == len(answers.attempts)


def test_answers_of_an_earlier_version_are_read_continued_and_marked(home, tmp_path):
    lab = open_lab(GOLDEN / "points")
    answers = read_answers(GOLDEN / "answers" / "Ben.json", lab)
    assert (len(answers.attempts), answers.attempts[0].arithmetic) == (4, "")
    answers.save(tmp_path / "again.json")
    assert read_answers(tmp_path / "again.json", lab).as_dict() == answers.as_dict()
    grades = read_folder(GOLDEN / "answers", lab)
    (marked,) = grades.marked
    assert (marked.faults, marked.remarks()) == ({}, "")
    for _, _, text in iter_repeats(grades, None):
        assert "other" not in text
    assert grades.rows()[1][8].startswith("met, R² 0.6")


def test_all_epochs_of_an_earlier_version_are_read_and_thinned(lab, data, tmp_path):
    values = played(lab, data, "Ada").as_dict()
    values = json.loads(json.dumps(values))
    attempt = values["attempts"][-1]
    attempt["settings"]["epochs"] = 3000
    row = attempt["epochs"][-1]
    attempt["epochs"] = [[epoch + 1, *row[1:]] for epoch in range(3000)]
    del attempt["arithmetic"], attempt["program"]
    values["attempts"] += [attempt | {"seconds": float(number)} for number in range(12)]
    path = tmp_path / "old.json"
    path.write_text(json.dumps(values, indent=1))
    assert path.stat().st_size > 2_000_000
    read = read_answers(path, lab)
    assert [len(each.epochs) for each in read.attempts[3:]] == [MAX_ROWS - 1] * 12
    assert read.attempts[-1].epochs_done == 3000


def changed_lab(folder, tmp_path, *changes):
    """The sample lab with another text."""
    text = (folder / "lab.md").read_text("utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return parse_lab(text, "lab.md", folder)


def test_of_a_changed_lab_the_answers_are_kept_that_still_fit(lab, data, folder, tmp_path):
    answers = played(lab, data, "Ada")
    ProgressFile(lab).write(answers)
    corrected = changed_lab(
        folder, tmp_path, ("Which rate is better?", "Which of the rates is better?")
    )
    progress = ProgressFile(corrected)
    read = progress.read()
    assert progress.earlier.misfits == 0
    assert {**read.as_dict(), "lab": ""} == {**answers.as_dict(), "lab": ""}
    assert read.missing() == answers.missing()
    progress.write(read)
    assert ProgressFile(corrected).read().as_dict() == read.as_dict()
    assert read_answers(answers_path(lab), lab).as_dict() == answers.as_dict()


@pytest.mark.parametrize(
    ("changes", "left"),
    [
        ([("learning_rate = 0.05 }]", "learning_rate = 0.06 }]")], ["rates"]),  # of one run of two
        ([("It learns the points by heart.", "It knows them.")], []),  # nobody has chosen it
        ([("It is lucky.", "It is luck.")], ["why"]),
        ([('id = "goal"', 'id = "aim"')], ["aim"]),
        ([("epochs = 3", "epochs = 2")], ["rates"]),
        ([('network = "2-8-1"', 'network = "2-9-1"')], ["rates"]),
        ([('network = "2-8-1"', 'network = "8"')], []),  # the same, in short
    ],
)
def test_answers_to_what_has_changed_are_left_out_and_counted(
    changes, left, lab, data, folder, tmp_path
):
    ProgressFile(lab).write(played(lab, data, "Ada"))
    progress = ProgressFile(changed_lab(folder, tmp_path, *changes))
    read = progress.read()
    assert [part.id for part in read.missing()] == left
    assert bool(progress.earlier.misfits) == bool(left)


def test_neither_an_unused_nor_a_damaged_file_nor_another_lab_is_gone_on_with(
    lab, folder, tmp_path
):
    corrected = changed_lab(folder, tmp_path, ("Which rate", "Which"))
    ProgressFile(lab).write(Answers(lab, "Ada"))
    assert earlier_answers(corrected) is None
    answers = Answers(lab, "Ada")
    answers.predict(lab.part("which"), "0.05")
    ProgressFile(lab).write(answers)
    assert earlier_answers(corrected).answers.predictions == {"which": "0.05"}
    assert earlier_answers(changed_lab(folder, tmp_path, ("# Points", "# Others"))) is None
    content = answers_path(lab).read_text("utf-8")
    answers_path(lab).write_text(content.replace('"predictions": {', '"predictions": [{'), "utf-8")
    assert ProgressFile(corrected).read().as_dict() == Answers(corrected).as_dict()
    assert answers_path(lab).exists()
