"""Answers that were changed by hand: what is found with and without running attempts again, and
what counts.
"""

import json
from dataclasses import replace
from itertools import count

import pytest

from core.labs.answers import Answers
from core.labs.blocks.task import GOALS
from core.labs.grading import iter_repeats, read_folder
from core.labs.package import open_lab
from core.labs.repeats import Repeat
from core.labs.trial import DataSets, TooLongError, _Clock
from core.training.run_settings import RunSettings
from tests.core.labs.sample import DIGITS, trained, write_digits, write_sample

FAKE = "0" * 64
SECONDS = DIGITS.replace("epochs_at_most", "seconds_at_most = 100\nepochs_at_most")
LONG_SECONDS = 2.5  # of a run so long that hardly another one takes the same time to the nanosecond
SAME_KIND = "other parameters than the file says, on the same kind of processor"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return open_lab(write_digits(tmp_path_factory.mktemp("digits") / "lab"))


def hand_in(folder, lab, name, *attempts, part="goal", **settings):
    """Write the file of a person with these attempts, by default one real one with these settings;
    returns its path.
    """
    answers = Answers(lab, name)
    for attempt in attempts or (trained(lab, DataSets(lab.folder), part, name=name, **settings),):
        answers.add(attempt)
    folder.mkdir(exist_ok=True)
    answers.save(folder / f"{name}.json")
    return folder / f"{name}.json"


def forge(path, attempt=-1, **changes):
    """Change values of one of the attempts in the file; `loss` and `rows` are those of its
    epochs.
    """
    values = json.loads(path.read_text("utf-8"))
    forged = values["attempts"][attempt]
    if "loss" in changes:
        forged["epochs"][-1][3] = changes.pop("loss")
    if "score" in changes and forged["epochs"]:
        forged["epochs"][-1][4] = changes["score"]
    if "rows" in changes:
        forged["epochs"] = forged["epochs"][: changes.pop("rows")]
    forged |= changes
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def marks(path, lab, count=0, seconds=60):
    """Of the file: the cell of the task, how many parts are done, and all that is said about its
    attempts.
    """
    grades = read_folder(path.parent, lab)
    if count:
        [*iter_repeats(grades, None if count < 0 else count, seconds)]
    headings, *rows = grades.rows()
    row = next(row for row in rows if row[-1] == path.name)
    values = dict(zip(headings, row, strict=True))
    return values["goal"], values["done"], f"{values['run again']} | {values['remark']}"


def test_an_honest_file_is_met_before_and_after(tmp_path, lab):
    path = hand_in(tmp_path / "class", lab, "Ada")
    assert marks(path, lab) == ("says met, 64.00 % (attempt 1 of 1)", 1, " | ")
    assert marks(path, lab, 1) == (
        "met, 64.00 % (attempt 1 of 1)", 1, "goal (attempt 1 of 1): same to the bit | "
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"digest": FAKE, "score": 0.99}, f"{SAME_KIND} (10.00 %)"),
        ({"digest": FAKE, "score": 0.205}, SAME_KIND),
        ({"digest": FAKE, "score": 0.99, "arithmetic": "OpenBLAS Zen on "
                                                       "znver2"}, "on another kind of processor"),
        ({"digest": FAKE, "score": 0.99, "arithmetic": ""}, "on a processor that the file does "
                                                            "not name"),
        ({"digest": FAKE, "score": 0.99, "program": "0.0.9"}, "by another version of the program"),
        ({"score": 0.99}, "other numbers than the file says (10.00 %)"),
    ],
)  # fmt: skip
def test_an_invented_score_does_not_count(tmp_path, lab, changes, text):
    """The run itself reaches 10 %; 20 % are asked."""
    path = forge(hand_in(tmp_path / "class", lab, "Ada", learning_rate=1e-6), **changes)
    assert marks(path, lab)[0].startswith("says met")
    cell, done, said = marks(path, lab, 1)
    assert text in said
    assert (cell, done) == ("not met, 10.00 % (attempt 1 of 1)", 0)


