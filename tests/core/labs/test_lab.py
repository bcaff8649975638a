"""The format of labs: what each block gives, and what is refused, with its line and the nearest
name.
"""

import pytest

from core.errors import InputError
from core.labs.blocks.predict import ChoicePrediction, CurvePrediction, NumberPrediction
from core.labs.blocks.question import QuestionBlock
from core.labs.blocks.run import RunBlock
from core.labs.blocks.setup import SetupBlock
from core.labs.blocks.task import TaskBlock
from core.labs.blocks.text import RevealText, TeacherText, Text
from core.labs.package import open_lab
from core.labs.reader import parse_lab
from tests.core.labs.sample import SAMPLE, write_sample

HEAD = "# Title\n\n```lab\nversion = 1\n```\n\n"  # six lines
RUN = "```run\n```\n"
QUESTION = '```question\n[[choices]]\ntext = "a"\nright = true\n[[choices]]\ntext = "b"\n{}\n```\n'
WRONG = 'misconception = "m"\nreply = "r"'


def lab_of(*blocks):
    return parse_lab(HEAD + "\n".join(blocks), "x.md")


def block(kind, *lines):
    return "\n".join([f"```{kind}", *lines, "```", ""])


def reason(*blocks):
    with pytest.raises(InputError) as caught:
        lab_of(*blocks)
    return str(caught.value)


def test_a_lab_is_steps_of_texts_and_parts(lab):
    assert (lab.title, lab.minutes) == ("Points", 5)
    assert [step.title for step in lab.steps] == ["Points", "Predict", "Run", "Change"]
    assert [part.id for part in lab.parts.exercises] == [
        "which",
        "curve",
        "number",
        "rates",
        "why",
        "goal",
    ]
    kinds = [type(part) for part in lab.parts]
    assert kinds == [
        SetupBlock,
        TeacherText,
        ChoicePrediction,
        CurvePrediction,
        NumberPrediction,
        RunBlock,
        RevealText,
        QuestionBlock,
        TaskBlock,
    ]
    assert [part.hidden for part in lab.parts if isinstance(part, Text)] == ["teacher", "reveal"]
    rates = lab.part("rates")
    assert [plan.settings.learning_rate for plan in rates.plans("")] == [0.0001, 0.05]
    assert {plan.data for plan in rates.plans("")} == {"points.csv"}
    assert rates.titles == ("rate 0.0001", "rate 0.05")
    assert lab.predicted_run(lab.part("curve")) is rates
    assert lab.part("goal").goals == {"test_loss_at_most": 1000, "parameters_at_most": 100}
    assert [choice.misconception for choice in lab.part("why").choices] == [
        "it is chance",
        "it stores them",
        "",
    ]


def test_text_and_code_stay_in_their_places():
    lab = lab_of(
        "One *word*.", "```python\nprint(1)\n```", block("setup", "epochs = 2"), "Two.", RUN
    )
    first, setup, second, run = lab.parts
    assert first.markdown.startswith("One *word*.")
    assert "print(1)" in first.markdown
    assert (setup.line, second.markdown, run.setup.plan.settings.epochs) == (11, "Two.", 2)


def test_a_setup_continues_the_one_before():
    lab = lab_of(block("setup", "epochs = 2", "seed = 5"), block("setup", "epochs = 3"), RUN)
    settings = lab.part("run-1").plans("")[0].settings
    assert (settings.epochs, settings.seed) == (3, 5)
    lab = lab_of(
        block("setup", "seed = 5"), block("setup", 'preset = "default"', "epochs = 1"), RUN
    )
    settings = lab.part("run-1").plans("")[0].settings
    assert (settings.network, settings.epochs, settings.seed) == ("8C5-MP2-16C5-MP2-64N-10N", 1, 0)


def test_each_person_gets_constants_of_their_own():
    setup = block("setup", "[vary]", "seed = true", "learning_rate = [0.1, 0.2, 0.3]")
    run = lab_of(setup, RUN).part("run-1")
    plans = [run.plans(f"Person {number}")[0].settings for number in range(20)]
    assert len({settings.seed for settings in plans}) == 20
    assert {settings.learning_rate for settings in plans} == {0.1, 0.2, 0.3}
    assert run.plans("Zoë ")[0] == run.plans("zoë")[0]


def test_a_lab_that_asks_nothing_is_an_experiment(lab):
    assert lab_of(block("setup", "epochs = 2"), "Text.").is_experiment
    assert not lab.is_experiment


