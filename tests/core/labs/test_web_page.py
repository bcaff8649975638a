"""Labs as pages to read and try: their texts, what their runs gave, a network to draw on, and links
between them.
"""

import json
import re
from xml.etree import ElementTree

import pytest

from core.html.page import page
from core.labs.forms import empty_axes
from core.labs.reader import parse_lab
from core.labs.web_page import Trained, iter_trained, page_html

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
