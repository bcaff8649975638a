"""Marking a folder of answers: the table, wrong ideas, curves, attempts run again, files that are
not what they say.
"""

import csv
import io
import json
from collections import Counter

import pytest

from core.errors import InputError
from core.labs.answers_file import read_answers
from core.labs.grading import iter_repeats, read_folder
from core.labs.package import open_lab
from core.labs.trial import DataSets, make_attempt
from tests.core.labs.sample import SAMPLE, played, trained, write_sample

IDEAS = {
    "Ada": "It is lucky.",
    "Bob": "It is lucky.",
    "Cem": "It learns the points by heart.",
    "Dia": "Its steps are longer.",
}


@pytest.fixture(scope="module")
def values(lab, data):
    """The content of the files of four persons, by name."""
    return {
        name: json.loads(json.dumps(played(lab, data, name, idea).as_dict()))
        for name, idea in IDEAS.items()
    }


@pytest.fixture
def hand_in(tmp_path, values):
    """A function that writes a file of one of the persons, changed by a function, and returns the
    folder.
    """

    def write(person, change=lambda content: None, file=""):
        content = json.loads(json.dumps(values[person]))
        change(content)
        path = tmp_path / "class" / (file or f"{person}.json")
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(json.dumps(content), encoding="utf-8")
        return tmp_path / "class"

    return write


@pytest.fixture
def graded(hand_in, lab):
    for person in IDEAS:
        folder = hand_in(person)
    return read_folder(folder, lab)


def repeated(folder, lab, count=None):
    """Outcomes of the attempts of all persons that were run again."""
    return [text for _, _, text in iter_repeats(read_folder(folder, lab), count)]


def faults(folder, lab):
    """Why attempts do not count, of all files; nothing is run again."""
    return [fault for marked in read_folder(folder, lab).marked for fault in marked.faults.values()]


def test_the_table_says_who_did_what(graded):
    rows = graded.rows()
    assert rows[0] == [
        "name",
        "done",
        "of",
        "which",
        "curve",
        "number",
        "rates",
        "why",
        "goal",
        "run again",
        "remark",
        "file",
    ]
    ada = dict(zip(rows[0], rows[1], strict=True))
    assert (ada["name"], ada["done"], ada["of"], ada["file"]) == ("Ada", 6, 6, "Ada.json")
    assert (ada["which"], ada["curve"], ada["number"]) == ("0.0001 (wrong)", "drawn", "0.25")
    assert ada["why"] == "right at attempt 2"
    assert ada["goal"].startswith("says met, R² ")
    assert ada["goal"].endswith(" (attempt 1 of 1)")
    assert ada["rates"].endswith(" (rate 0.05)")
    assert graded.summary() in graded.html()
    assert graded.summary() == "Attempts count as the files say: nothing was run again."


def test_wrong_ideas_are_counted_by_the_first_answer(graded):
    counts = {idea: count for _, idea, _, count in graded.misconceptions()}
    assert counts == {"it is chance": 2, "it stores them": 1}
    assert [row[3] for row in graded.misconceptions()] == [2, 1]


def test_the_curves_of_the_class_lie_over_the_real_one(graded, lab):
    drawn = graded.predictions(lab.part("curve"))
    real = graded.real_curve(lab.part("curve"))
    assert [name for name, _ in drawn] == [*IDEAS]
    assert [epoch for epoch, _ in real] == [1, 2, 3]
    assert graded.html().count("<polyline") == 5


def test_an_attempt_is_repeated_to_the_bit(graded, lab):
    texts = [text for _, _, text in iter_repeats(graded, None)]
    assert texts == ["same to the bit"] * 12
    assert "goal (attempt 1 of 1): same to the bit" in graded.csv()
    assert graded.rows()[1][8].startswith("met, R² ")
    assert graded.summary().startswith(
        "12 of 12 attempts are the same to the bit. Of a task only attempts count that were run "
        "again here"
    )