def test_the_digest_changes_with_the_text_and_not_with_line_ends(lab):
    assert parse_lab(HEAD, "x").digest == parse_lab(HEAD.replace("\n", "\r\n"), "x").digest
    assert parse_lab(HEAD, "x").digest != parse_lab(HEAD + "More.", "x").digest


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        (["```predct\n```"], "line 7: “predct” is no block: did you mean “predict”?"),
        (["```zzz\n```"], "line 7: “zzz” is no block: choose one of lab, setup, predict, run"),
        ([block("setup", "epochs = 1", "lerning_rate = "
                                       "1")], "line 9: “lerning_rate” is no key of “setup”: did "
         "you mean “learning_rate”?"),
        ([block("setup", "epochs = 0")], "line 7: epochs 0: must be at least 1"),
        ([block("setup", 'activation = "rellu"')], "line 7: activation rellu"),
        ([block("setup", "epochs = ")], "line 8: the block “setup” cannot be read"),
        ([block("setup", 'tab = "result"')], "“result” is no tab: did you mean “results”?"),
        ([block("setup", 'controls = ["epoch"]')], "“epoch” is no control: did you mean “epochs”?"),
        ([block("setup", 'data = "/etc/passwd"')], "line 8: data: /etc/passwd: there is no such "
                                                   "data set"),
        ([block("setup", "epochs = 1", 'data = "bultin"')], "line 9: data: bultin: there is no "
         "such data set, folder or file; did you mean “builtin”?"),
        ([block("setup", 'data = "builtin+mnist+builtin"')], "name each data set of a sum once"),
        ([block("setup", "epochs = 1", 'device = "vectorised"')], "line 9: “vectorised” is no "
         "device: did you mean “vectorized”?"),
        ([block("run", 'devices = ["vectorized", '
                       '"coda"]')], "line 8: “coda” is no device: did you mean “cuda”?"),
        ([block("setup", 'model = "../m.safetensors"')], "model “../m.safetensors” is not in the "
                                                         "lab's folder"),
        ([block("setup", 'preset = "nothing"')], "line 7: "),
        ([block("setup", "learning_rate = inf")], "line 8: learning_rate: must be a number up to "
                                                  "1e+15"),
        ([block("setup", "[vary]", "epochs = 3")], "vary.epochs: give a list"),
        ([block("setup", "[vary]", "epoch = [3]")], "“epoch” is no setting: did you mean "
                                                    "“epochs”?"),
        ([block("predict", 'choices = ["a"]')], "choices: give 2 to 12 different ones"),
        ([block("predict", 'choices = ["a", "a"]')], "choices: give 2 to 12 different ones"),
        ([block("predict", 'choices = [["a"], "b"]')], "each choice and title is a text or number"),
        ([block("predict", 'choices = ["aa", '
                           '"bb"]', 'right = "ab"')], "“ab” is no choice: did you mean “bb”?"),
        ([block("predict", 'ask = "?"')], "a prediction needs “choices”, “number” or “curve”"),
        ([block("predict", 'curve = "test_loss"', 'number = "test_loss"'), RUN], "give one of choices"),
        ([block("predict", 'curve = "test_lost"'), RUN], "“test_lost” is no quantity: did you "
                                                         "mean “test_loss”?"),
        ([block("predict", 'curve = "test_loss"')], "line 7: no run follows"),
        ([block("predict", 'curve = "test_loss"', 'run = "other"'), RUN], "line 7: no run follows"),
        ([block("predict", 'number = "test_loss"', "epoch = 11"), RUN], "line 7: epoch: the run "
                                                                        "has 10 epochs"),
        ([block("predict", 'number = "test_loss"', "epoch = 0"), RUN], "epoch: must be at least 1"),
        ([block("predict", 'number = "test_loss"', "variant = 2"), RUN], "variant: the run has 1 "
                                                                         "variants"),
        ([block("run", "variants = []")], "variants: give 1 to 6 tables"),
        ([block("run", "variants = [1]")], "variants: give 1 to 6 tables"),
        ([block("run", "variants = [{ epocs = 1 "
                       "}]")], "“epocs” is no setting: did you mean “epochs”?"),
        ([block("run", "variants = [{ epochs = 2000 }]")], "a run of a lab has at most 1000"),
        ([block("run", 'show = "curve"')], "“curve” is no view: did you mean “curves”?"),
        ([block("run", "figures = { test_accuracy = [1, 2] "
                       "}")], "give one number for each of the runs"),
        ([block("run", "figures = { test_accuracy = nan "
                       "}")], "line 8: figures: must be a number up to 1e+15"),
        ([block("run", f"tolerance = {'9' * 400}")], "line 8: tolerance: must be a number up to "
                                                     "1e+15"),
        ([block("run", "tolerance = -1")], "tolerance: must be at least 0"),
        ([block("run", 'tolerance = "1"')], "line 8: tolerance: must be a number"),
        ([block("run", 'devices = ["a"]', "variants = [{}]")], "devices: give 1 to 6, without "
                                                               "“variants”"),
        ([block("run", 'id = "Big Name"')], "id “Big Name”: write small letters"),
        ([block("run", 'id = "a"'), block("run", 'id = "a"')], "id “a” is given twice"),
        ([QUESTION.format("")], "the choice “b” is wrong: name its “misconception” and answer it "
                                "in “reply”"),
        ([QUESTION.format('misconseption = "x"')], "did you mean “misconception”?"),
        ([QUESTION.format('right = "no"')], "right of a choice: must be true or false"),
        ([QUESTION.replace("right = true", WRONG).format(WRONG)],
         "no choice is right"),
        ([block("task", 'ask = "?"')], "a task needs a goal: one of test_accuracy_at_least"),
        ([block("task", "epochs_at_most = 1", "solution = { epochs = 0 }")], "line 7: epochs 0"),
        ([block("task", "epochs_at_most = 1", "solution = { epoch = 1 "
                                              "}")], "did you mean “epochs”?"),
        ([block("task", "epochs_at_most = nan")], "epochs_at_most: must be a number up to 1e+15"),
        ([block("task", "epochs_at_most = 1", 'on = "nowhere"')], "line 9: on: nowhere: there is "
                                                                  "no such data set"),
        (["- ```run\n  ```"], "a block “run” must not stand in a list"),
        (["# Second"], "line 7: a lab has one title"),
        ([block("lab", "version = 1")], "line 7: a lab has one block “lab”"),
        (["![](../x.png)"], "line 7: the picture “../x.png” is not in the lab's folder"),
        ([block("reveal", "![](x.png)")], "line 7: the picture “x.png” is not in the lab's folder"),
        ([block("task", "epochs_at_most = 1", 'ask = "![](x.png)"')], "the picture “x.png”"),
        (["text\n\n" * 6, *["```reveal\na\n```\n"] * 501], "the lab has more than 500 parts"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(blocks, expected):
    message = reason(*blocks)
    assert message.startswith("x.md, line ")
    assert expected in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# T\n", "line 1: it is no lab: a lab has a block"),
        ("", "line 1: it is no lab"),
        ("```lab\nversion = 1\n```\n", "the lab has no title"),
        (
            "# T\n\n```lab\nversion = 2\n```\n",
            "line 3: version 2: this program reads labs of version 1",
        ),
        ("# T\n\n```lab\nversion = true\n```\n", "line 4: version: must be a whole number"),
        (
            "# T\n\n```lab\nminutes = 5\n```\n",
            "line 3: the block “lab” has no version: add “version = 1”",
        ),
        ("# T\n\n```lab\nversion = 1\nminutes = -5\n```\n", "minutes: must be from 0"),
        ("# T\n" * 100_000, "x.md is too long for a lab"),
        ("# " + "T" * 301, "line 1: a title has at most 300 characters"),
        ("# T\n\n" + "x" * 5001, "line 3: the line is too long: divide it after 5,000 characters"),
        ("# T\n\n## A\n" + "word\n" * 4001, "the step is too long: begin another one"),
        ("# T\n\n" + ">" * 11 + " x", "line 3: the text is nested more than 10 times"),
        ("# T\n\n" + "[" * 12 + "x" + "](y)" * 12, "x.md, line 1: it is no lab"),
        ("# T\n\n" + "*a " * 12 + "b*" * 12, "line 3: the text is nested more than 10 times"),
    ],
)
def test_what_is_no_lab_of_this_version_is_refused(text, expected):
    with pytest.raises(InputError, match=expected.replace("(", r"\(")):
        parse_lab(text, "x.md")