@pytest.mark.parametrize(
    "changes",
    [{"arithmetic": "OpenBLAS Zen on znver2"}, {"arithmetic": ""}, {"program": "0.0.9"}, {"arithmetic": "Quantum"}],
)  # fmt: skip
def test_a_goal_that_only_the_file_meets_is_told(tmp_path, changes):
    text = DIGITS.replace("test_accuracy_at_least = 20", "test_accuracy_at_least = 64.5")
    assert text != DIGITS
    lab = open_lab(write_digits(tmp_path / "lab", text))
    path = forge(hand_in(tmp_path / "class", lab, "Ada"), digest=FAKE, score=0.648, **changes)
    hand_in(tmp_path / "class", lab, "Ben")

    cell, done, said = marks(path, lab, 1)

    assert (cell, done) == ("says met, 64.80 % (here 64.00 %), attempt 1 of 1", 1)
    known = (
        "another kind of processor (“Quantum”)" if changes.get("arithmetic") == "Quantum" else ""
    )
    assert known in said
    grades = read_folder(path.parent, lab)
    [*iter_repeats(grades, 1, 60)]
    assert (
        "Goals that only a file says to be met, and that were missed here: 1." in grades.summary()
    )
    assert "2 files marked. " in grades.html()


def test_an_attempt_that_was_met_here_comes_before_a_better_one_that_was_not(tmp_path, lab):
    met = trained(lab, DataSets(lab.folder), "goal", name="Ada")
    claimed = replace(met, score=0.7, digest=FAKE)
    path = hand_in(tmp_path / "class", lab, "Ada", met, claimed)
    (marked,) = read_folder(path.parent, lab).marked
    marked.is_repeated = True
    marked.repeats = {0: Repeat("", met), 1: Repeat("", claimed, here="19.90 %")}
    goal = lab.trained_part("goal")
    outcome = goal.outcome(marked.judged().given(goal), marked.marks(goal))
    assert outcome == "met, 64.00 % (attempt 1 of 2)"


def test_copies_of_copies_are_named_as_one_group(tmp_path, lab):
    attempt = replace(trained(lab, DataSets(lab.folder), "goal"), seconds=LONG_SECONDS)
    names = [f"Pupil {number}" for number in range(6)]
    for number, name in enumerate(names):
        hand_in(
            tmp_path / "class", lab, name, replace(attempt, seconds=LONG_SECONDS + number * 1.5e-8)
        )
    hand_in(tmp_path / "class", lab, "Honest", replace(attempt, seconds=LONG_SECONDS + 1e-3))

    grades = read_folder(tmp_path / "class", lab)

    files = ", ".join(f"{name}.json" for name in names)
    assert f"The same run in 6 files: {files}." in grades.summary()
    remarks = {marked.name: marked.remark for marked in grades.marked}
    assert remarks.pop("Honest") == ""
    others = "Pupil 0.json, Pupil 1.json, Pupil 2.json and 2 more"
    assert remarks["Pupil 5"] == f"the same run as in {others}"


def test_nobody_is_accused_whose_network_reads_nothing(tmp_path, lab):
    path = forge(hand_in(tmp_path / "class", lab, "Ada", learning_rate=1e-6), score=0.0)
    cell, done, said = marks(path, lab)
    assert (cell, done) == ("not met, 0.00 % (attempt 1 of 1)", 0)
    assert "does not count" not in said


def test_a_score_that_is_not_that_of_the_last_epoch_needs_no_training(tmp_path, lab):
    path = hand_in(tmp_path / "class", lab, "Ada", learning_rate=1e-6)
    values = json.loads(path.read_text())
    values["attempts"][0]["score"] = 0.99
    path.write_text(json.dumps(values))
    cell, done, said = marks(path, lab)
    assert (cell, done) == ("does not count (1)", 0)
    assert "does not count: its result is not that of its last epoch" in said