def test_of_each_person_those_that_met_a_task_are_repeated_first(graded):
    assert [(marked.name, title) for marked, title, _ in iter_repeats(graded, 1)] == [
        (name, "goal (attempt 1 of 1)") for name in IDEAS
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda a: a["epochs"][-1].__setitem__(1, 0.5), "other numbers than the file says"),
        (lambda a: a.update(digest="0" * 64), "other parameters than the file says, on the same "
                                              "kind of processor"),
        (lambda a: a.update(digest="0" * 64, arithmetic=""), "within 1 points"),
        (lambda a: a.update(device="cuda:9"), "same to the bit"),
        (lambda a: a.update(device="cuda:9", digest="1"), "on vectorized instead of cuda:9"),
        (lambda a: a["settings"].update(batch_size=100_000, network="2-9000-9000-1"), "at most 500 MB are allowed"),
        (
            lambda a: a["settings"].update(batch_size=1000, network="2-3000-3000-1") or a.update(parameters=9_015_001),
            "at most 20,000,000,000 are allowed",
        ),
        (lambda a: a["settings"].update(group=32, workers=17), "at most 16 are allowed"),
    ],
)  # fmt: skip
def test_a_tampered_attempt_does_not_pass(hand_in, lab, change, expected):
    def tamper(content):
        del content["attempts"][:2]
        change(content["attempts"][0])
        if "9000" in content["attempts"][0]["settings"]["network"]:
            content["attempts"][0]["parameters"] = 81_045_001

    (text,) = repeated(hand_in("Ada", tamper), lab)
    assert expected in text


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda a: a.update(score=0.99), "its result is not that of its last epoch"),
        (lambda a: a["epochs"][-1].__setitem__(4, 0.5), "its result is not that of its last epoch"),
        (lambda a: a.update(parameters=1), "1 parameters, where its settings give 33"),
        (lambda a: a.update(device="$(reboot)"), "a device that does not exist (“$(reboot)”)"),
        (lambda a: a.update(data="/etc/passwd"), "other data than the lab's"),
        (lambda a: a.update(data="builtin"), "other data than the lab's"),
        (lambda a: a["settings"].update(network="2-900000-9000-1"), "Use fewer units"),
        (lambda a: a["settings"].update(network="4C5-1N"), "4C5"),
    ],
)
def test_what_cannot_be_does_not_count_and_is_not_run_again(hand_in, lab, change, expected):
    def tamper(content):
        del content["attempts"][:2]
        change(content["attempts"][0])

    folder = hand_in("Ada", tamper)
    (fault,) = faults(folder, lab)
    assert expected in fault
    assert repeated(folder, lab) == []
    row = read_folder(folder, lab).rows()[1]
    assert (row[8], row[1]) == ("does not count (1)", 4)
    assert "goal (attempt 1 of 1) does not count: " in row[10]


def test_a_run_of_the_lab_has_the_settings_of_the_lab(hand_in, lab):
    def tamper(content):
        del content["attempts"][1:]
        content["attempts"][0]["settings"]["learning_rate"] = 0.5

    assert faults(hand_in("Ada", tamper), lab) == ["other settings than the lab gives"]


def test_a_repeated_attempt_ends_in_time(hand_in, lab):
    def tamper(content):
        del content["attempts"][:2]
        content["attempts"][0]["settings"]["epochs"] = 100_000_000

    (text,) = (
        text
        for _, _, text in iter_repeats(read_folder(hand_in("Ada", tamper), lab), None, seconds=0.2)
    )
    # On a busy machine the time is over before the first epoch shows how long all would take.
    assert text.startswith(("not verified: would take about ", "not verified: was ended after "))
    assert text.endswith(", at most 0.2 s are allowed")


@pytest.mark.parametrize(
    ("gap", "verdict"), [(0.999, "within 1 points"), (1.001, "differs by 1 points")]
)
def test_the_tolerance_of_a_repeat_is_that_of_the_part(hand_in, lab, gap, verdict):
    """In hundredths of R²; by a tolerance ten times as wide both would be within it."""

    def tamper(content):
        del content["attempts"][:2]
        attempt = content["attempts"][0]
        attempt["score"] -= gap / 100
        attempt["epochs"][-1][4] = attempt["score"]
        attempt.update(digest="0" * 64, arithmetic="another")

    (text,) = repeated(hand_in("Ada", tamper), lab)
    assert text.startswith(verdict)


def test_each_person_is_held_to_the_own_constants(tmp_path):
    text = SAMPLE.replace(
        'controls = ["learning_rate"]', 'controls = ["learning_rate"]\nvary = { seed = true }'
    )
    lab = open_lab(write_sample(tmp_path / "lab", text))
    data = DataSets(lab.folder)
    ada = played(lab, data, "Ada")
    (tmp_path / "class").mkdir()
    ada.save(tmp_path / "class" / "a.json")
    ada.name = "Bob"
    ada.save(tmp_path / "class" / "b.json")
    grades = read_folder(tmp_path / "class", lab)
    outcomes = Counter((marked.name, text) for marked, _, text in iter_repeats(grades, None))
    assert outcomes == {("Ada", "same to the bit"): 3}
    ada, bob = grades.marked
    assert (ada.remark, bob.remark) == ("the same run as in b.json", "the same run as in a.json")
    assert [*ada.faults] == []
    assert [*bob.faults.values()] == ["another seed than the lab gives this person"] * 3


def test_data_may_be_chosen_where_the_lab_shows_their_control(tmp_path):
    lab = open_lab(write_sample(tmp_path / "lab", SAMPLE.replace('["learning_rate"]', '["data"]')))
    answers = played(lab, DataSets(lab.folder), "Ada")
    answers.attempts[:] = [trained(lab, DataSets(lab.folder), "goal")]
    (tmp_path / "class").mkdir()
    answers.save(tmp_path / "class" / "a.json")
    values = json.loads((tmp_path / "class" / "a.json").read_text())
    values["attempts"][0]["data"] = "rastrigin:9999"
    (tmp_path / "class" / "b.json").write_text(json.dumps(values))
    assert faults(tmp_path / "class", lab) == ["other data than the lab's"]
    assert repeated(tmp_path / "class", lab) == ["same to the bit"]


