"""The page of a verdict: it steps through the run, and texts of the kernel are texts."""

import json
import re
from dataclasses import replace

import pytest

from core.workshop.report import verdict_html
from tests.core.workshop.checking import check
from tools.browser import CHROMIUM, WHY_NOT, Browser

SOURCE = '''"""</script><script>alert(1)</script>"""
from numba import cuda, float32

@cuda.jit
def turn(out, a):
    s = cuda.shared.array(8, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    out[t] = s[7 - t]
'''


def page_of(source):
    verdict = check(
        source, "out: float32[8], a: float32[8]", "1", "8", types=False, trace=True, isolated=False
    )
    return verdict_html(verdict, source)


def test_the_page_holds_the_run_as_data():
    text = page_of(SOURCE)
    assert "<script>alert" not in text
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])
    assert [event["line"] for event in data["events"]] == [8, 8, 9, 9]
    (conflict,) = data["conflicts"]
    assert (conflict["lanes"], conflict["events"]) == ([0, 7], [1, 2])
    assert data["variables"][0]["name"] == "t"
    assert "thread 7 reads s[0] before thread 0 writes it" in data["other"]["result"]
    assert any("lie in one sector" in sentence for sentence in data["sentences"])
    assert "class=fault>   9" in text  # the race


def test_the_page_of_a_run_that_was_not_recorded_to_its_end_says_so():
    verdict = check(
        SOURCE, "out: float32[8], a: float32[8]", "1", "8", types=False, trace=True, isolated=False
    )
    assert "The launch is long" not in verdict_html(verdict, SOURCE)
    cut = replace(verdict, trace=replace(verdict.trace, complete=False))
    assert "The launch is long: these are its first 4 steps." in verdict_html(cut, SOURCE)


@pytest.mark.parametrize(("most", "rows"), [(8, 1), (7, 0)])
def test_the_page_holds_only_so_many_values_of_variables(monkeypatch, most, rows):
    """`t` has eight."""
    monkeypatch.setattr("core.workshop.report.MAX_VALUES", most)
    data = json.loads(re.search(r'id="data">(.*?)</script>', page_of(SOURCE))[1])
    assert [len(variable["rows"]) for variable in data["variables"]] == [rows]


def test_a_kernel_that_was_not_run_has_a_page_too():
    text = page_of(SOURCE.replace("s[7 - t]", "open('x')"))
    assert "open is not covered" in text
    assert 'id="data"' not in text


@pytest.mark.skipif(CHROMIUM is None, reason=WHY_NOT)
def test_the_page_steps_forwards_and_back(tmp_path):
    (tmp_path / "page.html").write_text(page_of(SOURCE), "utf-8")
    browser = Browser(tmp_path)
    try:
        browser.open(tmp_path / "page.html")
        assert "line 8 reads a" in browser.evaluate("document.getElementById('where').textContent")
        browser.click("#forward")
        browser.click("#forward")
        assert "line 9 reads s" in browser.evaluate("document.getElementById('where').textContent")
        titles = browser.evaluate(
            "[...document.querySelectorAll('#pictures figcaption')].map((e) => e.textContent)"
        )
        assert "▸ s: float32[8], shared" in titles
        assert "Lanes × 32 banks" in titles
        browser.click("#back")
        assert "line 8 writes s" in browser.evaluate("document.getElementById('where').textContent")
        text = browser.evaluate("document.getElementById('conflict').textContent")
        assert text.startswith("Race: thread 0 writes s[0] while thread 7 reads it at line 9")
        browser.click("#race")  # to the other thread
        text = browser.evaluate("document.getElementById('conflict').textContent")
        assert text.startswith("Race: thread 7 reads s[0] while thread 0 writes it at line 8")
        assert "t = 7 int32" in browser.evaluate("document.getElementById('variables').textContent")
        browser.click("#other")
        text = browser.evaluate("document.getElementById('result').textContent")
        assert "At the end out[7] is 0" in text
        assert "line 9 reads s" in browser.evaluate("document.getElementById('where').textContent")
        browser.click("#other")
        assert browser.evaluate("document.getElementById('result').hidden")
        assert browser.faults == []
    finally:
        browser.close()
