"""One person's answers: what is open when, what is compared, and the file."""

import json
from dataclasses import replace

import pytest

from core.errors import InputError
from core.labs.answers import MAX_ATTEMPTS, Answers
from core.labs.answers_file import read_answers
from core.labs.block_reader import Setup
from core.labs.blocks.predict import NumberPrediction, compare_curves
from core.labs.blocks.text import Text
from core.labs.lab import Lab, LabStep
from core.labs.reader import parse_lab
from core.runs.plan import RunPlan
from core.training.run_settings import RunSettings
from tests.core.labs.sample import SAMPLE, played, trained

CURVE = [(1.0, 0.5), (3.0, 0.1)]


def write(value, quantity):
    return f"{value:.2f}"


def seen(answers):
    """What a person sees of all steps, without the texts of what is asked."""
    parts = [part for step in answers.lab.steps for part in answers.visible(step)]
    return [part.markdown for part in parts if isinstance(part, Text)]


@pytest.fixture(scope="module")
def done(lab, data):
    """The answers of a person who has done all."""
    return played(lab, data, "Ada")


def test_nothing_that_gives_the_result_away_is_open_before_the_predictions(lab, data):
    answers = Answers(lab)
    run = lab.part("rates")
    assert not answers.may_run(run)
    assert seen(answers) == []
    for part_id, value in (("which", "0.05"), ("curve", CURVE), ("number", 0.2)):
        assert not answers.may_run(run)
        assert not answers.may_leave(lab.steps[1])
        part = lab.part(part_id)
        answers.predict(part, value)
        assert answers.is_done(part)
        assert answers.comparison(part, write) is None
    assert answers.may_run(run)
    assert answers.may_leave(lab.steps[1])
    answers.add(trained(lab, data, "rates", 0))
    assert not answers.is_done(run)
    assert seen(answers) == []
    assert answers.comparison(lab.part("which"), write) is None
    assert answers.visible(lab.steps[2]) == (run,)
    answers.add(trained(lab, data, "rates", 1))
    assert answers.is_done(run)
    assert seen(answers) == ["The larger one."]


def test_a_prediction_cannot_be_changed_after_the_run(done, lab):
    with pytest.raises(InputError, match="cannot be changed afterwards"):
        done.predict(lab.part("number"), 1.0)


@pytest.mark.parametrize(
    ("part_id", "value"),
    [
        ("which", "0.1"),
        ("which", 0.05),
        ("number", "0.2"),
        ("number", float("nan")),
        ("number", True),
        ("curve", [(1.0, 0.5)]),
        ("curve", [(2.0, 0.5), (1.0, 0.5)]),
        ("curve", [(1.0, float("inf")), (2.0, 0.5)]),
        ("curve", 0.5),
    ],
)
def test_a_prediction_of_another_kind_is_refused(lab, part_id, value):
    answers = Answers(lab)
    kinds = {
        "which": "one of its choices",
        "number": "a number",
        "curve": "a curve of at least two points",
    }
    with pytest.raises(InputError, match=f"The prediction {part_id} must be {kinds[part_id]}"):
        answers.predict(lab.part(part_id), value)
    assert answers.predictions == {}


def test_expected_and_real_are_compared_in_one_sentence(done, lab):
    texts = {
        part: str(done.comparison(lab.part(part), write)) for part in ("which", "curve", "number")
    }
    assert texts["which"] == "Expected “0.0001”; it is “0.05”."
    real = done.attempts[1].values("test_loss")
    assert texts["number"] == f"Expected 0.25; it was {real[-1][1]:.2f}."
    assert texts["curve"].startswith("Expected 0.50 after epoch 1; it was ")


def test_a_curve_that_is_near_is_said_to_be_close(lab, data):
    answers = Answers(lab)
    attempt = trained(lab, data, "rates", 1)
    answers.predict(lab.part("curve"), attempt.values("test_loss"))
    for each in (trained(lab, data, "rates", 0), attempt):
        answers.add(each)
    assert str(answers.comparison(lab.part("curve"), write)).startswith("The curve is close:")


def falling(from_epoch, epochs=20):
    """A loss that falls evenly from 2 to 1 until an epoch, and then stays."""
    return [(float(n), max(2.0 - n / from_epoch, 1.0)) for n in range(epochs + 1)]


@pytest.mark.parametrize(
    ("drawn", "real", "remark"),
    [
        (16, 4, "The expected curve moved for too long."),
        (4, 16, "The expected curve settled too early."),
        (6, 4, ""),
        (4, 6, ""),
    ],
)
def test_a_drawn_curve_is_told_whether_it_moved_too_long_or_settled_too_early(
    lab, data, drawn, real, remark
):
    answers = Answers(lab)
    answers.add(trained(lab, data, "rates", 0))
    attempt = trained(lab, data, "rates", 1)
    row = attempt.epochs[-1]
    rows = [[int(epoch), row[1], None, loss, row[4], None] for epoch, loss in falling(real)[1:]]
    answers.add(replace(attempt, epochs=rows))
    answers.predict(lab.part("curve"), falling(drawn))
    said = str(answers.comparison(lab.part("curve"), write))
    assert said.startswith("Expected ")
    assert said.endswith(remark or ".")
    assert ("The expected curve" in said) == bool(remark)


