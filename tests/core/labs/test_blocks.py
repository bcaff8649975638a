"""Every kind of block, as it lies in its folder: it is read, done, checked, printed, shown on a
page and marked.
"""

import shutil
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from core.errors import InputError
from core.files.toml_text import toml_lines
from core.labs.answers import Answers
from core.labs.blocks import KINDS
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.forms import PageWriter
from core.labs.grading import read_folder
from core.labs.package import open_lab
from core.labs.skeleton import skeleton
from core.labs.trial import DataSets, LabCheck
from core.labs.web_page import Trained, page_html, sheet_html
from core.program import FOLDER, RESOURCES

LARGEST = (
    10**15,
    1e300,
    True,
    " ".join(f"n{number}=1,2,3" for number in range(80)),
    "-".join(["999999999"] * 200),
    "builtin+" * 2000 + "builtin",
    [10**15] * 5_000,
    ["builtin"] * 5_000,
    {f"k{number}": 10**15 for number in range(5_000)},
    {"seed": True, "network": ["9999-9999-9999"] * 1000},
)
DOCUMENT = FOLDER / "docs" / "writing-labs.md"


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """By the name of a kind a lab that has such a block: the skeleton, or one that comes with the
    program.
    """
    folder = tmp_path_factory.mktemp("examples")
    (folder / "lab.md").write_text(skeleton(), "utf-8")
    shipped = [
        *RESOURCES.glob("labs/**/*.md"),
        *RESOURCES.glob("workshop/*/lab.md"),
    ]
    found = {}
    for path in [folder / "lab.md", *sorted(shipped)]:
        lab = open_lab(path)
        for part in lab.parts:
            found.setdefault(part.name, (lab, part))
    return found


@pytest.fixture(params=KINDS)
def example(request, examples, drawn_digits):
    assert request.param in examples, "no lab that comes with the program has such a block"
    return examples[request.param]


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_described_for_those_who_write_labs(name):
    assert f"**`{name}`**" in DOCUMENT.read_text("utf-8")


def test_a_kind_is_read_and_not_done_before_a_person_did_it(example):
    lab, part = example
    assert lab.text.splitlines()[part.line - 1].strip() == f"```{part.name}"
    assert Answers(lab).is_done(part) == (not isinstance(part, ExerciseBlock))


def test_a_kind_is_on_the_sheet_of_the_teacher_and_on_the_page(example):
    lab, part = example
    on_sheet = part.html(PageWriter(lab.folder, lab.predicted_epochs(), teacher=True))
    on_page = part.html(PageWriter(lab.folder, lab.predicted_epochs(), attempts={}))
    assert bool(on_sheet) == bool(part.texts())
    assert on_sheet in sheet_html(lab, teacher=True)
    assert bool(on_page) == (bool(on_sheet) and part.hidden != "teacher")
    assert on_page in page_html(lab, Trained())


def test_a_kind_is_checked_and_marked(example, tmp_path):
    lab, part = example
    assert not [
        finding
        for finding in part.iter_check(LabCheck(DataSets(lab.folder), trains=False))
        if finding.fault
    ]
    if isinstance(part, ExerciseBlock):
        Answers(lab, "Ada").save(tmp_path / "ada.json")
        grades = read_folder(tmp_path, lab)
        (marked,) = grades.marked
        # Nothing was done.
        assert part.outcome(marked.answers.given(part), marked.marks(part)) == ""
        assert part.id in grades.rows()[0]
        assert "Ada" in grades.html()


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the limit of memory is set as on Linux"
)
def test_the_largest_values_of_its_keys_take_no_memory(example, tmp_path):
    import resource

    lab, part = example
    if not part.keys:
        return
    folder = tmp_path / "lab"
    if lab.folder is not None:
        shutil.copytree(lab.folder, folder)
    folder.mkdir(exist_ok=True)
    lines = lab.text.split("\n")
    end = lines.index("```", part.line)
    values = tomllib.loads("\n".join(lines[part.line : end]))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), limits[1]))
    try:
        for key, value in ((key, value) for key in part.keys for value in LARGEST):
            block = "\n".join(toml_lines({**values, key: value}))
            changed = [*lines[: part.line], block, *lines[end:]]
            (folder / "lab.md").write_text("\n".join(changed), "utf-8")
            with suppress(InputError):
                read = open_lab(folder)
                sheet_html(read, teacher=True)
                for each in read.parts:
                    list(each.iter_check(LabCheck(DataSets(read.folder), trains=False)))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
