"""Labs as pages to read and try: their texts, what their runs gave, a network to draw on, and links
between them.
"""

import json
import os
import re
from xml.etree import ElementTree

import pytest

from core.errors import InputError
from core.html.page import page
from core.labs.forms import empty_axes
from core.labs.reader import parse_lab
from core.labs.web_page import Trained, iter_site, iter_trained, page_html
from tests.core.labs.sample import write_sample

pytestmark = pytest.mark.usefixtures("few_digits")

DIGITS = """\
# Read <b>digits</b>

```lab
version = 1
minutes = 5
```

```setup
data = "builtin"
network = "784-8-10"
epochs = 2
```

See [the points](sample.md) and [a book](https://example.org/book).

```teacher
The hidden note.
```

```run
id = "rates"
variants = [{ learning_rate = 0.0001 }, { learning_rate = 0.5 }]
```

```question
id = "why"
ask = "Why?"
[[choices]]
text = "By </details><script>chance</script>."
misconception = "chance"
reply = "The seed is the same."
[[choices]]
text = "By learning."
right = true
```
"""


def data_of(text):
    return json.loads(re.search(r'id="data">(.*?)</script>', text)[1])


def test_the_best_network_of_the_runs_is_on_the_page_with_their_curves():
    lab = parse_lab(DIGITS, "digits.md")
    trained = Trained()
    lines = [*iter_trained(lab, trained)]
    assert [line.partition(":")[0] for line in lines] == ["rate 0.0001", "rate 0.5"]
    text = page_html(lab, trained)
    assert "This network was trained for this page: rate 0.5." in text
    assert data_of(text)["network"]["layers"][0]["shape"] == [8]
    assert len(data_of(text)["replay"]["epochs"]) == 1
    assert text.count("<polyline") >= 2
    assert "The hidden note" not in text
    assert "<summary>By &lt;/details&gt;&lt;script&gt;chance" in text
    assert "&lt;b&gt;digits" in text


def test_without_training_the_program_s_own_network_reads(lab):
    text = page_html(lab, Trained())
    assert "This network comes with DigitLab." in text
    assert len(data_of(text)["classes"]) == 10
    assert "The seed is the same." in text
    assert "The hidden note" not in text


def test_each_step_has_its_heading_but_for_what_stands_below_the_title():
    text = page_html(
        parse_lab(DIGITS + "\n## Think again\n\nRead it once more.\n", "digits.md"), Trained()
    )
    assert re.findall("<h2>(.*?)</h2>", text)[:1] == ["Think again"]


def test_the_runs_to_try_have_their_names_and_lines_for_the_figures():
    text = page_html(parse_lab(DIGITS, "digits.md"), Trained())
    named = re.findall("▷ (.*?): (.)", text)
    assert [name for name, _ in named] == ["rate 0.0001", "rate 0.5"]


def test_a_site_links_its_labs(tmp_path):
    labs, out = tmp_path / "labs", tmp_path / "site"
    write_sample(labs / "points")
    (labs / "intro.md").write_text(DIGITS.replace("sample.md", "points/lab.md"), "utf-8")
    (labs / "notes.md").write_text("# No lab", "utf-8")
    lines = [*iter_site(labs, out, train=False)]
    assert lines[-1].text.startswith("Written: 2 labs")
    assert not any(line.fault for line in lines)
    assert sorted(path.name for path in out.iterdir()) == [
        "index.html",
        "intro.html",
        "points.html",
    ]
    for path in out.iterdir():
        for link in re.findall(r'href="([^"#]*)"', path.read_text("utf-8")):
            assert (out / link).is_file() or link == "https://example.org/book"
    assert 'href="points.html">the points' in (out / "intro.html").read_text("utf-8")
    with pytest.raises(InputError, match="holds no labs"):
        next(iter_site(out, tmp_path / "other"))


def test_each_lab_of_a_site_has_a_page_of_its_own_name(tmp_path):
    """Also where capitals do not count, and where the index stands."""
    labs, out = tmp_path / "labs", tmp_path / "site"
    names = ("index.md", "a/b.md", "a-b.md", "\u00e4.md", "\u00f6.md", "con.md")
    for name in names:
        (labs / name).parent.mkdir(parents=True, exist_ok=True)
        (labs / name).write_text(DIGITS.replace("# Read", f"# {name}"), "utf-8")
    *_, last = iter_site(labs, out, train=False)
    assert last.text.startswith("Written: 6 labs")
    pages = [path.name for path in out.iterdir()]
    assert len(pages) == len({page.casefold() for page in pages}) == 7
    index = (out / "index.html").read_text("utf-8")
    for name in names:
        (link,) = re.findall(rf'href="([^"]*)">{name}', index)
        assert f"<title>{name}" in (out / link).read_text("utf-8")


def test_a_site_goes_on_after_a_bad_file_and_names_it(tmp_path):
    labs, out = tmp_path / "labs", tmp_path / "site"
    labs.mkdir()
    for name in ("a.md", "z.md"):
        (labs / name).write_text(DIGITS, "utf-8")
    (labs / "README.md").write_bytes(b"x" * 1_000_001)
    (labs / "pictures.zip").write_bytes(b"no zip")
    (labs / "broken.md").write_text("# T\n\n```lab\nversion = 9\n```\n", "utf-8")
    (labs / "folder.md").mkdir()
    bad = ["README.md", "broken.md", "pictures.zip"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(labs / "pipe.md")
        bad.append("pipe.md")
    lines = [*iter_site(labs, out, train=False)]
    named = [line.text.partition(": ")[0] for line in lines if line.fault]
    assert sorted(named) == sorted(bad)
    assert sorted(path.name for path in out.iterdir()) == ["a.html", "index.html", "z.html"]


def test_every_page_has_a_policy_that_names_its_style_and_script():
    text = page("Title", [], script="run()")
    policy = re.search(r'content="(default-src[^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "script-src" not in page("Title", [])


@pytest.mark.parametrize("highest", [0.0, 100.0])
def test_the_axes_to_draw_on_lie_within_their_picture(highest):
    svg = ElementTree.fromstring(empty_axes("test_accuracy", 4, highest)).find("svg")
    *_, width, height = map(float, svg.get("viewBox").split())
    texts = {text.text: (float(text.get("x")), float(text.get("y"))) for text in svg.iter("text")}
    assert all(0 <= x <= width and 0 <= y <= height for x, y in texts.values())
    lines = [[*map(float, re.findall(r"[\d.]+", path.get("d")))] for path in svg.iter("path")]
    across = [line[4] for line in lines]  # the height of each line across
    assert across == sorted(across)
    assert (min(across), max(across)) == (lines[0][1], lines[0][2])
    if highest:
        assert texts["100"][1] < texts["0"][1]