def test_after_a_wrong_choice_another_one_can_be_tried(lab):
    answers = Answers(lab)
    part = lab.part("why")
    answers.answer(part, "It is lucky.")
    assert not answers.is_done(part)
    answers.answer(part, "Its steps are longer.")
    assert answers.is_done(part)
    assert answers.tries["why"] == ["It is lucky.", "Its steps are longer."]


def test_a_task_is_done_when_all_its_goals_are_met(lab, data):
    task = lab.part("goal")
    answers = Answers(lab)
    answers.add(trained(lab, data, "goal", network="2-50-1"))
    assert [met for _, met in task.reached(answers.attempts[0]).values()] == [
        False,
        True,
    ]  # parameters first
    assert not answers.is_done(task)
    answers.add(trained(lab, data, "goal"))
    assert answers.is_done(task)


def test_too_many_attempts_drop_the_oldest(lab, data):
    answers = Answers(lab)
    attempt = trained(lab, data, "goal")
    for _ in range(MAX_ATTEMPTS + 5):
        answers.add(attempt)
    assert len(answers.attempts) == MAX_ATTEMPTS


def test_the_file_keeps_everything_and_nothing_else(done, lab, tmp_path):
    path = tmp_path / "ada.json"
    done.save(path)
    read = read_answers(path, lab)
    assert read.as_dict() == done.as_dict()
    assert (read.name, read.predictions["curve"], read.tries) == ("Ada", CURVE, done.tries)
    assert read.attempts == done.attempts
    values = json.loads(path.read_text("utf-8"))
    assert [*values] == [
        "format",
        "version",
        "program",
        "lab",
        "name",
        "step",
        "predictions",
        "questions",
        "attempts",
    ]
    assert [*values["attempts"][0]] == [
        "part",
        "variant",
        "settings",
        "data",
        "device",
        "epochs",
        "score",
        "seconds",
        "parameters",
        "digest",
        "arithmetic",
        "program",
    ]
    assert path.stat().st_size < 5000


def changed(done, tmp_path, change):
    """The file of answers after a change of its values."""
    values = done.as_dict()
    values = json.loads(json.dumps(values))
    change(values)
    path = tmp_path / "x.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda v: v.update(format="other"), "it does not hold answers"),
        (lambda v: v.update(version=2), "x.json is of version 2 of the format; this program reads "
                                        "version 1."),
        (lambda v: v["lab"].update(digest="0" * 64), "x.json is of another version of this lab."),
        (lambda v: v["lab"].update(digest="0" * 64, title="Lines"), "x.json is of another lab: "
                                                                    "Lines."),
        (lambda v: v.pop("name"), "cannot be read as answers"),
        (lambda v: v.update(name=5), "a text is missing, too long or too large"),
        (lambda v: v.update(name="x" * 501), "a text is missing, too long or too large"),
        (lambda v: v.update(step="1"), "a number is missing"),
        (lambda v: v["predictions"].update(zzz=1), "it answers “zzz”, which the lab does not ask"),
        (lambda v: v["predictions"].update(number="much"), "must be a number"),
        (lambda v: v["questions"].update(why=["Because."]), "are none of the lab's"),
        (lambda v: v["questions"].update(why=[["Its steps are longer."]]), "are none of the lab's"),
        (lambda v: v.update(attempts={}), "a list is missing"),
        (lambda v: v["attempts"].append(v["attempts"][0] | {"extra": 1}), "an attempt has a value "
                                                                          "“extra”"),
        (lambda v: v["attempts"][0].update(part="why"), "it answers “why”"),
        (lambda v: v["attempts"][0].update(variant=2), "an attempt at a run that the lab does not "
                                                       "have"),
        (lambda v: v["attempts"][0].update(variant=True), "a number is missing"),
        (lambda v: v["attempts"][0].update(score=1.5), "more than 100 %"),
        (lambda v: v["attempts"][0].update(seconds=None), "a number is missing"),
        (lambda v: v["attempts"][0].update(data=["points.csv"]), "a text is missing"),
        (lambda v: v["attempts"][0].update(settings={"os.system": "true"}), "does not know (os.system)"),
        (lambda v: v["attempts"][0].update(settings={"epochs": 0}), "epochs 0"),
        (lambda v: v["attempts"][0].update(epochs=[[1, 2]]), "an epoch has other numbers"),
        (lambda v: v["attempts"][0].update(epochs=[[1, 2, 3, 4, 5, "6"]]), "a number is missing"),
        (lambda v: v["attempts"][0].update(epochs=[5]), "cannot be read as answers"),
        (lambda v: v.update(version=[1] * 1000), "it does not say its version"),
        (lambda v: v.update(version="1"), "it does not say its version"),
        (lambda v: v["attempts"][0].update(seconds=-5), "it has a run of -5 s"),
        (lambda v: v["attempts"][0].update(seconds=1e10), "it has a run of 1e+10 s"),
        (lambda v: v["attempts"][0].update(score=-1e300), "too large"),
        (lambda v: v["attempts"][0].update(parameters=0), "a network without parameters"),
        (lambda v: v["attempts"][0].update(parameters=1.5), "a number is missing"),
        (lambda v: v["attempts"][0]["epochs"][0].__setitem__(4, 1.7), "an epoch has a result of "
                                                                      "more than 100"),
        (lambda v: v["attempts"][0]["epochs"][0].__setitem__(3, 10**300), "too large"),
        (lambda v: v["attempts"][0]["epochs"][0].__setitem__(3, 1e308), "too large"),
        (lambda v: v["attempts"][0]["epochs"][0].__setitem__(3, -0.5), "an epoch has a loss of "
                                                                       "less than 0"),
        (lambda v: v["attempts"][0]["epochs"][0].__setitem__(3, None), "an epoch lacks a number"),
        (lambda v: v["attempts"][0]["epochs"][0].__setitem__(2, 0.5), "an epoch has a result of "
                                                                      "less than 0"),
        (lambda v: v["attempts"][0]["epochs"].reverse(), "its epochs are not those of a run"),
        (lambda v: v["attempts"][0]["epochs"][-1].__setitem__(0, 4), "its epochs are not those of "
                                                                     "a run"),
        (lambda v: v["predictions"].update(number=1e300), "must be a number"),
        (lambda v: v["predictions"].update(curve=[[0, 1, 2], [1, 2, 3]]), "must be a curve"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_in_one_sentence(done, lab, tmp_path, change, expected):
    with pytest.raises(InputError) as caught:
        read_answers(changed(done, tmp_path, change), lab)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"\xff\xfe\x00",
        b'{"format": "digitlab-answers"}',
        b"1" * 5000,
    ],
)
def test_what_is_no_file_of_answers_is_refused(lab, tmp_path, content):
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(InputError, match=r"x\.json"):
        read_answers(tmp_path / "x.json", lab)