def test_data_and_pictures_lie_in_the_folder(tmp_path):
    folder = write_sample(tmp_path / "lab")
    (folder / "pictures").mkdir()
    (folder / "pictures" / "a.png").write_bytes(b"")
    (tmp_path / "b.png").write_bytes(b"")
    (folder / "lab.md").write_text(SAMPLE + "\n![A](pictures/a.png)\n", encoding="utf-8")
    assert open_lab(folder).folder == folder
    elsewhere = (
        "../b.png",
        str(tmp_path / "b.png"),
        "file:///etc/passwd",
        "https://x.org/a.png",
        "~/a.png",
    )
    # On another computer the folder has another name.
    only_here = (str(folder / "pictures" / "a.png"), "../lab/pictures/a.png")
    for name in elsewhere + only_here:
        (folder / "lab.md").write_text(SAMPLE + f"\n![A]({name})\n", encoding="utf-8")
        with pytest.raises(InputError, match="is not in the lab's folder"):
            open_lab(folder)


def test_a_link_that_leaves_the_folder_is_not_followed(tmp_path):
    folder = write_sample(tmp_path / "lab", SAMPLE.replace("points.csv", "linked.csv"))
    try:
        (folder / "linked.csv").symlink_to("../points.csv")
    except OSError:
        pytest.skip("this system makes no links")
    (folder / "points.csv").rename(tmp_path / "points.csv")
    with pytest.raises(InputError, match=r"data: linked.csv: there is no such data set"):
        open_lab(folder)
