"""Damaged and hostile files of answers and labs: each is refused in one sentence or listed, and
nothing is executed.
"""

import io
import json
import os
import re
import zipfile
from random import Random

import pytest

from core.errors import InputError
from core.labs.answers_file import read_answers
from core.labs.grading import iter_repeats, read_folder
from core.labs.package import open_lab
from core.labs.web_page import sheet_html
from tests.core.labs.sample import SAMPLE, played, write_sample
from tests.faults.mutate import mutate

COUNT, ZIPPED = 300, 100
RUN = "__import__('os').system('touch executed')"
TEXTS = (
    RUN,
    f"=cmd|'{RUN}'!A1",
    f"<script>{RUN}</script>",
    "$(touch executed)",
    "{0.__class__.__mro__}",
    "%s%n",
    "../../../etc/passwd",
    "file:///etc/passwd",
    "C:\\Windows",
    "\x00",
    "\u202e",
    "\ud800",
    "x" * 100_000,
)


def check_refusal(error):
    """One sentence of at most some lines, without a trace of the program's inside."""
    message = str(error)
    assert len(message) < 1000
    assert "\n" not in message
    assert "Traceback" not in message


@pytest.fixture
def nothing_runs(tmp_path, monkeypatch):
    """Fails where a text of a file was executed by Python or by a shell."""
    monkeypatch.chdir(tmp_path)
    yield
    assert not (tmp_path / "executed").exists()


def _hostile(value, random):
    """The JSON value with one of its parts replaced by something that it should not be."""
    if isinstance(value, dict | list) and value and random.random() < 0.9:
        key = random.choice([*value] if isinstance(value, dict) else range(len(value)))
        value[key] = _hostile(value[key], random)
        return value
    return random.choice(
        [
            None,
            True,
            -1,
            1e308,
            10**400,
            [],
            {},
            [[]] * 1000,
            {"__class__": "os"},
            *TEXTS,
            [value] * 3,
            "9" * 5000,
        ]
    )


def test_damaged_files_of_answers_are_listed(lab, data, tmp_path, home, nothing_runs):
    content = json.dumps(played(lab, data, "Ada").as_dict()).encode()
    folder = tmp_path / "class"
    folder.mkdir()
    for number in range(COUNT):
        random = Random(number)
        damaged = mutate(content, random)
        if number % 2:
            damaged = json.dumps(_hostile(json.loads(content), random)).encode()
        (folder / f"{number:03}.json").write_bytes(damaged)
    (folder / "deep.json").write_bytes(b"[" * 1_000_000)
    (folder / "long.json").write_bytes(content[:-1] + b', "name": "' + b"x" * 1_900_000 + b'"}')
    (folder / "large.json").write_bytes(b"[1]," * 2_500_000)
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.json")
        (folder / "device.json").symlink_to("/dev/zero")
    grades = read_folder(folder, lab)
    assert len(grades.marked) >= COUNT + 3
    for marked in grades.marked:
        check_refusal(marked.remark)
        assert marked.answers or marked.remark
    for _, _, text in iter_repeats(grades, 1, seconds=1):
        check_refusal(text)
    grades.csv().encode(errors="replace")
    assert "<script" not in grades.html()


def _hostile_lab(random):
    """The sample with a line or a value replaced, a block repeated, or random bytes."""
    lines = SAMPLE.split("\n")
    place = random.randrange(len(lines))
    how = random.randrange(6)
    if how == 0:
        return mutate(SAMPLE.encode(), random)
    if how == 1:
        lines[place] = re.sub(
            r"= .*", lambda _: "= " + json.dumps(random.choice(TEXTS)), lines[place]
        )
    elif how == 2:
        lines[place] = random.choice(
            ["```run", "[" * 1000, "> " * 1000, "a." * 500 + "b = 1", "![x](/etc/passwd)", "# B"]
        )
    elif how == 3:
        lines[place:place] = lines[random.randrange(len(lines)) :] * random.choice((1, 8))
    elif how == 4:
        value = random.choice(
            ["nan", "-inf", "1e400", "9" * 400, "[" * 200 + "]" * 200, "{}", "true", "[[1]]", '""']
        )
        lines[place] = re.sub(r"= .*", "= " + value, lines[place])
    else:
        lines[place] = random.choice(TEXTS)
    return "\n".join(lines).encode(errors="surrogatepass")


def test_damaged_labs_are_refused_in_one_sentence(tmp_path, home, nothing_runs):
    folder = write_sample(tmp_path / "lab")
    refused = 0
    for number in range(COUNT - ZIPPED):
        (folder / "lab.md").write_bytes(_hostile_lab(Random(number)))
        try:
            lab = open_lab(folder)
        except InputError as error:
            check_refusal(error)
            refused += 1
        else:
            assert "<script" not in sheet_html(lab, teacher=True)
    assert refused > COUNT / 4


def test_damaged_zip_files_are_refused_in_one_sentence(tmp_path, home, nothing_runs):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lab.md", SAMPLE)
        archive.writestr("points.csv", "1,2,3\n" * 50)
    before = {path for path in tmp_path.rglob("*") if home not in path.parents}
    path = tmp_path / "lab.zip"
    for number in range(ZIPPED):
        path.write_bytes(mutate(packed.getvalue(), Random(number)))
        try:
            open_lab(path)
        except InputError as error:
            check_refusal(error)
    assert {path for path in tmp_path.rglob("*") if home not in path.parents} - before <= {
        path,
        home,
    }


def test_texts_of_10_mb_are_not_read(tmp_path, lab):
    for name, open_file in (("a.md", open_lab), ("a.json", lambda path: read_answers(path, lab))):
        (tmp_path / name).write_bytes(b"# A\n" * 2_500_000)
        with pytest.raises(InputError, match="larger than"):
            open_file(tmp_path / name)