def test_progress_of_a_person_whose_step_is_gone_begins_at_the_last(done, lab, tmp_path):
    assert (
        read_answers(changed(done, tmp_path, lambda v: v.update(step=99)), lab).step
        == len(lab.steps) - 1
    )


def test_answers_to_an_edited_lab_are_of_another_version(done, tmp_path, folder):
    path = changed(done, tmp_path, lambda values: None)
    edited = parse_lab(SAMPLE.replace("Do better.", "Do best."), "lab.md", folder)
    with pytest.raises(InputError, match="another version of this lab"):
        read_answers(path, edited)


def test_a_curve_that_settles_a_fifth_of_the_epochs_later_is_told_the_difference_only():
    drawn = [(1, 10), (2, 20), (3, 30), (4, 80), (5, 80), (6, 80)]
    real = [(1, 10), (2, 20), (3, 80), (4, 80), (5, 80), (6, 80)]
    text = str(compare_curves(drawn, real, "test_accuracy", lambda value, quantity: f"{value:g}"))
    assert text == "Expected 30 after epoch 3; it was 80."


def test_a_thousand_tries_are_read_and_no_more(done, lab, tmp_path):
    for count in (1000, 1001):
        path = changed(
            done,
            tmp_path,
            lambda values, n=count: values["questions"].update(why=["It is lucky."] * n),
        )
        if count == 1000:
            assert len(read_answers(path, lab).tries["why"]) == 1000
        else:
            with pytest.raises(InputError, match="none of the lab's"):
                read_answers(path, lab)


@pytest.mark.parametrize(
    ("drawn", "real", "said"),
    [
        # Drawn as if it rose to the end, while the real one had settled after two epochs; and the
        # other way round.
        (
            [(0, 0), (10, 90)],
            [(1, 60), (2, 90), (3, 90), (6, 90), (10, 90)],
            "The expected curve moved for too long.",
        ),
        (
            [(0, 0), (2, 90), (10, 90)],
            [(1, 9), (2, 18), (5, 45), (10, 90)],
            "The expected curve settled too early.",
        ),
    ],
)
def test_a_curve_that_settles_at_another_time_is_told_so(drawn, real, said):
    text = str(compare_curves(drawn, real, "test_accuracy", lambda value, quantity: f"{value:g}"))
    assert said in text


@pytest.mark.parametrize(
    ("quantity", "data", "good", "bad"),
    [
        ("test_accuracy", "builtin", (0, 50, 100), (-1, 999)),
        ("test_accuracy", "rastrigin:100", (-2, 1), (2,)),
        ("test_accuracy", "mine.csv", (0.9,), (90,)),
        ("test_loss", "builtin", (0, 2.3), (-0.1,)),
    ],
)
def test_a_number_that_cannot_come_out_is_not_kept(quantity, data, good, bad):
    plan = RunPlan(RunSettings(), data)
    part = NumberPrediction(1, "p", setup=Setup(plan), quantity=quantity)
    answers = Answers(Lab("A", 1, (LabStep("A", (part,)),), "0", ""))
    for value in good:
        answers.predict(part, float(value))
    for value in bad:
        with pytest.raises(InputError, match="Type a number"):
            answers.predict(part, float(value))
