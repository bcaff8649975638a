"""Numbers as texts for people, and texts of files on one line."""

import pytest

from core.text import format_r2, printable


@pytest.mark.parametrize(
    ("score", "text"), [(0.98, "R² 0.9800"), (-3.5, "R² -3.5000"), (-8.2e45, "R² -8.200e+45")]
)
def test_r2_is_short_whatever_its_size(score, text):
    assert format_r2(score) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [("784-10", "784-10"), ("\x1b[2Jgone", "?[2Jgone"), ("a\nb\r\nc", "a b c"), ("exe\u202egnp", "exe?gnp"),
     ("half \ud800", "half ?"), ("Größe 数字 🙂", "Größe 数字 🙂")],
)  # fmt: skip
def test_a_text_of_a_file_cannot_control_the_terminal(text, shown):
    assert printable(text) == shown
