"""Numbers as texts for people."""

import pytest

from gui.text import probability


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0.0"), (0.5, "50.0"), (0.9994, "99.9"), (0.9996, "> 99.9"), (1.0, "> 99.9")]
)
def test_no_probability_is_shown_as_certain(value, text):
    assert probability(value) == text