def test_files_that_cannot_be_marked_are_listed_with_the_reason(hand_in, lab, tmp_path):
    hand_in("Ada")
    hand_in("Ada", file="again.JSON")
    hand_in("Bob", lambda content: content.update(name=" ada "), "other.json")
    hand_in("Cem", lambda content: content["lab"].update(title="Lines", digest="1"))
    folder = hand_in("Dia", lambda content: content["lab"].update(digest="1"))
    (folder / "deep").mkdir()
    (folder / "deep" / "cut.json").write_text((folder / "Ada.json").read_text()[:500])
    (folder / "large.json").write_bytes(b" " * 9_000_000)
    (folder / "notes.txt").write_text("not answers")
    (folder / "folder.json").mkdir()
    remarks = {marked.file: marked.remark for marked in read_folder(folder, lab).marked}
    assert remarks.pop("deep/cut.json").startswith("cut.json cannot be read as answers (")
    assert "is larger than 8 MB" in remarks.pop("large.json")
    assert remarks == {
        "Ada.json": "the same run as in again.JSON",
        "again.JSON": "twice: also in Ada.json; the same run as in Ada.json",
        "other.json": "twice: also in Ada.json", "Cem.json": "Cem.json is of another lab: Lines.",
        "Dia.json": "Dia.json is of another version of this lab.",
    }  # fmt: skip


def test_a_fault_of_the_program_at_one_file_leaves_the_others_marked(hand_in, lab, monkeypatch):
    """Whatever a file makes the program do, the table of the class is there."""
    for person in ("Ada", "Bob", "Cem"):
        folder = hand_in(person)

    def read(path, lab):
        if path.name == "Bob.json":
            raise ZeroDivisionError
        return read_answers(path, lab)

    def make(part, variant, plan, data, on, seconds, kept):
        if plan.settings.learning_rate == 0.05:
            raise MemoryError
        return make_attempt(part, variant, plan, data, on, seconds, kept)

    monkeypatch.setattr("core.labs.grading.read_answers", read)
    monkeypatch.setattr("core.labs.blocks.exercise.make_attempt", make)
    grades = read_folder(folder, lab)
    texts = [text for _, _, text in iter_repeats(grades, None)]
    assert texts.count("not verified: it failed here (MemoryError)") == 2
    assert texts.count("same to the bit") == 4
    # Runs that are not verified are not done.
    assert [row[1] for row in grades.rows()[1:]] == [5, 0, 5]
    said = (
        "Bob.json cannot be marked, by a fault of this program (ZeroDivisionError): mark it by "
        "hand."
    )
    assert grades.marked[1].remark == said


def test_links_are_not_followed_out_of_the_folder(hand_in, lab, tmp_path):
    folder = hand_in("Ada")
    (tmp_path / "outside").mkdir()
    (folder / "Ada.json").rename(tmp_path / "outside" / "Ada.json")
    try:
        (folder / "link.json").symlink_to("../outside/Ada.json")
        (folder / "below").symlink_to("../outside", target_is_directory=True)
        (folder / "loop").symlink_to(".", target_is_directory=True)
    except OSError:
        pytest.skip("this system makes no links")
    marked = read_folder(folder, lab).marked
    assert [(each.file, each.remark) for each in marked] == [
        ("link.json", "link.json is a link and is not read.")
    ]


def test_a_folder_without_answers_is_refused(tmp_path, lab):
    with pytest.raises(InputError, match="is no folder"):
        read_folder(tmp_path / "none", lab)
    with pytest.raises(InputError, match="holds no files of answers"):
        read_folder(tmp_path, lab)


def test_files_beyond_a_limit_of_all_together_are_listed(hand_in, lab, monkeypatch):
    for person in IDEAS:
        folder = hand_in(person)
    monkeypatch.setattr("core.labs.grading.MAX_MEMORY", 30_000)
    assert [bool(marked.answers) for marked in read_folder(folder, lab).marked] == [
        True,
        True,
        False,
        False,
    ]


def test_texts_of_the_files_are_data_in_tables_and_pages(hand_in, lab):
    names = [
        '=HYPERLINK("http://x.org")',
        "@SUM(1)",
        "+1+cmd|' /C calc'!A0",
        "-2+3",
        "<script>alert(1)</script>",
        '" onload="x',
        "a\rb\nc,d",
        "\u202egnp.exe",
        "\ud800",
        "\x1b[31m",
    ]
    for number, name in enumerate(names):
        folder = hand_in(
            "Ada", lambda content, name=name: content.update(name=name), f"{number}.json"
        )
    grades = read_folder(folder, lab)
    assert len(grades.good) == len(names)
    rows = list(csv.reader(io.StringIO(grades.csv())))
    assert len(rows) == len(names) + 1
    for row in rows[1:]:
        for cell in row:
            assert not cell.startswith(("=", "@", "+", "-", "\t", "\r"))
            assert not {"\r", "\n", "\x1b", "\u202e"} & {*cell}
    html = grades.html()
    html.encode(errors="replace")
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert 'onload="x' not in html