@pytest.mark.parametrize("count", [0, -1])
def test_parameters_follow_from_the_settings(tmp_path, lab, count):
    path = forge(hand_in(tmp_path / "class", lab, "Ada", network="64-40-10"), parameters=400)
    cell, done, said = marks(path, lab, count)
    assert (cell, done) == ("does not count (1)", 0)
    assert (
        "goal (attempt 1 of 1) does not count: 400 parameters, where its settings give 3,010"
        in said
    )


@pytest.mark.parametrize(
    "digest", [{}, {"digest": FAKE}, {"digest": FAKE, "arithmetic": "OpenBLAS Zen on znver2"}]
)
def test_an_invented_loss_is_judged_by_the_loss_found(tmp_path, digest):
    text = DIGITS.replace("test_loss_at_most = 5", "test_loss_at_most = 0.3")
    lab = open_lab(write_digits(tmp_path / "lab", text))
    path = forge(hand_in(tmp_path / "class", lab, "Ada"), loss=0.01, **digest)
    assert marks(path, lab)[0].startswith("says met")
    cell, done, _ = marks(path, lab, 1)
    assert (cell, done) == ("not met, 64.00 % (attempt 1 of 1)", 0)


@pytest.mark.parametrize("rows", [0, 1])
def test_epochs_that_are_left_out_do_not_meet_a_goal(tmp_path, rows):
    lab = open_lab(
        write_digits(tmp_path / "lab", DIGITS.replace("epochs_at_most = 3", "epochs_at_most = 1"))
    )
    path = forge(hand_in(tmp_path / "class", lab, "Ada"), rows=rows, digest=FAKE, score=0.64)
    for repeats in (0, 1):
        cell, done, _ = marks(path, lab, repeats)
        assert cell.startswith("not met")
        assert done == 0


def test_a_device_that_does_not_exist_is_named(tmp_path, lab):
    path = forge(hand_in(tmp_path / "class", lab, "Ada"), device="quantum")
    cell, done, said = marks(path, lab, 1)
    assert (cell, done) == ("does not count (1)", 0)
    assert "a device that does not exist (“quantum”)" in said


def test_epochs_without_training_accuracy_are_not_those_of_classes(tmp_path, lab):
    path = hand_in(tmp_path / "class", lab, "Ada")
    values = json.loads(path.read_text())
    for row in values["attempts"][0]["epochs"]:
        row[2] = None
    path.write_text(json.dumps(values))
    assert "its epochs have other numbers than those of such data" in marks(path, lab)[2]


def test_seconds_are_a_claim_and_stand_beside_those_found(tmp_path):
    lab = open_lab(write_digits(tmp_path / "lab", SECONDS))
    path = forge(hand_in(tmp_path / "class", lab, "Ada"), seconds=1e-9)
    cell, _, said = marks(path, lab, 1)
    assert cell.startswith("met")
    assert "same to the bit, 0.0" in said
    assert " s here" in said


def test_a_forged_attempt_behind_an_honest_one_is_run_again_first(tmp_path, lab):
    honest = trained(lab, DataSets(lab.folder), "goal")
    weak = trained(lab, DataSets(lab.folder), "goal", learning_rate=1e-6)
    path = forge(hand_in(tmp_path / "class", lab, "Ada", weak, honest), 0, score=0.999, digest=FAKE)
    assert marks(path, lab)[0] == "says met, 99.90 % (attempt 1 of 2)"
    cell, done, said = marks(path, lab, 1)
    assert said.startswith("goal (attempt 1 of 2): other parameters")
    assert (cell, done) == ("not met, 10.00 % (attempt 1 of 2)", 0)
    cell, done, _ = marks(path, lab, 2)
    assert (cell, done) == ("met, 64.00 % (attempt 2 of 2)", 1)


def test_what_takes_too_long_is_not_verified_and_does_not_count(tmp_path, lab):
    path = hand_in(tmp_path / "class", lab, "Ada")
    values = json.loads(path.read_text())
    attempt = values["attempts"][0]
    attempt["settings"]["epochs"] = 100_000_000
    attempt["epochs"][-1][0] = 100_000_000
    path.write_text(json.dumps(values))
    cell, done, said = marks(path, lab, 1, seconds=5)
    assert (cell, done) == ("not verified (1)", 0)
    assert "not verified: would take about " in said
    assert ", at most 5 s are allowed" in said


def test_the_time_is_that_of_a_person_and_not_of_an_attempt(tmp_path, lab, monkeypatch):
    """By this clock each attempt takes a minute."""
    minutes = count()
    monkeypatch.setattr("core.labs.repeats.perf_counter", lambda: 60.0 * next(minutes))
    attempts = [
        trained(lab, DataSets(lab.folder), "goal", learning_rate=rate) for rate in (0.3, 0.2, 0.1)
    ]
    grades = read_folder(hand_in(tmp_path / "class", lab, "Ada", *attempts).parent, lab)
    hand_in(tmp_path / "class", lab, "Bob", *attempts)
    grades = read_folder(tmp_path / "class", lab)
    texts = [(marked.name, text) for marked, _, text in iter_repeats(grades, None, seconds=100)]
    over = "not verified: the time for this person was over"
    assert texts == [
        *[("Ada", "same to the bit")] * 2,
        ("Ada", over),
        *[("Bob", "same to the bit")] * 2,
        ("Bob", over),
    ]


def test_a_copy_is_named_at_both_files(tmp_path, lab):
    path = hand_in(tmp_path / "class", lab, "Ada")
    values = json.loads(path.read_text())
    for name, seconds in (
        ("Ada.json", LONG_SECONDS),
        ("1-first.json", LONG_SECONDS),
        ("Bob.json", LONG_SECONDS + 1e-9),
    ):
        values["name"] = name
        values["attempts"][0]["seconds"] = seconds
        (path.parent / name).write_text(json.dumps(values))
    hand_in(tmp_path / "class", lab, "Cem")
    remarks = {marked.file: marked.remarks() for marked in read_folder(path.parent, lab).marked}
    assert remarks.pop("Cem.json") == ""
    assert [*remarks] == ["1-first.json", "Ada.json", "Bob.json"]
    for remark in remarks.values():
        assert remark.startswith("the same run as in ")


@pytest.mark.parametrize("own_seed", [False, True])
def test_a_copy_with_another_time_is_found_where_the_lab_varies_the_seed(tmp_path, own_seed):
    text = DIGITS.replace(
        'controls = ["learning_rate"]', 'controls = ["learning_rate"]\nvary = { seed = true }'
    )
    lab = open_lab(write_digits(tmp_path / "lab", text))
    folder = tmp_path / "class"
    path = hand_in(folder, lab, "Ada")
    hand_in(folder, lab, "Bob")
    values = json.loads(path.read_text())
    values["name"] = "Carl"
    values["attempts"][0]["seconds"] += 3.5
    if own_seed:
        values["attempts"][0]["settings"]["seed"] = (
            lab.part("goal").setup.plan_of("Carl").settings.seed
        )
    (folder / "Carl.json").write_text(json.dumps(values))
    remarks = {marked.file: marked.remarks() for marked in read_folder(folder, lab).marked}
    assert "the same run as in Carl.json" in remarks["Ada.json"]
    assert "the same run as in Ada.json" in remarks["Carl.json"]
    assert remarks["Bob.json"] == ""
    assert ("another seed than the lab gives" in remarks["Carl.json"]) != own_seed
    if own_seed:
        assert SAME_KIND in marks(folder / "Carl.json", lab, 1)[2]


def test_what_the_lab_does_not_ask_needs_no_training_to_be_found(tmp_path, lab):
    path = hand_in(tmp_path / "class", lab, "Ada", part="watch")
    for change, text in (
        ({"data": "builtin"}, "other data than the lab's"),
        ({"data": "/etc/passwd"}, "other data than the lab's"),
        ({"settings": {"network": "64-6-10", "epochs": 3}}, "other settings than the lab gives"),
        ({"settings": {"network": "64-900000-9000-10", "epochs": 3}}, "Use fewer units"),
    ):
        forge(path, **change)
        _, done, said = marks(path, lab)
        assert text in said
        assert done == 0
        hand_in(tmp_path / "class", lab, "Ada", part="watch")


def test_an_honest_file_of_another_processor_keeps_its_mark(tmp_path):
    """A goal that is just reached there and just missed here, within the tolerance of a point."""
    lab = open_lab(
        write_digits(tmp_path / "lab", DIGITS.replace("at_least = 20", "at_least = 64.5"))
    )
    path = hand_in(tmp_path / "class", lab, "Ada")
    elsewhere = {"digest": "1" * 64, "arithmetic": "OpenBLAS Zen on znver2"}
    forge(path, score=0.6495, **elsewhere)
    cell, done, said = marks(path, lab, 1)
    assert (cell, done) == ("says met, 64.95 % (here 64.00 %), attempt 1 of 1", 1)
    assert "within 1 points (64.00 %), on another kind of processor" in said
    forge(path, score=0.6505, **elsewhere)
    cell, done, said = marks(path, lab, 1)
    assert (cell, done) == ("not met, 64.00 % (attempt 1 of 1)", 0)
    assert "differs by 1.05 points (64.00 %), on another kind of processor" in said


def test_goals_are_met_at_their_limits(tmp_path):
    """At most 3 epochs are met by 3 epochs, and so for each goal."""
    lab = open_lab(write_digits(tmp_path / "lab", SECONDS))
    task, attempt = lab.part("goal"), trained(lab, DataSets(lab.folder), "goal")
    reached = {name: value for name, (value, _) in task.reached(attempt).items()}
    assert reached.keys() == GOALS.keys()
    for name, value in reached.items():
        easier = -1e-6 if name.endswith("at_least") else 1e-6
        for limit, expected in ((value + easier, True), (value, True), (value - easier, False)):
            asked = replace(task, goals={name: limit})
            assert asked.reached(attempt) == {name: (value, expected)}
            assert asked.meets(attempt) == expected


def test_a_run_that_broke_off_meets_no_goal(tmp_path):
    lab = open_lab(write_sample(tmp_path / "lab"))
    attempt = trained(lab, DataSets(lab.folder), "goal", learning_rate=1e6, epochs=20)
    assert attempt.epochs_done < 20
    asked = replace(lab.part("goal"), goals={"parameters_at_most": 1e6})
    assert not asked.meets(attempt)
    path = hand_in(tmp_path / "class", lab, "Ada", attempt)
    cell, _, said = marks(path, lab, 1)
    assert cell.startswith("not met, R² ")
    assert "same to the bit" in said


@pytest.mark.parametrize(
    "settings", [{"target_accuracy": 0.35}, {"target_error": 2.0}, {"patience": 1, "epochs": 60}]
)
def test_a_run_that_was_ended_early_by_its_settings_is_complete(tmp_path, lab, settings):
    attempt = trained(lab, DataSets(lab.folder), "goal", **{"epochs": 20} | settings)
    assert 0 < attempt.epochs_done < attempt.plan.settings.epochs
    assert attempt.is_complete
    path = hand_in(tmp_path / "class", lab, "Ada", attempt)
    assert marks(path, lab, 1)[2].startswith("goal (attempt 1 of 1): same to the bit")


@pytest.mark.parametrize(("most", "ends"), [(19.0, True), (21.0, False)])
def test_the_first_epoch_says_how_long_a_run_takes(monkeypatch, most, ends):
    """Ten epochs of two seconds; what comes before the first steps are done is no part of an
    epoch.
    """
    times = iter((0.0, 5.0, 7.0))
    monkeypatch.setattr("core.labs.trial.perf_counter", lambda: next(times))
    clock = _Clock(RunSettings(epochs=10), most)
    clock.check(1, 1.0)
    if ends:
        with pytest.raises(TooLongError, match="would take about 20 s, at most 19 s are allowed"):
            clock.check(1, 1.0)
    else:
        clock.check(1, 1.0)
